"""A program on this machine that speaks MCP over its standard input and output.

The SDK's transport reads lines of any length, so that a program without line ends fills the memory. This one has a
longest line, and remembers the end of what the program writes to its standard error, for messages.
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from typing import cast

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from gemini_companion.mcp_servers.errors import McpServerDown
from gemini_companion.mcp_servers.setups import ServerSetup

Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
# Enough for a picture of 40 MB in base64.
LONGEST_LINE = 64 * 1024 * 1024
LAST_WORDS = 2_000
# Lines that aren't messages, after which the program counts as broken.
MAX_GARBAGE = 100
# After its input was closed, and after SIGTERM.
EXIT_S, TERM_S = 2.0, 2.0


class Program:
    """One run of a server's program.

    Args:
        setup: The program.
        variables: The values of its variables.
        ended: Called when its output has ended.

    Attributes:
        last_words: The end of what it has written to its standard error.
        process: The process; None before it was started.
    """

    def __init__(
        self, setup: ServerSetup, variables: Mapping[str, str], ended: Callable[[], None] = lambda: None
    ) -> None:
        self._setup = setup
        self._variables = variables
        self._ended = ended
        self._garbage = 0
        self.last_words = ""
        self.process: Process | None = None

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncGenerator[Streams]:
        """Start the program, and yield the streams of its messages; it ends with the block.

        Raises:
            McpServerDown: It can't be started.
        """
        process = self.process = await self._start()
        read_end: tuple[Incoming, MemoryObjectReceiveStream[SessionMessage | Exception]]
        read_end = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write_end = anyio.create_memory_object_stream[SessionMessage](0)
        tasks = [
            asyncio.create_task(each)
            for each in (
                self._read(process, read_end[0]),
                self._write(process, write_end[1], read_end[0]),
                self._listen(process),
            )
        ]
        try:
            yield read_end[1], write_end[0]
        finally:
            try:
                # The SDK's scopes cancel again and again until they are left.
                with anyio.CancelScope(shield=True):
                    await _certainly(self._finish(process, tasks))
            finally:
                for stream in (*read_end, *write_end):
                    stream.close()

    async def _finish(self, process: Process, tasks: list[asyncio.Task[None]]) -> None:
        await _stop(process)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # A child of the program can hold its pipes open. Nothing public closes them.
        cast(asyncio.SubprocessTransport, vars(process)["_transport"]).close()

    async def _start(self) -> Process:
        setup = self._setup
        try:
            return await asyncio.create_subprocess_exec(
                setup.command,
                *setup.arguments,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                # The companion's own variables, which may have keys, stay out.
                env={**get_default_environment(), **self._variables},
                cwd=os.path.expanduser(setup.directory) or None,
                limit=LONGEST_LINE,
                start_new_session=sys.platform != "win32",
            )
        except (OSError, ValueError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else str(problem)
            raise McpServerDown(
                f"{setup.command} can't be started: {why}", hint="Check its command line in the settings."
            ) from None

    async def _read(self, process: Process, incoming: Incoming) -> None:
        assert process.stdout is not None
        try:
            while self._garbage < MAX_GARBAGE:
                try:
                    line = await process.stdout.readline()
                except ValueError:
                    self.last_words = f"It wrote a line longer than {LONGEST_LINE:,} characters."
                    break
                if not line:
                    break
                if line.strip():
                    await incoming.send(self._message(line))
            else:
                self.last_words = f"It wrote {MAX_GARBAGE} lines that aren't messages."
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            # The connection was closed here.
            return
        finally:
            incoming.close()
            self._ended()

    def _message(self, line: bytes) -> SessionMessage | Exception:
        try:
            return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError as problem:
            self._garbage += 1
            return problem

    async def _write(
        self, process: Process, outgoing: MemoryObjectReceiveStream[SessionMessage], incoming: Incoming
    ) -> None:
        assert process.stdin is not None
        try:
            async for sent in outgoing:
                text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                process.stdin.write(text.encode() + b"\n")
                await process.stdin.drain()
        except (ConnectionError, OSError):
            # Requests must fail now, even if the program still writes.
            incoming.close()

    async def _listen(self, process: Process) -> None:
        assert process.stderr is not None
        while chunk := await process.stderr.read(4096):
            self.last_words = (self.last_words + chunk.decode(errors="replace"))[-LAST_WORDS:]


async def _certainly(ending: Coroutine[None, None, None]) -> None:
    """Wait until the program has ended: it must not outlive a caller that is cancelled meanwhile."""
    task = asyncio.create_task(ending)
    is_cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            is_cancelled = True
    if is_cancelled:
        raise asyncio.CancelledError


async def _stop(process: Process) -> None:
    """Close the input of a process, and end it with its children if that isn't enough."""
    if process.stdin is not None:
        process.stdin.close()
    if await _has_ended(process, EXIT_S):
        # Its children may have outlived it.
        _signal(process, signal.SIGTERM)
        return
    _signal(process, signal.SIGTERM)
    if not await _has_ended(process, TERM_S):
        _signal(process, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        await _has_ended(process, TERM_S)


async def _has_ended(process: Process, within_s: float) -> bool:
    # Not `wait` alone: a child that has inherited the pipes holds it up.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            await process.wait()
    return process.returncode is not None


def _signal(process: Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, number)
