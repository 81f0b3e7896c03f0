"""The lines of before: moving among them, and searching them."""

from typing import NamedTuple

_LIMIT = 1_000


class LineHistory:
    """Moves through `lines`, oldest first; the list belongs to the caller, who keeps it, and grows with
    `add`.

    What is typed or changed on the way stays where it was typed until a line is added: the draft at the end,
    and the changes to earlier lines.
    """

    def __init__(self, lines: list[str], limit: int = _LIMIT) -> None:
        self.lines = lines
        self._limit = limit
        self.leave()

    def add(self, line: str) -> None:
        """Adds a line, unless it is blank or the same as the last; beyond the limit the oldest are
        dropped."""
        line = line.rstrip("\n")
        if line.strip() and self.lines[-1:] != [line]:
            self.lines.append(line)
            del self.lines[: -self._limit]
        self.leave()

    def leave(self) -> None:
        """Forgets the draft and the changes; the next move begins at the end."""
        self._shown: list[str] = []
        self._place = 0

    def move(self, step: int, current: str) -> str | None:
        """The line `step` further (-1: the one before), or None where there is none; `current` is what stands
        now."""
        if not self._shown:
            # A copy: the caller may add lines while somebody is on the way.
            self._shown = [*self.lines, ""]
            self._place = len(self.lines)
        if not 0 <= self._place + step < len(self._shown):
            return None
        self._shown[self._place] = current
        self._place += step
        return self._shown[self._place]


class _Found(NamedTuple):
    query: str
    place: int
    line: str | None
    success: bool


class HistorySearch:
    """A search backwards through lines, that goes on with every character typed."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = list(lines)
        self._steps = [_Found("", len(lines), None, success=True)]

    @property
    def query(self) -> str:
        return self._steps[-1].query

    @property
    def found(self) -> bool:
        """False when no line, or no further one, has the query."""
        return self._steps[-1].success

    @property
    def match(self) -> str | None:
        """The line found last, None before the first."""
        return self._steps[-1].line

    @property
    def offset(self) -> int:
        """Where in the match the query stands."""
        return max((self.match or "").rfind(self.query), 0)

    def type(self, character: str) -> bool:
        """Adds to the query; True when the match or a line before it has it."""
        return self._seek(self.query + character, self._steps[-1].place)

    def again(self) -> bool:
        """Looks for the query before the match; True when another line has it."""
        return bool(self.query) and self._seek(self.query, self._steps[-1].place - 1)

    def erase(self) -> bool:
        """Takes the last step back; True when there was one."""
        if len(self._steps) == 1:
            return False
        self._steps.pop()
        return True

    def _seek(self, query: str, latest: int) -> bool:
        step = self._steps[-1]
        for place in range(min(latest, len(self._lines) - 1), -1, -1):
            line = self._lines[place]
            if query in line and (place == step.place or line != step.line):
                self._steps.append(_Found(query, place, line, success=True))
                return True
        self._steps.append(step._replace(query=query, success=False))
        return False
