"""Output modes: each formats a result's columns and rows."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from gemini_userland.sqlite.values import Row, Value, identifier, json_string, literal, shown

NEEDS_QUOTES = re.compile(r"[\x00-\x20\"'\x7f-\U0010ffff\udc80-\udcff]")
LEAST_NAME_WIDTH = 5


@dataclass
class Style:
    """The settings of the output.

    Attributes:
        mode: The name of the mode.
        headers: Column names are printed; None for the mode's default.
        separator: The text between columns.
        newline: The text after rows.
        null: The text for NULL.
        table: The table of the mode `insert`.
        widths: The least widths of columns; negative to align right.
    """

    mode: str = "list"
    headers: bool | None = None
    separator: str = "|"
    newline: str = "\n"
    null: str = ""
    table: str = "table"
    widths: list[int] = field(default_factory=list[int])

    def set_mode(self, mode: str) -> None:
        """Change the mode, and the separators with it."""
        self.mode = mode
        self.separator = {"csv": ",", "quote": ",", "tabs": "\t", "tcl": " ", "ascii": "\x1f"}.get(mode, "|")
        self.newline = {"csv": "\r\n", "ascii": "\x1e"}.get(mode, "\n")


def write(style: Style, names: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the text of a result in a mode; a result without rows has none."""
    if not rows:
        return ""
    return "".join(MODES[style.mode](style, names, rows))


def _separate(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    if style.headers:
        yield style.separator.join(names) + style.newline
    for row in rows:
        yield style.separator.join(shown(value, style.null) for value in row) + style.newline


def _csv(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    def cell(value: Value) -> str:
        text = shown(value, style.null)
        if value is None or (text and not NEEDS_QUOTES.search(text) and style.separator not in text):
            return text
        return '"' + text.replace('"', '""') + '"'

    if style.headers:
        yield style.separator.join(cell(name) for name in names) + style.newline
    for row in rows:
        yield style.separator.join(cell(value) for value in row) + style.newline


def _quote(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    for row in [names, *rows] if style.headers else rows:
        yield style.separator.join(literal(value) for value in row) + style.newline


def _tcl(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    for row in [names, *rows] if style.headers else rows:
        yield style.separator.join(json_string(shown(value, style.null)) for value in row) + style.newline


def _insert(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    columns = f"({','.join(map(identifier, names))})" if style.headers else ""
    for row in rows:
        values = ",".join(literal(value, escapes=True) for value in row)
        yield f"INSERT INTO {identifier(style.table)}{columns} VALUES({values});\n"


def _json(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    def cell(value: Value) -> str:
        if value is None:
            return "null"
        if isinstance(value, bytes):
            return json_string(value.decode("latin-1"))
        return json_string(value) if isinstance(value, str) else literal(value)

    for number, row in enumerate(rows):
        pairs = ",".join(f"{json_string(name)}:{cell(value)}" for name, value in zip(names, row, strict=True))
        yield ("," if number else "[") + ("\n" if number else "") + "{" + pairs + "}"
    yield "]\n"


def _line(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    width = max(LEAST_NAME_WIDTH, *(len(name) for name in names))
    for number, row in enumerate(rows):
        yield "\n" if number else ""
        for name, value in zip(names, row, strict=True):
            yield f"{name:>{width}} = {shown(value, style.null)}\n"


def _html(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    if style.headers:
        yield "<TR>" + "".join(f"<TH>{html.escape(name)}</TH>\n" for name in names) + "</TR>\n"
    for row in rows:
        cells = (html.escape(shown(value, style.null)).replace("&#x27;", "&#39;") for value in row)
        yield "<TR>" + "".join(f"<TD>{cell}</TD>\n" for cell in cells) + "</TR>\n"


@dataclass(frozen=True)
class _Frame:
    """The lines around a table: the ends and the middle of each rule, and the bars of rows."""

    top: tuple[str, str, str, str] | None
    middle: tuple[str, str, str, str]
    bottom: tuple[str, str, str, str] | None
    bar: str


FRAMES = {
    "table": _Frame(("+", "-", "+", "+"), ("+", "-", "+", "+"), ("+", "-", "+", "+"), "|"),
    "markdown": _Frame(None, ("|", "-", "|", "|"), None, "|"),
    "box": _Frame(("┌", "─", "┬", "┐"), ("├", "─", "┼", "┤"), ("└", "─", "┴", "┘"), "│"),
}


def _cells(style: Style, names: Sequence[str], rows: Sequence[Row]) -> tuple[list[list[str]], list[int]]:
    quotes = style.mode == "qbox"
    texts = [
        [literal(value) if quotes else shown(value, style.null).replace("\t", "    ") for value in row]
        for row in rows
    ]
    least = style.widths + [0] * len(names)
    widths = [
        max(abs(least[at]), len(name), *(len(part) for row in texts for part in row[at].split("\n")))
        for at, name in enumerate(names)
    ]
    return texts, widths


def _align(text: str, width: int, least: int) -> str:
    return text.rjust(width) if least < 0 else text.ljust(width)


def _broken(row: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of a row whose cells can have several."""
    parts = [cell.split("\n") for cell in row]
    for at in range(max(map(len, parts))):
        yield [cell[at] if at < len(cell) else "" for cell in parts]


def _column(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    texts, widths = _cells(style, names, rows)
    least = style.widths + [0] * len(names)

    def line(cells: Sequence[str]) -> str:
        padded = (_align(cell, width, one) for cell, width, one in zip(cells, widths, least, strict=False))
        return "  ".join(padded) + "\n"

    if style.headers:
        yield line(names) + line(["-" * width for width in widths])
    spaced = any("\n" in cell for row in texts for cell in row)
    for number, row in enumerate(texts):
        yield "\n" if spaced and number else ""
        yield from map(line, _broken(row))


def _frame(style: Style, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    frame = FRAMES["box" if style.mode == "qbox" else style.mode]
    texts, widths = _cells(style, names, rows)
    least = style.widths + [0] * len(names)

    def rule(parts: tuple[str, str, str, str] | None) -> str:
        if parts is None:
            return ""
        first, dash, middle, last = parts
        return first + middle.join(dash * (width + 2) for width in widths) + last + "\n"

    def line(cells: Sequence[str]) -> str:
        padded = (_align(cell, width, one) for cell, width, one in zip(cells, widths, least, strict=False))
        return f"{frame.bar} " + f" {frame.bar} ".join(padded) + f" {frame.bar}\n"

    centered = [" " * ((width - len(name)) // 2) + name for name, width in zip(names, widths, strict=True)]
    yield rule(frame.top) + line(centered) + rule(frame.middle)
    spaced = frame.top is not None and any("\n" in cell for row in texts for cell in row)
    for number, row in enumerate(texts):
        yield rule(frame.middle) if spaced and number else ""
        yield from map(line, _broken(row))
    yield rule(frame.bottom)


MODES: dict[str, Callable[[Style, Sequence[str], Sequence[Row]], Iterator[str]]] = {
    "ascii": _separate,
    "box": _frame,
    "column": _column,
    "csv": _csv,
    "html": _html,
    "insert": _insert,
    "json": _json,
    "line": _line,
    "list": _separate,
    "markdown": _frame,
    "qbox": _frame,
    "quote": _quote,
    "table": _frame,
    "tabs": _separate,
    "tcl": _tcl,
}
