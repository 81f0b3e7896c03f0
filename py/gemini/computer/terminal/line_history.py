"""The history of lines: moving through it and searching it."""

from typing import NamedTuple

_LIMIT = 1_000


class LineHistory:
    """Moves through `lines`, oldest first.

    Text typed or changed while moving stays in place until a line is added: the draft at the end, and edits of earlier
    lines.

    Args:
        lines: The list, which the caller owns and saves; `add` appends to it.
        limit: The maximum number of lines.
    """

    def __init__(self, lines: list[str], limit: int = _LIMIT) -> None:
        self.lines = lines
        self._limit = limit
        self.reset_position()

    def add(self, line: str) -> None:
        """Add a line, unless it is blank or repeats the last; drop the oldest lines beyond the limit."""
        line = line.rstrip("\n")
        if line.strip() and self.lines[-1:] != [line]:
            self.lines.append(line)
            del self.lines[: -self._limit]
        self.reset_position()

    def reset_position(self) -> None:
        """Discard the draft and the edits; the next move starts at the end."""
        self._edited: list[str] = []
        self._position = 0

    def move(self, step: int, current: str) -> str | None:
        """Return the line `step` further (-1: the previous one), or None if there is none.

        Args:
            step: 1 or -1.
            current: The text as edited at the current position.
        """
        if not self._edited:
            # A copy, because the caller may add lines while the user moves.
            self._edited = [*self.lines, ""]
            self._position = len(self.lines)
        if not 0 <= self._position + step < len(self._edited):
            return None
        self._edited[self._position] = current
        self._position += step
        return self._edited[self._position]


class _SearchStep(NamedTuple):
    query: str
    position: int
    line: str | None
    success: bool


class HistorySearch:
    """An incremental backward search through lines.

    Args:
        lines: The lines to search, oldest first.
    """

    def __init__(self, lines: list[str]) -> None:
        self._lines = list(lines)
        self._steps = [_SearchStep("", len(lines), None, success=True)]

    @property
    def query(self) -> str:
        """The text to search for."""
        return self._steps[-1].query

    @property
    def found(self) -> bool:
        """False if no line, or no further line, contains the query."""
        return self._steps[-1].success

    @property
    def match(self) -> str | None:
        """The last match, or None before the first."""
        return self._steps[-1].line

    @property
    def offset(self) -> int:
        """The position of the query in the match."""
        return max((self.match or "").rfind(self.query), 0)

    def type(self, character: str) -> bool:
        """Add a character to the query; return True if the match or an earlier line contains it."""
        return self._seek(self.query + character, self._steps[-1].position)

    def search_further(self) -> bool:
        """Search for the query before the match; return True if another line contains it."""
        return bool(self.query) and self._seek(self.query, self._steps[-1].position - 1)

    def erase(self) -> bool:
        """Undo the last step; return True if there was one."""
        if len(self._steps) == 1:
            return False
        self._steps.pop()
        return True

    def _seek(self, query: str, latest: int) -> bool:
        step = self._steps[-1]
        for position in range(min(latest, len(self._lines) - 1), -1, -1):
            line = self._lines[position]
            if query in line and (position == step.position or line != step.line):
                self._steps.append(_SearchStep(query, position, line, success=True))
                return True
        self._steps.append(step._replace(query=query, success=False))
        return False
