"""`du`: the space of files and folders.

Source: the GNU coreutils manual, "du".
"""

from __future__ import annotations

import fnmatch
import os
import stat
from dataclasses import dataclass
from datetime import datetime

from gemini_userland.block_sizes import HUMAN, SI, BlockSize, parse_block_size
from gemini_userland.clock import zone_of
from gemini_userland.counts import BadValue, parse_count
from gemini_userland.date import formatted
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax, synonyms
from gemini_userland.text import decode, listed_names, read

BLOCK = 4096
SYNTAX = Syntax(
    short="0abB:cd:DhHklLmPsSt:xX:",
    long={
        "all": "a",
        "apparent-size": "apparent-size",
        "block-size=": "B",
        "bytes": "b",
        "count-links": "l",
        "dereference": "L",
        "dereference-args": "D",
        "exclude=": "exclude",
        "exclude-from=": "X",
        "files0-from=": "files0-from",
        "human-readable": "h",
        "inodes": "inodes",
        "max-depth=": "d",
        "no-dereference": "P",
        "null": "0",
        "one-file-system": "x",
        "separate-dirs": "S",
        "si": "si",
        "summarize": "s",
        "threshold=": "t",
        "time=?": "time",
        "time-style=": "time-style",
        "total": "c",
    },
    numbers={"d": Number("invalid maximum depth '{}'")},
    words={"time": synonyms("atime access use", "ctime status")},
    help="""
Usage: du [OPTION]... [FILE]...
Print the space of each FILE, and of the folders in it, in KiB. A file takes whole blocks of 4 KiB.

  -a             print files, too
  -b             print sizes in bytes; --apparent-size counts bytes instead of blocks
  -B SIZE        print sizes in units of SIZE
  -c             print a total
  -d N           print folders up to N levels below; -s prints none of them
  -D, -H, -L     follow links among the FILEs; all links
  -h, --si, -k, -m  print readable sizes; print KiB; print MiB
  -l             count a file with several links each time
  -S             count no folders in folders
  -t SIZE        leave out what is smaller than SIZE, or larger if it is negative
  -X FILE, --exclude=PATTERN  leave out files whose names match
      --files0-from=FILE  read the names of the FILEs from FILE, each followed by a null byte
      --inodes   count files instead of their sizes
      --time[=WORD], --time-style=STYLE  print the latest time of what is in a folder
""",
)
TIMES = {"full-iso": "%Y-%m-%d %H:%M:%S.%N %z", "long-iso": "%Y-%m-%d %H:%M", "iso": "%Y-%m-%d"}


@dataclass(frozen=True)
class Sum:
    """The size and the latest time of what was counted; without folders below for `-S`."""

    size: int = 0
    time: int = 0

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.size + other.size, max(self.time, other.time))


async def du(invocation: Invocation) -> int:
    """Print the sizes; return 1 if a file doesn't exist."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if problem := _problem(given):
        return SYNTAX.usage_error(invocation, problem)
    try:
        names = given.operands or ["."]
        if (source := given.last("files0-from")) is not None:
            names = listed_names(invocation, source)
        meter = _Meter(invocation, given)
    except (BadValue, OSError) as problem:
        invocation.error(problem.strerror or "" if isinstance(problem, OSError) else str(problem))
        return 1
    total = Sum()
    for name in names:
        total += meter.measure(name, 0)
    if "c" in given:
        meter.show(total, "total")
    return meter.status


def _problem(given: Arguments) -> str | None:
    """Return why the options contradict each other, if they do."""
    if "s" in given and "a" in given:
        return "cannot both summarize and show all entries"
    if "s" in given and (depth := given.number("d")) is not None and depth > 0:
        return f"warning: summarizing conflicts with --max-depth={depth}"
    if "files0-from" in given and given.operands:
        return f"extra operand '{given.operands[0]}'\nfile operands cannot be combined with --files0-from"
    return None


class _Meter:
    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self.status = 0
        self._invocation = invocation
        self._given = given
        self._depth = 0 if "s" in given else given.number("d")
        self._excluded = given.all("exclude")
        for name in given.all("X"):
            self._excluded += decode(read(invocation, name)).splitlines()
        self._unit = _unit(given)
        self._least = _threshold(given.last("t"))
        self._time_format = _time_format(given)
        self._seen: set[tuple[int, int]] = set()

    def measure(self, name: str, depth: int) -> Sum:
        """Print the requested entries below a file or folder, and return its size."""
        given = self._given
        path = self._invocation.path(name)
        choice = given.last_of("L", "D", "H", "P")
        follows = choice == "L" or (depth == 0 and choice in ("D", "H"))
        if depth and any(_fits(one, name) for one in self._excluded):
            return Sum()
        try:
            about = os.stat(path) if follows else os.lstat(path)
        except OSError as error:
            self._invocation.error(f"cannot access '{name}': {error.strerror}")
            self.status = 1
            return Sum()
        is_folder = stat.S_ISDIR(about.st_mode)
        if (about.st_nlink > 1 or depth == 0) and not is_folder and "l" not in given:
            if (about.st_dev, about.st_ino) in self._seen:
                return Sum()
            self._seen.add((about.st_dev, about.st_ino))
        own = Sum(self._size(about), self._time(about))
        below = Sum()
        for one in sorted(os.listdir(path)) if is_folder else []:
            counted = self.measure(os.path.join(name, one), depth + 1)
            inner = os.path.join(path, one)
            if not ("S" in given and os.path.isdir(inner) and not os.path.islink(inner)):
                below += counted
        total = own + below
        is_shown = is_folder or depth == 0 or "a" in given
        if is_shown and (self._depth is None or depth <= self._depth):
            self.show(total, name)
        return total

    def _size(self, about: os.stat_result) -> int:
        if "inodes" in self._given:
            return 1
        if "b" in self._given or "apparent-size" in self._given:
            return BLOCK if stat.S_ISDIR(about.st_mode) else about.st_size
        if stat.S_ISLNK(about.st_mode):
            return 0
        return BLOCK if stat.S_ISDIR(about.st_mode) else -(-about.st_size // BLOCK) * BLOCK

    def _time(self, about: os.stat_result) -> int:
        kind = self._given.last("time")
        return {"atime": about.st_atime_ns, "ctime": about.st_ctime_ns}.get(kind or "", about.st_mtime_ns)

    def show(self, total: Sum, name: str) -> None:
        """Print a line, if the size is within the threshold."""
        if self._least is not None:
            is_out = total.size < self._least if self._least >= 0 else total.size > -self._least
            if is_out:
                return
        unit = self._unit if "inodes" not in self._given or self._unit.base else BlockSize()
        columns = [unit.show(total.size)]
        if "time" in self._given:
            when = datetime.fromtimestamp(total.time // 10**9, zone_of(self._invocation))
            form = self._time_format.replace("%N", f"{total.time % 10**9:09d}")
            columns.append(formatted(when, form))
        self._invocation.print("\t".join([*columns, name]), end="\0" if "0" in self._given else "\n")


def _fits(pattern: str, name: str) -> bool:
    """Return whether a pattern matches the full name or its end behind a slash."""
    parts = name.split("/")
    return any(fnmatch.fnmatchcase("/".join(parts[at:]), pattern) for at in range(len(parts)))


def _unit(given: Arguments) -> BlockSize:
    unit = BlockSize(1024)
    for name, value in given.items:
        if name == "B":
            unit = parse_block_size(value, "-B")
        else:
            unit = {
                "b": BlockSize(),
                "k": BlockSize(1024),
                "m": BlockSize(1 << 20),
                "h": HUMAN,
                "si": SI,
            }.get(name, unit)
    return unit


def _threshold(text: str | None) -> int | None:
    if text is None:
        return None
    number = parse_count(text.removeprefix("-"))
    if number is None or text == "-0":
        raise BadValue(f"invalid --threshold argument '{text}'")
    return -number if text.startswith("-") else number


def _time_format(given: Arguments) -> str:
    style = given.last("time-style", "long-iso").removeprefix("posix-")
    if style.startswith("+"):
        return style[1:]
    if style not in TIMES:
        valid = "".join(f"\n  - '{one}'" for one in TIMES)
        raise BadValue(
            f"invalid argument '{style}' for 'time style'\nValid arguments are:{valid}\n  - +FORMAT (e.g., +%H:%M)"
        )
    return TIMES[style]
