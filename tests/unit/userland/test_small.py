"""uname, id, mktemp and yes match the system's commands; what they print is the machine's, so nothing is recorded."""

import os
from pathlib import Path

import pytest

from .conftest import Call


async def same(call: Call, system: Call, *argv: str, **where: object) -> None:
    ours, theirs = await call(*argv, **where), await system(*argv, **where)
    assert (ours.exit_code, ours.output, ours.error) == (theirs.exit_code, theirs.output, theirs.error)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "directory").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "arguments", [[], ["-s"], ["-mr"], ["-o"], ["--machine", "--kernel-name"], ["-y"], ["extra"]], ids=repr
)
async def test_uname_matches_gnu(call: Call, system: Call, arguments: list[str]) -> None:
    await same(call, system, "uname", *arguments)


async def test_uname_prints_all_known_facts(call: Call) -> None:
    facts = os.uname()
    everything = (await call("uname", "-a")).text
    assert everything.startswith(f"{facts.sysname} {facts.nodename} {facts.release} {facts.version}")
    assert facts.machine in everything


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-u"],
        ["-un"],
        ["-g"],
        ["-gn"],
        ["-G"],
        ["-Gn"],
        ["-Gz"],
        ["-ru"],
        ["root"],
        ["-un", "root", "root"],
        ["nobody-of-that-name"],
        ["-n"],
        ["-z"],
        ["-u", "-g"],
        ["-y"],
    ],
    ids=repr,
)
async def test_id_matches_gnu(call: Call, system: Call, arguments: list[str]) -> None:
    await same(call, system, "id", *arguments)


async def test_yes_stops_at_its_limit(call: Call) -> None:
    plain = await call("yes")
    assert plain.exit_code == 0
    assert set(plain.text.splitlines()) == {"y"}
    assert len(plain.output) == 2**20
    words = await call("yes", "no", "🙂")
    assert set(words.text.splitlines()) == {"no 🙂"}
    assert len(words.output) <= 2**20
    long = "a" * 2**21
    assert (await call("yes", long)).text == long + "\n"


async def test_yes_refuses_unknown_options(call: Call, system: Call) -> None:
    await same(call, system, "yes", "--bogus")


async def test_mktemp_creates_a_private_file_in_the_temporary_directory(tree: Path, call: Call) -> None:
    created = await call("mktemp", env={"TMPDIR": str(tree)})
    path = Path(created.text.rstrip("\n"))
    assert path.parent == tree
    assert path.name.startswith("tmp.")
    assert path.stat().st_mode & 0o777 == 0o600


async def test_mktemp_creates_a_private_directory(tree: Path, call: Call) -> None:
    path = tree / (await call("mktemp", "-d", "a b.XXXX.d", cwd=tree)).text.rstrip("\n")
    assert path.is_dir()
    assert path.stat().st_mode & 0o777 == 0o700
    assert path.name.endswith(".d")


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (["-p", "directory"], "directory/tmp."),
        (["-p", "directory", "x.XXX"], "directory/x."),
        (["--tmpdir=directory", "x.XXX"], "directory/x."),
        (["--tmpdir", "x.XXX"], "temporary/x."),
        (["-t", "x.XXX"], "temporary/x."),
        (["--suffix=.py", "x.XXX"], "x."),
        (["x.XXX"], "x."),
    ],
    ids=repr,
)
async def test_mktemp_creates_the_file_in_the_right_place(
    tree: Path, call: Call, arguments: list[str], where: str
) -> None:
    (tree / "temporary").mkdir()
    created = await call("mktemp", *arguments, cwd=tree, env={"TMPDIR": "temporary"})
    assert created.text.startswith(where)
    assert (tree / created.text.rstrip("\n")).is_file()


async def test_mktemp_only_prints_a_name_on_a_dry_run(tree: Path, call: Call) -> None:
    named = await call("mktemp", "-u", "x.XXX", cwd=tree)
    assert named.exit_code == 0
    assert not (tree / named.text.rstrip("\n")).exists()


@pytest.mark.parametrize("name", ["uname", "id", "realpath", "mktemp", "yes"])
async def test_every_command_has_help_and_a_version(call: Call, name: str) -> None:
    explained = await call(name, "--help")
    assert explained.exit_code == 0
    assert explained.text.startswith(f"Usage: {name}")
    version = await call(name, "--version")
    assert version.exit_code == 0
    assert version.text.startswith(name)
