"""The text that Tab inserts and the list that it prints."""

import os
from itertools import chain

from gemini.computer.terminal.line_layout import cells_of

_MAX_LISTED = 200
_GAP = 2


def insertion(before: str, candidates: list[str]) -> str:
    """Return the candidates' common continuation after the end of `before`, with which they begin."""
    shared = os.path.commonprefix(candidates)
    typed = next(n for n in range(min(len(before), len(shared)), -1, -1) if before.endswith(shared[:n]))
    return shared[typed:]


def listing(candidates: list[str], columns: int) -> str:
    """Return up to 200 candidates in columns as `ls` prints them, without their common directory."""
    shared = os.path.commonprefix(candidates)
    directory = shared.rfind("/") + 1
    names = [_as_displayed(candidate[directory:].rstrip()) for candidate in candidates[:_MAX_LISTED]]
    width = max((width for _, width in names), default=0) + _GAP
    height = -(-len(names) // max(columns // width, 1))
    lines = [
        "".join(name + " " * (width - own) for name, own in names[row::height]).rstrip()
        for row in range(height)
    ]
    if len(candidates) > _MAX_LISTED:
        lines.append(f"… and {len(candidates) - _MAX_LISTED:,} more")
    return "".join(line + "\r\n" for line in lines)


def _as_displayed(name: str) -> tuple[str, int]:
    cells = list(chain.from_iterable(map(cells_of, name)))
    return "".join(cell.text for cell in cells), sum(cell.width for cell in cells)
