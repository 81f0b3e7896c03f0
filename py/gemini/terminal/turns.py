"""The order in which a terminal's commands run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager


class Turns:
    """Commands that run one after another."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._present = 0

    @property
    def busy(self) -> bool:
        """True while a command runs or waits for its turn."""
        return self._present > 0

    @asynccontextmanager
    async def taking(
        self, timeout_s: float | None, too_long: Callable[[], Exception]
    ) -> AsyncGenerator[None]:
        """Wait for the commands before this one.

        Args:
            timeout_s: The longest wait, in seconds; None for no limit.
            too_long: Returns the error to raise after it.
        """
        self._present += 1
        try:
            try:
                async with asyncio.timeout(timeout_s):
                    await self._turn.acquire()
            except TimeoutError:
                raise too_long() from None
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._present -= 1
