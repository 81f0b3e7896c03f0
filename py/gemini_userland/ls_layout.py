"""Arranges the names of `ls` in columns and rows, as GNU's does."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

# A column has at least a letter, and two blanks behind it.
_LEAST = 3
_GAP = 2


def width_of(text: str) -> int:
    """Return the columns of a text."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in text
    )


def arranged(names: Sequence[str], widths: Sequence[int], line: int, tab: int, *, down: bool) -> list[str]:
    """Return the lines that hold names in as many columns as fit.

    Args:
        names: The names.
        widths: The columns of each name.
        line: The most columns of a line; 0 if there is no limit.
        tab: The distance of tab stops, or 0.
        down: Whether names follow each other in columns, not in rows.
    """
    columns = _fitting(widths, line, down=down)
    rows = -(-len(names) // len(columns)) if names else 0
    found: list[str] = []
    for row in range(rows):
        text, at = "", 0
        start = 0
        places = (
            range(row, len(names), rows) if down else range(row * len(columns), len(names))[: len(columns)]
        )
        for column, place in enumerate(places):
            text += _indent(at, start, tab) + names[place]
            at = start + widths[place]
            start += columns[column]
        found.append(text)
    return found


def _fitting(widths: Sequence[int], line: int, *, down: bool) -> list[int]:
    """Return the widths of the columns of the widest arrangement that fits into a line."""
    count = len(widths)
    most = min(count, line // _LEAST) if line else count
    best = [max(widths, default=0) + _GAP]
    for number in range(2, most + 1):
        rows = -(-count // number)
        columns = [_LEAST] * number
        for at, width in enumerate(widths):
            column = at // rows if down else at % number
            gap = 0 if column == number - 1 else _GAP
            columns[column] = max(columns[column], width + gap)
        if not line or sum(columns) < line:
            best = columns
    return best


def _indent(start: int, end: int, tab: int) -> str:
    """Return tabs and blanks from one column to another."""
    text = ""
    while start < end:
        if tab and end // tab > (start + 1) // tab:
            text += "\t"
            start += tab - start % tab
        else:
            text += " "
            start += 1
    return text


def separated(names: Sequence[str], widths: Sequence[int], line: int) -> str:
    """Return names with commas between them, in lines of at most `line` columns (0: one line)."""
    text, at = "", 0
    for number, (name, width) in enumerate(zip(names, widths, strict=True)):
        if number:
            if not line or at + _GAP + width < line:
                text += ", "
                at += _GAP
            else:
                text += ",\n"
                at = 0
        text += name
        at += width
    return text
