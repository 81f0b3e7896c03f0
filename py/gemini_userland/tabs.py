"""`expand` and `unexpand`: convert tabs to blanks, and blanks to tabs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import inputs, pieces

STOPS = """
  -t, --tabs=N       a tab stop is every N columns instead of 8
  -t, --tabs=LIST    tab stops are the columns of LIST; after them, /N or +N at the end of LIST says one is every N"""
EXPAND = Syntax(
    short="it:",
    long={"initial": "i", "tabs=": "t"},
    help=f"""
Usage: expand [OPTION]... [FILE]...
Print each FILE, or standard input, with blanks instead of tabs.

  -i, --initial      convert only tabs at the beginning of lines{STOPS}
""",
)
UNEXPAND = Syntax(
    short="at:",
    long={"all": "a", "first-only": "first-only", "tabs=": "t"},
    help=f"""
Usage: unexpand [OPTION]... [FILE]...
Print each FILE, or standard input, with tabs instead of blanks at the beginning of lines.

  -a, --all          convert other blanks, too
      --first-only   convert only blanks at the beginning of lines; overrides -a{STOPS}
""",
)
TAB, BLANK, BACKSPACE = 9, 32, 8


@dataclass(frozen=True)
class Stops:
    """Tab stops.

    Attributes:
        columns: The columns of the first ones.
        every: The distance of those that follow, or 0 for none.
        since: The column from which the distance counts.
    """

    columns: tuple[int, ...] = ()
    every: int = 8
    since: int = 0

    def after(self, column: int) -> int | None:
        """Return the next stop, or None after the last one."""
        for stop in self.columns:
            if column < stop:
                return stop
        if not self.every:
            return None
        return column + self.every - (column - self.since) % self.every


def parse_stops(texts: list[str]) -> Stops:
    """Parse the values of `-t`.

    Raises:
        BadValue: A stop is invalid.
    """
    columns: list[int] = []
    every, since = 0, 0
    for word in re.split(r"[,\s]+", ",".join(texts)):
        if not word:
            continue
        match = re.fullmatch(r"([/+]?)(\d+)", word)
        if match is None:
            if found := re.fullmatch(r"\d+([/+].*)", word):
                raise BadValue(f"'{found[1][0]}' specifier not at start of number: '{found[1]}'")
            raise BadValue(f"tab size contains invalid character(s): '{word.lstrip('0123456789')}'")
        number = int(match[2])
        if every and not match[1]:
            raise BadValue("'/' specifier only allowed with the last value")
        if match[1]:
            every, since = number, (columns[-1] if columns and match[1] == "+" else 0)
        elif number == 0:
            raise BadValue("tab size cannot be 0")
        elif columns and number <= columns[-1]:
            raise BadValue("tab sizes must be ascending")
        else:
            columns.append(number)
    if len(columns) == 1 and not every:
        return Stops((), columns[0])
    return Stops(tuple(columns), every or (0 if columns else 8), since)


async def expand(invocation: Invocation) -> int:
    """Print the inputs without tabs; return 1 if one can't be read."""
    return _convert(invocation, EXPAND)


async def unexpand(invocation: Invocation) -> int:
    """Print the inputs with tabs; return 1 if one can't be read."""
    return _convert(invocation, UNEXPAND)


def _convert(invocation: Invocation, syntax: Syntax) -> int:
    old = re.compile(r"-(\d[\d,]*)")
    arguments = [f"-t{match[1]}" if (match := old.fullmatch(word)) else word for word in invocation.argv[1:]]
    given = syntax.parse(invocation, arguments)
    if isinstance(given, int):
        return given
    try:
        stops = parse_stops(given.all("t"))
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    is_expand = syntax is EXPAND
    # An old `unexpand -8` isn't `-a`, as `-t 8` is.
    all_blanks = "a" in given or any(word.startswith(("-t", "--t")) for word in invocation.argv[1:])
    everywhere = "i" not in given if is_expand else all_blanks and "first-only" not in given
    convert = expanded if is_expand else _unexpand
    found = list(inputs(invocation, given.operands))
    data = b"".join(content for _, content in found if content is not None)
    invocation.stdout.write(b"".join(convert(line, stops, everywhere) for line in pieces(data)))
    return int(any(content is None for _, content in found))


def expanded(line: bytes, stops: Stops, everywhere: bool = True) -> bytes:
    """Return a line with blanks instead of tabs; without `everywhere`, only of those at its beginning."""
    if b"\t" not in line:
        return line
    found, column = bytearray(), 0
    for at, byte in enumerate(line):
        if byte == TAB:
            stop = stops.after(column) or column + 1
            found += b" " * (stop - column)
            column = stop
            continue
        found.append(byte)
        column = max(0, column - 1) if byte == BACKSPACE else column + 1
        if byte != BLANK and not everywhere:
            return bytes(found) + line[at + 1 :]
    return bytes(found)


def _unexpand(line: bytes, stops: Stops, everywhere: bool) -> bytes:
    found, pending = bytearray(), bytearray()
    column, before_stop, was_blank = 0, False, True
    for at, byte in enumerate(line):
        blank = byte in (TAB, BLANK)
        written = byte
        if blank:
            stop = stops.after(column)
            if stop is None:
                return bytes(found + pending) + line[at:]
            if byte == BLANK:
                column += 1
                if not (was_blank and column == stop):
                    before_stop = before_stop or column == stop
                    pending.append(byte)
                    was_blank = True
                    continue
            column = stop
            if pending:
                pending[0] = TAB
            written = TAB
            # One blank in front of a tab stop stays, as GNU keeps it.
            del pending[1 if before_stop else 0 :]
        else:
            column = max(0, column - 1) if byte == BACKSPACE else column + 1
        if pending:
            if len(pending) > 1 and before_stop:
                pending[0] = TAB
            found += pending
            pending.clear()
            before_stop = False
        was_blank = blank
        found.append(written)
        if not blank and not everywhere:
            return bytes(found) + line[at + 1 :]
    return bytes(found + pending)
