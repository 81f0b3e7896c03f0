"""The descriptors 0, 1 and 2 of a program, and the paths that stand for them, as `open` and `os` use them.

All programs share the interpreter's own descriptors, so these functions reach the program's streams instead. A
descriptor that the program has replaced (`os.dup2`) is an ordinary one.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from gemini.computer.python import stdio, tracebacks

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

tracebacks.hide_frames_of(__file__)

_NAMES = ("stdin", "stdout", "stderr")
PATHS: Mapping[str, int] = {
    path: number
    for number, name in enumerate(_NAMES)
    for path in (f"/dev/{name}", f"/dev/fd/{number}", f"/proc/self/fd/{number}")
}
"""The paths of the standard streams, as Linux has them."""

# Saved before any program can replace them.
_open, _os_open, _os_close, _os_read, _os_write = io.open, os.open, os.close, os.read, os.write


def _identity(number: int) -> tuple[int, int, int] | None:
    try:
        found = os.fstat(number)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_rdev


class _Standard(io.RawIOBase):
    """The raw layer of a stream that a program opens on its descriptor 0, 1 or 2."""

    def __init__(self, streams: stdio.Streams, number: int, name: str | int, *, closes: bool) -> None:
        self._streams = streams
        self._number = number
        self._closes = closes
        self.name = name
        self.mode = "wb" if number else "rb"

    def fileno(self) -> int:
        return self._number

    def isatty(self) -> bool:
        return bool(getattr(self._streams, _NAMES[self._number]).isatty())

    def readable(self) -> bool:
        return self._number == 0

    def writable(self) -> bool:
        return self._number > 0

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        return self._streams.source.readinto(buffer)

    def write(self, data: ReadableBuffer, /) -> int:
        piece = bytes(data)
        self._streams.sink(self._number)(piece)
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            super().close()
            if self._closes and self._number == 0:
                self._streams.source.close()


class Descriptors:
    """The functions of `io` and `os` that a program calls with descriptors.

    Args:
        places: The files that stand for paths of further descriptors (`/dev/fd/3`).
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places
        self._originals = [_identity(number) for number in range(len(_NAMES))]

    def substitutes(self) -> dict[str, Callable[..., object]]:
        """Return the functions by the names of the interpreter's slots."""
        opens = self.open
        return {
            "builtins.open": opens,
            "io.open": opens,
            "os.open": self.os_open,
            "os.close": self.os_close,
            "os.read": self.os_read,
            "os.write": self.os_write,
        }

    def _number(self, file: object) -> int | None:
        """Return the number of the program's stream that a path or a descriptor stands for, or None."""
        if isinstance(file, int):
            number = file if 0 <= file < len(_NAMES) else None
        elif isinstance(file, (str, bytes, os.PathLike)):
            number = PATHS.get(os.fsdecode(cast("str | bytes", file)))
        else:
            number = None
        if number is None or stdio.current() is None or _identity(number) != self._originals[number]:
            return None
        return number

    def _place(self, file: Any) -> Any:
        return self._places.get(file, file) if isinstance(file, str) else file

    def open(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        """Open a file, as the builtin function does."""
        number = None if opener is not None else self._number(file)
        streams = stdio.current()
        if number is None or streams is None:
            return _open(self._place(file), mode, buffering, encoding, errors, newline, closefd, opener)
        if (number == 0) is not ("r" in mode or "+" in mode):
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        closes = isinstance(file, int) and closefd
        raw = _Standard(streams, number, file if isinstance(file, int) else os.fsdecode(file), closes=closes)
        return _buffer(raw, mode, buffering, encoding, errors, newline)

    def os_open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        """Open a file, as `os.open` does; a path of a standard stream is its descriptor."""
        number = None if isinstance(path, int) else self._number(path)
        return _os_open(self._place(path), flags, mode, dir_fd=dir_fd) if number is None else number

    def os_close(self, fd: int) -> None:
        """Close a descriptor, as `os.close` does; the interpreter's stay open for other programs."""
        if self._number(fd) is None:
            _os_close(fd)

    def os_read(self, fd: int, length: int, /) -> bytes:
        """Read at most `length` bytes, as `os.read` does."""
        streams = stdio.current()
        number = self._number(fd)
        if number is None or streams is None:
            return _os_read(fd, length)
        if number != 0:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return streams.source.read(length) or b""

    def os_write(self, fd: int, data: ReadableBuffer, /) -> int:
        """Write bytes, as `os.write` does."""
        streams = stdio.current()
        number = self._number(fd)
        if number is None or streams is None:
            return _os_write(fd, data)
        if number == 0:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        piece = bytes(data)
        streams.sink(number)(piece)
        return len(piece)


def _buffer(
    raw: _Standard, mode: str, buffering: int, encoding: str | None, errors: str | None, newline: str | None
) -> Any:
    """Return the layers of a stream, as `open` does (library reference, "open")."""
    if buffering == 0 and "b" in mode:
        return raw
    if buffering == 0:
        raise ValueError("can't have unbuffered text I/O")
    size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
    layer = (
        io.BufferedReader(cast(io.RawIOBase, raw), size) if raw.readable() else io.BufferedWriter(raw, size)
    )
    if "b" in mode:
        return layer
    by_lines = buffering == 1 or raw.isatty()
    text = io.TextIOWrapper(cast(BinaryIO, layer), encoding or "utf-8", errors, newline, by_lines)
    text.mode = mode  # pyright: ignore[reportAttributeAccessIssue]
    return text
