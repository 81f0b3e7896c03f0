"""`df`: the space of file systems.

Source: the GNU coreutils manual, "df".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemini_userland.block_sizes import HUMAN, SI, BlockSize, parse_block_size
from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.system.space import UNKNOWN, Space, spaces

SYNTAX = Syntax(
    short="aB:hHiklmPTt:x:v",
    long={
        "all": "a",
        "block-size=": "B",
        "exclude-type=": "x",
        "human-readable": "h",
        "inodes": "i",
        "local": "l",
        "no-sync": "no-sync",
        "output=?": "output",
        "portability": "P",
        "print-type": "T",
        "si": "H",
        "sync": "sync",
        "total": "total",
        "type=": "t",
    },
    help="""
Usage: df [OPTION]... [FILE]...
Print the used and the available space of the file systems that hold each FILE, by default of the root.
In the page, all files are in memory; the used space is their size, and neither a limit nor inodes are known.

  -h, -H, --si          print sizes in units of 1024, of 1000
  -k, -m, -B SIZE       print sizes in KiB; in MiB; in units of SIZE
  -i, --inodes          print inodes instead of sizes
  -T, --print-type      print the type
  -P, --portability     print in POSIX's format
  -t TYPE, -x TYPE      print only, or leave out, file systems of TYPE
      --output[=FIELDS] print source, fstype, itotal, iused, iavail, ipcent, size, used, avail, pcent, file, target
      --total           print a total
  -a, -l, -v, --sync, --no-sync  have no effect
""",
)
FIELDS = (
    "source",
    "fstype",
    "itotal",
    "iused",
    "iavail",
    "ipcent",
    "size",
    "used",
    "avail",
    "pcent",
    "file",
    "target",
)
LEFT = ("source", "fstype", "file", "target")
# The least columns of a field.
LEAST = {"source": 14, "fstype": 4, "size": 5, "used": 5, "avail": 5, "itotal": 5, "iused": 5, "iavail": 5}
NAMES = {
    **{"source": "Filesystem", "fstype": "Type", "itotal": "Inodes", "iused": "IUsed", "iavail": "IFree"},
    **{"ipcent": "IUse%", "used": "Used", "file": "File", "target": "Mounted on"},
}


@dataclass(frozen=True)
class Row:
    """A file system, and the operand that it holds."""

    space: Space
    file: str


async def df(invocation: Invocation) -> int:
    """Print the space of file systems; return 1 if a file doesn't exist."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        fields, unit = _fields(given), _unit(given)
    except BadValue as problem:
        return SYNTAX.usage_error(invocation, str(problem))
    rows: list[Row] = []
    status = 0
    for name in given.operands or ["/"]:
        path = invocation.path(name)
        if os.path.lexists(path):
            rows += [Row(space, name if given.operands else UNKNOWN) for space in spaces([path])]
        else:
            invocation.error(f"{name}: No such file or directory")
            status = 1
    wanted, unwanted = given.all("t"), given.all("x")
    shown = [
        row for row in rows if (not wanted or row.space.kind in wanted) and row.space.kind not in unwanted
    ]
    if rows and not shown:
        invocation.error("no file systems processed")
        return 1
    if "total" in given and shown:
        shown.append(Row(_total([row.space for row in shown]), UNKNOWN))
    if shown:
        _print(
            invocation, [_heading(given, fields, unit), *(_cells(row, fields, unit) for row in shown)], fields
        )
    return status


def _fields(given: Arguments) -> list[str]:
    """Return the fields to print.

    Raises:
        BadValue: A field is unknown, or an option contradicts another.
    """
    if "output" in given:
        for letter in "iPT":
            if letter in given:
                raise BadValue(f"options -{letter} and --output are mutually exclusive")
        fields = [field for value in given.all("output") for field in value.split(",") if value]
        for field in fields:
            if field not in FIELDS:
                raise BadValue(f"option --output: field '{field}' unknown")
        return fields or list(FIELDS)
    kinds = ["itotal", "iused", "iavail", "ipcent"] if "i" in given else ["size", "used", "avail", "pcent"]
    return ["source", *(["fstype"] if "T" in given else []), *kinds, "target"]


def _unit(given: Arguments) -> BlockSize:
    unit = BlockSize(1024)
    for name, value in given.items:
        known = {"k": BlockSize(1024), "m": BlockSize(1 << 20), "h": HUMAN, "H": SI}
        unit = parse_block_size(value, "-B") if name == "B" else known.get(name, unit)
    return unit


def _heading(given: Arguments, fields: list[str], unit: BlockSize) -> list[str]:
    size = "Size" if unit.base else f"{_named(unit.unit)}-blocks"
    if "P" in given and not unit.base:
        size = f"{unit.unit}-blocks"
    avail = "Avail" if unit.base or "output" in given else "Available"
    names = {**NAMES, "size": size, "avail": avail, "pcent": "Capacity" if "P" in given else "Use%"}
    return [names[field] for field in fields]


def _named(unit: int) -> str:
    for power, letter in ((4, "T"), (3, "G"), (2, "M"), (1, "K")):
        if unit % 1024**power == 0:
            return f"{unit // 1024**power}{letter}"
    return f"{unit}B" if unit % 1000 else f"{unit // 1000}kB"


def _cells(row: Row, fields: list[str], unit: BlockSize) -> list[str]:
    space = row.space
    show: Callable[[int | None], str] = lambda size: UNKNOWN if size is None else unit.show(size)  # noqa: E731
    usable = None if space.free is None else space.used + space.free
    values = {
        "source": space.name,
        "fstype": space.kind,
        "size": show(space.total),
        "used": show(space.used),
        "avail": show(space.free),
        "pcent": UNKNOWN if not usable else f"{-(-space.used * 100 // usable)}%",
        "file": row.file,
        "target": space.place,
    }
    return [values.get(field, UNKNOWN) for field in fields]


def _total(all_spaces: Sequence[Space]) -> Space:
    def added(sizes: list[int | None]) -> int | None:
        return None if None in sizes else sum(size or 0 for size in sizes)

    total = added([one.total for one in all_spaces])
    free = added([one.free for one in all_spaces])
    return Space("total", UNKNOWN, UNKNOWN, total, sum(one.used for one in all_spaces), free)


def _print(invocation: Invocation, rows: list[list[str]], fields: list[str]) -> None:
    widths = [max(LEAST.get(field, 0), *(len(row[at]) for row in rows)) for at, field in enumerate(fields)]
    for row in rows:
        cells = [
            cell.ljust(width) if field in LEFT else cell.rjust(width)
            for cell, width, field in zip(row, widths, fields, strict=True)
        ]
        invocation.print(" ".join(cells).rstrip())
