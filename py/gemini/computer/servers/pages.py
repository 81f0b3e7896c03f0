"""Answers of servers in the page to the pages of tabs (web/ui/panels/browser/sites.ts)."""

from __future__ import annotations

import asyncio
import base64
import html
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gemini.computer.servers import requests
from gemini.computer.servers.requests import Request
from gemini.core.protocol import Params

HTML = "text/html; charset=utf-8"
BAD_GATEWAY = 502
PRESCANNED = 1024
# A piece waits this long for others: most answers are complete then, and need one message.
AT_ONCE_S = 0.02
MAX_PIECE = 1 << 20

Control = Callable[..., tuple[str, bytes]]
"""Adds the page script to a document: takes its type, its content and the port; see gemini.pages.tabs.sites."""


class Pages:
    """Requests of pages, and the answers that are still arriving.

    Args:
        control: Adds the page script to a document.
    """

    def __init__(self, control: Control) -> None:
        self._control = control
        self._arriving: dict[int, _Arriving] = {}
        self._last = 0

    async def answer(self, params: Params) -> dict[str, Any]:
        """Return a server's answer to the request of a page, or a page that says why there is none.

        Args:
            params: `port`, `method`, `path` (with its query), `headers`, `body` in base64, and `isDocument`:
                whether the answer is shown as a page.

        Returns:
            `status`, `reason`, `headers`, `content` in base64, and `stream`: what `more` returns the rest for, or None
            if there is no rest.
        """
        is_document = params["isDocument"] is True
        got, arriving = await _send(params, is_document)
        kind, content = got.kind, got.body
        if is_document:
            kind, content = self._control(kind, content, int(params["port"]))
        stream = None
        if arriving is not None:
            self._last = stream = self._last + 1
            self._arriving[stream] = arriving
        return {
            "status": got.status,
            "reason": got.reason,
            "headers": [*got.headers, *([("content-type", kind)] if kind else [])],
            "content": base64.b64encode(content).decode(),
            "stream": stream,
        }

    async def more(self, stream: int) -> dict[str, Any]:
        """Wait for more of an answer; return its `content` in base64, and whether it `ends` or is `broken` off."""
        arriving = self._arriving.get(stream)
        if arriving is None:
            return {"content": "", "ends": False, "broken": True}
        ends = broken = False
        try:
            ends = await arriving.gather(1)
        except requests.NoAnswer:
            broken = True
        if ends or broken:
            self.end(stream)
        return {"content": base64.b64encode(arriving.take()).decode(), "ends": ends, "broken": broken}

    def end(self, stream: int) -> None:
        """Close the connection of an answer, which nobody reads any more."""
        arriving = self._arriving.pop(stream, None)
        if arriving is not None:
            arriving.close()


@dataclass(frozen=True)
class _Head:
    """The beginning of an answer. `kind` is its content type, `body` what has arrived of its content."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    kind: str
    body: bytes


class _Arriving:
    """The body of an answer, gathered into few pieces.

    Args:
        answer: The answer.
    """

    def __init__(self, answer: requests.Answer) -> None:
        self._answer = answer
        self._gathered = bytearray()
        self._next: asyncio.Task[bytes] | None = None

    async def gather(self, minimum: int) -> bool:
        """Wait for so many bytes, then for others that come at once; return whether they are the last.

        Raises:
            NoAnswer: The body breaks off.
        """
        while len(self._gathered) < MAX_PIECE:
            self._next = self._next or asyncio.create_task(self._answer.piece())
            waits = len(self._gathered) < minimum
            await asyncio.wait({self._next}, timeout=None if waits else AT_ONCE_S)
            if not self._next.done():
                return False
            piece, self._next = self._next.result(), None
            if not piece:
                return True
            self._gathered += piece
        return False

    def take(self) -> bytes:
        """Return what was gathered."""
        taken = bytes(self._gathered)
        self._gathered.clear()
        return taken

    def close(self) -> None:
        """Close the connection."""
        self._answer.close()


async def _send(params: Params, is_document: bool) -> tuple[_Head, _Arriving | None]:
    """Send a request, and return the beginning of the answer, and the rest if there is one."""
    request = Request(
        int(params["port"]),
        str(params["method"]),
        str(params["path"]),
        [(str(name), str(value)) for name, value in params["headers"]],
        base64.b64decode(params["body"]),
    )
    try:
        got = await requests.send(request)
        arriving = _Arriving(got)
        kind = got.header("content-type")
        is_page = is_document and kind.partition(";")[0].strip().lower() == "text/html"
        # Browsers look for a page's encoding in as many bytes.
        complete = await arriving.gather(PRESCANNED if is_page else 0)
    except ConnectionRefusedError:
        title = f"No server listens at port {request.port}"
        return _problem(title, "Start it again, then reload this page."), None
    except (requests.NoAnswer, ValueError) as error:
        return _problem(f"The server at port {request.port} didn't answer", f"{error}."), None
    headers = [pair for pair in got.headers if pair[0].lower() not in ("content-type", "content-length")]
    return _Head(got.status, got.reason, headers, kind, arriving.take()), None if complete else arriving


def _problem(title: str, text: str) -> _Head:
    page = (
        "<!doctype html><meta name=viewport content='width=device-width'>"
        f"<title>{html.escape(title)}</title>"
        "<style>:root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}</style>"
        f"<h1>{html.escape(title)}</h1><p>{html.escape(text)}</p>"
    )
    return _Head(BAD_GATEWAY, "Bad Gateway", [], HTML, page.encode())
