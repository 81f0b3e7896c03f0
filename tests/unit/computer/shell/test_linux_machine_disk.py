"""The disk of a machine as one file: written data is read again, and others' data is checked."""

from __future__ import annotations

import gzip
import hashlib
import json
from array import array
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.shell.linux_machine_disk import BLOCK, BLOCKS, MAGIC, MOST, START, pack, unpack
from gemini.errors import ArchiveDamaged, ArchiveForeign, ArchiveNewer, ArchiveRefused, FileMissing


def disk_of(places: dict[int, int], blocks: int, mark: int = 7) -> bytes:
    table = array("I", bytes(4 * BLOCKS))
    for block, place in places.items():
        table[block] = place
    header = array("I", [MAGIC, BLOCKS, mark, 1]).tobytes().ljust(BLOCK, b"\0")
    return header + table.tobytes() + b"".join(bytes([number]) * BLOCK for number in range(blocks))


def archive_of(path: Path, disk: bytes, **about: Any) -> Path:
    described = {"format": "gemini-linux-disk", "version": 1, "image": "linux-1", "bytes": len(disk)}
    described["sha256"] = hashlib.sha256(disk).hexdigest()
    path.write_bytes(gzip.compress(json.dumps({**described, **about}).encode() + b"\n" + disk, 1))
    return path


def test_a_disk_is_the_same_afterwards_without_a_mark_and_a_lost_block(tmp_path: Path) -> None:
    (tmp_path / "disk").write_bytes(disk_of({5: 1, 9: 2}, 3))
    pack(tmp_path / "disk", tmp_path / "packed", "linux-1")
    unpack(tmp_path / "packed", tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == disk_of({5: 1, 9: 2}, 2, mark=0)


@pytest.mark.parametrize(
    ("places", "blocks", "about", "error"),
    [
        ({5: 1}, 1, {"format": "other"}, ArchiveForeign),
        ({5: 1}, 1, {"version": "1"}, ArchiveForeign),
        ({5: 1}, 1, {"version": 2}, ArchiveNewer),
        ({5: 1}, 1, {"bytes": START}, ArchiveDamaged),
        ({5: 1}, 1, {"bytes": MOST + BLOCK}, ArchiveDamaged),
        ({5: 1}, 1, {"bytes": START + 2 * BLOCK}, ArchiveDamaged),
        ({5: 1}, 1, {"bytes": None}, ArchiveDamaged),
        ({5: 1}, 1, {"sha256": "0" * 64}, ArchiveDamaged),
        ({5: 1, 6: 1}, 1, {}, ArchiveDamaged),
        ({5: 2}, 1, {}, ArchiveDamaged),
    ],
)
def test_a_changed_file_is_refused(
    tmp_path: Path, places: dict[int, int], blocks: int, about: dict[str, Any], error: type[ArchiveRefused]
) -> None:
    archive = archive_of(tmp_path / "packed", disk_of(places, blocks, mark=0), **about)
    with pytest.raises(error):
        unpack(archive, tmp_path / "disk")


def test_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        unpack(tmp_path / "none", tmp_path / "disk")
    (tmp_path / "text").write_text("text")
    with pytest.raises(ArchiveForeign):
        unpack(tmp_path / "text", tmp_path / "disk")
    archive = archive_of(tmp_path / "cut", disk_of({5: 1}, 1, mark=0))
    archive.write_bytes(archive.read_bytes()[:-20])
    with pytest.raises(ArchiveRefused):
        unpack(archive, tmp_path / "part")
    with pytest.raises(ArchiveDamaged):
        unpack(archive_of(tmp_path / "marked", disk_of({5: 1}, 1, mark=3)), tmp_path / "state")
