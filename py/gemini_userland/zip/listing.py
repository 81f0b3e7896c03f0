"""The lists that `unzip -l` and `unzip -v` print."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence

from gemini_userland.invocation import Invocation

METHODS = {0: "Stored", 8: "Defl:N", 12: "BZip2", 14: "LZMA", 93: "Zstd"}


def _moment(entry: zipfile.ZipInfo) -> str:
    year, month, day, hour, minute, _ = entry.date_time
    return f"{year:04d}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}"


def _files(count: int) -> str:
    return f"{count} file{'' if count == 1 else 's'}"


def percent(size: int, packed: int) -> str:
    """Return by how many percent compression makes a file smaller, as Info-ZIP prints it."""
    saved = round((size - packed) * 100 / size) if size else 0
    # Four columns have no room for a sign before 100.
    return "100%" if abs(saved) == 100 else f"{saved}%"


def list_entries(invocation: Invocation, entries: Sequence[zipfile.ZipInfo], quiet: int) -> None:
    """Print the length, the time and the name of each entry; `quiet` leaves out the headings at 2."""
    if quiet < 2:
        invocation.print("  Length      Date    Time    Name\n---------  ---------- -----   ----")
    for entry in entries:
        invocation.print(f"{entry.file_size:9d}  {_moment(entry)}   {entry.filename}")
    if quiet < 2:
        total = sum(entry.file_size for entry in entries)
        invocation.print(
            f"---------                     -------\n{total:9d}                     {_files(len(entries))}"
        )


def list_verbosely(invocation: Invocation, entries: Sequence[zipfile.ZipInfo], quiet: int) -> None:
    """Print the sizes, the method, the checksum and the name of each entry."""
    if quiet < 2:
        invocation.print(" Length   Method    Size  Cmpr    Date    Time   CRC-32   Name")
        invocation.print("--------  ------  ------- ---- ---------- ----- --------  ----")
    for entry in entries:
        size, packed = entry.file_size, entry.compress_size
        method = METHODS.get(entry.compress_type, f"Unk:{entry.compress_type:03d}")
        invocation.print(
            f"{size:8d}  {method:6} {packed:8d} {percent(size, packed):>4} {_moment(entry)} "
            f"{entry.CRC:08x}  {entry.filename}"
        )
    if quiet < 2:
        size, packed = sum(one.file_size for one in entries), sum(one.compress_size for one in entries)
        invocation.print("--------          -------  ---                            -------")
        invocation.print(
            f"{size:8d}         {packed:8d} {percent(size, packed):>4}                            "
            f"{_files(len(entries))}"
        )
