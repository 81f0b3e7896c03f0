"""The web for agents, a user at the page, and a server that stands for the internet."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gemini_companion.models.key_file import KeyFile
from gemini_companion.models.keys import Keys
from gemini_companion.network import Fetcher, Reach
from gemini_companion.serving.server import Server, running
from gemini_companion.web import Search, WebAccess
from gemini_companion.web.documents import Documents
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.unit.companion.network.conftest import Names, Person

PATIENCE_S = 60
ENGINES = ("duckduckgo", "brave", "tavily")


@dataclass
class Internet:
    """Answers of the server by path, and the requests that it got."""

    answers: dict[str, Response] = field(default_factory=dict[str, Response])
    seen: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list[Any])

    def shows(self, path: str, body: str | bytes, kind: str = "text/html", **headers: str) -> None:
        content = body.encode() if isinstance(body, str) else body
        self.answers[path] = Response(content, media_type=kind, headers=headers)

    def compresses(self, path: str, body: bytes) -> None:
        self.shows(path, gzip.compress(body), **{"content-encoding": "gzip"})

    def moves(self, path: str, to: str) -> None:
        self.answers[path] = RedirectResponse(to)

    def says(self, path: str, value: Any, status: int = 200) -> None:
        self.answers[path] = Response(json.dumps(value), status, media_type="application/json")

    async def answer(self, request: Request) -> Response:
        body = await request.body()
        line = f"{request.method} {request.url.path}" + (f"?{request.url.query}" if request.url.query else "")
        self.seen.append((line, dict(request.headers), body))
        return self.answers.get(request.url.path, Response("missing", 404))


@dataclass
class Web:
    """The companion's side of the web, as a page's Python asks for it."""

    internet: Internet
    person: Person
    names: Names
    search: Search
    access: WebAccess
    port: int
    secrets: MemoryKeyring
    fetcher: Fetcher

    @property
    def origin(self) -> str:
        return f"http://outside.test:{self.port}"

    async def ask(self, method: str, **params: Any) -> Any:
        handler = self.access.handlers(self.person)[f"web/{method}"]
        async with asyncio.timeout(PATIENCE_S):
            return await handler(params)

    @property
    def asked_origins(self) -> list[str]:
        return [facts["origin"] for facts in self.person.asked]


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryKeyring]:
    for variable in ("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY", "TAVILY_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with memory_keyring() as memory:
        yield memory


@pytest.fixture
async def web(tmp_path: Path, secrets: MemoryKeyring) -> AsyncIterator[Web]:
    server, internet, person, names = Server(0), Internet(), Person(), Names()
    port = server.main.number
    names.known["outside.test"] = names.known["other.test"] = [["127.0.0.1"]]
    names.known["inside.test"] = [["127.0.0.2"]]
    fetcher = Fetcher(Reach(names, also={("127.0.0.1", port)}))
    endpoints = {name: f"http://outside.test:{port}/{name}" for name in ENGINES}
    search = Search(Keys(KeyFile(tmp_path / "keys.json")), tmp_path / "search.json", endpoints)
    # A busy machine takes long to start a process.
    access = WebAccess(fetcher, search, Documents(longest_s=PATIENCE_S))
    app = Starlette(routes=[Route("/{path:path}", internet.answer, methods=["GET", "POST"])])
    with running(server, app):
        web = Web(internet, person, names, search, access, port, secrets, fetcher)
        yield web
        await web.access.aclose()
