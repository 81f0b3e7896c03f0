"""Unpack wheels (https://packaging.python.org/specifications/binary-distribution-format/) from untrusted sources."""

from __future__ import annotations

import os
import re
import shutil
import sys
import zipfile
from pathlib import Path, PurePosixPath

from gemini.computer.python.pip import records
from gemini_userland.expansion import CHUNK, ExpandsTooFar, limit

FORMAT = "whl"
# What packages share with other programs. The page's prefix is the root, which has everything else, too.
SHARED = ("share", "etc")
DATA = re.compile(r"[^/]+\.data/data/(.+)")


def enable() -> None:
    """Have Pyodide unpack wheels with this module."""
    if FORMAT in [name for name, _, _ in shutil.get_unpack_formats()]:
        shutil.unregister_unpack_format(FORMAT)
    shutil.register_unpack_format(FORMAT, [".whl", ".wheel"], unpack, description="Wheel file")


def unpack(wheel: str, directory: str) -> None:
    """Unpack a wheel into the directory of packages, or nothing of it.

    Raises:
        shutil.ReadError: A file would be installed elsewhere, or all of them would be too large.
    """
    with zipfile.ZipFile(wheel) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        most = limit(os.path.getsize(wheel))
        if sum(entry.file_size for entry in entries) > most:
            raise shutil.ReadError(f"the wheel {ExpandsTooFar(most).strerror}")
        for entry in entries:
            _require_own_place(entry.filename)
        for entry in entries:
            path = os.path.join(directory, entry.filename)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with archive.open(entry) as source, open(path, "wb") as target:
                shutil.copyfileobj(source, target, CHUNK)
    records.complete(Path(directory), [entry.filename for entry in entries])


def _require_own_place(name: str) -> None:
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or {"", ".", ".."} & set(parts):
        raise shutil.ReadError(f"the wheel has a file {name!r} outside of its directory")
    shared = DATA.fullmatch(name)
    if shared is None:
        return
    place = PurePosixPath(sys.prefix, shared[1])
    if shared[1].split("/")[0] not in SHARED:
        raise shutil.ReadError(
            f"the wheel would install {place}, which isn't among the shared files of packages"
        )
