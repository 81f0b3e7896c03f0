"""Starts Chromium with its debugger's pipes, which nobody else can reach.

The browser ends when the pipes close: a killed companion leaves no browser behind, which would lock the profile.
(https://chromedevtools.github.io/devtools-protocol/)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass

# Moves the two descriptors to 3 and 4, which Python's subprocesses can't have, and becomes the program.
WITH_PIPES = """
import fcntl, os, sys
inherited = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
for number, descriptor in zip((3, 4), inherited):
    os.dup2(descriptor, number)
    os.close(descriptor)
os.execv(sys.argv[3], sys.argv[3:])
"""
END_WITHIN_S = 5.0


@dataclass(frozen=True)
class Debugged:
    """A browser with the descriptors of its debugger: messages are JSON that ends with a zero byte.

    Attributes:
        commands: Where the companion writes.
        answers: Where it reads.
    """

    process: asyncio.subprocess.Process
    commands: int
    answers: int


@contextlib.asynccontextmanager
async def debugged(command: list[str]) -> AsyncGenerator[Debugged]:
    """Run a browser with its debugger's pipes. It ends with the block, and with this process however that ends.

    Raises:
        OSError: It can't be started.
    """
    async with contextlib.AsyncExitStack() as stack:
        commands, command_writer = os.pipe()
        answer_reader, answers = os.pipe()
        for descriptor in (command_writer, answer_reader):
            stack.callback(os.close, descriptor)
        try:
            words = [sys.executable, "-ISc", WITH_PIPES, str(commands), str(answers), *command]
            process = await run([*words, "--remote-debugging-pipe", "about:blank"], (commands, answers))
        finally:
            os.close(commands)
            os.close(answers)
        try:
            yield Debugged(process, command_writer, answer_reader)
        finally:
            await asyncio.shield(end(process))


async def run(command: list[str], descriptors: tuple[int, ...] = ()) -> asyncio.subprocess.Process:
    """Start a browser that inherits the descriptors and nothing else."""
    nothing = asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        pass_fds=descriptors,
        # Ctrl-C in the terminal stops the companion, which stops the browser.
        start_new_session=True,
    )


async def end(process: asyncio.subprocess.Process) -> None:
    """End a browser, and wait until it has ended."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(END_WITHIN_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
