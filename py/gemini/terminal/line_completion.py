"""What Tab inserts and lists."""

import os
from itertools import chain

from gemini.terminal.line_layout import cells_of

_LISTED = 200
_GAP = 2


def insertion(before: str, candidates: list[str]) -> str:
    """What all the candidates go on with, after the end of `before` that they begin with."""
    shared = os.path.commonprefix(candidates)
    typed = next(n for n in range(min(len(before), len(shared)), -1, -1) if before.endswith(shared[:n]))
    return shared[typed:]


def listing(candidates: list[str], columns: int) -> str:
    """The candidates in columns as `ls` prints them, without the directory that they share; at most 200."""
    shared = os.path.commonprefix(candidates)
    directory = shared.rfind("/") + 1
    names = [_shown(candidate[directory:].rstrip()) for candidate in candidates[:_LISTED]]
    width = max((width for _, width in names), default=0) + _GAP
    height = -(-len(names) // max(columns // width, 1))
    lines = [
        "".join(name + " " * (width - own) for name, own in names[row::height]).rstrip()
        for row in range(height)
    ]
    if len(candidates) > _LISTED:
        lines.append(f"… and {len(candidates) - _LISTED:,} more")
    return "".join(line + "\r\n" for line in lines)


def _shown(name: str) -> tuple[str, int]:
    cells = list(chain.from_iterable(map(cells_of, name)))
    return "".join(cell.text for cell in cells), sum(cell.width for cell in cells)
