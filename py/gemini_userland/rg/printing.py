"""The lines that `rg` prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gemini_userland.rg.colors import RESET
from gemini_userland.rg.content import Content
from gemini_userland.rg.matcher import Matcher, lines_between
from gemini_userland.text import encode

PATH, LINE, COLUMN, MATCH = "path", "line", "column", "match"


@dataclass(frozen=True)
class Style:
    """The way lines are printed.

    Attributes:
        paths: Whether file names are printed.
        heading: Whether they stand above the lines.
        numbers: Whether line numbers are printed.
        columns: Whether columns are.
        offsets: Whether offsets in bytes are.
        only: Whether only matches are printed.
        each: Whether a line is printed for each of its matches.
        replace: Writes what replaces a match.
        trim: Whether blanks at the start are left out.
        colors: The escape sequence of each part; empty without colors.
        longest: The largest number of bytes in a line, or None.
        preview: Whether the start of a longer line is printed.
        mark: What follows the fields of a selected line.
        context_mark: What follows the fields of another line.
        after_path: A null byte to follow file names, or "".
        gap: The line between parts of a file, or None.
        end: The end of a line that only has a match.
    """

    paths: bool = False
    heading: bool = False
    numbers: bool = False
    columns: bool = False
    offsets: bool = False
    only: bool = False
    each: bool = False
    replace: Callable[[re.Match[str]], str] | None = None
    trim: bool = False
    colors: Mapping[str, str] = field(default_factory=dict[str, str])
    longest: int | None = None
    preview: bool = False
    mark: str = ":"
    context_mark: str = "-"
    after_path: str = ""
    gap: str | None = "--"
    end: str = "\n"

    def colored(self, text: str, part: str) -> str:
        """Return a text in the color of its part, if colors are printed."""
        return f"{RESET}{self.colors[part]}{text}{RESET}" if self.colors else text


class Printer:
    """Prints the lines of one file.

    Args:
        style: How they are printed.
        matcher: The search.
        path: The file's name.
        content: Its text.
    """

    def __init__(self, style: Style, matcher: Matcher, path: str, content: Content) -> None:
        self._style = style
        self._matcher = matcher
        self._path = path
        self._content = content
        self.pieces: list[str] = []
        self.matches = 0
        # The place up to which lines and bytes have been counted.
        self._counted = self._line = self._byte = 0
        self._details = (
            style.only or style.each or style.columns or bool(style.colors) or style.replace is not None
        )

    def selected(self, start: int, end: int) -> None:
        """Print a selected block."""
        style, text = self._style, self._content.text
        found = (
            self._matcher.matches(text, start, end) if self._details and not self._matcher.inverted else []
        )
        self.matches += len(found)
        if style.only and not self._matcher.inverted:
            for match in found:
                self._only(match)
        elif style.each:
            for match in found:
                first, last = self._lines_of(match, start, end)
                self._lines(first, last, [match], match.start())
        else:
            self._lines(start, end, found, found[0].start() if found else start)

    def other(self, start: int, end: int) -> None:
        """Print a line of the context."""
        self._row(start, end, self._content.text[start:end], None, self._style.context_mark)

    def _lines_of(self, match: re.Match[str], start: int, end: int) -> tuple[int, int]:
        text = self._content.text
        last = max(match.end() - 1, match.start())
        return max(text.rfind("\n", 0, match.start()) + 1, start), min(text.find("\n", last) + 1 or end, end)

    def _only(self, match: re.Match[str]) -> None:
        start = match.start()
        whole = match[0] if self._style.replace is None else self._style.replace(match)
        column = start
        for line in whole.removesuffix("\n").split("\n"):
            self._row(
                start, start, self._style.colored(line, MATCH) + self._style.end, column, self._style.mark
            )
            start += len(line) + 1
            column = start

    def _lines(self, start: int, end: int, found: Sequence[re.Match[str]], column: int) -> None:
        """Print a block line by line, or, where matches are replaced, the lines that come of it."""
        text, replace = self._content.text, self._style.replace
        if replace is not None:
            pieces: list[str] = []
            at = start
            for match in found:
                pieces += [text[at : match.start()], self._style.colored(replace(match), MATCH)]
                at = match.end()
            whole = "".join([*pieces, text[at:end]])
            for first, last in lines_between(whole, 0, len(whole)):
                self._row(start + first, start + first, whole[first:last], column, self._style.mark)
            return
        for first, last in lines_between(text, start, end):
            self._row(
                first, last, self._with_colors(first, last, found), max(column, first), self._style.mark
            )

    def _with_colors(self, start: int, end: int, found: Sequence[re.Match[str]]) -> str:
        text = self._content.text
        if not self._style.colors:
            return text[start:end]
        pieces: list[str] = []
        at = start
        for match in found:
            first, last = max(match.start(), at), min(match.end(), end)
            if first < last:
                pieces += [text[at:first], self._style.colored(text[first:last], MATCH)]
                at = last
        return "".join([*pieces, text[at:end]])

    def _row(self, start: int, end: int, line: str, column: int | None, mark: str) -> None:
        style = self._style
        prefix = ""
        if style.paths and not style.heading:
            prefix = style.colored(self._path, PATH) + (style.after_path or mark)
        if style.numbers:
            prefix += style.colored(str(self._number(start)), LINE) + mark
        if style.columns and column is not None:
            before = self._content.text[self._content.text.rfind("\n", 0, column) + 1 : column]
            prefix += style.colored(str(len(encode(before)) + 1), COLUMN) + mark
        if style.offsets:
            prefix += style.colored(
                str(self.offset(column if style.only and column is not None else start)), COLUMN
            )
            prefix += mark
        body = line.removesuffix("\n")
        if style.trim:
            body = body.lstrip(" \t\r\f\v")
        if style.longest is not None and len(encode(body)) > style.longest:
            body = self._shorten(body, start, end, context=column is None)
        self.pieces.append(f"{prefix}{body}\n")

    def _shorten(self, body: str, start: int, end: int, *, context: bool) -> str:
        style = self._style
        count = (
            len(self._matcher.matches(self._content.text, start, end)) if self._details and end > start else 0
        )
        if style.preview and style.longest is not None:
            cut = encode(body)[: style.longest].decode("utf-8", "ignore")
            left = f"{count} more matches" if count else "... omitted end of long line"
            return f"{cut} [{left}]"
        if context:
            return "[Omitted long context line]"
        return f"[Omitted long line with {count} matches]" if count else "[Omitted long matching line]"

    def _number(self, at: int) -> int:
        self._count(at)
        return self._line + 1

    def offset(self, at: int) -> int:
        """Return the offset in bytes of a place in the text."""
        self._count(at)
        return self._byte

    def _count(self, at: int) -> None:
        if at < self._counted:
            self._counted = self._line = self._byte = 0
        text = self._content.text
        self._line += text.count("\n", self._counted, at)
        self._byte += at - self._counted if self._content.is_ascii else len(encode(text[self._counted : at]))
        self._counted = at
