"""The end of a text that only grows."""

from collections import deque


class Tail:
    """Keeps about the last `most` characters of what it is fed, in pieces of any size."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pieces: deque[str] = deque()
        self._length = 0
        self._cut = False

    def feed(self, text: str) -> None:
        self._pieces.append(text[-self._most :])
        self._length += len(self._pieces[-1])
        while self._length - len(self._pieces[0]) >= self._most:
            self._length -= len(self._pieces.popleft())
            self._cut = True

    def text(self) -> str:
        """What is kept; where the beginning is gone, from the start of a line."""
        text = "".join(self._pieces)
        return text[text.find("\n") + 1 :] if self._cut else text

    def clear(self) -> None:
        self._pieces.clear()
        self._length = 0
        self._cut = False
