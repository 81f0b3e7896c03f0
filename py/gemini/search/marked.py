"""Text with the places marked that match: in pieces, so that nobody has to parse it or to count characters."""

import re

from typing_extensions import TypedDict

# Around each match in what FTS5 gives; no text of a person's has them.
OPEN, CLOSE = "\x01", "\x02"
MARKED = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
# Characters of a line that are told.
LONGEST = 200
# Of a line that is longer than what a narrow list shows, so many before the first match.
SHOWN = 70
BEFORE = 25


class Piece(TypedDict):
    """A part of a text, and whether it is what was looked for."""

    text: str
    match: bool


def best_line(marked: str) -> tuple[int, list[Piece]]:
    """The line with the most matches, the first of those, counted from 0; the first line where there is none."""
    lines = marked.split("\n")
    best = max(range(len(lines)), key=lambda number: (lines[number].count(OPEN), -number))
    return best, in_one_line(lines[best])


def in_one_line(marked: str) -> list[Piece]:
    """A marked line in pieces, cut around its first match where it is long."""
    marked = marked.strip()
    first = marked.find(OPEN)
    if len(marked) > SHOWN and first > BEFORE:
        marked = f"…{marked[first - BEFORE :]}"
    pieces = pieces_of(marked)
    return _cut(pieces) if len(marked) > LONGEST else pieces


def pieces_of(marked: str) -> list[Piece]:
    """A marked text in pieces, in order."""
    pieces = [
        Piece(text=text, match=number % 2 == 1) for number, text in enumerate(MARKED.split(marked)) if text
    ]
    return pieces or [Piece(text="", match=False)]


def marked_where(text: str, part: str) -> list[Piece]:
    """A text in pieces, those marked that equal `part` but for case."""
    found = re.split(f"({re.escape(part)})", text, flags=re.IGNORECASE)
    return [Piece(text=each, match=number % 2 == 1) for number, each in enumerate(found) if each]


def _cut(pieces: list[Piece]) -> list[Piece]:
    kept: list[Piece] = []
    room = LONGEST
    for piece in pieces:
        text = piece["text"][:room]
        kept.append(Piece(text=text, match=piece["match"]))
        room -= len(text)
        if room == 0:
            kept.append(Piece(text="…", match=False))
            break
    return kept
