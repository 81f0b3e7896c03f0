"""Runs a companion until it is told to stop."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

from gemini_companion.app import Companion
from gemini_companion.browser import how_to_open, open_page, profile_folder
from gemini_companion.headless import headless_page
from gemini_companion.host.policy import HostPolicy
from gemini_companion.server import Server


@dataclass(frozen=True)
class Options:
    """What a start of the companion was told.

    Attributes:
        folder: The built surface.
        host: What pages may have of this machine.
        headless: Whether it opens a page by itself, without a window.
        profile: Where a browser that it starts keeps what pages store; None: where it always does.
    """

    folder: Path
    host: HostPolicy
    headless: bool = False
    profile: Path | None = None


@contextlib.asynccontextmanager
async def serving(server: Server, options: Options) -> AsyncGenerator[Companion]:
    """A companion that answers on the server's ports while the block runs, with a page where it is headless.

    Raises:
        BrowserMissing: It is to be headless, and there is no browser.
    """
    companion = Companion(options.folder, server, options.host)
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(server.serving(companion.app(), sites=companion.sites()))
        if options.headless:
            # What pages store belongs to their origin, and so to the port.
            profile = options.profile or profile_folder(f"headless-{server.main.number}")
            await stack.enter_async_context(headless_page(companion.url_for_nobody, profile, companion.pages))
        yield companion


async def run(options: Options, port: int, *, opens: bool) -> None:
    """`control-surface serve`: tell where the surface is, open it, and serve it until Ctrl-C or SIGTERM.

    Raises:
        PortUnavailable: Somebody else has the port.
        BrowserMissing: See `serving`.
    """
    stop = stop_signal()
    async with serving(Server(port), options) as companion:
        print(f"Serving {companion.url} (Ctrl-C stops)", flush=True)
        print(f"MCP clients connect to {companion.mcp_url} with this header:", flush=True)
        print(f"  Authorization: Bearer {companion.token}", flush=True)
        if options.host.allowed:
            folders = ", ".join(str(each.resolve()) for each in options.host.directories)
            print(
                f"Pages may run commands on this machine in {folders}, when their person agrees.", flush=True
            )
        if not options.headless:
            profile = options.profile or profile_folder("window")
            # Held for as long as the companion runs, and left alone after it.
            window = open_page(companion.url_for_once(), profile) if opens else None
            if window is None:
                print(how_to_open(companion.url), flush=True)
        await stop.wait()
        print("\nStopped.", flush=True)


def stop_signal() -> asyncio.Event:
    """Is set when the process is told to stop from now on, by Ctrl-C or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    told = (signal.SIGINT, signal.SIGTERM)
    for number in told:
        # Windows' loop has no handlers of signals; there Ctrl-C ends the process as always.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    return stop
