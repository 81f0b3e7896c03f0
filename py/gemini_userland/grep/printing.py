"""The prefixes of the lines that `grep` prints, and their colors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.text import encode

Spans = Callable[[bytes], Iterable[tuple[int, int]]]

# The largest size of a file has so many digits; numbers are so wide where the size isn't known.
UNKNOWN_WIDTH = 19
_COLORS = {"ms": "01;31", "mc": "01;31", "fn": "35", "ln": "32", "bn": "32", "se": "36"}


@dataclass(frozen=True)
class Line:
    """A line that is printed.

    Attributes:
        text: It, without its end.
        number: Its number, from 1.
        offset: The bytes before it.
        matched: Whether it is selected, rather than around such a line.
    """

    text: bytes
    number: int
    offset: int
    matched: bool


class Style:
    """The look of the lines of a call."""

    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self.named = False
        self.numbered, self.with_offset = "n" in given, "b" in given
        self.tabbed, self.null = "T" in given, "Z" in given
        when = given.last("color")
        seen = 1 in invocation.watched and invocation.env.get("TERM") != "dumb"
        self.colored = when in ("always", "yes", "force") or (when in ("", "auto", "tty", "if-tty") and seen)
        self._colors = dict(_COLORS)
        for item in invocation.env.get("GREP_COLORS", "").split(":"):
            name, _, value = item.partition("=")
            self._colors.update(
                {"ms": value, "mc": value} if name == "mt" else {name: value} if value else {}
            )
        self._label = given.last("label", "(standard input)")

    @property
    def is_plain(self) -> bool:
        """True if lines have at most a name and a number in front."""
        return not (self.colored or self.with_offset or self.tabbed)

    def paint(self, kind: str, text: bytes) -> bytes:
        """Return a text in the color of its kind, a name of `GREP_COLORS`."""
        color = self._colors.get(kind, "")
        return b"\x1b[%sm\x1b[K%s\x1b[m\x1b[K" % (color.encode(), text) if self.colored and color else text

    def name(self, path: str) -> bytes:
        """Return a file's name as it is printed."""
        return self.paint("fn", encode(self._label if path == "-" else path))

    def after_name(self, mark: bytes) -> bytes:
        """Return what follows a file's name."""
        return b"\0" if self.null else self.paint("se", mark)

    def head(self, path: str, line: Line, width: int, at: int = 0) -> bytes:
        """Return what precedes a line, or the part of it that begins at `at`.

        Args:
            path: The file.
            line: The line.
            width: The width of numbers with -T.
            at: The offset in the line.
        """
        mark = b":" if line.matched else b"-"
        found = b""
        room = width if self.tabbed else 0
        if self.named:
            found += self.name(path) + self.after_name(mark)
        if self.numbered:
            found += self.paint("ln", b"%*d" % (room, line.number)) + self.paint("se", mark)
        if self.with_offset:
            found += self.paint("bn", b"%*d" % (room, line.offset + at)) + self.paint("se", mark)
        return found + (b"\t" if self.tabbed and found and line.text else b"")

    def painted(self, text: bytes, spans: Iterable[tuple[int, int]], kind: str) -> bytes:
        """Return a line with its matches in color."""
        return b"".join(self._pieces(text, spans, kind))

    def _pieces(self, text: bytes, spans: Iterable[tuple[int, int]], kind: str) -> Iterator[bytes]:
        last = 0
        for start, end in spans:
            yield text[last:start]
            yield self.paint(kind, text[start:end])
            last = end
        yield text[last:]
