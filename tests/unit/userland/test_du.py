"""`du` lists the same as GNU's; the sizes are the file system's, so nothing is recorded."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.corpora.folders.trees import create_for_copying
from tests.unit.userland.conftest import Call

LISTS = [
    "du dir",
    "du -a dir",
    "du -s dir other",
    "du -d 1 .",
    "du -d0 .",
    "du -ac dir",
    "du -sc a b",
    "du -b three",
    "du none a",
]


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """Return two directories with the same content: ours and the system's."""
    trees = tmp_path / "ours", tmp_path / "theirs"
    for tree in trees:
        tree.mkdir()
        create_for_copying(tree)
    return trees


@pytest.mark.parametrize("line", LISTS)
async def test_du_lists_what_gnu_s_lists(
    call: Call, system: Call, trees: tuple[Path, Path], line: str
) -> None:
    words = shlex.split(line)
    here, there = await call(*words, cwd=trees[0]), await system(*words, cwd=trees[1])
    names = [sorted(row.split("\t")[1] for row in outcome.text.splitlines()) for outcome in (here, there)]
    assert names[0] == names[1]
    assert (here.exit_code, here.error) == (there.exit_code, there.error)
    if words[-1] == "three":
        assert here.output == there.output
