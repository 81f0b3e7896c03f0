"""`make` has the same output and creates the same files as GNU make."""

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gemini_userland import run
from gemini_userland.invocation import Invocation
from tests.tiers import sampled

from .conftest import ENVIRONMENT, Call, Outcome

GNU = (
    subprocess.run(["make", "--version"], capture_output=True, text=True, check=False).stdout
    if shutil.which("make")
    else ""
)
LONG_AGO = 1_700_000_000


@dataclass
class Case:
    """A case: shell lines to run in a directory with `files`; those that begin with `make` are compared."""

    name: str
    steps: list[str] = field(default_factory=list[str])
    files: dict[str, str] = field(default_factory=dict[str, str])


def read_cases() -> Iterator[Case]:
    """Read `make_cases.txt`: "=== name", then "$ step" lines, then files, each after a line "@@ name"."""
    for part in re.split(
        r"^=== ", (Path(__file__).parent / "make_cases.txt").read_text(), flags=re.MULTILINE
    )[1:]:
        head, *files = re.split(r"^@@ ", part, flags=re.MULTILINE)
        name, *steps = head.splitlines()
        contents = dict(file.split("\n", 1) for file in files)
        yield Case(name, [step.removeprefix("$ ") for step in steps], contents)


CASES = [
    *read_cases(),
    Case(
        "windows line ends", ["make"], {"Makefile": "A = 1\r\nall: b\r\n\t@echo '$(A)'\r\nb: ; @echo b\r\n"}
    ),
    Case("no newline at the end", ["make"], {"Makefile": "all:\n\t@echo end"}),
]


def prepare(root: Path, case: Case) -> Path:
    """Write the case's files."""
    for name, content in case.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
        os.utime(path, (LONG_AGO, LONG_AGO))
    return root


@pytest.fixture(scope="session")
def our_make(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for PATH with our `make`, for makefiles that call it."""
    directory = tmp_path_factory.mktemp("bin")
    root = Path(__file__).parents[3]
    script = directory / "make"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path[:0] = [{str(root)!r}, {str(root / 'py')!r}]\n"
        "from tests.unit.userland.conftest import main\nmain()\n"
    )
    script.chmod(0o755)
    return directory


async def run_steps(case: Case, root: Path, run: Call, path: str) -> list[str]:
    """Run the steps and return the output of each, in a form to compare."""
    seen: list[str] = []
    for step in case.steps:
        words = shlex.split(step)
        environment = {"PATH": path, "LC_ALL": "C"}
        if words[0] == "env":
            while "=" in words[1]:
                name, _, value = words.pop(1).partition("=")
                environment[name] = value
            words.pop(0)
        if words[0] == "make" and "|" not in step:
            done: Outcome = await run(*words, cwd=root, env=environment)
            output, error = done.text, done.error
            seen.append(f"$ {step}\n{output}--- {done.exit_code}\n{error}".replace(str(root), "ROOT"))
        else:
            shell = subprocess.run(
                ["bash", "-c", step],
                cwd=root,
                env={**ENVIRONMENT, **environment},
                check=False,
                capture_output=True,
                text=True,
            )
            seen.append(f"$ {step}\n{shell.stdout}--- {shell.returncode}\n{shell.stderr}")
    return seen


@pytest.mark.skipif("GNU Make 4.3" not in GNU, reason="the expected output is GNU make 4.3's")
@pytest.mark.parametrize("case", sampled(CASES, every=3), ids=lambda case: case.name)
async def test_make_matches_gnu_make(
    tmp_path: Path, call: Call, system: Call, our_make: Path, case: Case
) -> None:
    ours, theirs = prepare(tmp_path / "ours" / "w", case), prepare(tmp_path / "theirs" / "w", case)
    usual = ENVIRONMENT["PATH"]
    mine = await run_steps(case, ours, call, f"{our_make}:{usual}")
    other = await run_steps(case, theirs, system, usual)
    assert "\n".join(mine) == "\n".join(other)
    assert sorted(str(one.relative_to(ours)) for one in ours.rglob("*")) == sorted(
        str(one.relative_to(theirs)) for one in theirs.rglob("*")
    )


@pytest.mark.parametrize("arguments", [["-%"], ["--zork"], ["-C"], ["--directory"], ["--no-silent=1"]])
async def test_make_refuses_unknown_options(call: Call, system: Call, arguments: list[str]) -> None:
    mine, other = await call("make", *arguments), await system("make", *arguments)
    assert (mine.exit_code, mine.output) == (other.exit_code, other.output)
    assert mine.error.splitlines()[0] == other.error.splitlines()[0]


@pytest.mark.parametrize("option", ["-p", "-d", "--trace"])
async def test_make_refuses_unsupported_options(call: Call, option: str) -> None:
    assert (await call("make", option)).exit_code == 2


@pytest.mark.parametrize("directive", ["vpath %.c src", "load x.so"])
async def test_make_reports_unsupported_directives(tmp_path: Path, call: Call, directive: str) -> None:
    (tmp_path / "Makefile").write_text(f"{directive}\nall: ; @echo all\n")
    done = await call("make")
    assert done.exit_code == 2
    assert "not supported" in done.error


async def test_make_has_help_and_a_version(call: Call) -> None:
    for option in ("-h", "--help"):
        assert (await call("make", option)).text.startswith("Usage: make")
    for option in ("-v", "--version"):
        assert "GNU Make 4.3" in (await call("make", option)).text


async def test_make_refuses_vpath(tmp_path: Path, call: Call) -> None:
    (tmp_path / "Makefile").write_text("VPATH = src\nall: ; @echo all\n")
    done = await call("make")
    assert done.exit_code == 2
    assert "VPATH is not supported" in done.error


async def test_endless_recursion_is_an_error(tmp_path: Path, call: Call) -> None:
    (tmp_path / "Makefile").write_text("f = $(call f,$(1)x)\nall: ; @echo $(call f)\n")
    done = await call("make")
    assert (done.exit_code, done.error) == (2, "make: *** references are nested too deeply.  Stop.\n")


async def test_an_interrupted_recipe_leaves_no_incomplete_target(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("out: ; begin\n.PRECIOUS: precious\nprecious: ; begin\n")
    started = asyncio.Event()

    async def shell(script: str, directory: str, environment: Mapping[str, str]) -> int:
        (tmp_path / target).write_text("half")
        started.set()
        await asyncio.Event().wait()
        return 0

    for target, stays in (("out", False), ("precious", True)):
        invocation = Invocation(["make", target], cwd=str(tmp_path), shell=shell)
        task = asyncio.create_task(run(invocation))
        await started.wait()
        started.clear()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (tmp_path / target).exists() == stays
        assert ("Deleting file 'out'" in invocation.stderr.text()) == (not stays)


async def test_make_uses_the_terminals_directory(tmp_path: Path, call: Call, system: Call) -> None:
    (tmp_path / "sub dir 🙂").mkdir()
    (tmp_path / "sub dir 🙂" / "Makefile").write_text("all: ; @echo $(notdir $(CURDIR)); ls\n")
    (tmp_path / "file").write_text("")
    for arguments, where in (
        (["-C", "sub dir 🙂"], tmp_path),
        ([], tmp_path / "sub dir 🙂"),
        (["-C", "file"], tmp_path),
    ):
        mine, other = await call("make", *arguments, cwd=where), await system("make", *arguments, cwd=where)
        assert (mine.exit_code, mine.output) == (other.exit_code, other.output)
        assert mine.error == other.error
