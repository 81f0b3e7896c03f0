"""A page and the companion, connected in memory."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping

from gemini.core.protocol import Connection, Handler
from gemini.errors import Refused
from gemini_companion.host.consent import HostAction, Words

PATIENCE_S = 30


class Agrees:
    """A user who agrees to everything, unless `agrees` is False.

    Attributes:
        agrees: Whether they agree.
        asked: The actions that they were asked about, with the words.
    """

    def __init__(self) -> None:
        self.agrees = True
        self.asked: list[tuple[HostAction, Words]] = []

    async def require(self, act: HostAction, words: Words | None = None) -> bool:
        self.asked.append((act, words or {}))
        if not self.agrees:
            raise Refused("the user refused")
        return False


def patience() -> asyncio.Timeout:
    """Return a timeout for a test that waits for something that may not happen."""
    return asyncio.timeout(PATIENCE_S)


class Wire:
    """Two connections back to back; messages arrive in order and delayed, as on a socket."""

    def __init__(self, server: Mapping[str, Handler]) -> None:
        self._on_the_way: deque[tuple[Connection, str]] = deque()
        self.client = Connection(lambda text: self._send(self.server, text), {})
        self.server = Connection(lambda text: self._send(self.client, text), server)

    def _send(self, to: Connection, text: str) -> None:
        self._on_the_way.append((to, text))
        asyncio.get_running_loop().call_soon(self._deliver)

    def _deliver(self) -> None:
        to, text = self._on_the_way.popleft()
        to.receive(text)
