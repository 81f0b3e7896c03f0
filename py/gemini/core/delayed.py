"""Work that several changes ask for, and that is done once."""

import asyncio
from collections.abc import Callable


class Delayed:
    """Calls a function once, a moment after the first of several requests.

    Args:
        act: Does the work of all requests so far.
        delay_s: The seconds between the first request and the call; it may be changed at any time.
    """

    def __init__(self, act: Callable[[], object], delay_s: float) -> None:
        self.delay_s = delay_s
        self._act = act
        self._timer: asyncio.TimerHandle | None = None

    def request(self) -> None:
        """Call the function soon, unless that is planned already. Needs a running event loop."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.delay_s, self.now)

    def now(self) -> None:
        """Call the function without the delay, also where nothing has requested it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._act()
