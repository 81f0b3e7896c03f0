"""Standard streams of its own for every script and console call that runs in the one interpreter.

`sys.stdin`, `sys.stdout` and `sys.stderr` become multiplexers: what they stand for depends on the context
(`contextvars`) of the code that uses them. Tasks inherit the streams of whoever started them, and outside of
any redirection everything reaches the streams that the interpreter began with.
"""

from __future__ import annotations

import contextvars
import errno
import io
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, Protocol, TextIO, cast

from gemini.python import tracebacks

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

tracebacks.hide_frames_of(__file__)

StreamName = Literal["stdin", "stdout", "stderr"]
NAMES: tuple[StreamName, ...] = ("stdin", "stdout", "stderr")


class ByteSink(Protocol):
    """Where output goes."""

    def write(self, data: bytes, /) -> object: ...


class _SinkStream(io.RawIOBase):
    """The lowest layer of an output stream: hands bytes on until it is cut off."""

    def __init__(self, sink: ByteSink, name: str) -> None:
        self._sink: ByteSink | None = sink
        self.name = name
        self.mode = "wb"

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        if self._sink is None:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")
        piece = bytes(data)
        self._sink.write(piece)
        return len(piece)

    def cut(self) -> None:
        self._sink = None


class Streams:
    """The three streams of one program, as text over bytes. What isn't UTF-8 is kept as lone surrogates.

    Args:
        stdin: All that there is to read.
        stdout, stderr: Get whole lines, or each piece at once when `unbuffered`.
    """

    def __init__(self, stdin: bytes, stdout: ByteSink, stderr: ByteSink, *, unbuffered: bool = False) -> None:
        self._sinks = (_SinkStream(stdout, "<stdout>"), _SinkStream(stderr, "<stderr>"))
        reader = io.BufferedReader(cast(io.RawIOBase, io.BytesIO(stdin)))
        self.stdin: TextIO = io.TextIOWrapper(reader, "utf-8", "surrogateescape")
        self.stdout: TextIO = _writer(self._sinks[0], "surrogateescape", unbuffered)
        self.stderr: TextIO = _writer(self._sinks[1], "backslashreplace", unbuffered)

    def flush(self) -> None:
        """Hand on whatever the program left in its buffers."""
        for stream in (self.stdout, self.stderr):
            if not stream.closed:
                stream.flush()

    def cut(self) -> None:
        """End the program's output: from here on, writing raises BrokenPipeError."""
        for sink in self._sinks:
            sink.cut()


def _writer(sink: _SinkStream, errors: str, unbuffered: bool) -> TextIO:
    if unbuffered:
        return io.TextIOWrapper(cast(BinaryIO, sink), "utf-8", errors, newline="\n", write_through=True)
    return io.TextIOWrapper(io.BufferedWriter(sink), "utf-8", errors, newline="\n", line_buffering=True)


_redirection: contextvars.ContextVar[Streams | None] = contextvars.ContextVar("gemini_streams", default=None)


class Multiplexer:
    """A stream of `sys` that is another one in each context.

    It is no `io.TextIOBase`, whose methods would hide those of the stream that it stands for.
    """

    def __init__(self, name: StreamName, original: TextIO | None) -> None:
        self._name: StreamName = name
        self._original = original

    def stand_for(self, original: TextIO | Multiplexer | None) -> None:
        """Go to `original` where nothing is redirected."""
        if not isinstance(original, Multiplexer):
            self._original = original

    def _stream(self) -> Any:
        streams = _redirection.get()
        return self._original if streams is None else getattr(streams, self._name)

    def write(self, text: str) -> int:
        return self._stream().write(text)

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._stream(), attribute)

    def __iter__(self) -> Iterator[str]:
        return iter(self._stream())

    def __next__(self) -> str:
        return next(self._stream())

    def __enter__(self) -> Any:
        return self._stream().__enter__()

    def __exit__(self, *raised: Any) -> None:
        self._stream().__exit__(*raised)

    def __repr__(self) -> str:
        return f"<{self._name} of the running program: {self._stream()!r}>"


class _Multiplexers(NamedTuple):
    stdin: Multiplexer
    stdout: Multiplexer
    stderr: Multiplexer


MULTIPLEXERS = _Multiplexers(
    Multiplexer("stdin", sys.__stdin__),
    Multiplexer("stdout", sys.__stdout__),
    Multiplexer("stderr", sys.__stderr__),
)


def install() -> None:
    """Put the multiplexers into `sys`, in front of what is there; a second time changes nothing.

    A library that keeps `sys.stdout` for itself when it is imported follows redirections only if that happens
    after this.
    """
    for name in NAMES:
        multiplexer: Multiplexer = getattr(MULTIPLEXERS, name)
        multiplexer.stand_for(getattr(sys, name))
        setattr(sys, name, multiplexer)


def set_streams(streams: Streams | None) -> None:
    """Redirect to `streams` for the rest of this context; None ends every redirection."""
    _redirection.set(streams)


@contextmanager
def redirect(streams: Streams) -> Generator[Streams]:
    """Redirect to `streams` for the length of the block, and in tasks that are started in it."""
    token = _redirection.set(streams)
    try:
        yield streams
    finally:
        streams.flush()
        _redirection.reset(token)
