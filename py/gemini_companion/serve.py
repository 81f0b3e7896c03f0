"""Runs a companion until it is told to stop."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncGenerator
from pathlib import Path

from gemini_companion.app import Companion
from gemini_companion.host.policy import HostPolicy
from gemini_companion.server import Server


@contextlib.asynccontextmanager
async def serving(server: Server, folder: Path, host: HostPolicy) -> AsyncGenerator[Companion]:
    """A companion that answers on the server's ports while the block runs.

    Args:
        server: Holds the ports.
        folder: The built surface.
        host: What pages may have of this machine.
    """
    companion = Companion(folder, server, host)
    async with server.serving(companion.app(), sites=companion.sites()):
        yield companion


async def stopped() -> None:
    """Wait until the process is told to stop, by Ctrl-C or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    told = (signal.SIGINT, signal.SIGTERM)
    for number in told:
        # Windows' loop has no handlers of signals; there Ctrl-C ends the process as always.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    await stop.wait()
