"""A page at the other end of the wire, whose documents do what a test says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from gemini import errors
from gemini.errors import GeminiError
from gemini.protocol import Connection

ORIGIN = "http://127.0.0.1:8765"
SITES = "http://127.0.0.1:8766/"
Script = Callable[[str, dict[str, Any]], Any]


class Page:
    """It answers as web/ui/browser/frames.js does. `script(method, params)` stands for a document's page script."""

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or (lambda method, params: {})
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.tabs: dict[str, dict[str, Any]] = {}
        self.own_origin = True
        self.opening: Callable[[str], dict[str, Any]] = lambda url: {"title": f"Title of {url}"}
        handlers = {
            "opened": self._opened,
            "sites": self._sites,
            "open": self._open,
            "close": self._close,
            "ask": self._ask,
        }
        self._here = Connection(self._to_python, handlers)
        self.connection = Connection(self._here.receive, {})

    def _to_python(self, text: str) -> None:
        message = json.loads(text)
        error = message.get("error")
        if error is not None and "data" in error:
            # As the page script tells its errors (web/page/conversation.js).
            assert error["data"]["type"] in vars(errors)
        self.connection.receive(text)

    async def _opened(self, _: dict[str, Any]) -> Any:
        page = {"tab": "page", "url": f"{ORIGIN}/", "title": "Surface", "loading": False, "readable": True}
        return {"origin": ORIGIN, "page": page, "tabs": list(self.tabs.values()), "shown": "page"}

    async def _sites(self, _: dict[str, Any]) -> Any:
        return {"url": SITES if self.own_origin else f"{ORIGIN}/site/", "own_origin": self.own_origin}

    async def _open(self, params: dict[str, Any]) -> Any:
        state = {"tab": params["tab"], "url": params["url"], "loading": False, "readable": True}
        self.tabs[params["tab"]] = {**state, "kind": params["kind"], **self.opening(params["url"])}
        return self.tabs[params["tab"]]

    async def _close(self, params: dict[str, Any]) -> Any:
        del self.tabs[params["tab"]]
        return {}

    async def _ask(self, params: dict[str, Any]) -> Any:
        tab, method, given = params["tab"], params["method"], params["params"]
        self.asked.append((tab, method, given))
        answer = self.script(method, given)
        if isinstance(answer, GeminiError):
            raise answer
        return answer
