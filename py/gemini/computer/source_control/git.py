"""Calls of the command `git`, in a session of the embedded shell."""

import asyncio
import os
import re
import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gemini.computer.python import process
from gemini.computer.shell.backend import NO_TERMINAL, Session, Tty, no_answer
from gemini.errors import GitFailed


@dataclass(frozen=True)
class Printed:
    """The result of a call."""

    exit_code: int
    stdout: bytes
    stderr: bytes


class Git(Protocol):
    """Calls git."""

    async def run(self, directory: str, arguments: Sequence[str]) -> Printed:
        """Run `git` with `arguments` in `directory`."""
        ...


class EmbeddedGit:
    """Git of the embedded shell. A session opens with the first call; calls run in sequence.

    Args:
        open: Opens a session in a directory.
    """

    def __init__(self, open: Callable[[Tty, str], Awaitable[Session]]) -> None:
        self._open = open
        self._session: Session | None = None
        self._one_call = asyncio.Lock()
        self._output: dict[str, bytearray] = {}

    async def run(self, directory: str, arguments: Sequence[str]) -> Printed:
        """Run `git`; see `Git.run`."""
        async with self._one_call:
            if self._session is None:
                self._session = await self._opened()
            self._output = {"stdout": bytearray(), "stderr": bytearray()}
            done = await self._session.run(shlex.join(["git", "-C", directory, *arguments]), None)
            return Printed(done.exit_code, bytes(self._output["stdout"]), bytes(self._output["stderr"]))

    async def _opened(self) -> Session:
        tty = Tty(NO_TERMINAL, self._receive, no_answer)
        opening = self._open(tty, "/")
        # The session outlives the call that opens it.
        return await asyncio.get_running_loop().create_task(_wait(opening), context=process.detached())

    def _receive(self, stream: str, data: bytes) -> None:
        self._output[stream] += data


async def _wait(opening: Awaitable[Session]) -> Session:
    return await opening


async def run_git(git: Git, directory: str, *arguments: str) -> bytes:
    """Run `git` and return its standard output.

    Raises:
        GitFailed: The exit code isn't zero.
    """
    done = await git.run(directory, arguments)
    if done.exit_code:
        command = next((word for word in arguments if not word.startswith("-")), "")
        said = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.exit_code}"
        raise GitFailed(
            f"git {command} failed: {said}",
            hint="Run the command in a terminal to see more.",
            data={"directory": directory, "exit_code": done.exit_code},
        )
    return done.stdout


def literally(paths: Sequence[str]) -> list[str]:
    """Return pathspecs that match exactly these paths, for arguments after `--`."""
    return [re.sub(r"[*?[\\]|^:", r"\\\g<0>", path) for path in paths]


async def stage(git: Git, root: str, paths: Sequence[str]) -> None:
    """Stage the changes of files, also their deletion.

    Raises:
        GitFailed: Git can't stage one of them.
    """
    # The embedded git takes a path that begins with a dash for an option, despite `--`.
    await run_git(git, root, "add", "-A", "--", *(f"./{path}" for path in literally(paths)))


def path_in(root: str, path: str) -> str:
    """Return the absolute path of a file of a repository."""
    return os.path.join(root, path.rstrip("/"))
