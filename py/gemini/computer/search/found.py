"""The result of a search, in its own module because the index loads SQLite."""

from dataclasses import dataclass

from gemini.computer.search.highlight import Piece


@dataclass(frozen=True)
class Found:
    """An entry with its best match. `line` counts from 1; `snippet` is that line, or a part of it.

    `grade` says how well it matches, on the scale of `gemini.computer.search.grades`.
    """

    kind: str
    key: str
    about: str
    name: list[Piece]
    line: int
    snippet: list[Piece]
    score: float
    grade: int
