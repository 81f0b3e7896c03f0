"""A companion on a free port, and a small page that is connected to it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from gemini.core.protocol import Connection, Handler, Params
from gemini.errors import GeminiError
from gemini_companion.admission.guard import SUBPROTOCOL
from gemini_companion.host.policy import HostPolicy
from gemini_companion.models.providers import BUILT_IN
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server
from tests.companions import page_token
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.unit.companion.models.upstreams import FakeProvider, served
from tests.unit.companion.surface import TOOL, small_surface

PATIENCE_S = 30
READS = {**TOOL, "annotations": {"readOnlyHint": True}}


class ConnectedPage:
    """A page's end of its WebSocket.

    Its one tool, `look`, only reads. It answers once `answers` is set, with `failure` if there is one, after asking its
    caller `question` if there is one. Consent questions get the next of `decisions`, and are recorded in `questions`.
    """

    def __init__(self) -> None:
        self.connection: Connection
        self.answers = asyncio.Event()
        self.answers.set()
        self.asked = asyncio.Event()
        self.cancelled = asyncio.Event()
        self.failure: GeminiError | None = None
        self.question: str | None = None
        self.callers: list[str] = []
        self.tools: list[Params] = [READS]
        self.ended: asyncio.Queue[str] = asyncio.Queue()
        self.changes: asyncio.Queue[Params] = asyncio.Queue()
        self.decisions: list[str] = []
        self.questions: list[Params] = []
        self._deciding: set[asyncio.Task[Any]] = set()

    async def ask(self, method: str, **params: Any) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            return await self.connection.request(method, params)

    async def changed(self) -> Params:
        """Wait for the companion's next notification of a change."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.changes.get()

    async def _call(self, params: Params) -> Params:
        self.asked.set()
        self.callers.append(params["_meta"]["caller"])
        try:
            if self.question is not None:
                schema = {"type": "object", "properties": {}}
                asked = {"call": params["_meta"]["call"], "message": self.question, "schema": schema}
                await self.connection.request("caller/elicit", asked)
            await self.answers.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        if self.failure is not None:
            raise self.failure
        return {"seen": params["name"]}

    def _end(self, params: Params) -> Params:
        self.ended.put_nowait(params["_meta"]["caller"])
        return {}

    def _decide(self, params: Params) -> None:
        self.questions.append(params)
        answer = {"id": params["id"], "decision": self.decisions.pop(0)}
        task = asyncio.create_task(self.connection.request("consent/answer", answer))
        self._deciding.add(task)
        task.add_done_callback(self._deciding.discard)

    @contextlib.asynccontextmanager
    async def connected(
        self, companion: Companion, *, attended: bool = True
    ) -> AsyncGenerator[ConnectedPage]:
        host = companion.mcp_url.removeprefix("http://").removesuffix("/mcp")
        protocols: Any = [SUBPROTOCOL, f"token.{await page_token(companion, attended=attended)}"]
        origin: Any = f"http://{host}"
        handlers: dict[str, Handler] = {
            "tools/list": lambda _: {"tools": self.tools},
            "tools/call": self._call,
            "sessions/end": self._end,
        }
        outgoing: asyncio.Queue[str] = asyncio.Queue()
        listeners = {"settings/changed": self.changes.put_nowait, "consent/asks": self._decide}
        self.connection = Connection(outgoing.put_nowait, handlers, listeners=listeners)
        async with connect(f"ws://{host}/page", origin=origin, subprotocols=protocols, proxy=None) as socket:

            async def write() -> None:
                while True:
                    await socket.send(await outgoing.get())

            async def read() -> None:
                async for text in socket:
                    self.connection.receive(str(text))

            tasks = [asyncio.create_task(write()), asyncio.create_task(read())]
            try:
                self.hello = await self.ask("page/hello", key="a", title="A page", url=companion.url)
                yield self
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.wait(tasks)
                self.connection.close()


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MemoryKeyring]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data-home"))
    with memory_keyring() as memory:
        yield memory


@pytest.fixture
async def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeProvider]:
    """A fake provider, configured as `test`, without keys of this machine."""
    for variable in (each for provider in BUILT_IN for each in provider.variables):
        monkeypatch.delenv(variable, raising=False)
    provider = FakeProvider()
    async with served(provider) as url:
        file = tmp_path / "control-surface" / "providers.toml"
        file.parent.mkdir()
        file.write_text(f'[providers.test]\nbase_url = "{url}"\nkey = "needed"\n', encoding="utf-8")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        yield provider


@pytest.fixture
def host() -> HostPolicy:
    return HostPolicy()


@pytest.fixture
async def companion(provider: FakeProvider, tmp_path: Path, host: HostPolicy) -> AsyncIterator[Companion]:
    server = Server(0)
    companion = Companion(small_surface(tmp_path / "dist"), server, host=host)
    async with server.serving(companion.app(), **companion.other_apps()):
        yield companion


@pytest.fixture
async def page(companion: Companion) -> AsyncIterator[ConnectedPage]:
    async with ConnectedPage().connected(companion) as page:
        yield page
