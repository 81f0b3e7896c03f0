"""The person's presses for terminals of their own: each opens one terminal, and the person's keys go by it."""

import secrets
import time
from collections.abc import Callable

# A press that nothing came of counts no longer. Python may have to start first.
COUNTS_S = 60.0
MOST = 16


class Presses:
    """Those of one page. `clock` gives seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._made: dict[str, float] = {}
        self._terminals: dict[str, int] = {}

    def add(self) -> str:
        """Note a press; gives its id, which the page hands on to open the terminal."""
        while len(self._made) >= MOST:
            del self._made[next(iter(self._made))]
        press = secrets.token_urlsafe(16)
        self._made[press] = self._clock()
        return press

    def use(self, press: str | None) -> str | None:
        """The press, if it counts; it counts once."""
        made = None if press is None else self._made.pop(press, None)
        return press if made is not None and self._clock() - made <= COUNTS_S else None

    def bind(self, press: str, terminal: int) -> None:
        """The terminal that a press has opened."""
        self._terminals[press] = terminal

    def terminal(self, press: str) -> int | None:
        """The terminal that a press has opened; None if it is closed, or there is none."""
        return self._terminals.get(press)

    def is_of_person(self, terminal: int) -> bool:
        return terminal in self._terminals.values()

    def forget(self, terminal: int) -> None:
        """The terminal is closed."""
        self._terminals = {press: each for press, each in self._terminals.items() if each != terminal}
