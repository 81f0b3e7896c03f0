"""The disk of a Linux machine as one file: gzip of a line of JSON and of the file that blocks.ts describes."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from array import array
from pathlib import Path
from typing import Any, BinaryIO, cast

from gemini.errors import ArchiveDamaged, ArchiveForeign, ArchiveNewer, FileMissing, MachineProblem

FORMAT = "gemini-linux-disk"
VERSION = 1
BLOCK = 4096
BLOCKS = 2 * 1024**3 // BLOCK
MAGIC = 0x314B5344
START = BLOCK + 4 * BLOCKS
MOST = START + 512 * 1024**2
"""The most bytes of an exported disk, which Python's filesystem has in memory."""
MOST_ABOUT = 1000
CHUNK = 1 << 20
COMPRESSION = 3


def pack(disk: Path, target: Path, image: str) -> None:
    """Write an export of a disk.

    Args:
        disk: The file with the machine's changes, which is cut to its blocks.
        target: The file to write.
        image: The name of the build's machine.

    Raises:
        MachineProblem: The disk is too large.
        OSError: A file can't be read or written.
    """
    with disk.open("r+b") as file:
        # A kill may leave a block that isn't in the table, and the saved state isn't exported.
        file.truncate(START + BLOCK * max(_table(file)))
        file.seek(0)
        file.write(array("I", [MAGIC, BLOCKS, 0, 1]).tobytes())
    size = disk.stat().st_size
    if size > MOST:
        raise MachineProblem(
            f"the disk's changes take {size // 1024**2} MB, more than an export can have",
            hint=f"The limit is {MOST // 1024**2} MB. Copy the files that you need to /project.",
        )
    with disk.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        about = {"format": FORMAT, "version": VERSION, "image": image, "bytes": size, "sha256": digest}
        file.seek(0)
        with gzip.open(target, "wb", compresslevel=COMPRESSION) as written:
            written.write(json.dumps(about).encode() + b"\n")
            while part := file.read(CHUNK):
                written.write(part)


def unpack(archive: Path, disk: Path) -> None:
    """Check an export from an untrusted source, and write the disk's file.

    Raises:
        FileMissing: There is no export.
        ArchiveRefused: It isn't an export, or is incomplete.
        OSError: A file can't be read or written.
    """
    if not archive.is_file():
        raise FileMissing(f"there is no file {archive}")
    about: dict[str, Any] | None = None
    try:
        with gzip.open(archive) as packed, disk.open("xb") as written:
            about = _about(packed.readline(MOST_ABOUT))
            _copy(cast(BinaryIO, packed), written, about)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise (_damage if about else _foreign)(str(error)) from error
    with disk.open("rb") as file:
        header = array("I", file.read(16))
        if list(header) != [MAGIC, BLOCKS, 0, 1]:
            raise _damage("its header is wrong")
        places = [place for place in _table(file) if place]
    if max(places, default=0) * BLOCK + START != disk.stat().st_size or len(set(places)) != len(places):
        raise _damage("its table of blocks is wrong")


def _table(file: BinaryIO) -> array[int]:
    file.seek(BLOCK)
    return array("I", file.read(4 * BLOCKS))


def _about(line: bytes) -> dict[str, Any]:
    try:
        parsed: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _foreign("it doesn't say what it is") from error
    about = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    if about.get("format") != FORMAT or not isinstance(about.get("version"), int):
        raise _foreign("it has another format")
    ArchiveNewer.require_known(about["version"], VERSION)
    size = about.get("bytes")
    if not isinstance(size, int) or not START <= size <= MOST or (size - START) % BLOCK:
        raise _damage(f"a disk can't have {size!r:.40} bytes")
    return about


def _copy(packed: BinaryIO, written: BinaryIO, about: dict[str, Any]) -> None:
    digest, left = hashlib.sha256(), int(about["bytes"])
    while part := packed.read(min(CHUNK, left + 1)):
        left -= len(part)
        if left < 0:
            raise _damage("it contains more than it says")
        digest.update(part)
        written.write(part)
    if left or digest.hexdigest() != about.get("sha256"):
        raise _damage("its checksum is wrong")


def _foreign(why: str) -> ArchiveForeign:
    return ArchiveForeign(
        f"this isn't the disk of a machine: {why}",
        hint="Choose a file that `gemini.linux.export_disk` wrote.",
    )


def _damage(why: str) -> ArchiveDamaged:
    return ArchiveDamaged(f"the file is damaged or incomplete: {why}", hint="Copy it again.")
