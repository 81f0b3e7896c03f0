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
from .folder import contents, create

ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "HOME": "/root",
    "USER": "root",
    "COLUMNS": "80",
    "PATH": os.environ["PATH"],
}
_TOKEN = re.compile(r"""[;|]|2?>|<|(?:\$?'[^']*'|"[^"]*"|\\.|[^\s;|<>'"\\])+""")
_ASSIGNMENT = re.compile(r"[A-Z_]+=.*", re.DOTALL)


@dataclass(frozen=True)
class Result:
    """The answer to a line; in the output, a character stands for each byte.

    Attributes:
        stdout: The standard output.
        exit_code: The exit code of the last command.
        error: The first line of the standard error, without the program's name.
        files: The paths that have changed, with their contents.
    """

    stdout: str
    exit_code: int
    error: str
    files: dict[str, str]

    def equals(self, other: Result) -> bool:
        """Return whether both say the same; the words of an error may differ."""
        mine = (self.stdout, self.exit_code, bool(self.error), self.files)
        return mine == (other.stdout, other.exit_code, bool(other.error), other.files)


def system(line: str, root: Path) -> Result:
    """Run a line with the system's programs."""
    create(root)
    before = contents(root)
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=root,
        env=ENVIRONMENT,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=20,
    )
    return _result(done.stdout, done.stderr, done.returncode, root, before)


async def ours(line: str, root: Path) -> Result:
    """Run a line with our commands, in a new folder.

    A line has commands with single, double or `$'…'` quotes, assignments in front, `|`, `;`, `< FILE` and `> FILE`.
    """
    create(root)
    before = contents(root)
    stdout, stderr, code = bytearray(), bytearray(), 0
    for pipeline in _split(_TOKEN.findall(line), ";"):
        data = b""
        for command in _split(pipeline, "|"):
            invocation, target = _invocation(command, data, root)
            code = await _run(invocation)
            data = invocation.stdout.bytes()
            stderr += invocation.stderr.bytes()
            if target:
                (root / target).write_bytes(data)
                data = b""
        stdout += data
    return _result(bytes(stdout), bytes(stderr), code, root, before)


def _invocation(tokens: list[str], data: bytes, root: Path) -> tuple[Invocation, str]:
    """Return the call of a command, and the file that its output goes to."""
    words: list[str] = []
    env, target, size = dict(ENVIRONMENT), "", None
    rest = iter(tokens)
    for token in rest:
        if token == "<":
            data = (root / _unquoted(next(rest))).read_bytes()
            size = len(data)
        elif token == ">":
            target = _unquoted(next(rest))
        elif not words and _ASSIGNMENT.fullmatch(token):
            name, _, value = _unquoted(token).partition("=")
            env[name] = value
        else:
            words.append(_unquoted(token))
    invocation = Invocation(words, stdin=data, cwd=str(root), env=env, stdin_size=size)
    connect(invocation)
    return invocation, target


async def _run(invocation: Invocation) -> int:
    """Run a command, or one of the few that are the shell's."""
    match invocation.argv:
        case ["echo", *words]:
            invocation.print(" ".join(words))
            return 0
        case ["printf", text]:
            invocation.stdout.write(text.encode("latin-1").decode("unicode_escape").encode("latin-1"))
            return 0
        case _:
            return await run(invocation, COMMANDS)


def _result(stdout: bytes, stderr: bytes, code: int, root: Path, before: dict[str, str]) -> Result:
    after = contents(root)
    files = {name: "(removed)" for name in before if name not in after}
    files |= {name: content for name, content in after.items() if before.get(name) != content}
    first = stderr.decode("utf-8", "backslashreplace").lstrip("\n").partition("\n")[0]
    error = re.sub(r"^(/usr/bin/)?[\w-]+: ", "", first).replace("‘", "'").replace("’", "'")
    return Result(
        stdout.decode("latin-1").replace(str(root), "ROOT"), code, error.replace(str(root), "ROOT"), files
    )


def _unquoted(word: str) -> str:
    if match := re.fullmatch(r"(.*?)\$'([^']*)'(.*)", word):
        raw = match[2].encode("latin-1").decode("unicode_escape").encode("latin-1")
        return _unquoted(match[1]) + raw.decode("utf-8", "surrogateescape") + _unquoted(match[3])
    return shlex.split(word)[0] if word else ""


def _split(tokens: list[str], operator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == operator:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
