"""`tar` has the same results as the system's GNU tar."""

import io
import os
import stat
import sys
import tarfile
from pathlib import Path

import pytest

from .conftest import Call

WHEN = 1_700_000_000


def create_tree(root: Path) -> Path:
    """Create the tree that the tests archive."""
    deep = root / "tree" / "deep er"
    deep.mkdir(parents=True)
    (root / "tree" / "plain.txt").write_text("plain\n")
    (root / "tree" / "script.sh").write_text("#!/bin/sh\n")
    (root / "tree" / "script.sh").chmod(0o755)
    (deep / "new\nline 🙂.bin").write_bytes(bytes(range(256)) * 10)
    (deep / "secret").write_text("s")
    (deep / "secret").chmod(0o600)
    (root / "tree" / "link").symlink_to("plain.txt")
    (root / "tree" / "to-deep").symlink_to("deep er")
    (root / "lone.log").write_text("log\n")
    (root / "empty").mkdir()
    for path in [*root.rglob("*"), root]:
        os.utime(path, (WHEN, WHEN), follow_symlinks=False)
    return root


def tree_state(root: Path) -> dict[str, tuple[object, ...]]:
    """Return the state of each file below `root`, without archives: type and mode, time, content or target."""
    seen: dict[str, tuple[object, ...]] = {}
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        mode = stat.filemode(status.st_mode)
        if path.is_symlink():
            seen[str(path.relative_to(root))] = (mode, os.readlink(path))
        elif path.is_dir():
            seen[str(path.relative_to(root))] = (mode,)
        elif not path.name.startswith("archive"):
            seen[str(path.relative_to(root))] = (mode, int(status.st_mtime), path.read_bytes())
    return seen


PACK = ["tar", "cf", "archive.tar", "tree", "lone.log"]

SEQUENCES: list[list[list[str]]] = [
    [["tar", "cf", "archive.tar", "lone.log"], ["tar", "tf", "archive.tar"], ["tar", "tvf", "archive.tar"]],
    [["tar", "cvf", "archive.tar", "lone.log", "tree/plain.txt"], ["tar", "tvf", "archive.tar"]],
    [["tar", "cvvf", "archive.tar", "tree/link", "empty"]],
    [PACK, ["tar", "xf", "archive.tar", "-C", "empty"]],
    [PACK, ["tar", "-x", "-v", "-f", "archive.tar", "-C", "empty", "lone.log", "tree/plain.txt"]],
    [PACK, ["tar", "xf", "archive.tar", "tree/deep er", "-C", "empty"]],
    [PACK, ["tar", "xf", "archive.tar", "-C", "empty", "tree/deep er"]],
    [PACK, ["tar", "xpf", "archive.tar", "-C", "empty"]],
    [["tar", "czf", "archive.tgz", "lone.log"], ["tar", "xzvf", "archive.tgz", "-C", "empty"]],
    [["tar", "cjf", "archive.tbz", "lone.log"], ["tar", "xvf", "archive.tbz", "-C", "empty"]],
    [["tar", "cJf", "archive.txz", "lone.log"], ["tar", "xvf", "archive.txz", "-C", "empty"]],
    [["tar", "caf", "archive.tar.xz", "lone.log"], ["tar", "tJf", "archive.tar.xz"]],
    [
        ["tar", "--create", "--file=archive.tar", "--gzip", "lone.log"],
        ["tar", "--list", "--file", "archive.tar"],
    ],
    [
        [
            "tar",
            "cf",
            "archive.tar",
            "-C",
            "tree",
            "plain.txt",
            "-C",
            "../empty",
            ".",
            "-C",
            "..",
            "lone.log",
        ],
        ["tar", "tf", "archive.tar"],
    ],
    [
        ["tar", "cf", "archive.tar", "--exclude=*.txt", "--exclude", "deep er", "tree"],
        ["tar", "xf", "archive.tar", "-C", "empty"],
    ],
    [
        [
            "tar",
            "cf",
            "archive.tar",
            "--exclude=tree/*.t[xy]t",
            "--exclude=secre?",
            "--exclude=l[!o]nk",
            "tree",
        ],
        ["tar", "xf", "archive.tar", "-C", "empty"],
    ],
    [
        ["tar", "cf", "archive.tar", "--anchored", "--exclude=plain.txt", "tree/plain.txt"],
        ["tar", "tf", "archive.tar"],
    ],
    [PACK, ["tar", "xf", "archive.tar", "--exclude=deep*", "-C", "empty"]],
    [PACK, ["tar", "xf", "archive.tar", "--strip-components=1", "-C", "empty"]],
    [PACK, ["tar", "xvf", "archive.tar", "--strip-components", "2", "-C", "empty", "tree/deep er/secret"]],
    [PACK, ["tar", "xf", "archive.tar", "--strip-components=x"]],
    [PACK, ["tar", "tf", "archive.tar", "--wildcards", "*.log"]],
    [PACK, ["tar", "tf", "archive.tar", "--wildcards", "tree/*.txt", "*.nothing"]],
    [PACK, ["tar", "tf", "archive.tar", "*.txt"]],
    [PACK, ["tar", "tf", "archive.tar", "missing", "lone.log"]],
    [PACK, ["tar", "xOf", "archive.tar", "lone.log", "tree/plain.txt"]],
    [PACK, ["tar", "xvOf", "archive.tar", "lone.log"]],
    [PACK, ["tar", "xkf", "archive.tar", "lone.log"]],
    [PACK, ["ln", "-s", "../tree/deep er", "empty/tree"], ["tar", "xf", "archive.tar", "-C", "empty"]],
    [PACK, ["tar", "xf", "archive.tar", "--skip-old-files", "lone.log"]],
    [["tar", "cf", "archive.tar", "tree/plain.txt", "missing", "lone.log"], ["tar", "tf", "archive.tar"]],
    [["tar", "chf", "archive.tar", "tree/link"], ["tar", "tvf", "archive.tar"]],
    [["tar", "cf", "archive.tar", "--no-recursion", "tree"], ["tar", "tvf", "archive.tar"]],
    [["tar", "cf", "archive.tar", "../missing", "lone.log"], ["tar", "tf", "archive.tar"]],
    [
        ["tar", "cf", "archive.tar", "lone.log"],
        ["tar", "rf", "archive.tar", "tree/plain.txt"],
        ["tar", "rvf", "archive.tar", "lone.log"],
        ["tar", "tf", "archive.tar"],
    ],
    [["tar", "rf", "archive.tar", "lone.log"], ["tar", "tf", "archive.tar"]],
    [
        ["tar", "cf", "archive.tar", "lone.log"],
        ["tar", "uvf", "archive.tar", "lone.log", "tree/plain.txt"],
        ["tar", "tf", "archive.tar"],
    ],
    [["tar", "czf", "archive.tgz", "lone.log"], ["tar", "rf", "archive.tgz", "lone.log"]],
    [
        ["tar", "cf", "archive.tar", "--owner=ann:7", "--group=staff:8", "--mtime=@5", "lone.log"],
        ["tar", "tvf", "archive.tar"],
        ["tar", "tvf", "archive.tar", "--numeric-owner"],
    ],
    [
        ["tar", "cf", "archive.tar", "--mtime=2020-01-02 03:04:05", "--format=pax", "lone.log"],
        ["tar", "tvf", "archive.tar"],
    ],
    [["tar", "cf", "archive.tar"]],
    [["tar", "cf", "missing/archive.tar", "lone.log"]],
    [["tar", "cf", "archive.tar", "-C", "missing", "lone.log"]],
    [["tar", "tf", "missing.tar"]],
    [["tar", "tf", "lone.log"]],
    [["tar", "cf", "archive.tar", "lone.log"], ["tar", "xf", "archive.tar", "-C", "missing"]],
    [["tar", "-%"]],
    [["tar", "--bogus"]],
    [["tar", "f"]],
    [["tar", "czjf", "archive.tar", "lone.log"]],
    [["tar", "cf", "empty", "lone.log"]],
]


@pytest.mark.parametrize(
    "sequence", SEQUENCES, ids=lambda sequence: " ; ".join(" ".join(one) for one in sequence)
)
async def test_tar_matches_gnu_tar(
    tmp_path: Path, call: Call, system: Call, sequence: list[list[str]]
) -> None:
    ours, theirs = create_tree(tmp_path / "ours"), create_tree(tmp_path / "theirs")
    for argv in sequence:
        run = call if argv[0] == "tar" else system
        mine, other = await run(*argv, cwd=ours), await system(*argv, cwd=theirs)
        assert (mine.exit_code, mine.output.decode(), mine.error) == (
            other.exit_code,
            other.output.decode(),
            other.error,
        )
    assert tree_state(ours) == tree_state(theirs)


@pytest.mark.parametrize("letter", ["", "z", "j", "J"])
async def test_gnu_tar_reads_our_archives_and_we_read_theirs(
    tmp_path: Path, call: Call, system: Call, letter: str
) -> None:
    source = create_tree(tmp_path / "source")
    for name, make, take in (("a", call, system), ("b", system, call)):
        (tmp_path / name).mkdir()
        made = await make("tar", f"c{letter}f", f"../{name}.tar", "tree", cwd=source)
        assert made.exit_code == 0, made.error
        taken = await take("tar", f"x{letter}f", f"../{name}.tar", cwd=tmp_path / name)
        assert taken.exit_code == 0, taken.error
        assert tree_state(tmp_path / name)["tree/deep er/new\nline 🙂.bin"][2] == bytes(range(256)) * 10
        assert set(tree_state(tmp_path / name)) == {
            one for one in tree_state(source) if one.startswith("tree")
        }


async def test_tar_streams_through_standard_output_and_input(tmp_path: Path, call: Call) -> None:
    create_tree(tmp_path)
    packed = await call("tar", "cvzf", "-", "tree")
    assert packed.error.splitlines()[0] == "tree/"
    listed = await call("tar", "t", stdin=packed.output)
    assert "tree/plain.txt" in listed.text.splitlines()
    assert "tree/deep er/new\\nline 🙂.bin" in listed.text.splitlines()
    unpacked = await call("tar", "xf", "-", "-C", "empty", "tree/plain.txt", stdin=packed.output)
    assert unpacked.exit_code == 0
    assert (tmp_path / "empty/tree/plain.txt").read_text() == "plain\n"


async def test_tar_reads_names_from_a_list(tmp_path: Path, call: Call) -> None:
    create_tree(tmp_path)
    (tmp_path / "list").write_text("lone.log\ntree/plain.txt\n")
    assert (await call("tar", "cf", "a.tar", "-T", "list")).exit_code == 0
    assert (await call("tar", "tf", "a.tar")).text == "lone.log\ntree/plain.txt\n"
    names = "tree/deep er/new\nline 🙂.bin\0".encode()
    assert (await call("tar", "cf", "b.tar", "--null", "-T", "-", stdin=names)).exit_code == 0
    assert (await call("tar", "xOf", "b.tar")).output == bytes(range(256)) * 10


async def test_tar_keeps_hard_links(tmp_path: Path, call: Call, system: Call) -> None:
    (tmp_path / "one").write_text("x")
    os.link(tmp_path / "one", tmp_path / "two")
    await call("tar", "cf", "a.tar", "one", "two")
    ours, theirs = await call("tar", "tvf", "a.tar"), await system("tar", "tvf", "a.tar")
    assert ours.text == theirs.text
    (tmp_path / "out").mkdir()
    assert (await call("tar", "xf", "../a.tar", cwd=tmp_path / "out")).exit_code == 0
    assert (tmp_path / "out/one").samefile(tmp_path / "out/two")
    alone = await call("tar", "xf", "../a.tar", "two", cwd=tmp_path / "out")
    assert alone.exit_code == 0


async def test_tar_skips_its_own_archive(tmp_path: Path, call: Call) -> None:
    (tmp_path / "x").write_text("x")
    packed = await call("tar", "cf", "a.tar", ".")
    assert packed.exit_code == 0
    assert packed.error == "tar: ./a.tar: file is the archive; not dumped\n"
    assert (await call("tar", "tf", "a.tar")).text == "./\n./x\n"


def hostile(path: Path) -> None:
    """Write an archive that tries to escape from the target directory."""
    with tarfile.open(path, "w") as archive:

        def add(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> None:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, link
            member.size = 4 if kind == tarfile.REGTYPE else 0
            archive.addfile(member, io.BytesIO(b"evil"))

        add("../above")
        add("inside/../../above")
        add("/absolute/file")
        add("out", tarfile.SYMTYPE, "..")
        add("out/above")
        add("absolute-link", tarfile.SYMTYPE, "/etc/passwd")
        add("hard", tarfile.LNKTYPE, "../victim")
        add("device", tarfile.CHRTYPE)
        add("fifo", tarfile.FIFOTYPE)
        add("good")


async def test_tar_extracts_nothing_outside_the_target(tmp_path: Path, call: Call) -> None:
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "target").mkdir()
    hostile(tmp_path / "evil.tar")
    done = await call("tar", "xf", "evil.tar", "-C", "target")
    assert done.exit_code == 2
    assert not (tmp_path / "above").exists()
    assert not Path("/absolute").exists()
    assert (tmp_path / "target/absolute/file").read_text() == "evil"
    assert (tmp_path / "target/good").read_text() == "evil"
    assert (tmp_path / "target/out/above").read_text() == "evil"
    assert sorted(path.name for path in (tmp_path / "target").iterdir()) == ["absolute", "good", "out"]
    for refused in ("../above", "inside/../../above", "out", "absolute-link", "hard", "device", "fifo"):
        assert f"tar: {refused}: " in done.error
    assert done.error.endswith("tar: Exiting with failure status due to previous errors\n")


async def test_tar_does_not_write_through_existing_links(tmp_path: Path, call: Call) -> None:
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "source").mkdir()
    (tmp_path / "source/file").write_text("new")
    (tmp_path / "target").mkdir()
    (tmp_path / "target/file").symlink_to("../victim")
    await call("tar", "cf", "a.tar", "-C", "source", "file")
    done = await call("tar", "xf", "a.tar", "-C", "target")
    assert (done.exit_code, done.error) == (0, "")
    assert (tmp_path / "victim").read_text() == "mine"
    assert (tmp_path / "target/file").read_text() == "new"
    assert not (tmp_path / "target/file").is_symlink()


@pytest.mark.parametrize("compression", ["", "z", "j", "J"])
async def test_tar_reports_a_truncated_archive(tmp_path: Path, call: Call, compression: str) -> None:
    (tmp_path / "noise").write_bytes(os.urandom(50_000))
    await call("tar", f"c{compression}f", "whole.tar", "noise")
    data = (tmp_path / "whole.tar").read_bytes()
    for length in (len(data) // 2, 40):
        (tmp_path / "cut.tar").write_bytes(data[:length])
        done = await call("tar", "xf", "cut.tar")
        assert done.exit_code == 2
        assert done.error.startswith("tar: ")
        assert "Traceback" not in done.error


async def test_tar_with_zstd(tmp_path: Path, call: Call) -> None:
    (tmp_path / "x").write_text("x")
    packed = await call("tar", "--zstd", "-cf", "x.tar.zst", "x")
    if sys.version_info >= (3, 14):
        assert packed.exit_code == 0
        assert (await call("tar", "tf", "x.tar.zst")).text == "x\n"
    else:
        assert packed.exit_code == 2
        assert "zstd" in packed.error


@pytest.mark.parametrize(
    "arguments", [["-Af", "x.tar", "y.tar"], ["-df", "x.tar"], ["-cI", "lzop", "-f", "x", "y"]]
)
async def test_tar_reports_unsupported_operations(call: Call, arguments: list[str]) -> None:
    done = await call("tar", *arguments)
    assert done.exit_code in (2, 64)
    assert "isn't supported: " in done.error


async def test_tar_has_help_and_a_version(call: Call) -> None:
    assert (await call("tar", "--help")).text.startswith("Usage: tar")
    assert (await call("tar", "--version")).exit_code == 0
