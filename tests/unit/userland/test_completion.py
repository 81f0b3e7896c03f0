"""Completion of a shell's command line."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from gemini_userland import COMMANDS
from gemini_userland.completion import Shell, complete
from gemini_userland.completion.options import options_of
from gemini_userland.invocation import Invocation

COMMAND_NAMES = ["cd", "echo", "export", "git", "grep", "make", "if"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in (
        "alpha.txt",
        "alpine",
        "two words.txt",
        ".hidden",
        "it's",
        "src/main.py",
        "src/lib/x.py",
        "$x",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    program = tmp_path / "bin" / "runner"
    program.parent.mkdir()
    program.touch(mode=0o755)
    (tmp_path / "bin" / "notes").touch(mode=0o644)
    return tmp_path


@pytest.fixture
def shell(project: Path) -> Shell:
    variables = {"HOME": str(project), "PATH": f"{project}/bin", "HOSTNAME": "page", "DATA": "5"}
    return Shell(str(project), COMMAND_NAMES, variables)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("gr", ["grep "]),
        ("e", ["echo ", "export "]),
        ("run", ["runner "]),
        ("no", []),
        ("FOO=1 ech", ["echo "]),
        ("true && ec", ["echo "]),
        ("x | gre", ["grep "]),
        ("if gre", ["grep "]),
        ("command ec", ["echo "]),
        ("echo $(gre", ["grep "]),
        ('echo "$(gre', ["grep "]),
        ("./bin/", ["./bin/runner "]),
        ("echo # ec", []),
    ],
)
def test_the_first_word_is_a_command(shell: Shell, before: str, expected: list[str]) -> None:
    assert complete(before, shell) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("cat alp", ["alpha.txt ", "alpine "]),
        ("cat src/m", ["src/main.py "]),
        ("cat s", ["src/"]),
        ("cat tw", ["two\\ words.txt "]),
        ("cat two\\ w", ["two\\ words.txt "]),
        ('cat "tw', ['"two words.txt" ']),
        ("cat 'it", ["'it'\\''s' "]),
        ('cat "$', ['"$DATA', '"$HOME/', '"$HOSTNAME', '"$PATH/']),
        ("cat it", ["it\\'s "]),
        ("cat .h", [".hidden "]),
        ("cat ~/sr", ["~/src/"]),
        ("cat $HOME/sr", ["$HOME/src/"]),
        ("cd s", ["src/"]),
        ("cd alp", []),
        ("echo x >alp", ["alpha.txt ", "alpine "]),
        ("echo x 2> src/m", ["src/main.py "]),
        ("X=src/m", ["X=src/main.py "]),
        ("grep --file=alpha", ["--file=alpha.txt "]),
        ("cat missing/", []),
        ("ls; cat src/li", ["src/lib/"]),
        ("cat $(ls) alpi", ["alpine "]),
    ],
)
def test_other_words_are_paths(shell: Shell, before: str, expected: list[str]) -> None:
    assert complete(before, shell) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("echo $DA", ["$DATA "]),
        ("echo ${HOST", ["${HOSTNAME}"]),
        ("echo $HOM", ["$HOME/"]),
        ('echo "is $DA', ['"is $DATA']),
        ("echo '$DA", []),
        ("export HOST", ["HOSTNAME "]),
    ],
)
def test_variables_are_completed(shell: Shell, before: str, expected: list[str]) -> None:
    assert complete(before, shell) == expected


def test_options_are_those_of_the_command(shell: Shell) -> None:
    assert complete("grep --inc", shell) == ["--include="]
    assert complete("sort --num", shell) == ["--numeric-sort "]
    assert complete("tar --extr", shell) == ["--extract "]
    assert complete("find . -maxd", shell) == ["-maxdepth "]
    assert complete("git commit --am", shell) == ["--amend "]
    assert complete("unknown --", shell) == []


@pytest.mark.parametrize("name", ["grep", "sort", "ls", "tar", "make", "diff", "wc"])
async def test_every_long_option_offered_is_accepted(name: str) -> None:
    offered = [option for option in options_of(name, [name]) if option.startswith("--")]
    assert offered
    for option in offered:
        call = Invocation([name, option + ("1" if option.endswith("=") else ""), "--help"])
        await COMMANDS[name](call)
        assert "unrecognized option" not in call.stderr.text()


def test_git_branches_come_from_the_repository_s_files(project: Path, shell: Shell) -> None:
    store = project / ".git"
    for name in ("refs/heads/main", "refs/heads/feature/tab", "refs/remotes/origin/main"):
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        (store / name).write_text("0" * 40 + "\n")
    (store / "HEAD").write_text("ref: refs/heads/main\n")
    (store / "packed-refs").write_text(f"# pack-refs with: peeled\n{'1' * 40} refs/tags/v1.0\n^{'2' * 40}\n")

    assert complete("git switch fea", shell) == ["feature/tab "]
    assert complete("git merge v", shell) == ["v1.0 "]
    assert {"HEAD ", "main ", "origin/main ", "alpine "} <= set(complete("git checkout ", shell))
    assert complete("git che", shell) == ["checkout ", "cherry-pick "]
    assert complete("cd src; git -C .. switch m", Shell(f"{project}/src", COMMAND_NAMES)) == ["main "]
    assert complete("git switch m", Shell(f"{project}/src/lib", COMMAND_NAMES)) == ["main "]


@pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")
def test_git_branches_are_those_that_git_lists(project: Path, shell: Shell) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        return subprocess.run(
            ["git", *identity, *arguments], cwd=project, check=True, capture_output=True, text=True
        ).stdout

    git("init", "-q", "-b", "trunk")
    assert complete("git switch t", shell) == ["trunk "]
    git("commit", "-q", "--allow-empty", "-m", "first")
    for branch in ("one", "two/three"):
        git("branch", branch)
    git("tag", "v2")
    git("pack-refs", "--all")
    git("branch", "later")
    listed = git("for-each-ref", "--format=%(refname:short)").split()
    assert complete("git switch ", shell) == sorted(f"{name} " for name in [*listed, "HEAD"])


def test_targets_come_from_the_makefile(project: Path, shell: Shell) -> None:
    (project / "Makefile").write_text(
        "X := a:b\nY = c:d\n.PHONY: all\nall install: \\\n  build\n\t@echo one: two\n%.o: %.c\n$(OUT): x\nbuild::\n"
    )
    assert complete("make ", shell) == ["all ", "build ", "install "]
    assert complete("make -C . inst", shell) == ["install "]
    assert complete("make -f alp", shell) == ["alpha.txt ", "alpine "]
