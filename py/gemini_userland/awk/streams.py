"""The files and commands that a program reads and writes."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import BinaryIO

from gemini_userland.awk.errors import RunError
from gemini_userland.awk.reader import FileSource, PipeSource, Reader
from gemini_userland.awk.state import State
from gemini_userland.invocation import Invocation

STANDARD_INPUT = frozenset(["-", "/dev/stdin", "/dev/fd/0"])
STANDARD_OUTPUT = frozenset(["-", "/dev/stdout", "/dev/fd/1"])
STANDARD_ERROR = frozenset(["/dev/stderr", "/dev/fd/2"])
# How long a program may run before other tasks have their turn, and how many rounds of loops there are for each look
# at the clock.
TURN_S = 0.012
ROUNDS = 1023


class Piped:
    """The input of a command, which runs when it is closed; a coprocess also runs when its output is read."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.pieces: list[str] = []


class Read:
    """A command's output, or a file, that the program reads; `exit_code` is the command's."""

    def __init__(self, reader: Reader, exit_code: int = 0) -> None:
        self.reader = reader
        self.exit_code = exit_code


class OutputFile:
    """A file that the program prints to; `write` takes text, which is collected until it is written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._pieces: list[str] = []
        self.write = self._pieces.append

    def flush(self) -> None:
        """Write what was collected."""
        self._file.write("".join(self._pieces).encode("utf-8", "surrogateescape"))
        self._pieces.clear()
        self._file.flush()

    def close(self) -> None:
        """Write what was collected, and close the file."""
        self.flush()
        self._file.close()


class Pending(dict[str, Iterator[str]]):
    """The records that have been read and not yet been used, by the names of their files or commands."""

    def __missing__(self, name: str) -> Iterator[str]:
        return iter(())


class Streams:
    """All that is open.

    Args:
        invocation: The call of awk.
        state: The special variables.

    Attributes:
        printed: What was printed to standard output and hasn't been written.
        got: The record that was read last.
        pending_files, pending_commands: The records of them that `getline` may take without waiting.
        rounds: An iterator over the rounds of loops until the next turn.
    """

    def __init__(self, invocation: Invocation, state: State) -> None:
        self.printed: list[str] = []
        self.got = ""
        self.pending_files, self.pending_commands = Pending(), Pending()
        self._invocation = invocation
        self._state = state
        self._files: dict[str, OutputFile] = {}
        self._piped: dict[str, Piped] = {}
        self._read: dict[str, Read] = {}
        self._commands: dict[str, Read] = {}
        self._inputs: dict[str, Piped] = {}
        self._coprocesses: dict[str, Read] = {}
        # The coprocesses whose output is closed, but not their input.
        self._silent: set[str] = set()
        self._replacement: BinaryIO | None = None
        self._turned = time.monotonic()
        self.rounds = repeat(None, ROUNDS)
        self.standard_input = Reader(PipeSource(invocation.stdin, invocation.input), state)

    # Turns

    async def turn(self) -> None:
        """Let other tasks have their turn, if it is time, and write what was printed."""
        self.rounds = repeat(None, ROUNDS)
        now = time.monotonic()
        if now - self._turned > TURN_S:
            self.flush_all()
            await self._writable()
            await asyncio.sleep(0)
            self._turned = time.monotonic()

    async def _writable(self) -> None:
        if (change := self._invocation.stdout.writable()) is not None:
            await change

    def flush(self) -> None:
        """Write what was printed to standard output."""
        if self.printed:
            data = "".join(self.printed).encode("utf-8", "surrogateescape")
            self.printed.clear()
            (self._replacement or self._invocation.stdout).write(data)

    def redirect(self, file: BinaryIO | None) -> None:
        """Let standard output go to a file, or None for where it was at first; close the previous file."""
        self.flush()
        if self._replacement is not None:
            self._replacement.close()
        self._replacement = file

    def flush_all(self) -> None:
        """Write what was printed to standard output and files."""
        self.flush()
        self._flush_files()

    def _flush_files(self) -> None:
        for file in self._files.values():
            file.flush()

    # Output

    def writer(self, kind: str, name: str) -> Callable[[str], object]:
        """Return the function that writes text to a file (`>`, `>>`) or to a command (`|`).

        Raises:
            RunError: The file can't be written.
        """
        if kind in (">", ">>") and name in self._files:
            return self._files[name].write
        if kind == "|":
            if name not in self._piped:
                # As if the command started here: what was printed before it comes first.
                self.flush_all()
                self._piped[name] = Piped(name)
            return self._piped[name].pieces.append
        if kind == "|&":
            return self._input(name).pieces.append
        if name in STANDARD_OUTPUT:
            return self.printed.append
        if name in STANDARD_ERROR:
            return self._complain
        file = self._files[name] = OutputFile(self._open(name, "ab" if kind == ">>" else "wb"))
        return file.write

    def _input(self, name: str) -> Piped:
        """Return the input of a coprocess."""
        if name in self._coprocesses:
            raise RunError(f'the coprocess "{name}" has been read and takes no more input: close it first')
        if name.startswith("/inet"):
            raise RunError(f"{name}: there is no network in awk: use curl")
        if name not in self._inputs:
            self.flush_all()
            self._inputs[name] = Piped(name)
        return self._inputs[name]

    def _open(self, name: str, mode: str) -> BinaryIO:
        if not name:
            raise RunError("the name of an output file is empty")
        try:
            return self._invocation.create(self._invocation.path(name), mode)
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            raise RunError(f'cannot open "{name}" for output ({reason})') from problem

    def _complain(self, text: str) -> None:
        self.flush()
        self._invocation.stderr.write(text.encode("utf-8", "surrogateescape"))

    # Input

    async def get(self, kind: str, name: str) -> float:
        """Read a record of a `file`, `command` or `coprocess` into `got`; return 1, 0 at the end, -1 after an error."""
        opening = {"command": self._command, "coprocess": self._coprocess, "file": self._file}
        opened = await opening[kind](name)
        if opened is None:
            return -1.0
        try:
            record = await opened.reader.next()
        except OSError as problem:
            self._state.ERRNO = problem.strerror
            return -1.0
        if record is None:
            return 0.0
        self.got = record
        if kind == "file":
            self.pending_files[name] = opened.reader.pending
        elif kind == "command":
            self.pending_commands[name] = opened.reader.pending
        return 1.0

    def rewind(self) -> None:
        """Let all records that were read be parted again, because RS has changed."""
        self.pending_files.clear()
        self.pending_commands.clear()

    async def _file(self, name: str) -> Read | None:
        if name in STANDARD_INPUT:
            return Read(self.standard_input)
        if name not in self._read:
            self.flush_all()
            try:
                source = self.open_source(name)
            except (OSError, ValueError) as problem:
                self._state.ERRNO = getattr(problem, "strerror", None) or str(problem)
                return None
            self._read[name] = Read(Reader(source, self._state))
        return self._read[name]

    def open_source(self, name: str) -> FileSource:
        """Open a file.

        Raises:
            OSError: It can't be read.
        """
        return FileSource(open(os.fsencode(self.path(name)), "rb", buffering=0))

    def path(self, name: str) -> str:
        """Return the absolute path of a file."""
        return self._invocation.path(name)

    async def _command(self, script: str) -> Read:
        if script not in self._commands:
            self._commands[script] = await self._output(script)
        return self._commands[script]

    async def _output(self, script: str) -> Read:
        """Run a script to its end and return its output."""
        handle, path = tempfile.mkstemp(prefix="awk-")
        os.close(handle)
        try:
            code = await self._run(f"{{ {script}\n}} >| {shlex.quote(path)}")
            source = FileSource(open(path, "rb", buffering=0))  # noqa: SIM115
        finally:
            os.unlink(path)
        return Read(Reader(source, self._state), code)

    async def _coprocess(self, name: str) -> Read:
        """Run a coprocess with the input that it has got, unless it has run."""
        if name in self._silent:
            raise RunError(f'the output of the coprocess "{name}" has been closed')
        if name not in self._coprocesses:
            piped = self._input(name)
            with _write(piped.pieces) as path:
                self._coprocesses[name] = await self._output(f"{{ {name}\n}} < {shlex.quote(path)}")
        return self._coprocesses[name]

    async def _run(self, script: str, *, flushes: bool = True) -> int:
        if flushes:
            self.flush()
            await self._writable()
        self._flush_files()
        return await self._invocation.shell(script, self._invocation.cwd, self._invocation.env)

    async def system(self, script: str) -> float:
        """Run a script and return its exit code."""
        return float(await self._run(script))

    # Ends

    async def close(self, name: str, part: str = "") -> float:
        """Close all that has this name; return a command's exit code, 0 for a file, or -1 if nothing is open.

        Args:
            name: The name.
            part: `to` for the input of a coprocess, which then runs, `from` for its output; else all.
        """
        status = -1.0
        if name in self._inputs or name in self._coprocesses:
            return await self._close_coprocess(name, part)
        self.pending_files.pop(name, None)
        self.pending_commands.pop(name, None)
        if (file := self._files.pop(name, None)) is not None:
            file.close()
            status = 0.0
        if (read := self._read.pop(name, None)) is not None:
            read.reader.close()
            status = 0.0
        if (command := self._commands.pop(name, None)) is not None:
            command.reader.close()
            status = float(command.exit_code)
        if (piped := self._piped.pop(name, None)) is not None:
            status = await self._finish(piped)
        if status < 0:
            self._state.ERRNO = "close of redirection that was never opened"
        return status

    async def _close_coprocess(self, name: str, part: str) -> float:
        if name in self._silent:
            opened = self._coprocesses[name]
        else:
            opened = await self._coprocess(name)
        if part == "from" and name in self._inputs:
            self._silent.add(name)
            return 0.0
        self._inputs.pop(name, None)
        if part == "to" and name not in self._silent:
            return 0.0
        self._silent.discard(name)
        del self._coprocesses[name]
        opened.reader.close()
        return float(opened.exit_code)

    async def _finish(self, piped: Piped) -> float:
        """Run a command with what was printed to it."""
        with _write(piped.pieces) as path:
            # What was printed meanwhile is still in awk's buffer, unless a user sees it.
            script = f"{{ {piped.command}\n}} < {shlex.quote(path)}"
            return float(await self._run(script, flushes=1 in self._invocation.watched))

    async def flushed(self, name: str | None) -> float:
        """Write what was printed to a file, or to all of them; return -1 if it isn't open."""
        self.flush_all()
        # What reads the output may end it.
        await self._writable()
        await self.turn()
        known = name is None or name == "" or name in STANDARD_OUTPUT | STANDARD_ERROR
        return 0.0 if known or name in self._files or name in self._piped else -1.0

    async def end(self) -> None:
        """Write, run and close everything."""
        for name in list(self._piped):
            await self.close(name)
        self.flush_all()
        await self._writable()
        for name in [*self._files, *self._read, *self._commands, *self._inputs, *self._coprocesses]:
            await self.close(name)

    def abandon(self) -> None:
        """Close the files after an error."""
        for file in self._files.values():
            file.close()
        for read in [*self._read.values(), *self._commands.values(), *self._coprocesses.values()]:
            read.reader.close()


@contextmanager
def _write(pieces: list[str]) -> Generator[str, None, None]:
    """Yield the path of a file with this text, for as long as it is needed."""
    handle, path = tempfile.mkstemp(prefix="awk-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write("".join(pieces).encode("utf-8", "surrogateescape"))
        yield path
    finally:
        os.unlink(path)
