"""Separate standard streams for the scripts and console calls that share one interpreter.

`sys.stdin`, `sys.stdout` and `sys.stderr` become multiplexers, which use the streams of the current context
(`contextvars`). Tasks inherit the streams of the code that starts them. Without a redirection, the multiplexers use
the interpreter's original streams.
"""

from __future__ import annotations

import contextvars
import errno
import io
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, Protocol, TextIO, cast

from gemini.computer.python import tracebacks

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

tracebacks.hide_frames_of(__file__)

StreamName = Literal["stdin", "stdout", "stderr"]
NAMES: tuple[StreamName, ...] = ("stdin", "stdout", "stderr")


class ByteSink(Protocol):
    """An object that receives output as bytes."""

    def write(self, data: bytes, /) -> object:
        """Receive a piece of output."""
        ...


class _SinkStream(io.RawIOBase):
    """The raw layer of an output stream, which passes bytes to a sink until it is cut off."""

    def __init__(self, sink: ByteSink, name: str, descriptor: int, is_terminal: bool) -> None:
        self._sink: ByteSink | None = sink
        self._descriptor = descriptor
        self._is_terminal = is_terminal
        self.name = name
        self.mode = "wb"

    def fileno(self) -> int:
        # Programs duplicate and redirect it (pytest). Bytes written to it directly don't reach the sink.
        return self._descriptor

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._is_terminal

    def write(self, data: ReadableBuffer, /) -> int:
        if self._sink is None:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")
        piece = bytes(data)
        self._sink.write(piece)
        return len(piece)

    def cut(self) -> None:
        self._sink = None


class _Input(io.BytesIO):
    """A complete input, with the descriptor of standard input."""

    def fileno(self) -> int:
        return 0


class Streams:
    """The three standard streams of one program. Bytes that aren't UTF-8 become lone surrogates.

    Args:
        stdin: The complete standard input, or a raw stream of it.
        stdout: The sink of standard output.
        stderr: The sink of standard error.
        unbuffered: Pass every write on immediately, instead of complete lines.
        on_terminal: Pass standard output on by lines; otherwise by blocks, as CPython does for a pipe or a file.
        terminals: The output streams (1 and 2) that say they are a terminal.
        encoding: The encoding and the error handler of PYTHONIOENCODING; either may be empty.
    """

    def __init__(
        self,
        stdin: bytes | io.RawIOBase,
        stdout: ByteSink,
        stderr: ByteSink,
        *,
        unbuffered: bool = False,
        on_terminal: bool = True,
        terminals: frozenset[int] = frozenset(),
        encoding: tuple[str, str] = ("", ""),
    ) -> None:
        self._sinks = (
            _SinkStream(stdout, "<stdout>", 1, 1 in terminals),
            _SinkStream(stderr, "<stderr>", 2, 2 in terminals),
        )
        self.source = _Input(stdin) if isinstance(stdin, bytes) else stdin
        reader = io.BufferedReader(cast(io.RawIOBase, self.source))
        name, errors = encoding[0] or "utf-8", encoding[1] or ("strict" if encoding[0] else "surrogateescape")
        self.stdin: TextIO = io.TextIOWrapper(reader, name, errors)
        self.stdout: TextIO = _writer(self._sinks[0], (name, errors), unbuffered, on_terminal)
        self.stderr: TextIO = _writer(self._sinks[1], (name, "backslashreplace"), unbuffered)

    def flush(self) -> None:
        """Write buffered output to the sinks. What nothing reads is dropped."""
        for stream in (self.stdout, self.stderr):
            if not stream.closed:
                with suppress(BrokenPipeError):
                    stream.flush()

    def sink(self, number: int) -> Callable[[bytes], object]:
        """Return a function that writes to the sink of standard output (1) or error (2)."""
        return self._sinks[number - 1].write

    def cut(self) -> None:
        """Disconnect the sinks; later writes raise BrokenPipeError."""
        for sink in self._sinks:
            sink.cut()


def _writer(sink: _SinkStream, encoding: tuple[str, str], unbuffered: bool, by_lines: bool = True) -> TextIO:
    if unbuffered:
        return io.TextIOWrapper(cast(BinaryIO, sink), *encoding, newline="\n", write_through=True)
    return io.TextIOWrapper(io.BufferedWriter(sink), *encoding, newline="\n", line_buffering=by_lines)


_redirection: contextvars.ContextVar[Streams | None] = contextvars.ContextVar("gemini_streams", default=None)


class Multiplexer:
    """A stream of `sys` that forwards to the stream of the current context.

    It doesn't inherit from `io.TextIOBase`, whose methods would hide that stream's.

    Args:
        name: The stream's name in `sys`.
        original: The stream to use without a redirection.
    """

    def __init__(self, name: StreamName, original: TextIO | None) -> None:
        self._name: StreamName = name
        self._original = original

    def set_original(self, original: TextIO | Multiplexer | None) -> None:
        """Use `original` when no redirection is active."""
        if not isinstance(original, Multiplexer):
            self._original = original

    def _stream(self) -> Any:
        streams = _redirection.get()
        return self._original if streams is None else getattr(streams, self._name)

    def write(self, text: str) -> int:
        """Write to the current stream; defined here so that `print` needs no attribute lookup."""
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


def number_of(stream: object) -> int | None:
    """Return 0, 1 or 2 if `stream` is a standard stream of the current program, or a layer of one; otherwise None."""
    streams = _redirection.get()
    for number, name in enumerate(NAMES):
        own = getattr(streams, name, None)
        layers = (own, getattr(own, "buffer", None), getattr(getattr(own, "buffer", None), "raw", None))
        if stream is getattr(MULTIPLEXERS, name) or (
            own is not None and any(stream is layer for layer in layers)
        ):
            return number
    return None


def install() -> None:
    """Replace the streams of `sys` with multiplexers; further calls do nothing.

    A library that stores `sys.stdout` at import follows redirections only if it is imported after this call.
    """
    for name in NAMES:
        multiplexer: Multiplexer = getattr(MULTIPLEXERS, name)
        multiplexer.set_original(getattr(sys, name))
        setattr(sys, name, multiplexer)


def current() -> Streams | None:
    """Return the streams of the current context; None without a redirection."""
    return _redirection.get()


def set_streams(streams: Streams | None) -> None:
    """Redirect to `streams` for the rest of this context; None removes all redirections."""
    _redirection.set(streams)


@contextmanager
def redirect(streams: Streams) -> Generator[Streams]:
    """Redirect to `streams` in the block and in the tasks that it starts."""
    token = _redirection.set(streams)
    try:
        yield streams
    finally:
        streams.flush()
        _redirection.reset(token)
