"""A single Linux program, which the command `linux` of the embedded shell runs."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
from contextlib import suppress
from typing import Any

from gemini.computer.python.children import Pipe, ProgramInvocation
from gemini.computer.shell.embedded import ENVIRONMENT as OF_SHELL
from gemini.computer.shell.linux_commands import open_channel
from gemini.computer.shell.linux_network import MachineNetwork
from gemini.computer.shell.linux_typed import ENVIRONMENT
from gemini.core import ffi
from gemini.errors import GeminiError
from gemini_userland.invocation import Invocation, Output

USAGE = """usage: linux PROGRAM [ARGUMENT]...

Run a program of the Linux in the page, in the same folder, which must be below {shared}, with the same streams and
exported variables. `linux bash -c 'A && B'` runs a script. Programs that need a terminal, such as vim and top, run in a
terminal of the Linux: New Linux terminal in the omnibar, or terminal_create(backend='linux').
"""
# Variables that describe the embedded shell.
NOT_PASSED = {*OF_SHELL, "PWD", "OLDPWD", "SHLVL", "_"}
CHUNK = 1 << 16
CANNOT_EXECUTE = 126
INTERRUPTED = 130
CLOSED = 128 + signal.SIGPIPE


async def linux(invocation: Invocation) -> int:
    """Run a Linux program; return its exit code, or 126 if there is no Linux."""
    run = invocation.machine.linux
    if invocation.argv[1:] in ([], ["--help"]):
        invocation.print(USAGE.format(shared="/project"), end="")
        return 0
    if run is None:
        invocation.error("this shell has no Linux")
        return CANNOT_EXECUTE
    try:
        return await run(invocation)
    except GeminiError as error:
        invocation.error(f"{error.message}. {error.hint or ''}".rstrip())
        return CANNOT_EXECUTE


async def run_program(machine: Any, network: MachineNetwork, shared: str, invocation: Invocation) -> int:
    """Run a program of a machine with the streams of a command.

    Args:
        machine: The machine (web/linux/machine.ts).
        network: Its network, whose requests the command sends.
        shared: The folder that the machine shares.
        invocation: The command `linux`.
    """
    folder = os.path.realpath(invocation.cwd)
    if not f"{folder}/".startswith(f"{shared}/"):
        invocation.error(
            f"{invocation.cwd} is not in the Linux, which has the files of {shared}: cd {shared}"
        )
        return CANNOT_EXECUTE
    await network.prepared()
    with network.command(invocation.machine.terminal) as user:
        return await _run(machine, network.environment(user), folder, invocation)


async def _run(machine: Any, lead: dict[str, str], folder: str, invocation: Invocation) -> int:
    own = {**ENVIRONMENT, **lead}
    passed = {name: value for name, value in invocation.env.items() if name not in {*own, *NOT_PASSED}}
    # The machine takes about a hundred; its own come first.
    environment = own | passed
    # Bash reports errors of the program, and takes empty arguments, which end a channel's arguments.
    command = ["bash", "-c", f"exec -- {shlex.join(invocation.argv[1:])}"]
    channel = open_channel(machine, command, folder, environment)
    feeding = asyncio.ensure_future(_feed(channel, invocation))
    try:
        return await _answer(channel, invocation)
    except BrokenPipeError:
        return CLOSED
    finally:
        # It does nothing after the program's end.
        channel.close()
        feeding.cancel()
        with suppress(asyncio.CancelledError):
            await feeding


async def _feed(channel: Any, invocation: Invocation) -> None:
    pipe: Pipe | None = invocation.input if isinstance(invocation, ProgramInvocation) else None
    if invocation.stdin:
        channel.write(ffi.to_js_bytes(invocation.stdin))
    while pipe is not None:
        if (change := pipe.readable()) is not None:
            await change
        if not (data := pipe.take(CHUNK)):
            break
        channel.write(ffi.to_js_bytes(data))
        await channel.written()
    channel.end()


async def _answer(channel: Any, invocation: Invocation) -> int:
    streams: dict[str, Output] = {"output": invocation.stdout, "errors": invocation.stderr}
    while (piece := await channel.next()).stream != "exit":
        if piece.stream in streams:
            stream = streams[piece.stream]
            stream.write(piece.bytes.to_bytes())
            # The program waits, because the next piece takes the credit of its output.
            if (change := stream.writable()) is not None:
                await change
    code = int(piece.code)
    return code if code >= 0 else INTERRUPTED
