"""Files with results that were too long to return."""

import os
from pathlib import Path

import pytest

from gemini.core import spill


def add(folder: Path, number: int, size: int = 1) -> None:
    spill.make_room(folder)
    file = folder / str(number)
    file.write_bytes(b"x" * size)
    os.utime(file, (number, number))


def names(folder: Path) -> list[int]:
    return sorted(int(path.name) for path in folder.iterdir())


def test_the_newest_files_remain(tmp_path: Path) -> None:
    folder = tmp_path / "new/folder"
    for number in range(spill.MAX_FILES + 10):
        add(folder, number)
    assert names(folder) == list(range(10, spill.MAX_FILES + 10))


def test_the_oldest_files_are_deleted_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "MAX_BYTES", 1_000)
    for number, size in enumerate([900, 300, 400]):
        add(tmp_path, number, size)
    assert names(tmp_path) == [1, 2]
    (tmp_path / "folder").mkdir()
    spill.make_room(tmp_path)
    assert (tmp_path / "folder").is_dir()
