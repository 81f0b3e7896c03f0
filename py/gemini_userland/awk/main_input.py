"""The main input: the files that the operands name, in sequence."""

from __future__ import annotations

import re
from collections.abc import Callable

from gemini_userland.awk.errors import RunError
from gemini_userland.awk.in_place import InPlace
from gemini_userland.awk.lexer import QUALIFIED, unescaped
from gemini_userland.awk.reader import PipeSource, Reader
from gemini_userland.awk.state import State
from gemini_userland.awk.streams import STANDARD_INPUT, Streams
from gemini_userland.awk.values import Array, number

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)?)=([\s\S]*)")
Assign = Callable[[str, str], None]
"""Sets a variable, by its name, to a text of the command line."""


def assignment(word: str) -> tuple[str, str] | None:
    """Return the name and the value of an operand such as `x=1`, or None if it is a file."""
    match = _ASSIGNMENT.fullmatch(word)
    return (match[1].removeprefix("awk::").replace("::", QUALIFIED), unescaped(match[2])) if match else None


class MainInput:
    """The records of the operands.

    Args:
        state: The special variables.
        streams: The open files.
        arguments: ARGV.
        assign: Sets a variable.

    Attributes:
        reader: The records of the current file; None between files.
        in_place: Replaces the files, if that is wanted.
        forgives: BEGINFILE has its turn before a file that can't be opened is an error.
        problem: That error, until BEGINFILE has had its turn.
    """

    def __init__(self, state: State, streams: Streams, arguments: Array, assign: Assign) -> None:
        self.reader: Reader | None = None
        self.in_place: InPlace | None = None
        self.forgives = False
        self.problem: RunError | None = None
        self._state = state
        self._streams = streams
        self._arguments = arguments
        self._assign = assign
        self._next = 1
        self._opened = False
        state.on_separator = self._rewind

    def _rewind(self) -> None:
        self._streams.rewind()
        if self.reader is not None:
            self.reader.rewind()

    def open(self) -> bool:
        """Open the next file; return False if there is none.

        Raises:
            RunError: It can't be read.
        """
        while self._next < number(self._state.ARGC):
            key = str(self._next)
            self._next += 1
            # An element that the program has deleted is skipped.
            word = self._state.text(self._arguments[key]) if key in self._arguments else ""
            if not word:
                continue
            if (given := assignment(word)) is not None:
                self._assign(*given)
                continue
            self._open(word)
            return True
        if self._opened:
            return False
        self._open("-")
        self._state.FILENAME = ""
        return True

    def _open(self, name: str) -> None:
        self._opened = True
        self._state.FILENAME = name
        self._state.FNR = 0.0
        if self.forgives:
            self._state.ERRNO = ""
        if name in STANDARD_INPUT:
            self.reader = self._streams.standard_input
            return
        self._streams.flush_all()
        try:
            self.reader = Reader(self._streams.open_source(name), self._state)
            if self.in_place is not None:
                self.in_place.begin(self._streams.path(name))
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            error = RunError(f"cannot open {name} ({reason})")
            if not self.forgives:
                raise error from problem
            self._state.ERRNO, self.problem = reason, error
            self.reader = Reader(PipeSource(b"", None), self._state)

    def check(self) -> None:
        """Do nothing if the current file is open.

        Raises:
            RunError: It isn't.
        """
        if self.problem is not None:
            problem, self.problem = self.problem, None
            raise problem

    def close(self) -> None:
        """Leave the current file."""
        if self.reader is not None and self.reader is not self._streams.standard_input:
            self.reader.close()
            if self.in_place is not None:
                self.in_place.end()
        self.reader = None

    def abandon(self) -> None:
        """Leave the current file as it is, after an error."""
        if self.in_place is not None:
            self.in_place.abandon()
        if self.reader is not None:
            self.reader.close()

    async def fill(self) -> bool:
        """Read further records of the current file; return False at its end."""
        assert self.reader is not None
        try:
            return await self.reader.fill()
        except OSError as problem:
            raise RunError(
                f"cannot read {self._state.text(self._state.FILENAME)} ({problem.strerror})"
            ) from problem

    def ready(self) -> float:
        """Read the next record for `getline` if it is in memory already, and return 1; else return 0."""
        record = self.reader.ready() if self.reader is not None and self.problem is None else None
        if record is None:
            return 0.0
        self._take(record)
        return 1.0

    def _take(self, record: str) -> None:
        self._streams.got = record
        self._state.NR += 1.0
        self._state.FNR += 1.0

    async def getline(self) -> float:
        """Read the next record for `getline`; return 0 at the end of all files."""
        while True:
            if self.reader is None and not self.open():
                return 0.0
            assert self.reader is not None
            self.check()
            record = await self.reader.next()
            if record is not None:
                self._take(record)
                return 1.0
            self.close()

    async def getline_record(self) -> float:
        """Read the next record into $0."""
        found = await self.getline()
        if found > 0.0:
            record = self._state.record
            record.is_plain = False
            record.line, record.parts = self._streams.got, None
        return found
