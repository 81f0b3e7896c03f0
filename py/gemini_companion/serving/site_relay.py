"""Answers requests to sites by asking the page that shows them, for browsers that refuse service workers to frames.

Such a browser blocks what frames of other sites store. The page then serves the site's label, and creates the answers
that the site's service worker would, with all headers (web/ui/companion/site_relay.ts).
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from gemini.core.protocol import Handler, Params
from gemini.errors import ProtocolError
from gemini_companion.admission.guard import LABEL

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

# The files of the site's host itself, as in web/site/worker.ts.
OWN = re.compile(r"/(?:host\.html|host\.js|worker\.js|gemini-page[a-z-]*\.js)")
FRAMES = (b"iframe", b"frame", b"object", b"embed")
DOCUMENTS = (b"document", *FRAMES)
# Of the network, the browser or another site; a service worker sees none of them.
NOT_PASSED = re.compile(
    rb"accept-encoding|connection|content-length|cookie|host|origin|referer|sec-.*|te|transfer-encoding|upgrade.*"
)
# Sites of one page; it remembers the labels of 200.
MOST_SITES = 1000

Request = Callable[[str, Params], Coroutine[Any, Any, Any]]


class SiteRelay:
    """The sites that pages serve, by their labels."""

    def __init__(self) -> None:
        self._pages: dict[str, list[Request]] = {}

    def of_page(self, request: Request) -> PageSites:
        """Return the sites of one page, which `request` asks."""
        return PageSites(self, request)

    def pages_of(self, label: str) -> tuple[Request, ...]:
        """Return the pages that serve a site: several windows may show it."""
        return tuple(self._pages.get(label, ()))

    def add(self, label: str, request: Request) -> None:
        """Let a page serve a site."""
        self._pages.setdefault(label, []).append(request)

    def remove(self, label: str, request: Request) -> None:
        """Let a page no longer serve a site."""
        pages = self._pages.get(label, [])
        if request in pages:
            pages.remove(request)
        if not pages:
            self._pages.pop(label, None)


class PageSites:
    """The sites that one page serves."""

    def __init__(self, relay: SiteRelay, request: Request) -> None:
        self._relay = relay
        self._request = request
        self._labels: set[str] = set()

    def handlers(self) -> dict[str, Handler]:
        """Return the handlers of the page's requests, which Python can't send."""
        return {"sites/serve": self._serve, "sites/leave": self._leave}

    async def _serve(self, params: Params) -> Any:
        label = _label(params)
        if len(self._labels) >= MOST_SITES:
            raise ProtocolError(f"a page serves at most {MOST_SITES} sites")
        if label not in self._labels:
            self._labels.add(label)
            self._relay.add(label, self._request)
        return {}

    async def _leave(self, params: Params) -> Any:
        label = _label(params)
        self._labels.discard(label)
        self._relay.remove(label, self._request)
        return {}

    def close(self) -> None:
        """Stop serving: the page is gone."""
        for label in self._labels:
            self._relay.remove(label, self._request)
        self._labels.clear()


def _label(params: Params) -> str:
    label = params.get("label")
    if not isinstance(label, str) or not LABEL.fullmatch(label.encode()):
        raise ProtocolError("sites/serve and sites/leave need the label of a site")
    return label


class SiteRequests:
    """An ASGI application that passes requests on to the page that serves a site; all others go to the host's files.

    Only the site itself and frames get an answer, so that another site that knows the label can't load its files.

    Args:
        relay: The sites that are served.
        files: The application for the host's files.
    """

    def __init__(self, relay: SiteRelay, files: ASGIApp) -> None:
        self._relay = relay
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = dict(scope["headers"])
        label = headers.get(b"host", b"").partition(b".")[0].decode("latin-1")
        pages = self._relay.pages_of(label)
        if scope["type"] != "http" or not pages or OWN.fullmatch(scope["path"]):
            await self._files(scope, receive, send)
        elif not _may_read(headers):
            await _say(send, HTTPStatus.FORBIDDEN, "Only the site itself and frames may read it.")
        else:
            await _pass_on(pages, await _ask(label, scope, receive), receive, send)


def _may_read(headers: dict[bytes, bytes]) -> bool:
    """Return whether the request is the site's own, or for a frame: https://www.w3.org/TR/fetch-metadata/."""
    if headers.get(b"sec-fetch-site") == b"same-origin":
        return True
    return headers.get(b"sec-fetch-mode") == b"navigate" and headers.get(b"sec-fetch-dest") in FRAMES


async def _ask(label: str, scope: Scope, receive: Receive) -> dict[str, Any]:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message["type"] == "http.request" and message.get("more_body", False)
    query = scope["query_string"].decode("latin-1")
    passed = [each for each in scope["headers"] if not NOT_PASSED.fullmatch(each[0])]
    return {
        "label": label,
        "path": scope["raw_path"].decode("latin-1"),
        "search": f"?{query}" if query else "",
        "method": scope["method"],
        "headers": [[name.decode("latin-1"), value.decode("latin-1")] for name, value in passed],
        "body": base64.b64encode(body).decode(),
        "is_document": dict(scope["headers"]).get(b"sec-fetch-dest") in DOCUMENTS,
    }


async def _pass_on(pages: tuple[Request, ...], asked: dict[str, Any], receive: Receive, send: Send) -> None:
    """Send the answer of the first page that has one, until the client leaves."""
    answering = asyncio.create_task(_answer(pages, asked, send))
    leaving = asyncio.create_task(_left(receive))
    try:
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        if not answering.done():
            answering.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await answering


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(pages: tuple[Request, ...], asked: dict[str, Any], send: Send) -> None:
    reasons: list[str] = []
    for page in pages:
        try:
            answer = await page("sites/request", asked)
        except ProtocolError as problem:
            reasons.append(str(problem))
            continue
        # If the content breaks off, the server closes the connection.
        with contextlib.suppress(ProtocolError):
            await _send(page, answer, send)
        return
    reason = " ".join(reasons)
    await _say(send, HTTPStatus.SERVICE_UNAVAILABLE, f"Open the surface, then reload this page. {reason}")


async def _send(page: Request, answer: Any, send: Send) -> None:
    named = [
        (str(name).lower().encode("latin-1"), str(value).encode("latin-1"))
        for name, value in answer["headers"]
    ]
    ends = answer["ends"]
    try:
        await send({"type": "http.response.start", "status": int(answer["status"]), "headers": named})
        piece = base64.b64decode(answer["piece"])
        while not ends:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            more = await page("sites/more", {"content": answer["content"]})
            piece, ends = base64.b64decode(more["piece"]), more["ends"]
        await send({"type": "http.response.body", "body": piece})
    finally:
        if not ends:
            # The client left, or the content broke off.
            with contextlib.suppress(ProtocolError):
                await page("sites/end", {"content": answer["content"]})


async def _say(send: Send, status: HTTPStatus, text: str) -> None:
    content = f"{text}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(content)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": content})
