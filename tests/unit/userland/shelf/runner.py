"""Runs a line: with our commands in this process, or with the system's in its bash."""

import os
import re
import shlex
import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path

from gemini_userland import COMMANDS, run
from gemini_userland.invocation import Invocation

from .folder import copy

ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/root", "USER": "root", "PATH": os.environ["PATH"]}


OPERATORS = (";", "|", "<", ">")


@dataclass
class Result:
    """The output, the errors, the exit code of a line, and the files that it changed."""

    stdout: str
    stderr: str
    exit_code: int
    files: dict[str, str]


def lines() -> list[str]:
    """Read `lines.txt`; lines that begin with # are comments."""
    text = (Path(__file__).parent / "lines.txt").read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def files(root: Path) -> dict[str, str]:
    """Return the content of every file below `root`; for an archive, that of its members."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_dir():
            found[name + "/"] = ""
        elif path.suffix == ".db":
            with sqlite3.connect(path) as database:
                found[name] = "\n".join(database.iterdump())
        elif path.suffix != ".zip":
            executable = " (executable)" if path.stat().st_mode & 0o111 else ""
            found[name + executable] = path.read_text("utf-8", "surrogateescape")
    return found


def changed(root: Path, before: dict[str, str]) -> dict[str, str]:
    """Return the files that differ from `before`; a removed one has the content "(removed)"."""
    after = files(root)
    gone = {name: "(removed)" for name in before if name not in after}
    return gone | {name: content for name, content in after.items() if before.get(name) != content}


def system(line: str, root: Path) -> Result:
    """Run a line with the system's programs."""
    copy(root)
    before = files(root)
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=root,
        env=ENVIRONMENT,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Result(_text(done.stdout), _text(done.stderr), done.returncode, changed(root, before))


async def ours(line: str, root: Path) -> Result:
    """Run a line with our commands. Lines have commands, pipes, `;`, `<` and `>`."""
    copy(root)
    before = files(root)
    stdout, stderr = bytearray(), bytearray()
    exit_code = 0
    for pipeline in _split(_words(line), ";"):
        data = b""
        for command in _split(pipeline, "|"):
            words, source, target = _redirections(command)
            invocation = Invocation(
                words, stdin=(root / source).read_bytes() if source else data, cwd=str(root)
            )
            invocation.env.update(ENVIRONMENT)
            exit_code = await _run(invocation)
            data = invocation.stdout.bytes()
            stderr += invocation.stderr.bytes()
            if target:
                (root / target).write_bytes(data)
                data = b""
        stdout += data
    return Result(_text(stdout), _text(stderr), exit_code, changed(root, before))


def _text(data: bytes | bytearray) -> str:
    return data.decode("utf-8", "backslashreplace")


async def _run(invocation: Invocation) -> int:
    if invocation.name == "echo":
        invocation.print(" ".join(invocation.argv[1:]))
        return 0
    if invocation.name == "cat":
        for name in invocation.argv[1:]:
            path = Path(invocation.path(name))
            if not path.exists():
                invocation.error(f"{name}: No such file or directory")
                return 1
            invocation.stdout.write(path.read_bytes())
        return 0
    return await run(invocation, COMMANDS)


def _words(line: str) -> list[str]:
    """Split a line into words, each after a mark, and operators without one."""
    found = re.findall(r"""[;|<>]|(?:'[^']*'|"[^"]*"|[^\s;|<>'"])+""", line)
    return [word if word in OPERATORS else "=" + shlex.split(word)[0] for word in found]


def _split(words: list[str], operator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == operator:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _redirections(words: list[str]) -> tuple[list[str], str, str]:
    found: list[str] = []
    source = target = ""
    rest = iter(words)
    for word in rest:
        if word == "<":
            source = next(rest)[1:]
        elif word == ">":
            target = next(rest)[1:]
        else:
            found.append(word[1:])
    return found, source, target
