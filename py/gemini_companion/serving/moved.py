"""Answers at a port that the surface had before: it leads known browsers to the new one, and tells others its address.

    POST /entrance/challenge  {}                                → {challenge}
    POST /entrance/follow     {key, challenge, signature, store} → {url}

What a page stores belongs to its origin, and so to its port: layout, grants, what was refused. A browser that this
origin knows signs a challenge as for `/entrance/return`, brings its `store`, and gets an address of the new port with
a one-time code, which hands the store to the page there. Nobody else gets a code: Python's origin has no key, and no
page may frame the one that does this.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import Field
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from gemini_companion.admission.admission import NO_STORE, PATH, Body, Entrance, read_body, refuse, statement
from gemini_companion.admission.extension import ORIGIN as EXTENSION
from gemini_companion.admission.guard import INVALID_REQUEST, Guard
from gemini_companion.admission.identity import ADDRESS, TOKEN, Identity
from gemini_companion.admission.one_time_codes import AT_ONCE_S
from gemini_companion.named_command import named_command
from gemini_companion.serving.chosen_port import HOST

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gemini_companion.serving.server import Port

GONE = 410
# Browsers store at most 10 MB for an origin, in two bytes a character.
LARGEST_STORE = 12 * 1024 * 1024
PAGE = Path(__file__).with_name("moved.html")
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class Follow(Body):
    """The body of `/entrance/follow`."""

    key: str = Field(max_length=200)
    challenge: str = Field(max_length=200)
    signature: str = Field(max_length=200)
    store: dict[str, str]


class Moved:
    """The application of one former port.

    Args:
        port: The port.
        entrance: Admits pages at the new one.
        url: The new address of the surface.
        mcp: The path of MCP.
    """

    def __init__(self, port: Port, entrance: Entrance, url: str, mcp: str) -> None:
        self._port = port
        self._entrance = entrance
        self._url = url
        self._mcp = mcp

    def app(self) -> ASGIApp:
        """Return the application."""
        routes = [
            Route(f"{PATH}/challenge", self._entrance.challenge, methods=["POST"]),
            Route(f"{PATH}/follow", self._follow, methods=["POST"]),
            # For `control-surface url` with the earlier port.
            Route(ADDRESS, self._entrance.new_address, methods=["POST"]),
            *(Route(f"{PATH}/{name}", self._gone, methods=["POST"]) for name in ("open", "return")),
            Route(TOKEN, self._gone, methods=["POST"]),
            Route(self._mcp, self._gone_mcp, methods=["GET", "POST", "DELETE"]),
            Route("/{path:path}", self._page, methods=["GET", "HEAD"]),
        ]
        return Guard(
            Identity(Starlette(routes=routes)),
            hosts=self._port.hosts,
            guests={EXTENSION: (PATH,)},
            headers=_headers(),
        )

    @property
    def _sentence(self) -> str:
        return f"The companion has moved from port {self._port.number} to {self._url}"

    async def _page(self, request: Request) -> Response:
        url = _at(self._url, f"http://{request.headers['host']}")
        page = (
            PAGE.read_text(encoding="utf-8").replace("{url}", url).replace("{command}", named_command("url"))
        )
        return HTMLResponse(page, headers=NO_STORE)

    async def _gone(self, request: Request) -> Response:
        return JSONResponse({"message": f"{self._sentence}."}, GONE, headers=NO_STORE)

    async def _gone_mcp(self, request: Request) -> Response:
        url = f"{self._url.rstrip('/')}{self._mcp}"
        message = (
            f"{self._sentence}. Change the address in this client's configuration to {url}; the surface's settings "
            "have the whole configuration to copy."
        )
        error = {"code": INVALID_REQUEST, "message": message}
        return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, GONE, headers=NO_STORE)

    async def _follow(self, request: Request) -> Response:
        origin = request.headers.get("origin")
        body = await read_body(request, Follow, LARGEST_STORE)
        if origin not in {f"http://{host}" for host in self._port.hosts} or body is None:
            return refuse(400, "This request needs a key, a challenge, a signature and the page's store.")
        challenges = self._entrance.challenges
        if not challenges.is_open(body.challenge):
            return refuse(409, "The challenge was already used, or has expired. Request a new one.")
        signed = statement(origin, body.challenge)
        browser = self._entrance.browsers.verify(body.key, origin, signed, body.signature)
        if browser is None:
            return refuse(403, "This browser isn't known here.")
        challenges.use(body.challenge)
        address = self._entrance.address(
            attended=browser.attended, within_s=AT_ONCE_S, own=browser.own, store=body.store
        )
        return JSONResponse({"url": _at(address, origin)}, headers=NO_STORE)


def _at(url: str, origin: str) -> str:
    """Return an address of the surface with the name of an origin.

    Under `127.0.0.1` and under `localhost` the kernel has different storage, since browsers part it by the page's site.
    """
    return url.replace(HOST, urlsplit(origin).hostname or HOST, 1)


@cache
def _headers() -> dict[str, str]:
    """Return the headers of every answer: only the page's own script runs, and no other page may frame it."""
    [script] = SCRIPT.findall(PAGE.read_text(encoding="utf-8"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; connect-src 'self'; frame-ancestors 'none'"
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
