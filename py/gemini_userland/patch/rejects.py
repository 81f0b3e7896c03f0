"""Writes the hunks that don't fit, in the style of the patch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from gemini_userland.patch.hunks import ADDED, CONTEXT, REMOVED, FilePatch, Hunk, Row, Side
from gemini_userland.patch.names import stripped
from gemini_userland.text import encode

END = b"\n\\ No newline at end of file\n"


def rejected(found: FilePatch, hunks: Sequence[tuple[Hunk, int]], style: str, strip: int | None) -> bytes:
    """Return the text of a reject file.

    Args:
        found: The patch.
        hunks: Each rejected hunk, and the number of lines that the file grew before it.
        style: `unified` or `context`.
        strip: The number of components to strip from names, as for `stripped`.
    """
    marks = (b"---", b"+++") if style == "unified" else (b"***", b"---")
    sides = zip(marks, (found.old, found.new), strict=True)
    header = b"".join(_heading(mark, side, strip) for mark, side in sides)
    write = _unify if style == "unified" else _context
    return header + b"".join(part for hunk, growth in hunks for part in write(hunk, growth))


def _heading(mark: bytes, side: Side, strip: int | None) -> bytes:
    return mark + b" " + encode(stripped(side.name, strip) or "/dev/null") + side.rest.rstrip(b"\r\n") + b"\n"


def _row(mark: bytes, text: bytes) -> bytes:
    return mark + (text if text.endswith(b"\n") else text + END)


def _unify(hunk: Hunk, growth: int) -> Iterator[bytes]:
    old, new = _range(hunk.first + growth, len(hunk.old)), _range(hunk.new_first + growth, len(hunk.new))
    function = b" " + hunk.function if hunk.function else b""
    yield b"@@ -%s +%s @@%s\n" % (old, new, function)
    for kind, text in hunk.rows:
        yield _row(kind.encode(), text)


def _range(first: int, count: int) -> bytes:
    return b"%d" % first if count == 1 else b"%d,%d" % (first - (count == 0), count)


def _context(hunk: Hunk, growth: int) -> Iterator[bytes]:
    yield b"***************" + (b" " + hunk.function if hunk.function else b"") + b"\n"
    rows = [
        (kind, b"!" if both else kind.encode(), text) for run, both in _runs(hunk.rows) for kind, text in run
    ]
    yield b"*** %s ****\n" % _span(hunk.first + growth, len(hunk.old))
    yield from (_row(mark + b" ", text) for kind, mark, text in rows if kind != ADDED)
    yield b"--- %s ----\n" % _span(hunk.new_first + growth, len(hunk.new))
    yield from (_row(mark + b" ", text) for kind, mark, text in rows if kind != REMOVED)


def _runs(rows: Sequence[Row]) -> Iterator[tuple[list[Row], bool]]:
    """Yield runs of context or changed lines, and whether lines are both removed and added in one."""
    for _, group in groupby(rows, key=lambda row: row[0] == CONTEXT):
        run = list(group)
        yield run, {kind for kind, _ in run} == {ADDED, REMOVED}


def _span(first: int, count: int) -> bytes:
    return b"%d" % (first - (count == 0)) if count < 2 else b"%d,%d" % (first, first + count - 1)
