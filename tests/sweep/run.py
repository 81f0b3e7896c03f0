"""Runs lines in the shell as the page runs them, and in the system's bash, in folders with the same files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.corpora.folders import text
from tests.unit.computer.shell.engine import PYODIDE, Engine

from . import project
from .contents import Entry, changes, entries, shortened

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
# Of a longer output, there is the beginning and a digest.
LONGEST = 3000
# A line sees only the processes that it has started, so that it can end no other.
ALONE = ("unshare", "-pf", "--mount-proc", "--kill-child", "sh", "-c", 'bash -c "$0"; exit $?')
# The topics whose lines start in the folder of project.py, and whose changed files are compared.
PROJECTS = {"packages"}


@dataclass(frozen=True)
class Line:
    """A line of a topic.

    Attributes:
        text: The commands.
        topic: The name of its table, which decides its folder's contents.
    """

    text: str
    topic: str


@dataclass(frozen=True)
class Answer:
    """The effect of a line; in its output and files, a character stands for each byte.

    Attributes:
        stdout: The standard output.
        exit_code: The exit code of the last command.
        error: The first line of the errors.
        files: The paths that have changed, with what they have now.
    """

    stdout: str
    exit_code: int
    error: str
    files: dict[str, str] = field(default_factory=dict[str, str])


def _create(topic: str, root: Path) -> None:
    """Write the files that the lines of a topic start with into a folder."""
    if topic in PROJECTS:
        project.create(root)
        return
    text.create(root)
    for name, target in LINKS.items():
        (root / name).symlink_to(target)
    os.utime(root / "sub", (text.TIME, text.TIME))


@cache
def _before(topic: str) -> dict[str, Entry]:
    with tempfile.TemporaryDirectory() as root:
        _create(topic, Path(root))
        return entries(Path(root))


def ours(engine: Engine, lines: Sequence[Line]) -> list[Answer]:
    """Run lines in the engine, each in a shell and a separate folder."""
    request = {
        "lines": [vars(line) for line in lines],
        "library": _library(),
        "glue": (HERE / "glue.py").read_text(),
        "folders": {line.topic: _before(line.topic) for line in lines},
        "root": FOLDER,
        "environment": ENVIRONMENT,
        "limit_ms": LIMIT_S * 1000,
    }
    pyodide = PYODIDE.as_uri()
    command = [engine.node, HERE / "sweep.mjs", engine.bundle.as_uri(), pyodide, engine.jq.as_uri()]
    done = subprocess.run(command, input=json.dumps(request), stdout=subprocess.PIPE, text=True, check=True)
    answers = json.loads(done.stdout)
    return [
        Answer(
            shortened(one["stdout"], LONGEST),
            one["exit_code"],
            _error(one["stderr"]),
            _changes(line, one["entries"]),
        )
        for line, one in zip(lines, answers, strict=True)
    ]


def _changes(line: Line, after: Mapping[str, Entry]) -> dict[str, str]:
    return changes(_before(line.topic), after) if line.topic in PROJECTS else {}


def _error(errors: str) -> str:
    """Return the first line of errors, and for a command that isn't there also the hint below."""
    first, second = first_line(errors), first_line(errors.partition("\n")[2])
    return f"{first}; {second}" if first.endswith("command not found") and second else first


def _library() -> dict[str, str]:
    source = ROOT / "py"
    paths = sorted((source / "gemini_userland").rglob("*.py"))
    return {str(path.relative_to(source)): path.read_bytes().decode("latin-1") for path in paths}


def system(line: Line) -> Answer:
    """Run a line with the system's programs, as root."""
    folder = Path(FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _create(line.topic, folder)
    done = subprocess.run(
        [*ALONE, line.text],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=LIMIT_S,
    )
    error = first_line(done.stderr.decode("latin-1"))
    return Answer(
        shortened(done.stdout.decode("latin-1"), LONGEST),
        done.returncode,
        error,
        _changes(line, entries(folder)),
    )


def first_line(errors: str) -> str:
    """Return the first line of errors, with plain apostrophes and without the line number that bash adds."""
    text = errors.encode("latin-1").decode("utf-8", "replace").lstrip("\n")
    text = text.replace("‘", "'").replace("’", "'").partition("\n")[0]
    return text.replace("bash: line 1: ", "bash: ")
