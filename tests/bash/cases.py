"""Everyday one-liners, and the output of bash 5.2 for them.

The cases in `seen/` were used during development, those in `unseen/` only at its end: the difference between the two
shows overfitting. A file holds many cases: a line `### name`, and the script below it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILES = HERE / "files"
SETS = ("seen", "unseen")
BASH = ["bash", "--noprofile", "--norc", "-c"]
# Background processes start with SIGINT ignored, and bash can't trap a signal that was ignored at its start.
INTERRUPTIBLE = ["env", "--default-signal=INT"]
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/home/user",
    "USER": "user",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
}
MODIFIED = 1_700_000_000
TIMEOUT_S = 30

# The known differences from bash, with their reasons; docs/shell.md describes them.
KNOWN = {
    "text: awk gsub and match": "mawk counts bytes, awk here characters",
    "tools: perl substitutes": "there is no perl",
    "files: find by size": "the engine's find sorts a directory's names, GNU's takes them in directory order",
    "files: sizes of files": "the engine's du has no -b",
    "files: dd copies bytes": "there is no dd",
    "jobs: a coprocess-free pipe": "there are no named pipes",
    "everyday_files: find with a size and name": "the engine's find doesn't round sizes up",
    "everyday_files: extglob removal": "bash refuses !(…) on the line that sets extglob",
    "everyday_language: xtrace": "the commands of a pipeline trace in another order",
    "everyday_text: patch round trip": "there is no patch",
    "everyday_text: jq with exit code": "jq 1.7 ends with 5 where 1.6 ends with 4",
    "project_files: delete empty directories": "the engine's find -delete goes from the top",
}


@dataclass(frozen=True)
class OneLiner:
    """A script with its name and its set."""

    name: str
    script: str
    set_name: str


@dataclass(frozen=True)
class Answer:
    """Standard output, with a character for each byte, and the exit code."""

    stdout: str
    exit_code: int


def load(set_name: str) -> list[OneLiner]:
    """Return the cases of a set, by topic and in file order."""
    return [
        OneLiner(f"{path.stem}: {name}", script.rstrip("\n"), set_name)
        for path in sorted((HERE / set_name).glob("*.sh"))
        for name, _, script in (
            block.partition("\n")
            for block in re.split(r"^### ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        )
    ]


def files() -> dict[str, str]:
    """Return the files in each case's directory, by relative path."""
    found = sorted(path for path in FILES.rglob("*") if path.is_file())
    return {str(path.relative_to(FILES)): path.read_text(encoding="utf-8") for path in found}


def has_bash() -> bool:
    """Return whether bash 5.2 is installed."""
    version = subprocess.run(["bash", "--version"], capture_output=True, text=True, check=False).stdout
    return "version 5.2" in version


def in_bash(case: OneLiner, directory: Path) -> Answer:
    """Run a case in the system's bash, in a new directory with this path."""
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(FILES, directory)
    for path in [*directory.rglob("*"), directory]:
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (MODIFIED, MODIFIED))
    done = subprocess.run(
        [*INTERRUPTIBLE, *BASH, case.script],
        cwd=directory,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return Answer(done.stdout.decode("latin-1").replace(str(directory), "DIRECTORY"), done.returncode)


def request(cases: list[OneLiner]) -> dict[str, Any]:
    """Return the request to `conductor.conduct` for these cases."""
    return {
        "files": files(),
        "scripts": [case.script for case in cases],
        "modified": MODIFIED,
        "limit_s": TIMEOUT_S,
    }


def answers(results: list[dict[str, Any]]) -> list[Answer]:
    """Return the answers in the results of `conductor.conduct`."""
    return [Answer(one["stdout"].replace(one["directory"], "DIRECTORY"), one["exit_code"]) for one in results]
