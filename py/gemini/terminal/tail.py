"""The end of a growing text."""

from collections import deque


class Tail:
    """Stores about the last `limit` characters of the text that it is fed.

    Args:
        limit: The number of characters.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: deque[str] = deque()
        self._length = 0
        self._truncated = False

    def feed(self, text: str) -> None:
        """Append text."""
        self._pieces.append(text[-self._limit :])
        self._length += len(self._pieces[-1])
        while self._length - len(self._pieces[0]) >= self._limit:
            self._length -= len(self._pieces.popleft())
            self._truncated = True

    def text(self) -> str:
        """Return the stored text; if the beginning was dropped, from the start of a line."""
        text = "".join(self._pieces)
        return text[text.find("\n") + 1 :] if self._truncated else text

    def clear(self) -> None:
        """Drop the stored text."""
        self._pieces.clear()
        self._length = 0
        self._truncated = False
