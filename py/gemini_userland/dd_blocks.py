"""The input and the output of `dd`, block by block, and its changes in between."""

from __future__ import annotations

import os
from dataclasses import dataclass

from gemini_userland.dd_operands import Operands
from gemini_userland.invocation import Invocation
from gemini_userland.text import STANDARD_INPUT

STREAMS = {"/dev/stdout": 1, "/dev/fd/1": 1, "/proc/self/fd/1": 1, "/dev/stderr": 2, "/dev/fd/2": 2}


@dataclass
class Tally:
    """The number of blocks that were copied.

    Attributes:
        whole: The number of full blocks.
        partial: The number of shorter blocks.
    """

    whole: int = 0
    partial: int = 0

    def add(self, size: int, full: int) -> None:
        """Count a block."""
        if size == full:
            self.whole += 1
        else:
            self.partial += 1


class Input:
    """The input.

    Raises:
        OSError: It can't be opened; `filename` is the operand.
    """

    def __init__(self, invocation: Invocation, operands: Operands) -> None:
        self._invocation = invocation
        self._operands = operands
        self._rest = invocation.stdin
        name = operands.source
        self.shown = "'standard input'" if name is None else name
        self._file: int | None = None
        if name is not None and name not in STANDARD_INPUT:
            self._file = _open(invocation, name, os.O_RDONLY)
        self.tally = Tally()
        self._taken = 0

    def wanted(self) -> int:
        """Return the size of the next block: 0 after the last."""
        operands = self._operands
        if operands.count is None:
            return operands.input_size
        if "count" in operands.in_bytes:
            return min(operands.input_size, operands.count - self._taken)
        return operands.input_size if self.tally.whole + self.tally.partial < operands.count else 0

    async def skip(self) -> bool:
        """Skip the blocks of `skip=`; return false if the input is shorter."""
        left = self._operands.bytes_of("skip", self._operands.skip, self._operands.input_size)
        if self._file is not None and left and os.path.isfile(self._path()):
            size = os.fstat(self._file).st_size
            os.lseek(self._file, left, os.SEEK_SET)
            return left <= size
        while left > 0:
            piece = await self._read(min(left, 1 << 16))
            if not piece:
                return False
            left -= len(piece)
        return True

    async def block(self, size: int) -> bytes:
        """Return the next block of at most `size` bytes; an empty one at the end.

        Raises:
            OSError: It can't be read.
        """
        data = await self._read(size)
        while "fullblock" in self._operands.flags and 0 < len(data) < size:
            piece = await self._read(size - len(data))
            if not piece:
                break
            data += piece
        if data:
            self.tally.add(len(data), self._operands.input_size)
            self._taken += len(data)
        return data

    async def _read(self, size: int) -> bytes:
        if self._file is not None:
            try:
                return os.read(self._file, size)
            except OSError as error:
                raise OSError(error.errno, error.strerror, self.shown) from None
        pipe = self._invocation.input
        if self._rest or pipe is None:
            piece, self._rest = self._rest[:size], self._rest[size:]
            return piece
        waiting = pipe.readable()
        if waiting is not None:
            await waiting
        return pipe.take(size)

    def _path(self) -> str:
        return self._invocation.path(self._operands.source or "")

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)


class Output:
    """The output.

    Raises:
        OSError: It can't be opened; `filename` is the operand.
    """

    def __init__(self, invocation: Invocation, operands: Operands) -> None:
        self._operands = operands
        name = operands.target
        self.shown = "standard output" if name is None else name
        self.tally = Tally()
        self.size = 0
        self._pending = b""
        stream = 1 if name is None else STREAMS.get(name)
        self.is_stdout = stream == 1
        self._stream = {1: invocation.stdout, 2: invocation.stderr}.get(stream or 0)
        self._file = None if self._stream else self._opened(invocation, name or "")

    def _opened(self, invocation: Invocation, name: str) -> int:
        operands = self._operands
        start = operands.bytes_of("seek", operands.seek, operands.output_size)
        keeps = "notrunc" in operands.conversions
        flags = os.O_RDWR if operands.seek else os.O_WRONLY
        flags |= 0 if "nocreat" in operands.conversions else os.O_CREAT
        flags |= os.O_EXCL if "excl" in operands.conversions else 0
        flags |= os.O_APPEND if "append" in operands.flags else 0
        flags |= 0 if keeps or start else os.O_TRUNC
        file = _open(invocation, name, flags)
        if start:
            if not keeps:
                os.ftruncate(file, start)
            os.lseek(file, start, os.SEEK_SET)
        return file

    def put(self, data: bytes, *, whole: bool) -> None:
        """Write an output block for `data` if it is a `whole` one, else each block that is full by now.

        Raises:
            OSError: It can't be written.
        """
        size = self._operands.output_size
        if whole:
            self._write(data)
            return
        self._pending += data
        while len(self._pending) >= size:
            self._write(self._pending[:size])
            self._pending = self._pending[size:]

    def flush(self) -> None:
        """Write the last block, which isn't full."""
        if self._pending:
            self._write(self._pending)
            self._pending = b""

    def _write(self, block: bytes) -> None:
        if self._file is None:
            if self._stream:
                self._stream.write(block)
        else:
            try:
                left = memoryview(block)
                while left:
                    left = left[os.write(self._file, left) :]
            except OSError as error:
                raise OSError(error.errno, error.strerror, self.shown) from None
        self.tally.add(len(block), self._operands.output_size)
        self.size += len(block)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)


def _open(invocation: Invocation, name: str, flags: int) -> int:
    try:
        return os.open(invocation.path(name), flags, 0o666 & ~invocation.umask)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from None


class Conversion:
    """The changes that `conv=` makes to the data.

    Attributes:
        truncated: How many lines were longer than a record.
    """

    def __init__(self, operands: Operands) -> None:
        self._words = operands.conversions
        self._block = operands.input_size
        self._record = operands.record_size
        self._rest = b""
        self.truncated = 0

    def convert(self, data: bytes) -> bytes:
        """Return the output for a block of the input."""
        if "sync" in self._words and len(data) < self._block:
            filler = b" " if self._words & {"block", "unblock"} else b"\0"
            data = data.ljust(self._block, filler)
        if "swab" in self._words:
            even = len(data) & ~1
            swapped = bytearray(data)
            swapped[0:even:2], swapped[1:even:2] = data[1:even:2], data[0:even:2]
            data = bytes(swapped)
        if "lcase" in self._words:
            data = data.lower()
        elif "ucase" in self._words:
            data = data.upper()
        if self._record and "block" in self._words:
            *lines, self._rest = (self._rest + data).split(b"\n")
            return b"".join(self._pad(line) for line in lines)
        if self._record and "unblock" in self._words:
            data = self._rest + data
            end = len(data) - len(data) % self._record
            self._rest = data[end:]
            return b"".join(self._line(data[at : at + self._record]) for at in range(0, end, self._record))
        return data

    def end(self) -> bytes:
        """Return the output for the end of the input."""
        if not self._rest:
            return b""
        return self._pad(self._rest) if "block" in self._words else self._line(self._rest)

    def _pad(self, line: bytes) -> bytes:
        self.truncated += len(line) > self._record
        return line[: self._record].ljust(self._record)

    def _line(self, record: bytes) -> bytes:
        return record.rstrip(b" ") + b"\n"
