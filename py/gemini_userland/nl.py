"""`nl`: number lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.patterns import compile_posix
from gemini_userland.text import encode, inputs, lines

SYNTAX = Syntax(
    numbers={
        "i": Number("invalid line number increment: '{}'", minimum=-(1 << 63)),
        "l": Number("invalid line number of blank lines: '{}'", minimum=1),
        "v": Number("invalid starting line number: '{}'", minimum=-(1 << 63)),
        "w": Number("invalid line number field width: '{}'", minimum=1),
    },
    short="b:d:f:h:i:l:n:ps:v:w:",
    long={
        "body-numbering=": "b",
        "section-delimiter=": "d",
        "footer-numbering=": "f",
        "header-numbering=": "h",
        "line-increment=": "i",
        "join-blank-lines=": "l",
        "number-format=": "n",
        "no-renumber": "p",
        "number-separator=": "s",
        "starting-line-number=": "v",
        "number-width=": "w",
    },
    help="""
Usage: nl [OPTION]... [FILE]...
Print the lines of each FILE, or of standard input, with numbers.

  -b, --body-numbering=STYLE    number these lines: a (all), t (not empty, the default), n (none), pREGEX
  -h, -f STYLE                  the same for the header and footer of a page (default: n)
  -d, --section-delimiter=CC    lines of CC, twice and three times, begin footer, body and header (default: \\:)
  -i, --line-increment=N        count in steps of N
  -l, --join-blank-lines=N      count N empty lines as one
  -n, --number-format=FORMAT    ln (left), rn (right, the default), rz (right, with zeros)
  -p, --no-renumber             don't start over on each page
  -s, --number-separator=TEXT   print TEXT after the number (default: a tab)
  -v, --starting-line-number=N  start with N
  -w, --number-width=N          use N columns for the number (default: 6)
""",
)
SECTIONS = {3: "h", 2: "b", 1: "f"}
KINDS = {"b": "body", "h": "header", "f": "footer"}


@dataclass
class _Numbering:
    """The numbering state, which carries over from file to file."""

    given: Arguments
    section: str = "b"
    number: int = 0
    blanks: int = 0
    styles: dict[str, tuple[str, re.Pattern[bytes] | None]] = field(
        default_factory=dict[str, tuple[str, "re.Pattern[bytes] | None"]]
    )

    def __post_init__(self) -> None:
        self.number = self.given.number("v", 1)
        for section, default in (("b", "t"), ("h", "n"), ("f", "n")):
            text = self.given.last(section, default)
            if text[:1] == "p":
                self.styles[section] = ("p", compile_posix(text[1:], extended=False))
            elif text in ("a", "t", "n"):
                self.styles[section] = (text, None)
            else:
                raise BadValue(f"invalid {KINDS[section]} numbering style: '{text}'")
        form = self.given.last("n", "rn")
        if form not in ("ln", "rn", "rz"):
            raise BadValue(f"invalid line numbering format: '{form}'")
        mark = encode(self.given.last("d", "\\:"))
        self._mark = mark + b":" if len(mark) == 1 else mark

    def row(self, line: bytes) -> bytes:
        """Return the output for a line."""
        repeats = len(line) // len(self._mark) if self._mark else 0
        if repeats in SECTIONS and line == self._mark * repeats:
            self.section = SECTIONS[repeats]
            # Only a header starts a page; a body without one continues it.
            if "p" not in self.given:
                self.number = self.given.number("v", 1)
            return b""
        separator = encode(self.given.last("s", "\t"))
        width = self.given.number("w", 6)
        if not self._is_numbered(line):
            return b" " * (width + len(separator)) + line
        form = {"ln": "<", "rn": ">", "rz": "0"}[self.given.last("n", "rn")]
        shown = format(
            self.number, f"<{width}" if form == "<" else f"0{width}" if form == "0" else f">{width}"
        )
        self.number += self.given.number("i", 1)
        return shown.encode() + separator + line

    def _is_numbered(self, line: bytes) -> bool:
        style, pattern = self.styles[self.section]
        if style == "p" and pattern is not None:
            return pattern.search(line) is not None
        if style == "t":
            return line != b""
        joined = self.given.number("l", 1)
        if style == "n" or joined == 1 or line:
            self.blanks = 0
            return style == "a"
        self.blanks += 1
        if self.blanks < joined:
            return False
        self.blanks = 0
        return True


async def nl(invocation: Invocation) -> int:
    """Print the numbered lines; return 1 if a file can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        numbering = _Numbering(given)
    except re.error as problem:
        invocation.error(problem.msg)
        return 1
    except BadValue as problem:
        return SYNTAX.usage_error(invocation, str(problem))
    status = 0
    for _, data in inputs(invocation, given.operands):
        if data is None:
            status = 1
        else:
            invocation.stdout.write(b"".join(numbering.row(line) + b"\n" for line in lines(data)))
    return status
