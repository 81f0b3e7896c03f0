"""Scans the text of makefiles: logical lines, references, and separators outside references."""

from __future__ import annotations

import re
from dataclasses import dataclass

PAIRS = {"(": ")", "{": "}"}
MASKED = "\0"


class MakeError(Exception):
    """An error that stops make.

    Args:
        message: The message, as GNU make prints it.
        where: The line of a makefile that caused it, if there is one.
    """

    def __init__(self, message: str, where: Location | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where


@dataclass(frozen=True)
class Location:
    """A line of a makefile."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Line:
    """A logical line, which includes continuation lines with their backslashes and newlines."""

    number: int
    text: str

    @property
    def joined(self) -> str:
        """The line outside recipes: each continuation becomes one space."""
        return re.sub(r"[ \t]*\\\n[ \t]*", " ", self.text) if "\n" in self.text else self.text

    def recipe(self, prefix: str) -> str:
        """Return the line in a recipe, without its prefix; the shell handles continuations."""
        return self.text[1:].replace("\\\n" + prefix, "\\\n")


@dataclass(frozen=True)
class Assignment:
    """An unexpanded assignment, `modifiers name operator value`, or a `define`."""

    name: str
    operator: str
    value: str
    modifiers: frozenset[str]


def logical_lines(text: str, first: int = 1) -> list[Line]:
    """Split a makefile into logical lines; `first` is the number of the first line."""
    lines: list[Line] = []
    pending: list[str] = []
    for number, line in enumerate(text.split("\n"), first):
        pending.append(line)
        backslashes = len(line) - len(line.rstrip("\\"))
        if backslashes % 2 == 0:
            lines.append(Line(number - len(pending) + 1, "\n".join(pending)))
            pending = []
    if pending:
        lines.append(Line(first + text.count("\n") - len(pending) + 1, "\n".join(pending).rstrip("\\")))
    return lines


def closing(text: str, start: int) -> int:
    """Return the index of the bracket that closes the one at `start`, or -1."""
    opened, closed = text[start], PAIRS[text[start]]
    depth = 0
    for index in range(start, len(text)):
        if text[index] == opened:
            depth += 1
        elif text[index] == closed:
            depth -= 1
            if depth == 0:
                return index
    return -1


def mask(text: str) -> str:
    """Return text of the same length with references and escaped characters masked."""
    if "$" not in text and "\\" not in text:
        return text
    pieces: list[str] = []
    index = 0
    while index < len(text):
        end = index + 1
        if text[index] in "$\\" and end < len(text):
            close = closing(text, end) if text[index] == "$" and text[end] in PAIRS else end
            end = (close if close > 0 else len(text) - 1) + 1
        pieces.append(text[index] if end == index + 1 else MASKED * (end - index))
        index = end
    return "".join(pieces)


def without_comment(line: str) -> str:
    """Remove the comment after an unescaped # outside references, and unescape the others."""
    if "#" not in line:
        return line
    masked = mask(line)
    end = masked.find("#")
    code = line if end < 0 else line[:end]
    return re.sub(
        r"\\#",
        lambda escaped: "#" if masked[escaped.start() : escaped.end()] == MASKED * 2 else escaped.group(),
        code,
    )


_ASSIGNMENT = re.compile(
    r"[ \t]*(?P<modifiers>(?:(?:override|export|private)[ \t]+)*)"
    r"(?P<name>[^ \t:#=]*?)[ \t]*(?P<operator>:{1,3}=|[+?!]?=)[ \t]*"
)


def assignment(line: str) -> Assignment | None:
    """Parse an assignment; return None for other lines."""
    match = _ASSIGNMENT.match(mask(line))
    if match is None:
        return None
    return Assignment(
        line[match.start("name") : match.end("name")],
        match["operator"],
        line[match.end() :],
        frozenset(match["modifiers"].split()),
    )


def names(text: str) -> list[str]:
    """Split expanded text into file names; a backslash escapes a space or a colon."""
    found = re.findall(r"(?:\\.|[^ \t\n\r\f\v])+", text, re.DOTALL)
    return [_plain(re.sub(r"\\([ \t:#])", r"\1", name)) for name in found]


def _plain(name: str) -> str:
    """Remove a leading "./", as GNU make does, so ./a and a are the same file."""
    return re.sub(r"^(?:\./+)+(?=.)", "", name, flags=re.DOTALL)
