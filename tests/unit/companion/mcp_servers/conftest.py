"""A companion's MCP servers with a page and its user, in memory; the servers themselves are real programs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini.core.protocol import Params
from gemini_companion.mcp_servers import servers
from gemini_companion.mcp_servers.access import McpAccess, PageAccess
from gemini_companion.mcp_servers.program import Program
from gemini_companion.mcp_servers.servers import McpServers
from gemini_companion.mcp_servers.setups import stdio_setup
from gemini_companion.mcp_servers.store import ServerStore
from gemini_companion.mcp_servers.versions import Versions
from gemini_companion.models.key_file import KeyFile
from gemini_companion.network import secret_origin
from gemini_companion.secrets import Secrets, Visits
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.unit.companion.people import PersonAtPage

HERE = Path(__file__).parent
Row = dict[str, Any]


class Bench:
    """The servers, and one page that uses them.

    Attributes:
        started: The programs that were started.
        notices: What Python was notified of.
        pauses: The seconds before each restart, which pass at once.
    """

    def __init__(self, folder: Path, *, attended: bool = True) -> None:
        self.folder = folder
        self.person = PersonAtPage(attended=attended)
        self.started: list[Program] = []
        self.notices: list[tuple[str, Params]] = []
        self.pauses: list[float] = []
        self.store = ServerStore(folder / "servers.json", KeyFile(folder / "keys.json"))
        self.secrets = Secrets(folder, secret_origin)
        self.servers = McpServers(self.store, self._pause, secrets=self.secrets)
        self.visits = Visits()
        self.access = McpAccess(self.servers, Versions(folder / "tools.json"), self.visits)
        self.page: PageAccess = self.access.for_page(self.person.questions, self._note)

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def _note(self, method: str, params: Params) -> None:
        self.notices.append((method, params))

    async def add(self, name: str, file: str, *arguments: str, **variables: str) -> None:
        """Add a program of this folder."""
        setup, values = stdio_setup(name, sys.executable, [str(HERE / file), *arguments], variables)
        await self.store.add(setup, values, in_file=False)

    async def ask(self, method: str, **params: Any) -> Row:
        """Send a request as Python would."""
        return await self.page.handlers()[method](params)

    async def agreed(self, method: str, *decisions: str, **params: Any) -> tuple[Row, list[Row]]:
        """Send a request; answer its questions in order. Return the answer, and what was shown."""
        asked = asyncio.create_task(self.ask(method, **params))
        shown = [await self.person.decide(each) for each in decisions]
        return await asked, shown

    async def start(self, name: str) -> Row:
        """Start a server with the user's consent; return its tools."""
        answer, _ = await self.agreed("mcp/tools", "always", server=name)
        return answer


@pytest.fixture
def keyring() -> Iterator[MemoryKeyring]:
    with memory_keyring() as keyring:
        yield keyring


@pytest.fixture
async def bench(
    tmp_path: Path, keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path)

    class Noted(Program):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            bench.started.append(self)

    monkeypatch.setattr(servers, "Program", Noted)
    yield bench
    await bench.servers.aclose()
