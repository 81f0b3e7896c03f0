"""`pr`: paginate files, and print them in columns (POSIX; GNU coreutils manual, 4.4)."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.counts import BadValue
from gemini_userland.date_format import formatted
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.pr_rows import TAB, Layout, expand_input, rows_of
from gemini_userland.text import STANDARD_INPUT, encode, inputs, lines

LONG = {
    "pages=": "pages",
    "columns=": "columns",
    "across": "a",
    "double-space": "d",
    "date-format=": "D",
    "expand-tabs=?": "expand-tabs",
    "form-feed": "F",
    "header=": "h",
    "length=": "l",
    "merge": "m",
    "number-lines=?": "n",
    "first-line-number=": "N",
    "indent=": "o",
    "no-file-warnings": "r",
    "separator=?": "s",
    "omit-header": "t",
    "omit-pagination": "T",
    "width=": "w",
    "page-width=": "W",
}
SYNTAX = Syntax(
    short="adD:efFh:l:mN:o:rtTw:W:n:s:",
    long=LONG,
    refused={
        **dict.fromkeys(("c", "v", "show-control-chars", "show-nonprinting"), "use `cat -v FILE | pr`"),
        **dict.fromkeys(("i", "output-tabs"), "use `pr … | unexpand -a`"),
        **dict.fromkeys(("J", "S", "join-lines", "sep-string"), "use paste, or -s with one character"),
    },
    help="""
Usage: pr [OPTION]... [FILE]...
Print each FILE, or standard input, in pages of 66 lines with headings.

  +FIRST[:LAST], --pages=FIRST[:LAST]  print these pages
  -N, --columns=N       print N columns, filled downwards; -a fills them across
  -m, --merge           print all files side by side
  -d, --double-space    print an empty line after each line
  -D, --date-format=F   use F for the date in the heading
  -e[CHARACTER][WIDTH], --expand-tabs  expand tabs, or CHARACTERs, to every WIDTH columns (8)
  -F, -f, --form-feed   end pages with a form feed
  -h, --header=TEXT     use TEXT instead of the name in the heading
  -l, --length=N        pages have N lines; up to 10, they have no headings
  -n[SEPARATOR[DIGITS]]  number the lines
  -N, --first-line-number=N  start with N
  -o, --indent=N        indent by N blanks
  -s[CHARACTER]         separate columns by CHARACTER (a tab), and don't align or cut them
  -t, --omit-header     print no headings and no empty lines at the end of pages
  -w, --width=N         use N columns of text for several columns (72); -W cuts always
""",
)
HEADING_LINES = 10
PAGE = 66


@dataclass
class _Pages:
    """A call of pr."""

    invocation: Invocation
    given: Arguments
    layout: Layout
    length: int
    body: int
    first: int = 1
    last: int = 1 << 60

    @property
    def has_headings(self) -> bool:
        return self.body != self.length or not (
            {"t", "T"} & {name for name, _ in self.given.items} or self.length <= 10
        )

    def print(self, texts: list[list[bytes]], name: str, modified: int) -> None:
        """Print one file, or all of them side by side."""
        doubled = "d" in self.given
        rows = self.body // 2 if doubled else self.body
        for page, found in enumerate(rows_of(texts, self.layout, max(1, rows)), 1):
            if not self.first <= page <= self.last:
                continue
            if self.has_headings:
                self._heading(name, modified, page)
            data = b"".join(row + (b"\n\n" if doubled else b"\n") for row in found)
            if doubled and not self.has_headings and self._fills_down and len(found) < rows:
                # The last page of columns that are filled downwards ends with its last row.
                data = data.removesuffix(b"\n")
            self.invocation.stdout.write(data)
            used = len(found) * (2 if doubled else 1)
            if self.has_headings:
                feeds = {"f", "F"} & {option for option, _ in self.given.items}
                rest = b"\f" if feeds else b"\n" * (self.body - used + 5)
                self.invocation.stdout.write(rest)

    @property
    def _fills_down(self) -> bool:
        return self.layout.columns > 1 and not (self.layout.merged or self.layout.across)

    def _heading(self, name: str, modified: int, page: int) -> None:
        form = self.given.last("D", "%Y-%m-%d %H:%M")
        when = formatted(datetime.fromtimestamp(modified, zone_of(self.invocation)), form)
        number = f"Page {page}"
        room = max(0, self.layout.width - len(when) - len(name) - len(number))
        left = room // 2
        margin = " " * self.layout.indent
        text = (
            f"{margin}\n\n{margin}{when}{' ' * max(1, left)}{name}{' ' * max(1, room - left)}{number}\n\n\n"
        )
        self.invocation.print(text, end="")


async def pr(invocation: Invocation) -> int:
    """Print the pages; return 1 for wrong options and files that can't be read."""
    try:
        given = SYNTAX.parse(invocation, _modern(invocation.argv[1:]))
        if isinstance(given, int):
            return given
        names = given.operands
        layout = _layout(given, len(names))
        pages = _pages(invocation, given, layout)
        return _print(invocation, given, pages, names)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1


def _modern(words: list[str]) -> list[str]:
    """Return arguments with `+2`, `-3`, `-n` and `-s`, whose values are optional, as long options."""
    found: list[str] = []
    for at, word in enumerate(words):
        if word == "--":
            return found + words[at:]
        if match := re.fullmatch(r"\+(\d+(?::\d+)?)", word):
            found.append(f"--pages={match[1]}")
        elif match := re.fullmatch(r"-([a-df-mo-rt-zA-MO-Z]*)(\d+)([a-zA-Z]*)", word):
            found += [f"-{match[1]}"] if match[1] and match[1][-1] not in "DhlNowW" else []
            if match[1] and match[1][-1] in "DhlNowW":
                found.append(word)
                continue
            found += [f"--columns={match[2]}", *([f"-{match[3]}"] if match[3] else [])]
        elif match := re.fullmatch(r"-([adfFmrtT]*)([ns])(.*)", word, re.DOTALL):
            found += [f"-{match[1]}"] if match[1] else []
            found.append(f"--{'number-lines' if match[2] == 'n' else 'separator'}={match[3]}")
        elif match := re.fullmatch(r"-([adfFmrtT]*)e(.*)", word, re.DOTALL):
            found += [f"-{match[1]}"] if match[1] else []
            found.append(f"--expand-tabs={match[2]}")
        else:
            found.append(word)
    return found


def _number(given: Arguments, name: str, default: int, what: str, least: int = 1) -> int:
    text = given.last(name)
    if text is None:
        return default
    if not re.fullmatch(r"-?\d+", text) or int(text) < least:
        raise BadValue(f"'{'-' + name} {what}' invalid number of {what.lower()}: '{text}'")
    return int(text)


def _layout(given: Arguments, files: int) -> Layout:
    columns = _number(given, "columns", 1, "COLUMNS")
    if "m" in given:
        if "columns" in given:
            raise BadValue("cannot specify number of columns when printing in parallel")
        if "a" in given:
            raise BadValue("cannot specify both printing across and printing in parallel")
        columns = max(1, files)
    numbering = given.last("n")
    match = re.fullmatch(r"(\D?)(\d*)", numbering or "", re.DOTALL)
    if match is None or (numbering is not None and match[2] == "0"):
        raise BadValue(f"'-n' extra characters or invalid number in the argument: '{numbering}'")
    separator = given.last("s")
    if separator is not None and (len(encode(separator)) > 1 or "w" in given or "W" in given):
        raise BadValue("-s with several characters, -w or -W isn't supported: use `paste -d`")
    width = _number(given, "W", _number(given, "w", 72, "PAGE_WIDTH"), "PAGE_WIDTH")
    return Layout(
        columns=columns,
        across="a" in given,
        merged="m" in given,
        width=width,
        cuts="W" in given,
        indent=_number(given, "o", 0, "MARGIN", 0),
        digits=int(match[2] or 5) if numbering is not None else 0,
        after_number=encode(match[1] or "\t"),
        start=_number(given, "N", 1, "NUMBER", -(1 << 31)),
        separator=None if separator is None else encode(separator or "\t"),
    )


def _pages(invocation: Invocation, given: Arguments, layout: Layout) -> _Pages:
    length = _number(given, "l", PAGE, "PAGE_LENGTH")
    plain = "t" in given or "T" in given or length <= HEADING_LINES
    pages = _Pages(invocation, given, layout, length, length if plain else length - HEADING_LINES)
    if (span := given.last("pages")) is not None:
        match = re.fullmatch(r"(\d+)(?::(\d+))?", span)
        if match is None or int(match[1]) == 0 or (match[2] and int(match[2]) < int(match[1])):
            raise BadValue(f"invalid page range '{span}'")
        pages.first, pages.last = int(match[1]), int(match[2] or pages.last)
    return pages


def _print(invocation: Invocation, given: Arguments, pages: _Pages, names: list[str]) -> int:
    status = 0
    texts: list[list[bytes]] = []
    tab = _tab(given)
    for name, data in _inputs(invocation, names, quiet="r" in given):
        if data is None:
            status = 1
            continue
        if b"\f" in data:
            raise BadValue(f"{name}: form feeds in the input aren't supported: remove them with tr -d '\\f'")
        expands = tab is not None or pages.layout.expands
        text = [expand_input(line, *(tab or ())) if expands else line for line in lines(data)]
        texts.append(text)
        if not pages.layout.merged:
            shown = given.last("h", "" if name in STANDARD_INPUT else name)
            pages.print([text], shown, _modified(invocation, name))
    if pages.layout.merged and texts:
        pages.print(texts, given.last("h", ""), int(time.time()))
    return status


# What `-e` expands is a byte of ASCII.
MOST_BYTE = 127


def _tab(given: Arguments) -> tuple[int, int, int] | None:
    """Return the byte that is expanded, the columns between its stops, and a backspace's columns, or None."""
    value = given.last("expand-tabs")
    if value is None:
        return None
    mark, digits = (value[:1], value[1:]) if value and not value[0].isdigit() else ("\t", value)
    if not re.fullmatch(r"[1-9]\d*|", digits) or ord(mark) > MOST_BYTE:
        raise BadValue(f"'-e' extra characters or invalid number in the argument: '{value}'")
    return ord(mark), int(digits or TAB), -1


def _inputs(invocation: Invocation, names: list[str], *, quiet: bool) -> Iterator[tuple[str, bytes | None]]:
    """Yield the inputs, with a message for one that can't be read if that isn't to be left out."""
    for name in names or ["-"]:
        if quiet and name not in STANDARD_INPUT and not os.path.isfile(invocation.path(name)):
            yield name, None
        else:
            yield from inputs(invocation, [name])


def _modified(invocation: Invocation, name: str) -> int:
    return int(time.time() if name in STANDARD_INPUT else os.stat(invocation.path(name)).st_mtime)
