"""`free`: the memory; and the space of file systems, for `df`."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

UNKNOWN = "-"
UNITS = "KMGTP"
# Files that are no content: devices, and views of the kernel.
VIEWS = ("/dev", "/proc", "/sys")
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


def spaces(paths: Sequence[str]) -> list[Space]:
    """Return the file systems that hold files."""
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
