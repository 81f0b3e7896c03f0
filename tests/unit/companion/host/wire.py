"""A page and the companion, in memory."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping

from gemini.core.protocol import Connection, Handler
from gemini.errors import Refused
from gemini_companion.host.consent import Act, Words

PATIENCE_S = 30


class Agrees:
    """A person who agrees to everything, until they don't.

    Attributes:
        agrees: Whether they do.
        asked: What they were asked, with the words.
    """

    def __init__(self) -> None:
        self.agrees = True
        self.asked: list[tuple[Act, Words]] = []

    async def require(self, act: Act, words: Words | None = None) -> bool:
        self.asked.append((act, words or {}))
        if not self.agrees:
            raise Refused("the person refused")
        return False


def patience() -> asyncio.Timeout:
    """Ends a test that waits for what doesn't come."""
    return asyncio.timeout(PATIENCE_S)


class Wire:
    """Two connections back to back; texts arrive in order, and later than they were sent, as on a socket."""

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
