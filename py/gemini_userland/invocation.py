"""The interface of a shell command: its arguments, input, environment and output."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol, cast

SubShell = Callable[[str, str, Mapping[str, str]], Awaitable[int]]
"""Runs a shell script (script, working directory, environment); its output becomes part of the command's."""

_CHUNK = 1 << 20
DEFAULT_COLUMNS = 80
# Emscripten's file systems.
NO_NAME = "Not UTF-8, as names of files must be here"
"""The reason why a file can't have a name, in the words of the shell."""
_NAMES_ARE_TEXT = sys.platform == "emscripten"
_BYTES = re.compile("[\udc80-\udcff]")
# The paths of process substitutions.
_DESCRIPTOR = re.compile(r"/dev/fd/[1-6][0-9]")


class Output:
    """A stream that a command writes bytes to. It stores everything that is written.

    Args:
        on_write: Called with each piece as it is written, so a terminal can show it before the command ends.
    """

    def __init__(self, on_write: Callable[[bytes], None] | None = None) -> None:
        self._chunks: list[bytearray] = [bytearray()]
        self._on_write = on_write

    def write(self, data: bytes) -> None:
        """Append `data`. Empty data is ignored."""
        if not data:
            return
        # Many short lines share one chunk, and long output is never copied to grow.
        if len(self._chunks[-1]) > _CHUNK:
            self._chunks.append(bytearray())
        self._chunks[-1] += data
        if self._on_write is not None:
            self._on_write(bytes(data))

    def writable(self) -> Awaitable[object] | None:
        """Return an awaitable while a program that writes without end must wait, or None."""
        return None

    def bytes(self) -> bytes:
        """Return everything written so far."""
        return b"".join(self._chunks)

    def text(self) -> str:
        """Return everything written so far as UTF-8; bytes that are not UTF-8 become lone surrogates."""
        return self.bytes().decode("utf-8", "surrogateescape")


class ReadInterrupted(Exception):
    """Ctrl-C was pressed while a line was read."""


@dataclass(frozen=True)
class LineRequest:
    """A line that a program reads from its terminal.

    Attributes:
        prompt: The text to print before it.
        hidden: Don't echo typed text.
        history: Earlier lines, to which this one is added; by default there are none.
        complete: Takes the text and the cursor; returns the completions, each with the typed part.
        is_complete: Returns whether Enter ends the text; otherwise Enter adds a line.
        continuation: The prompt of further lines.
    """

    prompt: str = ""
    hidden: bool = False
    history: list[str] | None = None
    complete: Callable[[str, int], list[str]] | None = None
    is_complete: Callable[[str], bool] | None = None
    continuation: str = "> "


ReadLine = Callable[[LineRequest], Awaitable[str | None]]
"""Reads a line from the terminal; None at the end of the input. Raises ReadInterrupted."""


@dataclass(frozen=True)
class Keyboard:
    """The terminal that a command reads from.

    Attributes:
        read_line: Reads a line.
        on_interrupt: Sets a function that handles Ctrl-C instead of ending the command; None removes it.
        take_interrupt: Clears a Ctrl-C that has been handled, so that it isn't raised again.
    """

    read_line: ReadLine
    on_interrupt: Callable[[Callable[[], None] | None], None] = lambda handler: None
    take_interrupt: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Display:
    """The terminal in front of the user who typed the command, for full-screen programs.

    Attributes:
        size: Returns its columns and rows.
        read_keys: Waits for keys: characters, and names of others, such as `up` and `ctrl-f`. None are returned when
            the size has changed; None instead of a list if there won't be any.
    """

    size: Callable[[], tuple[int, int]]
    read_keys: Callable[[], Awaitable[list[str] | None]]


class InputPipe(Protocol):
    """The standard input of a command that reads it while it runs. Nothing here waits."""

    def readable(self) -> Awaitable[object] | None:
        """Return an awaitable, or None if there is data or the end of it."""
        ...

    def take(self, count: int) -> bytes:
        """Return at most `count` bytes that are there; none at the end."""
        ...


async def no_shell(script: str, cwd: str, env: Mapping[str, str]) -> int:
    """Raise OSError: the command runs without a shell."""
    raise OSError("no shell is available to run: " + script)


@dataclass(frozen=True)
class Process:
    """A shell of a terminal, or one of its subshells and jobs.

    Attributes:
        pid: Its number.
        parent: The number of the shell that started it; 1 for a terminal's shell.
        terminal: The number of its terminal.
        command: The command that it runs.
        started: The time of its start, in seconds since 1970.
        group: The number of its process group.
        session: The number of its session.
    """

    pid: int
    parent: int
    terminal: int
    command: str
    started: float
    group: int = 0
    session: int = 0


@dataclass(frozen=True)
class OpenFile:
    """A file that a program has open, or a port at which it listens.

    Attributes:
        command: The program's name.
        pid: The number of the process; None if it isn't known.
        descriptor: Its number and `r`, `w` or `u` (both); `cwd` for a working directory.
        name: The file's absolute path, or the host of the port.
        port: The number of the port; None for a file.
    """

    command: str
    pid: int | None
    descriptor: str
    name: str
    port: int | None = None


@dataclass(frozen=True)
class Machine:
    """The machine that a command runs on.

    Attributes:
        terminal: The number of the command's terminal.
        processes: Returns all processes.
        files: Returns the open files.
        memory: Returns the used and the largest size of the memory in bytes, or None.
        edit: Shows a file, by its absolute path, in an editor, and returns when the user has closed it; None where
            nobody sees the terminal.
        display: The terminal; None where nobody sees it.
        aes_cbc: Encrypts, or decrypts if the last argument is true, the first with a key and a vector; returns None
            if the key doesn't fit. Without it, Python's library does.
        offer: Offers the user to install a package and run the typed command again; None where nobody typed one.
        signal: Sends a signal to a process, or only looks if it is 0; returns whether there is such a process.
        linux: Runs a Linux program in the page, with the streams of a command; returns its exit code.
    """

    terminal: int = 0
    processes: Callable[[], Sequence[Process]] = tuple
    files: Callable[[], Sequence[OpenFile]] = tuple
    memory: Callable[[], tuple[int, int] | None] = lambda: None
    aes_cbc: Callable[[bytes, bytes, bytes, bool], Awaitable[bytes | None]] | None = None
    edit: Callable[[str], Awaitable[None]] | None = None
    display: Display | None = None
    linux: Callable[[Invocation], Awaitable[int]] | None = None
    offer: Callable[[str], None] | None = None
    signal: Callable[[int, int], bool] = lambda pid, number: False


@dataclass
class Invocation:
    """A call of a command.

    Attributes:
        argv: The command's name and its arguments, as the shell split them. Bytes that are not UTF-8 are lone
            surrogates (`os.fsencode` returns the bytes).
        stdin: All of standard input.
        cwd: The terminal's working directory, absolute. It differs from the interpreter's, so use `path()`.
        env: The exported variables of the shell.
        stdout: The standard output.
        stderr: The standard error.
        shell: Runs a script in a subshell of the same terminal and returns its exit code.
        descriptors: The directory of the files that `/dev/fd/63` and other process substitutions refer to.
        places: The files that stand for paths such as `/dev/stdin`, if arguments name them.
        umask: The permissions that a new file doesn't get.
        machine: The machine that the command runs on.
        keyboard: The terminal that standard input is, if someone can answer.
        stdin_size: The size in bytes of the file that standard input is; None if it is something else.
        watched: The output streams (1 and 2) that are a terminal in front of the user who typed the command.
        input: The standard input of a command that reads it while it runs; `stdin` is empty then.
    """

    argv: list[str]
    stdin: bytes = b""
    cwd: str = "/"
    env: dict[str, str] = field(default_factory=dict[str, str])
    stdout: Output = field(default_factory=Output)
    stderr: Output = field(default_factory=Output)
    shell: SubShell = no_shell
    descriptors: str = "/dev/fd"
    umask: int = 0o022
    machine: Machine = field(default_factory=Machine)
    keyboard: Keyboard | None = None
    watched: frozenset[int] = frozenset()
    input: InputPipe | None = None
    stdin_size: int | None = None
    places: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """The name that the command was called with."""
        return self.argv[0]

    @property
    def columns(self) -> int | None:
        """The columns of the terminal that standard output is shown on; None if it is a pipe, a file or a result."""
        if 1 not in self.watched:
            return None
        return self.machine.display.size()[0] if self.machine.display is not None else DEFAULT_COLUMNS

    def path(self, path: str) -> str:
        """Return the absolute path for an argument, relative to the working directory.

        Raises:
            OSError: The argument isn't UTF-8, and the file system has no such names.
        """
        # Bytes that make up characters together are no others.
        if not path.isascii():
            path = path.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
        if _NAMES_ARE_TEXT and _BYTES.search(path):
            raise OSError(errno.EILSEQ, NO_NAME, path)
        # The empty path is no file; the working directory is ".".
        if path == "":
            return ""
        if path in self.places:
            return self.places[path]
        if is_substitution(path):
            return f"{self.descriptors}/{os.path.basename(path)}"
        return path if path.startswith("/") else f"{self.cwd.rstrip('/')}/{path}"

    def create(self, path: str, mode: str = "wb") -> BinaryIO:
        """Open a file for writing. A new one has the permissions that the umask leaves.

        Args:
            path: The path, as `path` returns it.
            mode: `wb` or `ab`.

        Raises:
            OSError: It can't be opened.
        """
        whole = path.encode("utf-8", "surrogateescape")
        is_new = not os.path.exists(whole)
        file = cast(BinaryIO, open(whole, mode))  # noqa: SIM115 - the caller closes it
        if is_new and os.path.isfile(whole):
            os.chmod(whole, 0o666 & ~self.umask)
        return file

    def print(self, text: str, end: str = "\n") -> None:
        """Write a line to standard output."""
        self.stdout.write((text + end).encode("utf-8", "surrogateescape"))

    def error(self, text: str) -> None:
        """Write `name: text` as a line to standard error."""
        self.stderr.write(f"{self.name}: {text}\n".encode("utf-8", "surrogateescape"))


def is_substitution(path: str) -> bool:
    """Return whether a path belongs to a process substitution, such as `/dev/fd/63`."""
    return _DESCRIPTOR.fullmatch(path) is not None


Command = Callable[[Invocation], Awaitable[int]]
"""A command: it writes its output and returns its exit code."""
