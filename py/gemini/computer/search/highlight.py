"""Split text into pieces that match a search and pieces that don't."""

import re

from typing_extensions import TypedDict

# FTS5 puts them around each match. They don't occur in text.
OPEN, CLOSE = "\x01", "\x02"
MATCH = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
# In characters of a line. A line over WIDTH starts BEFORE characters ahead of its first match.
MAX_LENGTH = 200
WIDTH = 70
BEFORE = 25


class Piece(TypedDict):
    """A part of a text, and whether it matches."""

    text: str
    match: bool


def best_line(marked: str) -> tuple[int, list[Piece]]:
    """Return the first line with the most matches: its number, counted from 0, and its pieces."""
    lines = marked.split("\n")
    best = max(range(len(lines)), key=lambda number: (lines[number].count(OPEN), -number))
    return best, snippet(lines[best])


def snippet(marked: str) -> list[Piece]:
    """Split a marked line into pieces; a long line is cut around its first match."""
    marked = marked.strip()
    first = marked.find(OPEN)
    if len(marked) > WIDTH and first > BEFORE:
        marked = f"…{marked[first - BEFORE :]}"
    pieces = split_pieces(marked)
    return _cut(pieces) if len(marked) > MAX_LENGTH else pieces


def split_pieces(marked: str) -> list[Piece]:
    """Split a marked text into pieces."""
    pieces = [
        Piece(text=text, match=number % 2 == 1) for number, text in enumerate(MATCH.split(marked)) if text
    ]
    return pieces or [Piece(text="", match=False)]


def highlight(text: str, part: str) -> list[Piece]:
    """Split a text into pieces, with the occurrences of `part` as matches; case is ignored."""
    found = re.split(f"({re.escape(part)})", text, flags=re.IGNORECASE)
    return [Piece(text=each, match=number % 2 == 1) for number, each in enumerate(found) if each]


def _cut(pieces: list[Piece]) -> list[Piece]:
    cut: list[Piece] = []
    room = MAX_LENGTH
    for piece in pieces:
        text = piece["text"][:room]
        cut.append(Piece(text=text, match=piece["match"]))
        room -= len(text)
        if room == 0:
            cut.append(Piece(text="…", match=False))
            break
    return cut
