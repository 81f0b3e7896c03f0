"""The lists of files of installed packages (RECORD, PEP 627), which come from untrusted wheels."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path


def disown(one: metadata.Distribution, others: Iterable[metadata.Distribution], scripts: Path | None) -> None:
    """Remove from a package's RECORD the files that are not its own, so that nobody deletes them with it.

    Args:
        one: The package.
        others: All installed packages.
        scripts: The directory of the commands of packages.
    """
    packages = Path(str(one.locate_file(""))).resolve()
    taken = {_path(other, file) for other in others if other.name != one.name for file in other.files or []}
    record = next((file for file in one.files or [] if file.match("*.dist-info/RECORD")), None)
    if record is None:
        return
    strange = {
        str(file)
        for file in one.files or []
        if (path := _path(one, file)) in taken
        or not (path.is_relative_to(packages) or (scripts is not None and path.parent == scripts.resolve()))
    }
    if strange:
        path = Path(str(one.locate_file(record)))
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if _name(line) not in strange))


def complete(packages: Path, names: Sequence[str]) -> None:
    """Add missing entries to the RECORD of an unpacked wheel, as pip does, so that all of it can be uninstalled.

    Args:
        packages: The directory that it was unpacked in.
        names: Its files, relative to that.
    """
    folders = {name.partition("/")[0] for name in names if ".dist-info/" in name}
    if len(folders) != 1:
        return
    record = f"{folders.pop()}/RECORD"
    path = packages / record
    text = path.read_text() if path.exists() else ""
    listed = {_name(line) for line in text.splitlines()}
    lacking = [name for name in dict.fromkeys([*names, record]) if name not in listed]
    with path.open("w", newline="") as file:
        file.write(text if text.endswith("\n") or not text else f"{text}\n")
        csv.writer(file, lineterminator="\n").writerows([name, "", ""] for name in lacking)


def _path(one: metadata.Distribution, file: metadata.PackagePath) -> Path:
    return Path(str(one.locate_file(file))).resolve()


def _name(line: str) -> str:
    """Return the path in a line of a RECORD, a CSV file."""
    return next(csv.reader([line]), [""])[0]
