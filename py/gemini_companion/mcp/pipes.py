"""Standard input and output for MCP, read and written by the event loop.

The SDK's own transport has a thread read and write them, which costs a call of a page's tool six changes of thread. It
is used where the event loop can't take them: on Windows, and for files and terminals.
"""

import asyncio
import os
import stat
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

from mcp.server.stdio import stdio_server

from gemini_companion.admission.guard import LARGEST_BODY

STDIN, STDOUT, STDERR = 0, 1, 2
# As for a request by HTTP.
LONGEST_LINE = LARGEST_BODY
# https://www.jsonrpc.org/specification: an id that can't be read is null.
TOO_LONG = (
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is larger than 64 MB"}}\n'
)
# A client that doesn't read its last messages when it ends gets them dropped after this long.
LAST_WORDS_S = 2.0


@asynccontextmanager
async def standard_streams() -> AsyncGenerator[tuple[Any, Any]]:
    """Yield the streams of messages for `sdk.run`.

    Meanwhile what else is printed goes to standard error, and reading finds nothing.
    """
    if not _are_pipes():
        async with stdio_server() as streams:
            yield streams
        return
    with (
        _claim(STDIN, os.open(os.devnull, os.O_RDONLY)) as from_client,
        _claim(STDOUT, os.dup(STDERR)) as to_client,
    ):
        async with (
            _writing(to_client) as output,
            _reading(from_client, output) as lines,
            stdio_server(cast(Any, lines), cast(Any, output)) as streams,
        ):
            yield streams


def _are_pipes() -> bool:
    if sys.platform == "win32":
        return False
    modes = [os.fstat(descriptor).st_mode for descriptor in (STDIN, STDOUT)]
    return all(stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) for mode in modes)


@contextmanager
def _claim(descriptor: int, replacement: int) -> Generator[int]:
    """Replace a descriptor, yield a copy of the original, and restore it."""
    original = os.dup(descriptor)
    os.dup2(replacement, descriptor)
    os.close(replacement)
    try:
        yield original
    finally:
        os.set_blocking(original, True)
        os.dup2(original, descriptor)
        os.close(original)


@asynccontextmanager
async def _reading(descriptor: int, output: "_Output") -> AsyncGenerator[AsyncIterator[str]]:
    reader = asyncio.StreamReader(LONGEST_LINE)
    with open(descriptor, "rb", buffering=0, closefd=False) as pipe:
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        try:
            yield _lines(reader, output)
        finally:
            transport.close()


async def _lines(reader: asyncio.StreamReader, output: "_Output") -> AsyncIterator[str]:
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            await output.write(TOO_LONG)
            continue
        if not line:
            return
        yield line.decode(errors="replace")


class _Output(asyncio.BaseProtocol):
    """An output with the methods of a file that the SDK calls."""

    def __init__(self) -> None:
        self.transport: asyncio.WriteTransport | None = None
        self.closed = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.WriteTransport, transport)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()
        self._writable.set()

    async def write(self, text: str) -> None:
        """Write a message. Raises BrokenPipeError once the client has disconnected."""
        if self.transport is None or self.closed.is_set():
            raise BrokenPipeError("the client has disconnected")
        self.transport.write(text.encode())

    async def flush(self) -> None:
        """Wait until the client has read enough for another message."""
        await self._writable.wait()


@asynccontextmanager
async def _writing(descriptor: int) -> AsyncGenerator[_Output]:
    with open(descriptor, "wb", buffering=0, closefd=False) as pipe:
        transport, output = await asyncio.get_running_loop().connect_write_pipe(_Output, pipe)
        try:
            yield output
        finally:
            transport.close()
            try:
                async with asyncio.timeout(LAST_WORDS_S):
                    await output.closed.wait()
            except TimeoutError:
                transport.abort()
