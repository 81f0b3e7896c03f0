"""The order in which a terminal's commands run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Turns:
    """Commands that run one after another."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._present = 0

    @property
    def busy(self) -> bool:
        """True while a command runs or waits for its turn."""
        return self._present > 0

    async def take(self, timeout_s: float | None, too_long: Callable[[], Exception]) -> None:
        """Wait for the commands before this one, which ends with `end`.

        Args:
            timeout_s: The longest wait, in seconds; None for no limit.
            too_long: Returns the error to raise after it.
        """
        self._present += 1
        try:
            if self._present == 1:
                # Nothing to wait for, nor to set a timer for.
                await self._turn.acquire()
                return
            async with asyncio.timeout(timeout_s):
                await self._turn.acquire()
        except BaseException as error:
            self._present -= 1
            if isinstance(error, TimeoutError):
                raise too_long() from None
            raise

    def end(self) -> None:
        """Let the next command run."""
        self._turn.release()
        self._present -= 1
