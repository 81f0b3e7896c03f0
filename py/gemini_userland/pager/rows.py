"""Divide a text into the rows of a screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

TAB = 8
COLOR = re.compile(r"\x1b\[[0-9;:]*[mK]|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)")
_PLAIN = re.compile(r"[ -~]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_RESET = "\x1b[m"
NUMBER_WIDTH = 8


@dataclass
class Look:
    """The options that change how a text is shown.

    Attributes:
        chop: Show the beginning of long lines only (-S).
        numbers: Show the number of each line (-N).
        raw: Let the terminal interpret colors (-R).
        ignore_case: Ignore case in searches: "" doesn't, "smart" does in patterns without capitals, "all" always does.
    """

    chop: bool = False
    numbers: bool = False
    raw: bool = False
    ignore_case: str = ""


@dataclass(frozen=True)
class Row:
    """A row of the screen: its text, and the index of its line."""

    text: str
    line: int


def plain(text: str) -> str:
    """Return a line without its colors."""
    return COLOR.sub("", text)


def rows_of(lines: Sequence[str], look: Look, columns: int, shift: int) -> list[Row]:
    """Divide lines into rows.

    Args:
        lines: The lines, without their ends.
        look: How they are shown.
        columns: The width of the screen in characters.
        shift: The columns on the left that are not shown.
    """
    width = max(columns - (NUMBER_WIDTH if look.numbers else 0), 2)
    rows: list[Row] = []
    for index, line in enumerate(lines):
        margin = f"{index + 1:>{NUMBER_WIDTH - 1}} " if look.numbers else ""
        parts = _parts(_format(line, look), width, shift)
        if look.chop or shift:
            rows.append(Row(margin + next(parts, ""), index))
            continue
        for part in parts:
            rows.append(Row(margin + part, index))
            margin = " " * len(margin)
    return rows


def _format(line: str, look: Look) -> str:
    """Return a line with tabs as blanks, and control characters as `^X`."""
    if "\x1b" not in line:
        line = line.expandtabs(TAB)
    elif not look.raw:
        line = line.replace("\x1b", "\x1b[7mESC\x1b[27m").expandtabs(TAB)
    if _PLAIN.fullmatch(line):
        return line
    colors = COLOR.findall(line)
    pieces = [_CONTROL.sub(_caret, piece) for piece in COLOR.split(line)]
    shown = "".join(piece + color for piece, color in zip(pieces, [*colors, ""], strict=True))
    return shown + _RESET if colors else shown


def _caret(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\x1b[7m^{chr(code ^ 0x40)}\x1b[27m" if code < 0x80 else f"\x1b[7m<{code:02X}>\x1b[27m"  # noqa: PLR2004 - ASCII's end


def _parts(text: str, width: int, shift: int) -> Iterator[str]:
    """Yield the parts of a line that fit into a row, at least one."""
    if _PLAIN.fullmatch(text):
        rest = text[shift:]
        yield rest[:width]
        for start in range(width, len(rest), width):
            yield rest[start : start + width]
        return
    part, used, skipped = "", 0, shift
    for piece in re.split(f"({COLOR.pattern})", text):
        if COLOR.fullmatch(piece):
            part += piece
            continue
        for character in piece:
            columns = _columns(character)
            if skipped > 0:
                skipped -= columns
                continue
            if used + columns > width:
                yield part
                part, used = "", 0
            part += character
            used += columns
    yield part


def _columns(character: str) -> int:
    if not character.isprintable() or unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
