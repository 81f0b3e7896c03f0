"""`du`: the space of files and folders."""

from __future__ import annotations

import fnmatch
import os
import stat

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.system.space import readable

BLOCK = 4096
SYNTAX = Syntax(
    short="0abBcd:hkLmsxS",
    long={
        "all": "a",
        "apparent-size": "apparent-size",
        "bytes": "b",
        "dereference": "L",
        "exclude=": "exclude",
        "human-readable": "h",
        "max-depth=": "d",
        "null": "0",
        "one-file-system": "x",
        "separate-dirs": "S",
        "si": "si",
        "summarize": "s",
        "total": "c",
    },
    numbers={"d": Number("invalid maximum depth '{}'")},
    help="""
Usage: du [OPTION]... [FILE]...
Print the space of each FILE, and of the folders in it, in KiB. A file takes whole blocks of 4 KiB.

  -a             print files, too
  -b             print sizes in bytes; --apparent-size counts bytes instead of blocks
  -c             print a total
  -d N           print folders up to N levels below; -s prints none of them
  -h, -k, -m     print readable sizes; print KiB; print MiB
  -S             count no folders in folders
      --exclude=PATTERN  leave out files whose names match
""",
)


async def du(invocation: Invocation) -> int:
    """Print the sizes; return 1 if a file doesn't exist."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if "s" in given and "a" in given:
        return SYNTAX.usage_error(invocation, "cannot both summarize and show all entries")
    meter = _Meter(invocation, given)
    total = sum(meter.measure(name, 0) for name in given.operands or ["."])
    if "c" in given:
        meter.show(total, "total")
    return meter.status


class _Meter:
    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self.status = 0
        self._invocation = invocation
        self._given = given
        self._depth = 0 if "s" in given else given.number("d")
        self._excluded = given.all("exclude")
        self._seen: set[tuple[int, int]] = set()

    def measure(self, name: str, depth: int) -> int:
        """Print what is asked for below a file or folder, and return its size."""
        path = self._invocation.path(name)
        try:
            about = os.stat(path) if "L" in self._given else os.lstat(path)
        except OSError as error:
            self._invocation.error(f"cannot access '{name}': {error.strerror}")
            self.status = 1
            return 0
        if about.st_nlink > 1 and not stat.S_ISDIR(about.st_mode):
            if (about.st_dev, about.st_ino) in self._seen:
                return 0
            self._seen.add((about.st_dev, about.st_ino))
        size = self._size(about)
        is_folder = stat.S_ISDIR(about.st_mode)
        below = 0
        for one in sorted(os.listdir(path)) if is_folder else []:
            if not any(fnmatch.fnmatch(one, pattern) for pattern in self._excluded):
                below += self.measure(os.path.join(name, one), depth + 1) if self._counts(path, one) else 0
        is_shown = is_folder or depth == 0 or "a" in self._given
        if is_shown and (self._depth is None or depth <= self._depth):
            self.show(size + below, name)
        return size + below

    def _counts(self, path: str, name: str) -> bool:
        # -S leaves the folders in a folder to their own lines.
        return not ("S" in self._given and os.path.isdir(os.path.join(path, name)) and self._depth == 0)

    def _size(self, about: os.stat_result) -> int:
        if "b" in self._given or "apparent-size" in self._given:
            return BLOCK if stat.S_ISDIR(about.st_mode) else about.st_size
        if stat.S_ISLNK(about.st_mode):
            return 0
        return BLOCK if stat.S_ISDIR(about.st_mode) else -(-about.st_size // BLOCK) * BLOCK

    def show(self, size: int, name: str) -> None:
        """Print a line."""
        unit = self._given.last_of("b", "h", "k", "m", "si")
        if unit in ("h", "si"):
            text = readable(size, 1000 if unit == "si" else 1024)
        else:
            text = str(-(-size // {"b": 1, "m": 1 << 20}.get(unit or "k", 1 << 10)))
        self._invocation.print(f"{text}\t{name}", end="\0" if "0" in self._given else "\n")
