"""Writes archives that have the same bytes whenever they have the same files."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

# The earliest time that a ZIP archive can have: 1980-01-01.
EARLIEST = 315_532_800
MODE, PROGRAM_MODE = 0o644, 0o755


def write_zip(files: Mapping[str, Path], target: Path, epoch: int) -> None:
    """Write a ZIP archive.

    Args:
        files: The source of each file, by its path in the archive.
        target: The archive's path.
        epoch: The time of every file, in seconds since 1970.
    """
    moment = time.gmtime(max(epoch, EARLIEST))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            item = zipfile.ZipInfo(name, moment)
            item.external_attr = MODE << 16
            # On every system.
            item.create_system = 3
            archive.writestr(item, files[name].read_bytes(), zipfile.ZIP_DEFLATED)


def write_tgz(files: Mapping[str, Path], target: Path, epoch: int, programs: Iterable[str] = ()) -> None:
    """Write a compressed tar archive.

    Args:
        files: The source of each file, by its path in the archive.
        target: The archive's path.
        epoch: The time of every file, in seconds since 1970.
        programs: The paths of files that can be executed.
    """
    executable = set(programs)
    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name in sorted(files):
            content = files[name].read_bytes()
            item = tarfile.TarInfo(name)
            item.size, item.mtime = len(content), epoch
            item.mode = PROGRAM_MODE if name in executable else MODE
            archive.addfile(item, io.BytesIO(content))
