"""`ls`: list directories and files."""

from __future__ import annotations

import os
import re
import stat
import time
from dataclasses import dataclass
from datetime import UTC, datetime

from gemini_userland.clock import zone_of
from gemini_userland.date import formatted
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="1aAbBcCdfFgGhiklLmnNopqQrRsStuUvxX",
    long={
        "all": "a",
        "almost-all": "A",
        "classify": "F",
        "directory": "d",
        "human-readable": "h",
        "inode": "i",
        "numeric-uid-gid": "n",
        "recursive": "R",
        "reverse": "r",
        "size": "s",
        "no-group": "G",
        "dereference": "L",
        "color=?": "color",
        "full-time": "full-time",
        "group-directories-first": "group-directories-first",
        "sort=": "sort",
        "time-style=": "time-style",
    },
    wrong_usage=2,
    help="""
Usage: ls [OPTION]... [FILE]...
List the files and the contents of the directories; by default the working directory.

  -a, --all             include names that begin with a dot
  -A, --almost-all      same as -a, without . and ..
  -d, --directory       list directories themselves, not their contents
  -F, --classify        mark directories (/), links (@) and executables (*); -p marks only directories
  -h, --human-readable  print sizes such as 1.5K or 2M
  -i, --inode           print inode numbers
  -l                    print permissions, links, owner, group, size, time and name;
                        -g omits the owner, -o the group, -n prints IDs
  -r, --reverse         reverse the order
  -R, --recursive       list subdirectories
  -S, -t, -v, -X, -U    sort by size, time, version, extension, or not at all
  -s, --size            print the allocated size
  -1                    print one name per line, as always here
      --group-directories-first, --full-time, --sort=WORD
""",
)
HALF_A_YEAR_S = 365.2425 * 86400 / 2
BLOCK = 4096
SORTS = {"size": "S", "time": "t", "version": "v", "extension": "X", "none": "U"}


@dataclass(frozen=True)
class Entry:
    """A file to list: its name, path and status."""

    name: str
    path: str
    stat: os.stat_result

    @property
    def is_directory(self) -> bool:
        """True for a directory, False for a link to one."""
        return stat.S_ISDIR(self.stat.st_mode)


class Listing:
    """A call of ls."""

    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self._invocation = invocation
        self._given = given
        self._long = given.last_of("l", "g", "n", "o") is not None or "full-time" in given
        self._zone = zone_of(invocation) if self._long else UTC
        self._exit_code = 0
        self._first = True

    def run(self, names: list[str]) -> int:
        """List the operands and return the exit code."""
        entries = [entry for name in names if (entry := self._entry(name, name, top=True)) is not None]
        directories = [] if "d" in self._given else [entry for entry in entries if entry.is_directory]
        files = [entry for entry in entries if entry not in directories]
        self._print(files)
        self._first = not files
        for entry in self._sorted(directories):
            self._list(entry.name, headed=len(names) > 1 or "R" in self._given)
        return self._exit_code

    def _entry(self, name: str, path: str, *, top: bool = False) -> Entry | None:
        whole = os.fsencode(self._invocation.path(path))
        follow = "L" in self._given or (top and not self._long and "d" not in self._given)
        try:
            try:
                found = os.stat(whole, follow_symlinks=follow or path.endswith("/"))
            except FileNotFoundError:
                found = os.lstat(whole)
        except OSError as error:
            self._invocation.error(f"cannot access '{path}': {error.strerror}")
            self._exit_code = 2
            return None
        return Entry(name, path, found)

    def _list(self, directory: str, *, headed: bool) -> None:
        try:
            names = os.listdir(self._invocation.path(directory))
        except OSError as error:
            self._invocation.error(f"cannot open directory '{directory}': {error.strerror}")
            self._exit_code = 2
            return
        if headed:
            self._invocation.print(f"{'' if self._first else chr(10)}{directory}:")
        self._first = False
        shown = [name for name in names if not name.startswith(".") or self._given.last_of("a", "A", "f")]
        if self._given.last_of("a", "A", "f") in ("a", "f"):
            shown += [".", ".."]
        found = [self._entry(name, f"{directory.rstrip('/')}/{name}") for name in shown]
        entries = [entry for entry in found if entry is not None]
        if self._long or "s" in self._given:
            self._invocation.print(f"total {sum(_blocks(entry) for entry in entries)}")
        self._print(entries)
        if "R" in self._given:
            for entry in self._sorted(entries):
                if entry.is_directory and entry.name not in (".", ".."):
                    self._list(entry.path, headed=True)

    def _sorted(self, entries: list[Entry]) -> list[Entry]:
        given = self._given
        order = SORTS.get(given.last("sort", ""), given.last_of("S", "t", "v", "X", "U", "f") or "")
        if order in ("U", "f"):
            return entries
        entries = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        if order == "S":
            entries.sort(key=lambda entry: -entry.stat.st_size)
        elif order == "t":
            entries.sort(key=lambda entry: -entry.stat.st_mtime_ns)
        elif order == "v":
            entries.sort(key=lambda entry: _version(entry.name))
        elif order == "X":
            entries.sort(key=lambda entry: os.path.splitext(entry.name)[1])
        if "r" in given:
            entries.reverse()
        if "group-directories-first" in given:
            entries.sort(key=lambda entry: not entry.is_directory)
        return entries

    def _print(self, entries: list[Entry]) -> None:
        entries = self._sorted(entries)
        if "m" in self._given:
            if entries:
                self._invocation.print(", ".join(self._name(entry) for entry in entries))
            return
        rows = [self._columns(entry) for entry in entries]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
        for row, entry in zip(rows, entries, strict=True):
            # Owner and group are left-aligned, numbers right-aligned.
            cells = [
                cell.ljust(space) if cell.isalpha() else cell.rjust(space)
                for cell, space in zip(row, widths, strict=True)
            ]
            self._invocation.print(" ".join([*cells, self._name(entry)]))

    def _columns(self, entry: Entry) -> list[str]:
        found, given = entry.stat, self._given
        columns = [str(found.st_ino)] if "i" in given else []
        if "s" in given:
            columns.append(str(_blocks(entry)))
        if not self._long:
            return columns
        owner = ["0"] if "n" in given else ["user"]
        columns += [stat.filemode(found.st_mode), str(found.st_nlink)]
        columns += [] if "g" in given else owner
        columns += [] if "o" in given or "G" in given else owner
        return [*columns, _size(found.st_size, human="h" in given), self._time(found.st_mtime)]

    def _time(self, modified: float) -> str:
        when = datetime.fromtimestamp(modified, self._zone)
        style = self._given.last("time-style", "")
        if "full-time" in self._given or style == "full-iso":
            return f"{when:%Y-%m-%d %H:%M:%S}.{round(modified % 1 * 1e9):09d} {when:%z}"
        if style.startswith("+"):
            return formatted(when, style[1:])
        if style == "long-iso":
            return f"{when:%Y-%m-%d %H:%M}"
        recent = 0 <= time.time() - modified < HALF_A_YEAR_S
        return when.strftime("%b %e %H:%M" if recent else "%b %e  %Y")

    def _name(self, entry: Entry) -> str:
        mode = entry.stat.st_mode
        name = f'"{entry.name}"' if "Q" in self._given else entry.name
        if stat.S_ISLNK(mode) and self._long:
            return f"{name} -> {os.readlink(self._invocation.path(entry.path))}"
        mark = ""
        if entry.is_directory and ("F" in self._given or "p" in self._given):
            mark = "/"
        elif "F" in self._given:
            mark = "@" if stat.S_ISLNK(mode) else "*" if mode & 0o111 else ""
        return name + mark


async def ls(invocation: Invocation) -> int:
    """List the operands; return 2 if one can't be accessed."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    return Listing(invocation, given).run(given.operands or ["."])


def _blocks(entry: Entry) -> int:
    return -(-entry.stat.st_size // BLOCK) * (BLOCK // 1024)


def _size(size: int, *, human: bool) -> str:
    if not human or size < 1024:
        return str(size)
    figure, unit = float(size), 0
    while figure >= 1024 and unit < 5:
        figure, unit = figure / 1024, unit + 1
    rounded = -(-figure * 10 // 1) / 10 if figure < 10 else -(-figure // 1)
    return (f"{rounded:.1f}" if figure < 10 and rounded < 10 else f"{rounded:.0f}") + "KMGTPE"[unit - 1]


def _version(name: str) -> list[tuple[int, int, str]]:
    pieces = re.findall(r"\d+|\D+", name)
    return [(0, int(piece), "") if piece.isdigit() else (1, 0, piece) for piece in pieces]
