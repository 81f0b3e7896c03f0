"""make, held against GNU make: the same makefiles, the same output, the same files."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ENVIRONMENT, Call, Outcome
from .make_cases import CASES, Case

GNU = (
    subprocess.run(["make", "--version"], capture_output=True, text=True).stdout
    if shutil.which("make")
    else ""
)
LONG_AGO = 1_700_000_000


def prepare(root: Path, case: Case) -> Path:
    """Write the case's files."""
    for name, content in {"Makefile": case.makefile, **case.files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    subprocess.run(
        ["find", ".", "-type", "f", "-exec", "touch", "-d", f"@{LONG_AGO}", "{}", "+"], cwd=root, check=True
    )
    return root


@pytest.fixture(scope="session")
def our_make(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for PATH in which `make` is ours, for makefiles that call it."""
    directory = tmp_path_factory.mktemp("bin")
    here = Path(__file__)
    script = directory / "make"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path[:0] = [{str(here.parents[4])!r}, {str(here.parents[4] / 'py')!r}]\n"
        "from tests.unit.terminals.commands.conftest import main\nmain()\n"
    )
    script.chmod(0o755)
    return directory


async def run_steps(case: Case, root: Path, run: Call, path: str) -> list[str]:
    """Run the steps and return what each printed, in a form that can be compared."""
    seen: list[str] = []
    for step in case.steps:
        words = shlex.split(step)
        environment = {"PATH": path}
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
                env={**ENVIRONMENT, "PATH": path},
                capture_output=True,
                text=True,
            )
            seen.append(f"$ {step}\n{shell.stdout}--- {shell.returncode}\n{shell.stderr}")
    return seen


@pytest.mark.skipif("GNU Make 4.3" not in GNU, reason="the expected output is GNU make 4.3's")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_make_does_what_gnu_make_does(
    tmp_path: Path, call: Call, system: Call, our_make: Path, case: Case
) -> None:
    ours, theirs = prepare(tmp_path / "ours" / "w", case), prepare(tmp_path / "theirs" / "w", case)
    usual = ENVIRONMENT["PATH"]
    mine = await run_steps(case, ours, call, f"{our_make}:{usual}")
    other = await run_steps(case, theirs, system, usual)
    assert "\n".join(mine) == re.sub(r"(?m)^Built for.*\n", "", "\n".join(other))
    assert sorted(str(one.relative_to(ours)) for one in ours.rglob("*")) == sorted(
        str(one.relative_to(theirs)) for one in theirs.rglob("*")
    )
