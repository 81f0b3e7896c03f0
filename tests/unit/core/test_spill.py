"""Files of what was too long to tell."""

import os
from pathlib import Path

import pytest

from gemini.core import spill as overflow


def add(folder: Path, number: int, size: int = 1) -> None:
    overflow.make_room(folder)
    file = folder / str(number)
    file.write_bytes(b"x" * size)
    os.utime(file, (number, number))


def names(folder: Path) -> list[int]:
    return sorted(int(path.name) for path in folder.iterdir())


def test_the_newest_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "made/here"
    for number in range(overflow.MOST_FILES + 10):
        add(folder, number)
    assert names(folder) == list(range(10, overflow.MOST_FILES + 10))


def test_what_is_too_much_goes_oldest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overflow, "MOST_BYTES", 1_000)
    for number, size in enumerate([900, 300, 400]):
        add(tmp_path, number, size)
    assert names(tmp_path) == [1, 2]
    (tmp_path / "folder").mkdir()
    overflow.make_room(tmp_path)
    assert (tmp_path / "folder").is_dir()
