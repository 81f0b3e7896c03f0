"""Replaces values in what servers and programs answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemini_companion.secrets.forms import Form, forms_of, longest


@dataclass(frozen=True)
class Masked:
    """A value to replace.

    Attributes:
        forms: The forms of the value.
        longest: The most bytes that one of them has.
        text: The text in its place.
    """

    forms: Sequence[Form]
    longest: int
    text: bytes

    @classmethod
    def of(cls, value: str, text: str) -> Masked:
        """Return the replacement of a value by a text."""
        return cls(forms_of(value), longest(value), text.encode())


class Masker:
    """Replaces values in a stream of bytes, however its chunks divide them.

    Bytes are held back by a rule that depends on the lengths of the values alone, so that delays tell nothing of what
    a page makes a server echo. The values have no line breaks: a stream of lines, such as events, passes line by line.

    Args:
        values: The values.
        by_line: Whether lines pass at once. Base64 that is divided into lines isn't found then.
    """

    def __init__(self, values: Sequence[Masked], *, by_line: bool = False) -> None:
        self._values = values
        self._by_line = by_line
        self._longest = max((each.longest for each in values), default=1)
        self._held = b""

    def feed(self, chunk: bytes) -> bytes:
        """Return the bytes that may pass now, of those held back and of `chunk`."""
        data = self._held + chunk
        found = self._find(data)
        cut = max(0, len(data) - self._longest)
        if self._by_line:
            cut = max(cut, data.rfind(b"\n") + 1)
        for start, end, _ in found:
            if start < cut < end or (start < cut and end == len(data)):
                # At the end, the next chunk may have the rest of its last character.
                cut = start if end == len(data) else end
        self._held = data[cut:]
        return _replace(data[:cut], [each for each in found if each[1] <= cut])

    def finish(self) -> bytes:
        """Return the bytes that are still held back, at the end of the stream."""
        held, self._held = self._held, b""
        return self.whole(held)

    def whole(self, data: bytes) -> bytes:
        """Return complete bytes without the values."""
        return _replace(data, self._find(data))

    def text(self, text: str) -> str:
        """Return a complete text without the values."""
        return self.whole(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def _find(self, data: bytes) -> list[tuple[int, int, bytes]]:
        lower = data.lower()
        found = [
            (start, end, value.text)
            for value in self._values
            for form in value.forms
            for start, end in form.find(lower if form.lowered else data)
        ]
        return _merge(sorted(found))


def _merge(found: Sequence[tuple[int, int, bytes]]) -> list[tuple[int, int, bytes]]:
    """Return the spans with overlapping ones as one."""
    merged: list[tuple[int, int, bytes]] = []
    for start, end, text in found:
        if merged and start < merged[-1][1]:
            first, last, before = merged[-1]
            merged[-1] = (first, max(last, end), before)
        else:
            merged.append((start, end, text))
    return merged


def _replace(data: bytes, found: Sequence[tuple[int, int, bytes]]) -> bytes:
    if not found:
        return data
    pieces: list[bytes] = []
    position = 0
    for start, end, text in found:
        pieces += [data[position:start], text]
        position = end
    return b"".join([*pieces, data[position:]])
