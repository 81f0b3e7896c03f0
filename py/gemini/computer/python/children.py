"""The interface through which Python programs start other programs; `gemini.computer.shell.children` implements it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from gemini_userland.invocation import Invocation


class Pipe(Protocol):
    """This program's end of a pipe. Nothing here waits: the first call returns what to wait for."""

    def readable(self) -> Awaitable[object] | None:
        """Return an awaitable, or None if there is data or the end of it."""
        ...

    def take(self, count: int) -> bytes:
        """Return at most `count` bytes that are there; none at the end."""
        ...

    def push(self, data: bytes) -> bool:
        """Write `data`; return False if nothing reads it any more."""
        ...

    def writable(self) -> Awaitable[object] | None:
        """Return an awaitable, or None if little is unread."""
        ...

    def close(self) -> None:
        """Close this end."""
        ...


@dataclass(frozen=True)
class Source:
    """A standard stream of a child.

    Attributes:
        kind: `inherit` is a stream of this program, `file` an open file, `same` the child's standard output, `end` the
            other end of a pipe that this program has, `write` a function.
        number: The number of the inherited stream or the file's descriptor.
        end: The pipe of another child.
        write: Receives the child's output.
    """

    kind: Literal["inherit", "pipe", "null", "file", "same", "end", "write"]
    number: int = 0
    end: Pipe | None = None
    write: Callable[[bytes], object] | None = None


@dataclass(frozen=True)
class Start:
    """A program to start.

    Attributes:
        program: Its path, or a name that is looked for in PATH.
        words: Its arguments, the name first.
        cwd: Its working directory, absolute.
        env: Its environment.
        streams: Its standard input, output and error.
        leads: The group that it leads: a new process group, or also a new session.
    """

    program: str
    words: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    streams: Sequence[Source]
    leads: Literal["", "group", "session"] = ""


class Child(Protocol):
    """A program that was started.

    Attributes:
        pid: Its process id.
        group: The number of its process group.
        pipes: This program's ends of the pipes to its standard streams.
        ended: Its exit code, or the negative number of the signal that ended it.
        timed_out: Its code was interrupted at the limit.
    """

    pid: int
    group: int
    pipes: Sequence[Pipe | None]
    ended: asyncio.Future[int]
    timed_out: bool

    def kill(self, number: int) -> None:
        """Send a signal."""
        ...

    def limit(self, seconds: float | None) -> None:
        """Interrupt Python code in it that still runs, without a pause, after `seconds`."""
        ...


class Programs(Protocol):
    """The programs that can be started."""

    @property
    def loaded(self) -> bool:
        """Return whether `start` can be called."""
        ...

    @property
    def has_streams(self) -> bool:
        """Return whether children can inherit standard streams."""
        ...

    async def load(self) -> None:
        """Load the shell."""
        ...

    def names(self) -> list[str]:
        """Return the names of commands that are in no file."""
        ...

    def signal(self, pid: int, number: int) -> bool:
        """Send a signal, or only look if it is 0; return whether there is such a process, or group if negative."""
        ...

    def start(self, start: Start) -> Child:
        """Start a program.

        Raises:
            OSError: There is no such program, or it can't be run. It has an `errno` only.
        """
        ...


class NoPrograms:
    """The words of the error where code can't start programs."""

    words = (
        "programs can be started by scripts of a terminal and by the Python console only. Use "
        "`await gemini.create_terminal().execute(command)`"
    )


def offered(package: str) -> str:
    """Return the line below the output of a typed command that lacks a package."""
    return f"{package} isn't installed. Ctrl+Enter installs it and runs this again; or type: pip install {package}"


@dataclass
class ProgramInvocation(Invocation):
    """The call of a command that runs Python programs.

    Attributes:
        programs: Starts other programs.
        input: The standard input, which is read while the program runs; `stdin` is empty then.
        on_terminal: The standard output is the terminal's.
    """

    programs: Programs | None = None
    # Programs may hand it on to their children.
    input: Pipe | None = None  # pyright: ignore[reportIncompatibleVariableOverride]
    on_terminal: bool = True
