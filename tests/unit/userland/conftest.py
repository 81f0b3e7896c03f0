"""Runs our commands, and the system's commands to compare with."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from gemini.computer.shell.commands import COMMANDS
from gemini_userland import run
from gemini_userland.invocation import Invocation

ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/root", "TERM": "xterm"}


@dataclass
class Outcome:
    """The result of a command."""

    exit_code: int
    output: bytes
    error: str

    @property
    def text(self) -> str:
        return self.output.decode()


Call = Callable[..., Awaitable[Outcome]]


def connect(invocation: Invocation) -> None:
    """Make the system's bash the shell of `invocation`."""

    async def shell(script: str, directory: str, environment: Mapping[str, str]) -> int:
        process = await asyncio.create_subprocess_exec(
            "bash",
            "-c",
            script,
            cwd=directory,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        output, error = await process.communicate()
        invocation.stdout.write(output)
        invocation.stderr.write(error)
        assert process.returncode is not None
        return process.returncode

    invocation.shell = shell


def main() -> None:
    """Run the command that `sys.argv` names, for scripts that call our commands."""
    argv = [os.path.basename(sys.argv[0]), *sys.argv[1:]]
    stdin = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    invocation = Invocation(argv, stdin=stdin, cwd=os.getcwd(), env=dict(os.environ))
    connect(invocation)
    exit_code = asyncio.run(run(invocation, COMMANDS))
    sys.stdout.buffer.write(invocation.stdout.bytes())
    sys.stderr.buffer.write(invocation.stderr.bytes())
    sys.exit(exit_code)


@pytest.fixture
def call(tmp_path: Path) -> Call:
    """Run our command in `tmp_path` or `cwd`: `await call("tar", "cf", "x.tar", "x")`."""

    async def run_ours(
        *argv: str, stdin: bytes = b"", cwd: Path = tmp_path, env: Mapping[str, str] | None = None
    ) -> Outcome:
        invocation = Invocation(list(argv), stdin=stdin, cwd=str(cwd), env={**ENVIRONMENT, **(env or {})})

        connect(invocation)
        exit_code = await run(invocation, COMMANDS)
        return Outcome(exit_code, invocation.stdout.bytes(), invocation.stderr.text())

    return run_ours


@pytest.fixture
def system(tmp_path: Path) -> Call:
    """Run the system's command like `call`, or skip the test without one: `await system("tar", …)`."""

    async def run_theirs(
        *argv: str, stdin: bytes = b"", cwd: Path = tmp_path, env: Mapping[str, str] | None = None
    ) -> Outcome:
        if shutil.which(argv[0]) is None:
            pytest.skip(f"no {argv[0]} on this machine")
        # The C locale quotes with plain apostrophes.
        environment = {**ENVIRONMENT, "LC_ALL": "C", **(env or {})}
        done = await asyncio.to_thread(
            subprocess.run, argv, input=stdin, cwd=cwd, env=environment, capture_output=True, check=False
        )
        return Outcome(done.returncode, done.stdout, done.stderr.decode())

    return run_theirs
