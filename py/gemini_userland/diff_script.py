"""The changes between two sequences, as GNU diff finds them.

The algorithm is E. Myers, "An O(ND) Difference Algorithm and Its Variations" (Algorithmica, 1986), with the steps
around it that diffutils documents ("diff Performance"): equal ends are set aside, lines without a partner are left out,
and runs of changes move to the end of repeated lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

_FAR = 1 << 60
# From this distance on, a script needn't be the shortest.
_TOO_EXPENSIVE = 4096


class Change(NamedTuple):
    """Lines `start` to `end` of the first sequence become lines `begin` to `stop` of the second, all from 0."""

    start: int
    end: int
    begin: int
    stop: int


def changes_between(
    left: Sequence[bytes], right: Sequence[bytes], *, horizon: int = 0, minimal: bool = False
) -> list[Change]:
    """Return the changes from one sequence to the other, in order.

    Args:
        left: Lines, normalized so that equal ones count as the same.
        right: The lines of the other sequence.
        horizon: The number of equal lines at both ends that take part.
        minimal: Find the shortest script at any cost.
    """
    prefix, end, stop = _middle(left, right, horizon)
    numbers: dict[bytes, int] = {}
    sides = [
        [numbers.setdefault(line, len(numbers)) for line in side]
        for side in (left[prefix:end], right[prefix:stop])
    ]
    flags = [[False] * (len(side) + 2) for side in sides]
    chosen = [
        _discard(side, other, flag, minimal)
        for side, other, flag in zip(sides, sides[::-1], flags, strict=True)
    ]
    _Comparison(sides, chosen, flags, minimal).run()
    for side in (0, 1):
        _Runs(sides[side], flags[side], flags[1 - side]).shift()
    return _script(flags, (len(sides[0]), len(sides[1])), prefix)


def _middle(left: Sequence[bytes], right: Sequence[bytes], horizon: int) -> tuple[int, int, int]:
    """Return the start of what differs, and its ends."""
    prefix, shortest = 0, min(len(left), len(right))
    while prefix < shortest and left[prefix] == right[prefix]:
        prefix += 1
    prefix = max(0, prefix - horizon)
    suffix = 0
    while suffix < shortest - prefix and left[-1 - suffix] == right[-1 - suffix]:
        suffix += 1
    suffix = max(0, suffix - horizon)
    return prefix, len(left) - suffix, len(right) - suffix


def _discard(side: list[int], other: list[int], flags: list[bool], minimal: bool) -> list[int]:
    """Mark the lines that have no partner as changed; return the positions of the others.

    Lines with very many partners are left out, too, in the middle of lines without one.
    """
    counts = Counter(other)
    many, rest = 5, len(side) // 64
    while (rest := rest >> 2) > 0:
        many *= 2
    marks = [1 if counts[line] == 0 else 2 if counts[line] > many else 0 for line in side]
    at = 0
    while at < len(marks):
        if marks[at] == 2:
            marks[at] = 0
        elif marks[at]:
            at = _settle(marks, at)
        at += 1
    for position, mark in enumerate(marks):
        if mark and not minimal:
            flags[position + 1] = True
    return [position for position, mark in enumerate(marks) if minimal or not mark]


def _settle(marks: list[int], start: int) -> int:
    """Decide which lines with many partners (2) are left out in the run from `start`; return its last position."""
    end = start
    while end < len(marks) and marks[end]:
        end += 1
    while marks[end - 1] == 2:
        end -= 1
        marks[end] = 0
    length = end - start
    provisional = marks[start:end].count(2)
    if provisional * 4 > length:
        for at in range(start, end):
            marks[at] = 0 if marks[at] == 2 else marks[at]
        # Continue after the first line.
        return start
    least, rest = 1, length >> 2
    while (rest := rest >> 2) > 0:
        least <<= 1
    least += 1
    at = consecutive = 0
    while at < length:
        if marks[start + at] != 2:
            consecutive = 0
        else:
            consecutive += 1
            if consecutive == least:
                # Back to the start of this run of provisionals, to cancel all of it.
                at -= consecutive
            elif consecutive > least:
                marks[start + at] = 0
        at += 1
    _trim(marks, range(start, end))
    _trim(marks, range(end - 1, start - 1, -1))
    return end - 1


def _trim(marks: list[int], positions: range) -> None:
    """Keep lines with many partners up to three in a row without one, or the first such line after eight."""
    consecutive = 0
    for number, at in enumerate(positions):
        if number >= 8 and marks[at] == 1:
            return
        if marks[at] == 2:
            consecutive, marks[at] = 0, 0
        elif marks[at] == 0:
            consecutive = 0
        else:
            consecutive += 1
        if consecutive == 3:
            return


class _Comparison:
    """The search for the common lines."""

    def __init__(
        self, sides: list[list[int]], chosen: list[list[int]], flags: list[list[bool]], minimal: bool
    ) -> None:
        self._xs = [sides[0][at] for at in chosen[0]]
        self._ys = [sides[1][at] for at in chosen[1]]
        self._chosen, self._flags, self._minimal = chosen, flags, minimal
        size = len(self._xs) + len(self._ys) + 3
        self._origin = len(self._ys) + 1
        self._forward, self._backward = [0] * size, [0] * size

    def run(self) -> None:
        """Mark the lines that are no common ones."""
        parts = [(0, len(self._xs), 0, len(self._ys), self._minimal)]
        while parts:
            low, high, bottom, top, minimal = parts.pop()
            while low < high and bottom < top and self._xs[low] == self._ys[bottom]:
                low, bottom = low + 1, bottom + 1
            while low < high and bottom < top and self._xs[high - 1] == self._ys[top - 1]:
                high, top = high - 1, top - 1
            if low == high or bottom == top:
                for at in range(low, high):
                    self._flags[0][self._chosen[0][at] + 1] = True
                for at in range(bottom, top):
                    self._flags[1][self._chosen[1][at] + 1] = True
                continue
            x, y, first, second = self._split(low, high, bottom, top, minimal)
            parts += [(x, high, y, top, second), (low, x, bottom, y, first)]

    def _split(
        self, low: int, high: int, bottom: int, top: int, minimal: bool
    ) -> tuple[int, int, bool, bool]:
        """Return the middle of a shortest path, and whether its halves must be shortest, too."""
        xs, ys, origin = self._xs, self._ys, self._origin
        forward, backward = self._forward, self._backward
        least, most = low - top, high - bottom
        first, last = low - bottom, high - top
        odd = (first - last) % 2 == 1
        f_min = f_max = first
        b_min = b_max = last
        forward[first + origin], backward[last + origin] = low, high
        cost = 0
        while True:
            cost += 1
            f_min, f_max = _widen(forward, origin, (f_min, f_max), (least, most), -1)
            for diagonal in range(f_max, f_min - 1, -2):
                at = diagonal + origin
                x = max(forward[at + 1], forward[at - 1] + 1)
                y = x - diagonal
                while x < high and y < top and xs[x] == ys[y]:
                    x, y = x + 1, y + 1
                forward[at] = x
                if odd and b_min <= diagonal <= b_max and backward[at] <= x:
                    return x, y, True, True
            b_min, b_max = _widen(backward, origin, (b_min, b_max), (least, most), _FAR)
            for diagonal in range(b_max, b_min - 1, -2):
                at = diagonal + origin
                x = min(backward[at - 1], backward[at + 1] - 1)
                y = x - diagonal
                while low < x and bottom < y and xs[x - 1] == ys[y - 1]:
                    x, y = x - 1, y - 1
                backward[at] = x
                if not odd and f_min <= diagonal <= f_max and x <= forward[at]:
                    return x, y, True, True
            if not minimal and cost >= _TOO_EXPENSIVE:
                ranges = range(f_max, f_min - 1, -2), range(b_max, b_min - 1, -2)
                return self._furthest((low, high, bottom, top), *ranges)

    def _furthest(
        self, box: tuple[int, int, int, int], ahead: range, back: range
    ) -> tuple[int, int, bool, bool]:
        low, high, bottom, top = box
        best_x, best = 0, -1
        for diagonal in ahead:
            x = min(self._forward[diagonal + self._origin], high)
            if x - diagonal > top:
                x = top + diagonal
            if best < 2 * x - diagonal:
                best_x, best = x, 2 * x - diagonal
        back_x, least = 0, _FAR
        for diagonal in back:
            x = max(low, self._backward[diagonal + self._origin])
            if x - diagonal < bottom:
                x = bottom + diagonal
            if 2 * x - diagonal < least:
                back_x, least = x, 2 * x - diagonal
        if high + top - least < best - (low + bottom):
            return best_x, best - best_x, True, False
        return back_x, least - back_x, False, True


def _widen(
    reached: list[int], origin: int, span: tuple[int, int], limits: tuple[int, int], outside: int
) -> tuple[int, int]:
    """Extend the diagonals by one on each side, or shrink them at the limits."""
    low, high = span
    if low > limits[0]:
        low -= 1
        reached[low - 1 + origin] = outside
    else:
        low += 1
    if high < limits[1]:
        high += 1
        reached[high + 1 + origin] = outside
    else:
        high -= 1
    return low, high


class _Runs:
    """The runs of changes in a sequence. The flag of line `at` is at `at + 1`.

    Args:
        lines: The sequence.
        changed: The flags of its lines.
        other: The flags of the other sequence.
    """

    def __init__(self, lines: list[int], changed: list[bool], other: list[bool]) -> None:
        self._lines, self._changed, self._other = lines, changed, other
        # The end of the current run, its start, and the line of the other sequence that the end faces.
        self._at = self._start = self._facing = 0

    def shift(self) -> None:
        """Move each run as far to the end as equal lines allow, and merge those that meet."""
        count = len(self._lines)
        while True:
            while self._at < count and not self._changed[self._at + 1]:
                self._skip_other()
                self._facing += 1
                self._at += 1
            if self._at == count:
                return
            self._start = self._at
            self._skip_own()
            self._skip_other()
            length, matching = -1, count
            while length != self._at - self._start:
                length = self._at - self._start
                self._move_back()
                matching = self._at if self._other[self._facing] else count
                matching = self._move_on(matching)
            # A run that faces one of the other sequence stays next to it.
            while matching < self._at:
                self._step_back()

    def _skip_own(self) -> None:
        while self._changed[self._at + 1]:
            self._at += 1

    def _skip_other(self) -> None:
        while self._other[self._facing + 1]:
            self._facing += 1

    def _step_back(self) -> None:
        self._start, self._at = self._start - 1, self._at - 1
        self._changed[self._start + 1], self._changed[self._at + 1] = True, False
        self._facing -= 1
        while self._other[self._facing + 1]:
            self._facing -= 1

    def _move_back(self) -> None:
        while self._start and self._lines[self._start - 1] == self._lines[self._at - 1]:
            self._step_back()
            while self._changed[self._start]:
                self._start -= 1

    def _move_on(self, matching: int) -> int:
        """Move the run to the end; return the last point that faces a run of the other sequence."""
        while self._at != len(self._lines) and self._lines[self._start] == self._lines[self._at]:
            self._changed[self._start + 1], self._changed[self._at + 1] = False, True
            self._start, self._at = self._start + 1, self._at + 1
            self._skip_own()
            self._facing += 1
            while self._other[self._facing + 1]:
                matching = self._at
                self._facing += 1
        return matching


def _script(flags: list[list[bool]], counts: tuple[int, int], prefix: int) -> list[Change]:
    found: list[Change] = []
    x = y = 0
    while x < counts[0] or y < counts[1]:
        start, begin = x, y
        while flags[0][x + 1]:
            x += 1
        while flags[1][y + 1]:
            y += 1
        if x > start or y > begin:
            found.append(Change(start + prefix, x + prefix, begin + prefix, y + prefix))
        else:
            x, y = x + 1, y + 1
    return found
