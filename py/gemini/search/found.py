"""What a search gives. Apart from the index, which loads SQLite."""

from dataclasses import dataclass

from gemini.search.marked import Piece


@dataclass(frozen=True)
class Found:
    """An entry, with the place in it that fits best: `line` counts from 1; `snippet` is that line, or a part of it."""

    kind: str
    key: str
    about: str
    name: list[Piece]
    line: int
    snippet: list[Piece]
    score: float
