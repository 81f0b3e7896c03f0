"""Packages that claim the files of others, names that are paths, and wheels with another hash than required."""

from __future__ import annotations

import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from gemini.computer.python.pip import records, scripts, wheel
from gemini.computer.python.pip.errors import PipError
from gemini.computer.python.pip.requirements import Requirements
from gemini_userland.invocation import Invocation

SITE = ".local/lib/python3.14/site-packages"
DIGEST, OTHER = "a" * 64, "b" * 64


def installed(home: Path, name: str, *listed: str, points: str = "") -> metadata.Distribution:
    """Write what an installer would, with a RECORD that lists these files and its own."""
    information = home / SITE / f"{name}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(points)
    own = [f"{name}.py", f"{information.name}/METADATA", f"{information.name}/RECORD"]
    (information / "RECORD").write_text("".join(f'"{file}",,\n' for file in [*own, *listed]))
    for file in [home / SITE / own[0], home / ".local/bin" / name, home / "thesis.txt"]:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    return metadata.Distribution.at(information)


def files_of(home: Path, name: str) -> set[str]:
    return {str(file) for file in metadata.Distribution.at(home / SITE / f"{name}-1.0.dist-info").files or []}


LISTED = {
    "a file of the user": "../../../../thesis.txt",
    "an absolute path": "{home}/thesis.txt",
    "a file of the user by dots": "greedy/../../../../../thesis.txt",
    "a module of another package": "other.py",
    "another package's RECORD": "other-1.0.dist-info/RECORD",
    "a command of another package": "../../../bin/other",
    "a link out": "out/thesis.txt",
}


@pytest.mark.parametrize("attack", LISTED)
def test_a_package_owns_only_its_files(tmp_path: Path, attack: str) -> None:
    other = installed(tmp_path, "other", "../../../bin/other")
    listed = LISTED[attack].format(home=tmp_path)
    greedy = installed(tmp_path, "greedy", listed, "../../../bin/greedy")
    (tmp_path / SITE / "out").symlink_to(tmp_path)
    records.disown(greedy, [greedy, other], scripts.directory(greedy))
    # The control: its own module, its command and its RECORD stay listed.
    assert files_of(tmp_path, "greedy") == {
        "greedy.py", "greedy-1.0.dist-info/METADATA", "greedy-1.0.dist-info/RECORD", "../../../bin/greedy"
    }  # fmt: skip
    assert "../../../bin/other" in files_of(tmp_path, "other")


@pytest.mark.parametrize("record", ["", "one.py,,", "one-1.0.dist-info/METADATA,,\nnot-there.py,,\n", None])
def test_a_wheel_that_lists_too_few_files_owns_all_of_them(tmp_path: Path, record: str | None) -> None:
    path = tmp_path / "one-1.0-py3-none-any.whl"
    about = "one-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("one.py", "inner/a,b.py", f"{about}/METADATA"):
            archive.writestr(name, "Name: one\nVersion: 1.0\n")
        if record is not None:
            archive.writestr(f"{about}/RECORD", record)
    wheel.unpack(str(path), str(tmp_path / SITE))
    files = {str(file) for file in metadata.Distribution.at(tmp_path / SITE / about).files or []}
    assert files - {"not-there.py"} == {"one.py", "inner/a,b.py", f"{about}/METADATA", f"{about}/RECORD"}


@pytest.mark.parametrize("name", ["../../evil", "/tmp/evil", "..", "a/b", ".", "a\\b"])
def test_an_entry_point_is_the_name_of_a_file(tmp_path: Path, name: str) -> None:
    one = installed(tmp_path, "one", points=f"[console_scripts]\n{name} = one:main\n")
    before = {str(path) for path in tmp_path.rglob("*")}
    with pytest.raises(PipError, match="invalid script entry point"):
        scripts.add(one)
    assert {str(path) for path in tmp_path.rglob("*")} == before
    fine = installed(tmp_path, "fine", points="[console_scripts]\nfine-2.0 = fine:main\n")
    scripts.add(fine)
    assert (tmp_path / ".local/bin/fine-2.0").exists()


@pytest.mark.parametrize(
    ("lines", "accepted", "refused"),
    [
        (f"one --hash=sha256:{DIGEST}", {"one": DIGEST}, {"one": OTHER}),
        (f"One_Two --hash sha256:{DIGEST}", {"one-two": DIGEST}, {"one-two": OTHER}),
        (f"one --hash=sha256:{DIGEST} --hash=sha256:{OTHER}", {"one": OTHER}, {"one": "c" * 64}),
        (f"one --hash=sha256:{DIGEST}", {"one": DIGEST}, {"dependency": DIGEST}),
        (f"one --hash=sha256:{DIGEST}\ntwo", {"one": DIGEST}, {"two": DIGEST}),
        (f"--require-hashes\none \\\n  --hash=sha256:{DIGEST}", {"one": DIGEST}, {"two": OTHER}),
        (f"one --hash=sha256:{DIGEST.upper()}", {"one": DIGEST}, {"one": OTHER}),
        (f"https://a.test/one-1.0-py3-none-any.whl#sha256={DIGEST}", {"one": DIGEST, "two": OTHER}, {"one": OTHER}),
    ],
)  # fmt: skip
def test_a_wheel_with_another_hash_is_not_accepted(
    tmp_path: Path, lines: str, accepted: dict[str, str], refused: dict[str, str]
) -> None:
    (tmp_path / "requirements.txt").write_text(lines)
    requirements = Requirements()
    requirements.read(Invocation(["pip"], cwd=str(tmp_path)), str(tmp_path / "requirements.txt"))
    assert all(requirements.accepts(name, digest) for name, digest in accepted.items())
    assert not any(requirements.accepts(name, digest) for name, digest in refused.items())


def test_a_hash_that_is_not_sha256_or_unknown_is_not_accepted(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(f"one --hash=md5:{'a' * 32}")
    requirements = Requirements()
    requirements.read(Invocation(["pip"], cwd=str(tmp_path)), str(tmp_path / "requirements.txt"))
    assert not requirements.accepts("one", DIGEST) and not requirements.accepts("one", None)
    # The control: without hashes, any wheel is accepted.
    assert Requirements().accepts("one", None)
