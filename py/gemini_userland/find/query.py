"""The shared state of a call of `find`: its options, its output and how it ended."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from gemini_userland.invocation import Invocation
from gemini_userland.text import encode

BUFFERED = 1 << 16


class FindError(Exception):
    """The call can't run; the message says why."""


class Quit(Exception):
    """`-quit` ends the walk."""


@dataclass
class Output:
    """A file that actions print to, a stream or a file of `-fprint`.

    Attributes:
        path: The absolute path; "" for standard output, "2" for standard error.
    """

    invocation: Invocation
    path: str = ""
    _pieces: list[str] = field(default_factory=list[str])
    _size: int = 0

    def add(self, text: str) -> None:
        """Print a text, some time before the call ends."""
        self._pieces.append(text)
        self._size += len(text)
        if self._size > BUFFERED:
            self.flush()

    def flush(self) -> None:
        """Print what was added."""
        data = encode("".join(self._pieces))
        self._pieces.clear()
        self._size = 0
        if self.path == "":
            self.invocation.stdout.write(data)
        elif self.path == "2":
            self.invocation.stderr.write(data)
        elif data:
            with self.invocation.create(self.path, "ab") as file:
                file.write(data)


@dataclass
class Query:
    """A call.

    Attributes:
        follow: `P` for links as they are, `H` for the targets of starting points, `L` for all targets.
        least: The smallest depth that is tested.
        most: The largest one; -1 without a limit.
        bottom_up: Whether a folder comes after its content.
        stays: Whether other file systems are left out.
        started_ns: The time of the call, in nanoseconds since 1970.
        days_end: Whether days are counted from midnight instead of from now (`-daystart`).
        dialect: The name of the syntax of regular expressions.
        status: The exit code.
    """

    invocation: Invocation
    follow: str = "P"
    least: int = 0
    most: int = -1
    bottom_up: bool = False
    stays: bool = False
    started_ns: int = field(default_factory=time.time_ns)
    days_end: bool = False
    dialect: str = "findutils-default"
    status: int = 0
    outputs: dict[str, Output] = field(default_factory=dict[str, Output])

    @property
    def started(self) -> float:
        """Return the time of the call, in seconds since 1970."""
        return self.started_ns / 1e9

    def output(self, name: str = "") -> Output:
        """Return standard output, or the file `name`, emptied on its first use.

        Raises:
            FindError: The file can't be written.
        """
        path = {"": "", "/dev/stdout": "", "/dev/stderr": "2"}.get(name)
        if path is None:
            path = self.invocation.path(name)
            try:
                if path not in self.outputs:
                    self.invocation.create(path).close()
            except OSError as error:
                raise FindError(f"‘{name}’: {error.strerror}") from error
        return self.outputs.setdefault(path, Output(self.invocation, path))

    def flush(self) -> None:
        """Print what actions have added."""
        for output in self.outputs.values():
            output.flush()

    def complain(self, message: str) -> None:
        """Print an error that doesn't end the call."""
        self.invocation.error(message)
        self.status = 1
