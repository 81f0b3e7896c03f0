"""The tables of `column -t` and `column -J`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence

from gemini_userland.options import Arguments

JSON_INDENT = 3


class WrongColumns(Exception):
    """An option that names a column that isn't there, or lacks another option."""


class Table:
    """A table of cells: the columns with their names, and rows of the same length.

    Args:
        given: The options of the call.
        texts: The lines.
        width_of: Returns how many columns of the terminal a text takes.

    Raises:
        WrongColumns: An option names no column.
    """

    def __init__(self, given: Arguments, texts: Sequence[str], width_of: Callable[[str], int]) -> None:
        self._given, self._width_of = given, width_of
        self._rows = [self._cells(text) for text in texts]
        self._names = given.last("N", "").split(",") if "N" in given else []
        count = max([len(self._names), *map(len, self._rows)], default=0)
        self._rows = [row + [""] * (count - len(row)) for row in self._rows]
        self._count = count
        self._right = self._columns("R")
        hidden = self._columns("H", unnamed="-")
        first = self._columns("O")
        order = [*first, *(at for at in range(count) if at not in first)]
        self._order = [at for at in order if at not in hidden]

    def _cells(self, text: str) -> list[str]:
        most = (self._given.number("l") or 0) - 1
        separators = self._given.last("s")
        if separators is None:
            if most < 0:
                return text.split()
            # Of the blanks before the rest of the line, one is the separator.
            pattern = r"\s*" + r"(?:(\S+)\s)?" * most + r"(.*)"
            match = re.match(pattern, text)
            return [cell for cell in match.groups() if cell] if match else []
        pattern = f"[{re.escape(separators)}]"
        return re.split(pattern, text, maxsplit=max(most, 0)) if most != 0 else [text]

    def _columns(self, option: str, unnamed: str = "") -> list[int]:
        """Return the columns that an option's value names by numbers or names, separated by commas."""
        found: list[int] = []
        for name in ",".join(self._given.all(option)).split(","):
            if not name:
                continue
            if unnamed and name == unnamed:
                found += range(len(self._names), self._count)
            elif name in self._names:
                found.append(self._names.index(name))
            elif name == "0" and option == "R":
                found += range(self._count)
            elif name.isdigit() and 0 < int(name) <= self._count:
                found.append(int(name) - 1)
            else:
                raise WrongColumns(f"undefined column name '{name}'")
        return found

    def lines(self) -> Iterator[str]:
        """Yield the lines of the aligned table."""
        names = self._names + [""] * (self._count - len(self._names))
        rows = [names, *self._rows] if self._names and "d" not in self._given else self._rows
        widths = [
            max([self._width_of(row[at]) for row in (names, *self._rows)], default=0)
            for at in range(self._count)
        ]
        between = self._given.last("o", "  ")
        last = self._order[-1] if self._order else 0
        for row in rows:
            yield between.join(self._pad(row[at], widths[at], at, is_last=at == last) for at in self._order)

    def _pad(self, cell: str, width: int, at: int, *, is_last: bool) -> str:
        space = " " * (width - self._width_of(cell))
        if at in self._right and not (is_last and not cell):
            return space + cell
        return cell if is_last else cell + space

    def json(self, name: str) -> Iterator[str]:
        """Yield the lines of the table as JSON; an empty cell is null.

        Raises:
            WrongColumns: The columns have no names.
        """
        if not self._names:
            raise WrongColumns("option --table-columns required for --json")
        keys = [name.lower() for name in self._names]
        one, two, three = (" " * (JSON_INDENT * depth) for depth in (1, 2, 3))
        yield "{"
        yield f"{one}{_text(name)}: ["
        for number, row in enumerate(self._rows):
            yield f"{two}{{" if number == 0 else f"{two}}},{{"
            cells = [f"{three}{_text(keys[at])}: {_text(row[at])}" for at in self._order if at < len(keys)]
            yield ",\n".join(cells)
        if self._rows:
            yield f"{two}}}"
        yield f"{one}]"
        yield "}"


def _text(cell: str) -> str:
    return json.dumps(cell, ensure_ascii=False) if cell else "null"
