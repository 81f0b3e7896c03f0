"""The colors and columns of programs whose output a user sees on a terminal of 60 columns, as Debian's print them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gemini_userland import run
from gemini_userland.invocation import Display, Invocation, Machine

# Coreutils 9.1 and grep 3.8, without LS_COLORS.
LS = {
    "ls": " a      dangling  \"it's\"  'n'$'\\n''l'   x.tar\n'b c'   dir\t   link    run.sh\n",
    "ls --color=auto": (
        " a      \x1b[0m\x1b[01;36mdangling\x1b[0m  \"it's\"  'n'$'\\n''l'   x.tar\n"
        "'b c'   \x1b[01;34mdir\x1b[0m        \x1b[01;36mlink\x1b[0m    \x1b[01;32mrun.sh\x1b[0m\n"
    ),
    "ls -1 --color=auto": (
        "a\n'b c'\n\x1b[0m\x1b[01;36mdangling\x1b[0m\n\x1b[01;34mdir\x1b[0m\n\"it's\"\n"
        "\x1b[01;36mlink\x1b[0m\n'n'$'\\n''l'\n\x1b[01;32mrun.sh\x1b[0m\nx.tar\n"
    ),
    "ls -m": "a, 'b c', dangling, dir, \"it's\", link, 'n'$'\\n''l', run.sh,\nx.tar\n",
    "ls --classify=auto": (
        " a      dangling@  \"it's\"  'n'$'\\n''l'\t x.tar\n'b c'   dir/\t    link@   run.sh*\n"
    ),
    "ls --color=auto dangling link run.sh 'b c'": (
        "'b c'   \x1b[0m\x1b[01;36mdangling\x1b[0m   \x1b[01;32mrun.sh\x1b[0m\n\nlink:\n"
    ),
    "ls --zero": "a\0b c\0dangling\0dir\0it's\0link\0n\nl\0run.sh\0x.tar\0",
    "ls -x --color": (
        " a           'b c'     \x1b[0m\x1b[01;36mdangling\x1b[0m   \x1b[01;34mdir\x1b[0m  \"it's\"   "
        "\x1b[01;36mlink\x1b[0m\n'n'$'\\n''l'   \x1b[01;32mrun.sh\x1b[0m   x.tar\n"
    ),
    "dir": "a  b\\ c  dangling  dir\tit's  link  n\\nl  run.sh  x.tar\n",
    "ls -N": "a  b c\tdangling  dir  it's  link  n?l\trun.sh\tx.tar\n",
    "ls --color=auto -w0": (
        "a  'b c'  \x1b[0m\x1b[01;36mdangling\x1b[0m  \x1b[01;34mdir\x1b[0m  \"it's\"  "
        "\x1b[01;36mlink\x1b[0m  'n'$'\\n''l'  \x1b[01;32mrun.sh\x1b[0m  x.tar\n"
    ),
    "ls -q": " a      dangling  \"it's\"  'n'$'\\n''l'   x.tar\n'b c'   dir\t   link    run.sh\n",
}
# Diffutils 3.8.
OLD, NEW = "a\nb\nc\nd\n", "a\nx\nc\nd\ne"
DIFF = {
    "": (
        "\x1b[36m2c2\x1b[0m\n\x1b[31m< b\x1b[0m\n---\n\x1b[32m> x\x1b[0m\n\x1b[36m4a5\x1b[0m\n"
        "\x1b[32m> e\x1b[0m\n\\ No newline at end of file\n"
    ),
    "-u --label x --label y": (
        "\x1b[1m--- x\x1b[0m\n\x1b[1m+++ y\x1b[0m\n\x1b[36m@@ -1,4 +1,5 @@\x1b[0m\n a\n\x1b[31m-b\x1b[0m\n"
        "\x1b[32m+x\x1b[0m\n c\n d\n\x1b[32m+e\x1b[0m\n\\ No newline at end of file\n"
    ),
    "-c --label x --label y": (
        "\x1b[1m*** x\x1b[0m\n\x1b[1m--- y\x1b[0m\n***************\n\x1b[36m*** 1,4 ****\x1b[0m\n"
        "\x1b[31m  a\x1b[0m\n\x1b[31m! b\x1b[0m\n\x1b[31m  c\x1b[0m\n\x1b[31m  d\x1b[0m\n"
        "\x1b[36m--- 1,5 ----\x1b[0m\n\x1b[32m  a\x1b[0m\n\x1b[32m! x\x1b[0m\n\x1b[32m  c\x1b[0m\n"
        "\x1b[32m  d\x1b[0m\n\x1b[32m+ e\x1b[0m\n\\ No newline at end of file\n"
    ),
    "-y -W40 --left-column": "a\t\t   (\nb\t\t   |\tx\nc\t\t   (\nd\t\t   (\n\x1b[32m\t\t   >\te\x1b[0m",
    "-n": "d2 1\na2 1\nx\na4 1\ne",
    "-q": "Files old and new differ\n",
    "--palette=ad=33": (
        "\x1b[36m2c2\x1b[0m\n\x1b[31m< b\x1b[0m\n---\n\x1b[33m> x\x1b[0m\n\x1b[36m4a5\x1b[0m\n"
        "\x1b[33m> e\x1b[0m\n\\ No newline at end of file\n"
    ),
}


async def shown(argv: list[str], folder: Path, *, watched: bool = True, term: str = "xterm-256color") -> str:
    """Return the output of a program, on a terminal or in a pipe."""

    async def no_keys() -> list[str] | None:
        return None

    machine = Machine(display=Display(lambda: (60, 24), no_keys))
    streams = frozenset([1, 2]) if watched else frozenset[int]()
    invocation = Invocation(argv, cwd=str(folder), env={"TERM": term}, machine=machine, watched=streams)
    await run(invocation)
    assert invocation.stderr.text() == ""
    return invocation.stdout.text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b c", "it's", "x.tar", "n\nl"):
        (tmp_path / name).touch()
    (tmp_path / "dir").mkdir(0o755)
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "link").symlink_to("dir")
    (tmp_path / "run.sh").write_text("x")
    os.chmod(tmp_path / "run.sh", 0o755)
    return tmp_path


@pytest.fixture
def two_files(tmp_path: Path) -> Path:
    (tmp_path / "old").write_text(OLD)
    (tmp_path / "new").write_text(NEW)
    return tmp_path


@pytest.mark.parametrize("line", LS)
async def test_ls_on_a_terminal(folder: Path, line: str) -> None:
    argv = [word.strip("'") for word in line.replace("b c", "b\0c").split(" ")]
    assert await shown([word.replace("\0", " ") for word in argv], folder) == LS[line]


@pytest.mark.parametrize("line", ["ls", "ls --color=auto", "ls --classify=auto"])
async def test_ls_in_a_pipe(folder: Path, line: str) -> None:
    printed = await shown(line.split(), folder, watched=False)
    assert printed == "a\nb c\ndangling\ndir\nit's\nlink\nn\nl\nrun.sh\nx.tar\n"


@pytest.mark.parametrize("options", DIFF)
async def test_diff_on_a_terminal(two_files: Path, options: str) -> None:
    for when in ("--color", "--color=auto", "--color=always"):
        assert await shown(["diff", when, *options.split(), "old", "new"], two_files) == DIFF[options]


async def test_diff_without_colors(two_files: Path) -> None:
    plain = "2c2\n< b\n---\n> x\n4a5\n> e\n\\ No newline at end of file\n"
    assert await shown(["diff", "old", "new"], two_files) == plain
    assert await shown(["diff", "--color", "old", "new"], two_files, watched=False) == plain
    assert await shown(["diff", "--color", "old", "new"], two_files, term="dumb") == plain
    assert await shown(["diff", "--color=never", "old", "new"], two_files) == plain


async def test_diff_of_an_unknown_color(two_files: Path) -> None:
    for option, problem in {
        "--color=foo": "invalid color 'foo'",
        "--palette=xx=1": "unrecognized prefix: xx",
    }.items():
        invocation = Invocation(["diff", "--color=always", option, "old", "new"], cwd=str(two_files))
        assert await run(invocation) == 2
        assert invocation.stderr.text().startswith(f"diff: {problem}\n")


async def test_grep_on_a_terminal(two_files: Path) -> None:
    assert await shown(["grep", "--color=auto", "b", "old"], two_files) == "\x1b[01;31m\x1b[Kb\x1b[m\x1b[K\n"
    assert await shown(["grep", "--color=auto", "b", "old"], two_files, watched=False) == "b\n"
