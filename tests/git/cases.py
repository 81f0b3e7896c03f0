"""Everyday lines of git, and what git 2.39 prints for them.

`python -m tests.git.cases` records `expected.json` with the system's git, which must be 2.39.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
EXPECTED = HERE / "expected.json"
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
}
MARK = "---\n"


def lines() -> list[tuple[str, str]]:
    """Return each line with the name of its state."""
    text = (HERE / "lines.txt").read_text(encoding="utf-8")
    rows = [row.split("\t", 1) for row in text.splitlines() if not row.startswith("#")]
    return [(state, line) for state, line in rows]


def setup() -> str:
    """Return the script that defines the states."""
    return (HERE / "states.sh").read_text(encoding="utf-8")


def normalized(result: dict[str, Any], directory: str) -> dict[str, Any]:
    """Return a result without its directory."""
    texts = {name: str(result[name]).replace(directory, "DIRECTORY") for name in ("stdout", "stderr")}
    return {**texts, "exit_code": result["exit_code"]}


def expected(lines: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the recorded results of lines."""
    recorded = json.loads(EXPECTED.read_text(encoding="utf-8"))
    return [recorded[f"{state}: {line}"] for state, line in lines]


def has_git() -> bool:
    """Return whether git 2.39 is installed."""
    try:
        version = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return False
    return re.match(r"git version 2\.39\b", version) is not None


def in_git(state: str, line: str) -> dict[str, Any]:
    """Run a line with the system's git."""
    script = f"{setup()}\nstate_{state} >/dev/null 2>&1\necho ---; echo --- >&2\n{line}\n"
    # Some lines write the settings of a user.
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as folder:
        directory = os.path.realpath(folder)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", script],
            cwd=directory,
            env={**ENVIRONMENT, "HOME": home},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        texts = {"stdout": done.stdout, "stderr": done.stderr}
        printed = {name: data.decode().partition(MARK)[2] for name, data in texts.items()}
        return normalized({**printed, "exit_code": done.returncode}, directory)


def main() -> int:
    """Record the expected results."""
    if not has_git():
        print("git 2.39 is not installed", file=sys.stderr)
        return 1
    recorded = {f"{state}: {line}": in_git(state, line) for state, line in lines()}
    EXPECTED.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
