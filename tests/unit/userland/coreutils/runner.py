"""Runs a line with our commands in this process, or with the system's in its bash."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from gemini_userland import COMMANDS, run
from gemini_userland.invocation import Invocation

from ..conftest import connect
from .folder import FILES, contents, create

LINES = Path(__file__).parent / "lines"
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/root", "USER": "root", "PATH": os.environ["PATH"]}
OPERATORS = (";", "|", "<")


@dataclass(frozen=True)
class Result:
    """The output and exit code of a line, and the files that it changed; a character stands for each byte."""

    stdout: str
    exit_code: int
    files: dict[str, str]


def lines(topic: str) -> list[str]:
    """Return the lines of a topic; those that begin with # are comments."""
    text = (LINES / f"{topic}.txt").read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def system(line: str, root: Path) -> Result:
    """Run a line with the system's programs."""
    create(root)
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=root,
        env=ENVIRONMENT,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=10,
    )
    return _result(done.stdout, done.returncode, root)


async def ours(line: str, root: Path) -> tuple[Result, str]:
    """Run a line with our commands; return also what they print to standard error.

    The folder `root` has the files of `folder.py`. A line has commands with single or `$'…'` quotes, `|`, `;` and
    `< FILE`.
    """
    stdout, stderr, code = bytearray(), bytearray(), 0
    for pipeline in _split(_words(line), ";"):
        data = b""
        for command in _split(pipeline, "|"):
            source = command[command.index("<") + 1][1:] if "<" in command else None
            words = [word[1:] for word in (command[: command.index("<")] if source else command)]
            stdin = (root / source).read_bytes() if source else data
            invocation = Invocation(words, stdin=stdin, cwd=str(root), env=dict(ENVIRONMENT))
            invocation.stdin_size = (root / source).stat().st_size if source else None
            connect(invocation)
            code = await _run(invocation)
            data = invocation.stdout.bytes()
            stderr += invocation.stderr.bytes()
        stdout += data
    return _result(bytes(stdout), code, root), stderr.decode("utf-8", "replace")


def _result(stdout: bytes, code: int, root: Path) -> Result:
    after = contents(root)
    files = {name: "(removed)" for name in FILES if name not in after}
    files |= {
        name: content.decode("latin-1") for name, content in after.items() if FILES.get(name) != content
    }
    return Result(stdout.decode("latin-1"), code, files)


async def _run(invocation: Invocation) -> int:
    """Run a command, or `cat` and `printf`, which are the shell's."""
    match invocation.argv:
        case ["cat", *names] if not any(name.startswith("-") for name in names):
            for name in names:
                invocation.stdout.write(Path(invocation.path(name)).read_bytes())
            return 0
        case ["printf", text]:
            invocation.stdout.write(text.encode("latin-1").decode("unicode_escape").encode("latin-1"))
            return 0
        case _:
            return await run(invocation, COMMANDS)


def _words(line: str) -> list[str]:
    """Split a line into words, each after a mark, and operators without one."""
    found = re.findall(r"""[;|<]|(?:\$?'[^']*'|"[^"]*"|\\.|[^\s;|<'"\\])+""", line)
    return [word if word in OPERATORS else "=" + _unquoted(word) for word in found]


def _unquoted(word: str) -> str:
    if match := re.fullmatch(r"(.*?)\$'([^']*)'(.*)", word):
        raw = match[2].encode("latin-1").decode("unicode_escape").encode("latin-1")
        return _unquoted(match[1]) + raw.decode("utf-8", "surrogateescape") + _unquoted(match[3])
    return shlex.split(word)[0] if word else ""


def _split(words: list[str], operator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == operator:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts
