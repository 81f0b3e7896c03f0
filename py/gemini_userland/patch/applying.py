"""Applies hunks to the lines of a file: finds their places, with offset and fuzz."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gemini_userland.patch.hunks import ADDED, CONTEXT, Hunk


@dataclass
class Applied:
    """A place where a hunk fits.

    Attributes:
        line: The number of the first line there, from 1.
        fuzz: The number of context lines that were ignored.
        offset: The distance of this place from the one in the hunk's header.
    """

    line: int
    fuzz: int
    offset: int


def _nearest(guess: int, first: int, last: int) -> Iterator[int]:
    """Yield the numbers from `first` to `last`, those nearest to `guess` first."""
    for distance in range(max(last - guess, guess - first) + 1):
        if first <= guess + distance <= last:
            yield guess + distance
        if distance and first <= guess - distance <= last:
            yield guess - distance


def _blank(line: bytes) -> bytes:
    return re.sub(rb"[ \t]+", b" ", line.rstrip())


@dataclass
class Lines:
    """The lines of a file while hunks are applied in their order.

    Attributes:
        lines: The lines before any change.
        ignores_blanks: Runs of blanks match each other.
        output: The new lines up to the last hunk.
        growth: The number of lines that the hunks added so far.
    """

    lines: list[bytes]
    ignores_blanks: bool = False
    output: list[bytes] = field(default_factory=list[bytes])
    growth: int = 0
    _offset: int = 0
    _done: int = 0

    def locate(self, hunk: Hunk, fuzz: int) -> Applied | None:
        """Find the place of a hunk that is nearest to the expected one, ignoring up to `fuzz` lines of context."""
        guess = hunk.first + self._offset
        if not hunk.old:
            return Applied(min(guess, len(self.lines) + 1), 0, self._offset)
        context = max(hunk.prefix, hunk.suffix)
        before, after = fuzz + hunk.prefix - context, fuzz + hunk.suffix - context
        # Less context before than after means that the hunk begins at the start of the file.
        if before < 0 and hunk.first <= 1:
            candidates = iter([1])
        elif after < 0:
            candidates = iter([len(self.lines) - len(hunk.old) + 1])
        else:
            last = len(self.lines) - (len(hunk.old) - max(after, 0)) + 1
            candidates = _nearest(guess, self._done + 1, last)
        if before < 0 and after < 0 and hunk.first <= 1 and len(hunk.old) != len(self.lines):
            return None
        before, after = max(before, 0), max(after, 0)
        equal = self._comparison(hunk, before, after)
        for line in candidates:
            if line > self._done - hunk.prefix and line >= 1 and equal(line):
                return Applied(line, fuzz, line - hunk.first)
        return None

    def _comparison(self, hunk: Hunk, before: int, after: int) -> Callable[[int], bool]:
        wanted = hunk.old[before : len(hunk.old) - after]
        if self.ignores_blanks:
            wanted = [_blank(line) for line in wanted]

        def equal(line: int) -> bool:
            start = line - 1 + before
            found = self.lines[start : start + len(wanted)]
            return wanted == ([_blank(one) for one in found] if self.ignores_blanks else found)

        return equal

    def apply(self, hunk: Hunk, place: Applied) -> None:
        """Apply a hunk at the place that `locate` returned; context lines stay as they are in the file."""
        self.output += self.lines[self._done : place.line - 1]
        at = max(place.line - 1, self._done)
        for kind, text in hunk.rows:
            if kind == ADDED:
                self.output.append(text)
            else:
                if kind == CONTEXT and at < len(self.lines):
                    self.output.append(self.lines[at])
                at += 1
        self._done = min(at, len(self.lines))
        self._offset = place.offset
        self.growth += len(hunk.new) - len(hunk.old)

    def finish(self) -> list[bytes]:
        """Return all lines after the last hunk."""
        # Text can follow a line without an end only if the line gets one.
        rows = self.output + self.lines[self._done :]
        return [row if row.endswith(b"\n") else row + b"\n" for row in rows[:-1]] + rows[-1:]
