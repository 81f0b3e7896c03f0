"""`touch` sets the same times as GNU touch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.userland.conftest import Call


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """Return two directories with the same content: ours and the system's."""
    trees = tmp_path / "ours", tmp_path / "theirs"
    for tree in trees:
        (tree / "dir").mkdir(parents=True)
        (tree / "old").write_text("")
        (tree / "link").symlink_to("old")
        (tree / "broken").symlink_to("made")
    return trees


def times(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the access and modification times of each file, in minutes, because the calls aren't simultaneous."""
    return {
        path.name: (round(path.lstat().st_atime / 60), round(path.lstat().st_mtime / 60))
        for path in sorted(folder.iterdir())
    }


@pytest.mark.parametrize(
    "words",
    [
        ["new", "old"],
        ["-c", "new"],
        ["-d", "2024-01-02 03:04", "new", "old"],
        ["-d", "10 days ago", "old"],
        ["-d@86400", "old"],
        ["-a", "-d", "2024-01-02", "old"],
        ["-m", "-d", "2024-01-02", "old"],
        ["-am", "-d", "2024-01-02", "old"],
        ["--time=atime", "-d", "2024-01-02", "old"],
        ["-t", "202401020304.05", "old"],
        ["-t", "7001020304", "old"],
        ["-r", "dir", "old"],
        ["-h", "-d", "2024-01-02", "link"],
        ["-d", "2024-01-02", "link"],
        ["broken"],
        ["-t", "13", "old"],
        ["-t", "202413020304", "old"],
        ["-d", "nonsense", "old"],
        ["-r", "none", "old"],
        ["none/new", "old"],
        [],
        ["--time=x", "old"],
        ["-q"],
    ],
    ids=" ".join,
)
async def test_touch_matches_gnu(
    call: Call, system: Call, trees: tuple[Path, Path], words: list[str]
) -> None:
    ours, theirs = trees
    one = await call("touch", *words, cwd=ours)
    other = await system("touch", *words, cwd=theirs)
    assert one.exit_code == other.exit_code
    assert bool(one.error) == bool(other.error)
    assert times(ours) == times(theirs)
