"""`df` and `free`: space of file systems, and memory."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

UNKNOWN = "-"
UNITS = "KMGTP"
# Files that are no content: devices, and views of the kernel.
VIEWS = ("/dev", "/proc", "/sys")
DF = Syntax(
    short="ahHikmlPTt:x:",
    long={
        "human-readable": "h",
        "all": "a",
        "portability": "P",
        "print-type": "T",
        "local": "l",
        "si": "H",
        "inodes": "i",
        "type=": "t",
    },
    help="""
Usage: df [OPTION]... [FILE]...
Print the used and the available space of the file systems that hold each FILE, by default of the root.
In the page, all files are in memory; the used space is their size, and no limit is known.

  -h, -H   print sizes in units of 1024, of 1000
  -m       print sizes in MiB; -k in KiB
  -T       print the type
  -P       print in POSIX's format
""",
)
FREE = Syntax(
    short="bkmghtlws:c:V",
    long={"human": "h", "bytes": "b", "kibi": "k", "mebi": "m", "gibi": "g", "total": "t", "wide": "w"},
    answer={"V": "version"},
    help="""
Usage: free [OPTION]...
Print the memory of the machine. In the page, that is the memory of Python: its size, and the most that it can have.

  -b, -k, -m, -g  print bytes, KiB, MiB, GiB
  -h              print readable sizes
""",
)


@dataclass(frozen=True)
class Space:
    """The space of a file system, in bytes; None for what isn't known."""

    name: str
    kind: str
    place: str
    total: int | None
    used: int
    free: int | None


def readable(size: float, base: int = 1024, *, up: bool = True) -> str:
    """Return a size with a unit, rounded up as `df -h` does, or down as `free -h` does."""
    if size < base:
        return f"{int(size)}"
    unit = -1
    while size >= base and unit + 1 < len(UNITS):
        size, unit = size / base, unit + 1
    rounded = math.ceil if up else math.floor
    tenths = rounded(size * 10)
    letter = "k" if base == 1000 and unit == 0 else UNITS[unit]
    if tenths >= 100 and rounded(size) >= base and unit + 1 < len(UNITS):
        return f"1.0{UNITS[unit + 1]}"
    return f"{tenths / 10:.1f}{letter}" if tenths < 100 else f"{rounded(size)}{letter}"


def _spaces(paths: Sequence[str]) -> list[Space]:
    if sys.platform == "emscripten":
        return [Space("memory", "memfs", "/", None, _size("/"), None)]
    found: dict[str, Space] = {}
    for path in paths:
        place = os.path.realpath(path)
        while not os.path.ismount(place):
            place = os.path.dirname(place)
        about = os.statvfs(place)
        total, free = about.f_blocks * about.f_frsize, about.f_bavail * about.f_frsize
        used = total - about.f_bfree * about.f_frsize
        found[place] = Space(UNKNOWN, UNKNOWN, place, total, used, free)
    return list(found.values())


def _size(root: str) -> int:
    """Return the size of all files below a folder."""
    total = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in VIEWS]
        for name in names:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size
            # It was removed since.
            except FileNotFoundError:
                continue
    return total


async def df(invocation: Invocation) -> int:
    """Print the space of file systems; return 1 if a file doesn't exist."""
    given = DF.parse(invocation)
    if isinstance(given, int):
        return given
    paths: list[str] = []
    status = 0
    for name in given.operands or ["/"]:
        path = invocation.path(name)
        if os.path.lexists(path):
            paths.append(path)
        else:
            invocation.error(f"{name}: No such file or directory")
            status = 1
    if paths:
        _print_table(invocation, given, _spaces(paths))
    return status


def _print_table(invocation: Invocation, given: Arguments, spaces: Sequence[Space]) -> None:
    def shown(size: int | None) -> str:
        if size is None:
            return UNKNOWN
        if "h" in given or "H" in given:
            return readable(size, 1000 if "H" in given else 1024)
        return str(-(-size // (1 << 20 if "m" in given else 1 << 10)))

    heading = "Size" if "h" in given or "H" in given else "1M-blocks" if "m" in given else "1K-blocks"
    heading = "1024-blocks" if "P" in given and heading == "1K-blocks" else heading
    available = "Avail" if heading == "Size" else "Available"
    percent = "Capacity" if "P" in given else "Use%"
    rows = [["Filesystem", heading, "Used", available, percent, "Mounted on"]]
    for one in spaces:
        usable = None if one.free is None else one.used + one.free
        share = UNKNOWN if not usable else f"{-(-one.used * 100 // usable)}%"
        rows.append([one.name, shown(one.total), shown(one.used), shown(one.free), share, one.place])
    if "T" in given:
        for row, kind in zip(rows, ["Type", *(one.kind for one in spaces)], strict=True):
            row.insert(1, kind)
    left = 2 if "T" in given else 1
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    widths[0] = max(widths[0], 14)
    widths[left : left + 3] = [max(width, 5) for width in widths[left : left + 3]]
    for row in rows:
        cells = [
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row[:-1], widths, strict=False))
        ]
        invocation.print(" ".join([*cells, row[-1]]))


async def free(invocation: Invocation) -> int:
    """Print the memory; return 1 if nothing is known about it."""
    given = FREE.parse(invocation)
    if isinstance(given, int):
        return given
    memory = invocation.machine.memory()
    if memory is None:
        invocation.error("the size of the memory isn't known here")
        return 1
    used, total = memory
    unit = next(
        (size for letter, size in (("b", 1), ("m", 1 << 20), ("g", 1 << 30)) if letter in given), 1 << 10
    )

    def shown(size: int) -> str:
        return (
            readable(size, up=False) + ("i" if size >= 1024 else "B") if "h" in given else str(size // unit)
        )

    # Nothing is shared or cached, and there is no swap.
    headings = ("total", "used", "free", "shared", "buff/cache", "available")
    sizes = (total, used, total - used, 0, 0, total - used)
    invocation.print(" " * 8 + "".join(f"{name:>12}" for name in headings))
    invocation.print(f"{'Mem:':<8}" + "".join(f"{shown(size):>12}" for size in sizes))
    invocation.print(f"{'Swap:':<8}" + f"{shown(0):>12}" * 3)
    return 0
