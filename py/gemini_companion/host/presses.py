"""The user's presses for their own terminals: each opens one terminal, and the user's keys go through it."""

import secrets
import time
from collections.abc import Callable

# An unused press expires. Python may have to start first.
COUNTS_S = 60.0
MAX_PRESSES = 16


class Presses:
    """The presses of one page.

    Args:
        clock: Returns monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._created: dict[str, float] = {}
        self._terminals: dict[str, int] = {}

    def add(self) -> str:
        """Add a press; return its id, with which the page opens the terminal."""
        while len(self._created) >= MAX_PRESSES:
            del self._created[next(iter(self._created))]
        press = secrets.token_urlsafe(16)
        self._created[press] = self._clock()
        return press

    def use(self, press: str | None) -> str | None:
        """Return the press if it is valid, which it is once; otherwise None."""
        created = None if press is None else self._created.pop(press, None)
        return press if created is not None and self._clock() - created <= COUNTS_S else None

    def bind(self, press: str, terminal: int) -> None:
        """Note the terminal that a press has opened."""
        self._terminals[press] = terminal

    def terminal(self, press: str) -> int | None:
        """Return the terminal that a press has opened; None if it is closed, or never opened."""
        return self._terminals.get(press)

    def is_of_person(self, terminal: int) -> bool:
        """Return whether a press opened the terminal."""
        return terminal in self._terminals.values()

    def forget(self, terminal: int) -> None:
        """Forget a terminal that was closed."""
        self._terminals = {press: each for press, each in self._terminals.items() if each != terminal}
