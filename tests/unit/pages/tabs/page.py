"""A fake page, whose documents do what a test scripts."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

from gemini import errors
from gemini.core.protocol import Connection, Handler
from gemini.errors import GeminiError

ORIGIN = "http://127.0.0.1:8765"
Script = Callable[[str, dict[str, Any]], Any]


class Page:
    """A page that answers as web/ui/panels/browser/frames.ts does. `script(method, params)` is the page script."""

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or (lambda method, params: {})
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.tabs: dict[str, dict[str, Any]] = {}
        self.own_origin = True
        self.refuses = False
        self.opening: Callable[[str], dict[str, Any]] = lambda url: {"title": f"Title of {url}"}
        self._handlers: dict[str, Handler] = {
            "opened": self._opened,
            "site": self._site,
            "open": self._open,
            "openFile": self._open_file,
            "close": self._close,
            "ask": self._ask,
        }
        self._here = Connection(self._to_python, self._handlers)
        self.connection = Connection(self._here.receive, {})

    def serve(self, method: str, handler: Handler) -> None:
        """Answer another method of the page."""
        self._handlers[method] = handler

    def _to_python(self, text: str) -> None:
        message = json.loads(text)
        error = message.get("error")
        if error is not None and "data" in error:
            # webmcp_bridge.js encodes errors like this.
            assert error["data"]["type"] in vars(errors)
        self.connection.receive(text)

    async def _opened(self, _: dict[str, Any]) -> Any:
        page = {"tab": "page", "url": f"{ORIGIN}/", "title": "Surface", "loading": False, "readable": True}
        return {"origin": ORIGIN, "page": page, "tabs": list(self.tabs.values()), "shown": "page"}

    async def _site(self, params: dict[str, Any]) -> Any:
        return {**self.place(params["root"]), "own_origin": self.own_origin}

    def place(self, root: str) -> dict[str, str]:
        """Return the place of a root's site."""
        label = zlib.crc32(root.encode())
        url = f"http://{label:032x}.localhost:8766/" if self.own_origin else f"{ORIGIN}/site/"
        return {"url": url, "root": root}

    async def _open(self, params: dict[str, Any]) -> Any:
        assert set(params) <= {"tab", "url", "words"}
        return self._shown(params["tab"], params["url"], "same", None)

    async def _open_file(self, params: dict[str, Any]) -> Any:
        site = self.place(params["root"])
        return self._shown(params["tab"], site["url"].rstrip("/") + params["path"], "file", site)

    def _shown(self, tab: str, url: str, kind: str, site: dict[str, str] | None) -> Any:
        if self.refuses:
            raise errors.Refused("the user refused it")
        state = {"tab": tab, "url": url, "loading": False, "readable": True, "site": site}
        self.tabs[tab] = {**state, "kind": kind, **self.opening(url)}
        return self.tabs[tab]

    async def _close(self, params: dict[str, Any]) -> Any:
        del self.tabs[params["tab"]]
        return {}

    async def _ask(self, params: dict[str, Any]) -> Any:
        tab, method, given = params["tab"], params["method"], params["params"]
        self.asked.append((tab, method, given))
        answer = self.script(method, given) or {"success": True}
        if isinstance(answer, GeminiError):
            raise answer
        return answer


async def no_pdf(path: str) -> list[str]:
    """Read no PDF files."""
    raise AssertionError(path)
