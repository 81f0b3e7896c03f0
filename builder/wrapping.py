"""Wraps documents at 120 columns: `python3 -m builder.wrapping --write`. Without it, it lists long lines and fails.

Tables, code and the targets of links may be longer. Only paragraphs and list items that have a long line are wrapped
again, so a change stays small.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

WIDTH = 120
FILES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
_FENCE = re.compile(r"\s*(```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")
_LEAD = re.compile(r"\s*(?:(?:[-*]|\d+\.) )?")
# What would begin an item, a heading or a table at the start of a line.
_MARK = re.compile(r" (?=(?:[-*+|]|\d+\.|#+) )")
# A heading, a row of a table, a comment, a picture, indented code.
_ALONE = re.compile(r"\s*(?:$|[|#]|<!--|!\[)")
_TARGET = re.compile(r"(?<=\])\([^)\s]*\)")
_SPAN = re.compile(r"`[^`]*`")
_BLANK = "\0"


def long_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield the number and the length of each line of prose that is too long, without the targets of its links."""
    number = 1
    for block, is_prose in _blocks(text.split("\n")):
        for at, line in enumerate(block, number):
            if is_prose and _length(line) > WIDTH and " " in _glue(line.strip()):
                yield at, _length(line)
        number += len(block)


def wrapped(text: str) -> str:
    """Return a document whose paragraphs and list items have no long lines."""
    lines: list[str] = []
    for block, is_prose in _blocks(text.split("\n")):
        is_long = is_prose and any(_length(line) > WIDTH for line in block)
        lines += _wrap(block) if is_long else block
    return "\n".join(lines)


def documents(root: Path) -> list[Path]:
    """Return the documents below `root`."""
    return [*(root / name for name in FILES), *sorted((root / "docs").glob("*.md"))]


def _length(line: str) -> int:
    return len(_TARGET.sub("", line))


def _glue(line: str) -> str:
    """Return a line whose code spans and marks can't be parted from the text before them."""
    # A code span stays on one line, so that it can be searched for.
    spans = _SPAN.sub(lambda span: span[0].replace(" ", _BLANK), line)
    return _MARK.sub(_BLANK, spans)


def _blocks(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield the lines of a document in parts: a paragraph, an item, or a line that isn't prose."""
    block: list[str] = []
    fence = ""
    for line in lines:
        opened = _FENCE.match(line)
        is_alone = bool(fence or opened or _ALONE.match(line) or (line.startswith("    ") and not block))
        if block and (is_alone or _ITEM.match(line)):
            yield block, True
            block = []
        if is_alone:
            yield [line], False
        else:
            block.append(line)
        if opened:
            fence = "" if fence else opened[1]
    if block:
        yield block, True


def _wrap(block: list[str]) -> list[str]:
    found = _LEAD.match(block[0])
    lead = found[0] if found else ""
    prose = " ".join([block[0].removeprefix(lead).strip(), *(line.strip() for line in block[1:])])
    lines = textwrap.wrap(
        _glue(prose),
        WIDTH,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_BLANK, " ") for line in lines]


def main() -> int:
    """Wrap the documents, or list their long lines and return 1 if there are any."""
    root = Path(__file__).parent.parent
    found = False
    for path in documents(root):
        text = path.read_text(encoding="utf-8")
        if "--write" in sys.argv:
            path.write_text(wrapped(text), encoding="utf-8")
            continue
        for number, length in long_lines(text):
            found = True
            print(
                f"{path.relative_to(root).as_posix()}:{number}: {length} columns; wrap at {WIDTH} with --write"
            )
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
