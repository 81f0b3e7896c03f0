"""asyncio's subprocesses on the page's shell: what a loop lacks for `asyncio.create_subprocess_exec` and its like."""

from __future__ import annotations

import asyncio
import subprocess
from asyncio.base_subprocess import BaseSubprocessTransport
from collections.abc import Callable
from typing import Any

from gemini.computer.python import pipes, popen, tracebacks, transports
from gemini.computer.python.children import Pipe

tracebacks.hide_frames_of(__file__)

CHUNK = 1 << 16


class _Transport(BaseSubprocessTransport):
    """A running program."""

    def _start(
        self, args: Any, shell: bool, stdin: Any, stdout: Any, stderr: Any, bufsize: int, **kwargs: Any
    ) -> None:
        self._proc: Any = subprocess.Popen(
            args, shell=shell, stdin=stdin, stdout=stdout, stderr=stderr, bufsize=bufsize, **kwargs
        )
        self._proc._polls_at_once = True
        self._proc._child.ended.add_done_callback(self._note_end)

    def _note_end(self, ended: asyncio.Future[int]) -> None:
        if not self._finished:  # type: ignore[attr-defined]
            self._process_exited(ended.result())


async def make_subprocess_transport(
    loop: Any,
    protocol: Any,
    args: Any,
    shell: bool,
    stdin: Any,
    stdout: Any,
    stderr: Any,
    bufsize: int,
    extra: Any = None,
    **kwargs: Any,
) -> Any:
    """Start a program; see `BaseEventLoop._make_subprocess_transport`."""
    await popen.programs().load()
    connected = loop.create_future()
    transport: Any = _Transport(
        loop, protocol, args, shell, stdin, stdout, stderr, bufsize, connected, extra, **kwargs
    )
    try:
        await connected
    except BaseException:
        transport.close()
        await transport._wait()
        raise
    return transport


async def connect_read_pipe(loop: Any, protocol_factory: Callable[[], Any], pipe: Any) -> tuple[Any, Any]:
    """Return a transport that reads a program's output, and its protocol."""
    protocol = protocol_factory()
    return _ReadTransport(loop, protocol, _raw(pipe)), protocol


async def connect_write_pipe(loop: Any, protocol_factory: Callable[[], Any], pipe: Any) -> tuple[Any, Any]:
    """Return a transport that writes a program's input, and its protocol."""
    protocol = protocol_factory()
    return _WriteTransport(loop, protocol, _raw(pipe)), protocol


def _raw(pipe: Any) -> pipes.PipeStream:
    raw = getattr(pipe, "raw", pipe)
    if not isinstance(raw, pipes.PipeStream):
        raise NotImplementedError("asyncio can read and write only the pipes of programs that it has started")
    return raw


class _PipeTransport(transports.ProtocolTransport):
    def __init__(self, loop: Any, protocol: Any, stream: pipes.PipeStream) -> None:
        super().__init__(loop, protocol, {"pipe": stream})
        self._stream = stream
        self._pipe: Pipe = stream.pipe
        protocol.connection_made(self)

    def _end(self, error: BaseException | None = None) -> None:
        if not self._closing:
            self._closing = True
            self._stream.close()
            self._loop.call_soon(self._protocol.connection_lost, error)


class _ReadTransport(_PipeTransport, transports.ReadingTransport):
    def __init__(self, loop: Any, protocol: Any, stream: pipes.PipeStream) -> None:
        super().__init__(loop, protocol, stream)
        self._task = loop.create_task(self._read())

    async def _read(self) -> None:
        while not self._closing:
            await self._goes_on.wait()
            if (change := self._pipe.readable()) is not None:
                await change
            if self._closing:
                return
            data = self._pipe.take(CHUNK)
            if not data:
                self._protocol.eof_received()
                self._end()
                return
            self._protocol.data_received(data)

    def close(self) -> None:
        self._end()
        self._task.cancel()


class _WriteTransport(_PipeTransport):
    def __init__(self, loop: Any, protocol: Any, stream: pipes.PipeStream) -> None:
        super().__init__(loop, protocol, stream)
        self._task: asyncio.Task[None] | None = None

    def write(self, data: Any) -> None:
        if self._closing:
            return
        if not self._pipe.push(bytes(data)):
            self._end(BrokenPipeError())
        elif self._task is None and self._pipe.writable() is not None:
            self._protocol.pause_writing()
            self._task = self._loop.create_task(self._drain())

    async def _drain(self) -> None:
        while not self._closing and (change := self._pipe.writable()) is not None:
            await change
        self._task = None
        if self._protocol is not None:
            self._protocol.resume_writing()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self._end()

    def close(self) -> None:
        self._end()

    def abort(self) -> None:
        self._end()

    def get_write_buffer_size(self) -> int:
        return 0
