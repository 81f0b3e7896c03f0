"""`install` has the same results and messages as GNU install."""

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
        (tree / "a").write_text("1\n")
        (tree / "b").write_text("2\n")
    return trees


def found(folder: Path) -> dict[str, tuple[str, str | None]]:
    """Return the mode and the text of each file in a folder."""
    return {
        str(path.relative_to(folder)): (
            oct(path.stat().st_mode & 0o7777),
            path.read_text() if path.is_file() else None,
        )
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize(
    "options",
    [
        ["a", "new"],
        ["-m", "600", "a", "b", "dir"],
        ["-m", "u=rw,go=r", "a", "new"],
        ["-m", "ug+rx,o=u", "a", "new"],
        ["-m+x", "a", "new"],
        ["-m", "=rwx,g-w,o=g", "a", "new"],
        ["-v", "a", "dir"],
        ["-d", "-v", "x/y", "dir"],
        ["-D", "a", "x/y/new"],
        ["-t", "dir", "a", "b"],
        ["-m", "x", "a", "new"],
        ["-m", "1.5", "a", "new"],
        ["-m", "888", "a", "new"],
        ["-m", "", "a", "new"],
        ["-m", "17777", "a", "new"],
        ["-m", ",", "a", "new"],
        [],
        ["a"],
        ["-d"],
        ["a", "b", "new"],
        ["a", "b", "a"],
        ["none", "new"],
        ["a", "none/new"],
        ["-t", "none", "a"],
        ["dir", "new"],
        ["a", "a"],
        ["-q", "a"],
    ],
    ids=" ".join,
)
async def test_install_matches_gnu(
    call: Call, system: Call, trees: tuple[Path, Path], options: list[str]
) -> None:
    ours, theirs = trees
    assert await call("install", *options, cwd=ours) == await system("install", *options, cwd=theirs)
    assert found(ours) == found(theirs)
