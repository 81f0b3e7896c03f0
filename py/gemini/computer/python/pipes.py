"""Raw streams on the pipes between programs. Reading and writing suspend the program's stack."""

from __future__ import annotations

import errno
import io
import itertools
import os
import weakref
from typing import TYPE_CHECKING

from gemini.computer.python.children import Pipe
from gemini.core import ffi

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

# Numbers that the system assigns to no file. `subprocess` tells by them which pipe is passed to a child.
_numbers = itertools.count(1 << 20)
_by_number: weakref.WeakValueDictionary[int, PipeStream] = weakref.WeakValueDictionary()


class PipeStream(io.RawIOBase):
    """The raw layer of a stream to or from a running program.

    Args:
        pipe: This program's end.
        writes: The stream is written, not read.
        standard_input: The stream is the program's own, so its number is 0.
    """

    def __init__(self, pipe: Pipe, *, writes: bool = False, standard_input: bool = False) -> None:
        self.pipe = pipe
        self._writes = writes
        self._number = 0 if standard_input else next(_numbers)
        self.name: str | int = "<stdin>" if standard_input else self._number
        self.mode = "wb" if writes else "rb"
        if not standard_input:
            _by_number[self._number] = self

    def readable(self) -> bool:
        """Return whether the stream is read."""
        return not self._writes

    def writable(self) -> bool:
        """Return whether the stream is written."""
        return self._writes

    def fileno(self) -> int:
        """Return the number by which `find` returns this stream."""
        if self.closed:
            raise ValueError("I/O operation on closed file")
        return self._number

    def isatty(self) -> bool:
        """Return False."""
        return False

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read at least one byte, or none at the end."""
        while (change := self.pipe.readable()) is not None:
            ffi.wait(change)
        view = memoryview(buffer).cast("B")
        data = self.pipe.take(len(view))
        view[: len(data)] = data
        return len(data)

    def write(self, data: ReadableBuffer, /) -> int:
        """Write all of `data`."""
        piece = bytes(data)
        if not self.pipe.push(piece):
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
        while (change := self.pipe.writable()) is not None:
            ffi.wait(change)
        return len(piece)

    def close(self) -> None:
        """Close this program's end of the pipe."""
        if not self.closed:
            super().close()
            self.pipe.close()


def find(number: int) -> PipeStream | None:
    """Return the open stream that a number of `fileno` belongs to."""
    return _by_number.get(number)
