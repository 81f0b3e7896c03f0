"""The output of a command within a budget: the start and the end in memory, all of it in a file."""

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Literal

from gemini.computer.shell.rendering import Rendering
from gemini.core.spill import make_room

Stream = Literal["stdout", "stderr"]

# Errors are printed at the end, so the end gets a third of the budget.
HEAD_SHARE = 2 / 3
# Files are in memory, so a longer output is cut in its file too, with a note at the end.
LARGEST_FILE = 400_000_000


class Clip:
    """The first and the last bytes of a stream of any length.

    Args:
        most: The number of bytes to store, at least 1.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._head_most = int(most * HEAD_SHARE)
        self._tail_most = most - self._head_most
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Append bytes."""
        self.total += len(data)
        room = self._head_most - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data[-self._tail_most :]
        # Trimming on every call would copy the tail for every line.
        if len(self._tail) > 2 * self._tail_most:
            del self._tail[: -self._tail_most]

    def with_end(self, data: bytes) -> "Clip":
        """Return a clip of this stream and more bytes. This one stays as it is."""
        longer = Clip(self._most)
        longer._head, longer._tail, longer.total = self._head[:], self._tail[:], self.total
        longer.add(data)
        return longer

    @property
    def cut(self) -> int:
        """The number of bytes cut from the middle."""
        return max(self.total - self._most, 0)

    def takes(self, size: int) -> bool:
        """Return whether `size` more bytes fit without a cut."""
        return self.total + size <= self._most

    def stored(self) -> bytes:
        """Return the stored bytes."""
        return bytes(self._head) + self._last()

    def _last(self) -> bytes:
        return bytes(self._tail[-self._tail_most :])

    def text(self) -> str:
        r"""Return the text as UTF-8, with `\xff` for other bytes and a marker where the middle was cut."""
        if not self.cut:
            return self.stored().decode("utf-8", "backslashreplace")
        head = _without_split(bytes(self._head), at_end=True).decode("utf-8", "backslashreplace")
        tail = _without_split(self._last(), at_end=False).decode("utf-8", "backslashreplace")
        return f"{head}\n[… {self.cut:,} of {self.total:,} bytes cut …]\n{tail}"


def _without_split(data: bytes, *, at_end: bool) -> bytes:
    """Return `data` without the partial UTF-8 character that the cut left at one end."""
    if not at_end:
        # At most three bytes follow the first byte of a character.
        rest = next((at for at, byte in enumerate(data[:4]) if byte & 0xC0 != 0x80), len(data))
        return data[rest:] if rest < 4 else data
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoder.decode(data)
    pending = decoder.getstate()[0]
    return data[: len(data) - len(pending)]


class Capture:
    """Collects a command's output: both streams separately, and together in the order of printing, also as rendered.

    Each text is at most the budget plus a marker.

    Args:
        most: The number of bytes of each text, at least 1.
        new_file: Returns the path of the file for output that is too long or isn't UTF-8; called at most once.
    """

    def __init__(self, most: int, new_file: Callable[[], Path]) -> None:
        self.lines = 0
        """The line breaks so far, of both streams."""
        self._clips = {"stdout": Clip(most), "stderr": Clip(most)}
        self._both = Clip(most)
        self._rendered = Clip(most)
        self._rendering = Rendering(self._rendered.add)
        self._new_file = new_file
        self._is_finished = False
        self._path: Path | None = None
        self._file: BinaryIO | None = None

    def add(self, stream: Stream, data: bytes) -> None:
        """Append output of a stream."""
        self.lines += data.count(b"\n")
        if self._file is None and not self._both.takes(len(data)):
            self._spool(self._both.stored())
        self._clips[stream].add(data)
        self._both.add(data)
        self._rendering.add(data)
        if self._file is not None:
            self._append(data)

    def _spool(self, before: bytes) -> None:
        self._path = self._new_file()
        make_room(self._path.parent)
        self._file = self._path.open("wb")
        self._file.write(before)

    def _append(self, data: bytes) -> None:
        assert self._file is not None
        room = LARGEST_FILE - self._file.tell()
        self._file.write(data[: max(room, 0)])
        if 0 <= room < len(data):
            self._file.write(f"\n[… the file ends here, at {LARGEST_FILE:,} bytes …]\n".encode())

    def finish(self) -> None:
        """Complete the text, and the file if there is one."""
        self._rendering.finish()
        self._is_finished = True
        if self._file is None and not _is_utf8(self._both.stored()):
            self._spool(self._both.stored())
        if self._file is not None:
            self._file.close()

    @property
    def output(self) -> str:
        """Both streams, in the order of printing, as a terminal shows them."""
        return self._describe().text()

    @property
    def raw_output(self) -> str:
        """Both streams, in the order of printing, as they were written."""
        return self._both.text()

    def _describe(self) -> Clip:
        """Return the rendered text so far."""
        if self._is_finished:
            return self._rendered
        return self._rendered.with_end(self._rendering.pending())

    @property
    def stdout(self) -> str:
        """Standard output alone."""
        return self._clips["stdout"].text()

    @property
    def stderr(self) -> str:
        """Standard error alone."""
        return self._clips["stderr"].text()

    @property
    def truncated(self) -> bool:
        """True if bytes were cut from `output`."""
        return self._describe().cut > 0

    @property
    def raw_truncated(self) -> bool:
        """True if bytes were cut from `raw_output`, and perhaps from `stdout` and `stderr`."""
        return self._both.cut > 0

    @property
    def file(self) -> str | None:
        """The path of the file with all output as it was written, or None if the result has all of it."""
        return None if self._path is None else str(self._path)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
