"""Tests for the kinds of files and their colors."""

import os
import re
import stat
from pathlib import Path

import pytest

from gemini.computer.files.kinds import KINDS, kind_of, kind_of_entry

REGULAR = stat.S_IFREG | 0o644
RUNNABLE = stat.S_IFREG | 0o755


@pytest.mark.parametrize(
    ("name", "mode", "kind"),
    [
        ("src", stat.S_IFDIR | 0o755, "directory"),
        ("archive.zip", stat.S_IFDIR | 0o755, "directory"),
        ("current", stat.S_IFLNK | 0o777, "link"),
        ("photo.png", stat.S_IFLNK | 0o777, "link"),
        ("report.py", REGULAR, "code"),
        ("INDEX.HTML", REGULAR, "code"),
        ("Makefile", REGULAR, "code"),
        ("app.log", REGULAR, "text"),
        ("README", REGULAR, "text"),
        (".gitignore", REGULAR, "text"),
        ("data.csv", REGULAR, "text"),
        ("paper.pdf", REGULAR, "document"),
        ("photo.JPG", REGULAR, "image"),
        ("photo.jpg", RUNNABLE, "image"),
        ("song.flac", REGULAR, "media"),
        ("backup.tar.gz", REGULAR, "archive"),
        ("library.wasm", REGULAR, "executable"),
        ("tool", RUNNABLE, "executable"),
        ("tool-1.2", stat.S_IFREG | 0o645, "executable"),
        ("run.sh", RUNNABLE, "executable"),
        ("run.sh", REGULAR, "code"),
        ("report.py", RUNNABLE, "code"),
        ("notes", REGULAR, "other"),
        (".hidden", REGULAR, "other"),
        ("weights.npy", REGULAR, "other"),
        ("socket.txt", stat.S_IFSOCK | 0o755, "other"),
        ("pipe", stat.S_IFIFO | 0o777, "other"),
    ],
)
def test_a_kind_follows_from_type_then_name_then_permission(name: str, mode: int, kind: str) -> None:
    assert kind_of(name, mode).name == kind


def test_a_directory_entry_has_the_same_kind_as_its_mode(tmp_path: Path) -> None:
    (tmp_path / "docs.txt").mkdir()
    (tmp_path / "a.txt").touch()
    (tmp_path / "tool").touch(mode=0o755)
    (tmp_path / "plain").touch(mode=0o644)
    (tmp_path / "link.txt").symlink_to("a.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    with os.scandir(tmp_path) as entries:
        by_entry = {entry.name: kind_of_entry(entry).name for entry in entries}
    by_mode = {path.name: kind_of(path.name, path.lstat().st_mode).name for path in tmp_path.iterdir()}
    assert by_entry == by_mode
    assert by_entry["tool"] == "executable" and by_entry["pipe.txt"] == "other"


def luminance(color: str) -> float:
    """Return the relative luminance that WCAG 2.2 defines."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("background", ["#ffffff", "#1e1e1e"])
def test_every_color_is_visible_on_light_and_dark(background: str) -> None:
    for kind in KINDS.values():
        darker, lighter = sorted((luminance(kind.color), luminance(background)))
        assert (lighter + 0.05) / (darker + 0.05) > 3.7, kind


def test_no_two_kinds_share_a_color() -> None:
    assert len({kind.color for kind in KINDS.values()}) == len(KINDS) == 10


def test_the_documentation_lists_the_kinds() -> None:
    document = Path(__file__).parents[4] / "docs" / "files.md"
    rows = re.findall(
        r"^\| `(\w+)` \| `(#\w{6})` \| (.+) \|$", document.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows == [(kind.name, kind.color, kind.meaning) for kind in KINDS.values()]
