"""Runs lines in the shell as the page runs them, and in the system's bash, in folders with the same files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.unit.shell.engine import MODULES, Engine
from tests.unit.userland.coreutils.folder import FILES, TIME, create

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
# Both sides have the same path, because some programs print it.
FOLDER = "/tmp/sweep/folder"
LINKS = {"link": "abc", "dangling": "nowhere", "way": "sub"}
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/root",
    "USER": "root",
    "LOGNAME": "root",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}
LIMIT_S = 10


@dataclass(frozen=True)
class Answer:
    """The output of a line and the first line of its errors, with a character for each byte, and its exit code."""

    stdout: str
    exit_code: int
    error: str


def ours(engine: Engine, lines: Sequence[str]) -> list[Answer]:
    """Run lines in the engine, each in a shell and a folder of its own."""
    request = {
        "lines": lines,
        "library": _library(),
        "glue": (HERE / "glue.py").read_text(),
        "files": {name: content.decode("latin-1") for name, content in FILES.items()},
        "links": LINKS,
        "time": TIME,
        "root": FOLDER,
        "environment": ENVIRONMENT,
        "limit_ms": LIMIT_S * 1000,
    }
    pyodide = (MODULES / "pyodide/pyodide.mjs").as_uri()
    command = [engine.node, HERE / "sweep.mjs", engine.bundle.as_uri(), pyodide]
    done = subprocess.run(command, input=json.dumps(request), stdout=subprocess.PIPE, text=True, check=True)
    return [Answer(one["stdout"], one["exit_code"], _error(one["stderr"])) for one in json.loads(done.stdout)]


def _error(errors: str) -> str:
    """Return the first line of errors, and for a command that isn't there also the hint below."""
    first, second = first_line(errors), first_line(errors.partition("\n")[2])
    return f"{first}; {second}" if first.endswith("command not found") and second else first


def _library() -> dict[str, str]:
    source = ROOT / "py"
    paths = sorted((source / "gemini_userland").rglob("*.py"))
    return {str(path.relative_to(source)): path.read_bytes().decode("latin-1") for path in paths}


def system(line: str) -> Answer:
    """Run a line with the system's programs."""
    folder = Path(FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    create(folder)
    for name, target in LINKS.items():
        (folder / name).symlink_to(target)
    os.utime(folder / "sub", (TIME, TIME))
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=LIMIT_S,
    )
    return Answer(done.stdout.decode("latin-1"), done.returncode, first_line(done.stderr.decode("latin-1")))


def first_line(errors: str) -> str:
    """Return the first line of errors, with plain apostrophes and without the line number that bash adds."""
    text = errors.encode("latin-1").decode("utf-8", "replace")
    text = text.replace("‘", "'").replace("’", "'").partition("\n")[0]
    return text.replace("bash: line 1: ", "bash: ")
