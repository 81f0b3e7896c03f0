"""`cp`, `mv`, `rm`, `mkdir`, `readlink` and `tac` have the results and messages of GNU's; `du` lists the same."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from tests.unit.userland.conftest import Call

OLD_S = 1_600_000_000
LINES = """\
cp a new
cp -f a b
cp -a dir copy
cp -rf dir copy
cp -r dir other
cp -r dir/ copy/
cp -R dir dir2 other
cp -rT dir other
cp -t other a b
cp -u a old
cp -u old a
cp -n a b
cp -v a b other
cp -rv dir copy
cp -p old new
cp -d link new
cp -P link dir2
cp link new
cp -rL dir copy
cp -rH dir copy
cp -l a new
cp -s a new
cp -b a b
cp -S .bak a b
cp --parents dir/x other
cp --preserve=mode,timestamps old new
cp --remove-destination a link
cp a b new
cp dir new
cp a dir b
cp none new
cp a none/new
cp a a
cp a
cp
cp -q a b
cp a dir2
cp -r dir a
cp a new/
cp -t none a
cp broken new
cp -r broken new
mv a new
mv -t other a b
mv -T dir other
mv dir other
mv -v a other
mv -n a b
mv -u old a
mv -b a b
mv none new
mv a b none
mv a
mv a a
mv dir dir/sub
mv a dir2
mv dir a
mv link new
mv dir full
mv broken new
rm a
rm -f none
rm none
rm dir
rm -r dir
rm -rfv dir
rm -d other
rm -d dir
rm -v a link
rm -rf dir none
rm -r .
rm -r dir/..
rm
rm -f
rm -q a
rm link
rm -r dirlink
rm dirlink/
mkdir new
mkdir -p new/sub/sub
mkdir -pv new/sub dir
mkdir -m 700 new
mkdir -m u=rwx,go= new
mkdir -p -m 700 new/sub
mkdir dir
mkdir -p a
mkdir none/new
mkdir -p a/new
mkdir
mkdir -m x new
readlink link
readlink a
readlink -f link
readlink -f none
readlink -f none/none
readlink -e none
readlink -m none/none
readlink -n link
readlink -v a
readlink
tac three
tac three a
tac none a
tac -s t three
tac -b three
""".splitlines()
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


def build(root: Path) -> None:
    (root / "dir" / "sub").mkdir(parents=True)
    (root / "dir2" / "a").mkdir(parents=True)
    (root / "other").mkdir()
    (root / "full" / "dir").mkdir(parents=True)
    (root / "full" / "dir" / "z").write_text("z\n")
    for name, text in (("a", "1\n"), ("b", "2\n"), ("old", "old\n"), ("dir/x", "x\n"), ("dir/sub/y", "y\n")):
        (root / name).write_text(text)
    (root / "three").write_text("one\ntwo\nthree")
    (root / "a").chmod(0o755)
    os.utime(root / "old", (OLD_S, OLD_S))
    (root / "link").symlink_to("a")
    (root / "dirlink").symlink_to("dir")
    (root / "dir" / "inner").symlink_to("x")
    (root / "broken").symlink_to("nowhere")


def found(root: Path) -> dict[str, tuple[object, ...]]:
    """Return the kind, the mode, the content and an old time of everything in a folder."""
    result: dict[str, tuple[object, ...]] = {}
    for path in sorted(root.rglob("*")):
        about = path.lstat()
        content = os.readlink(path) if path.is_symlink() else path.read_text() if path.is_file() else None
        mode = None if path.is_symlink() else oct(about.st_mode)
        result[str(path.relative_to(root))] = (
            mode,
            content,
            int(about.st_mtime) == OLD_S,
            about.st_nlink if path.is_file() else 0,
        )
    return result


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """Return two directories with the same content: ours and the system's."""
    trees = tmp_path / "ours", tmp_path / "theirs"
    for tree in trees:
        tree.mkdir()
        build(tree)
    return trees


@pytest.mark.parametrize("line", LINES)
async def test_lines_match_gnu(call: Call, system: Call, trees: tuple[Path, Path], line: str) -> None:
    ours, theirs = trees
    words = shlex.split(line)
    here, there = await call(*words, cwd=ours), await system(*words, cwd=theirs)
    printed = here.output.replace(b"/ours", b"/theirs")
    # The order of a folder's files is the file system's.
    in_any_order = line in ("cp -rv dir copy", "rm -rfv dir")
    assert (printed == there.output) or (
        in_any_order and sorted(printed.splitlines()) == sorted(there.output.splitlines())
    )
    assert (here.exit_code, here.error) == (there.exit_code, there.error)
    assert found(ours) == found(theirs)


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
