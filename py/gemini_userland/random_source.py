"""Random numbers from the bytes of a file, as `shuf`, `sort -R` and `shred` take them with `--random-source`.

The same file leads to the same numbers as GNU's programs (gnulib's modules randread, randint and randperm).
"""

from __future__ import annotations

import secrets

_BYTE = 255


class SourceEnded(Exception):
    """The file has too few bytes."""


class RandomSource:
    """A stream of random numbers.

    Args:
        data: The bytes to take; by default, the system's random bytes.
    """

    def __init__(self, data: bytes | None = None) -> None:
        self._data = data
        self._at = 0
        # The rest of the bytes that were read: a number, and the largest that it could be.
        self._number = 0
        self._most = 0

    def read(self, count: int) -> bytes:
        """Return `count` bytes.

        Raises:
            SourceEnded: There are fewer.
        """
        if self._data is None:
            return secrets.token_bytes(count)
        piece = self._data[self._at : self._at + count]
        if len(piece) < count:
            raise SourceEnded("end of file")
        self._at += count
        return piece

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1.

        Raises:
            SourceEnded: There are too few bytes.
        """
        if self._data is None:
            return secrets.randbelow(limit)
        largest = limit - 1
        while True:
            while self._most < largest:
                self._number = (self._number << 8) + self.read(1)[0]
                self._most = (self._most << 8) + _BYTE
            if self._most == largest:
                number, self._number, self._most = self._number, 0, 0
                return number
            excess = self._most - largest
            unusable = excess % limit
            number = self._number % limit
            if self._number <= self._most - unusable:
                self._number //= limit
                self._most = excess // limit
                return number
            self._number, self._most = number, unusable - 1

    def permutation(self, count: int, size: int) -> list[int]:
        """Return `count` different numbers from 0 to `size` - 1.

        Raises:
            SourceEnded: There are too few bytes.
        """
        numbers = list(range(size))
        for at in range(count):
            other = at + self.below(size - at)
            numbers[at], numbers[other] = numbers[other], numbers[at]
        return numbers[:count]
