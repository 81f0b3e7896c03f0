"""Runs a companion until it is told to stop."""

import asyncio
import contextlib
import signal
import subprocess
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gemini_companion import control
from gemini_companion.app import Companion
from gemini_companion.browser import how_to_open, open_page, profile_folder
from gemini_companion.browsers import FILE, Browsers
from gemini_companion.errors import FolderUnusable
from gemini_companion.folders import data_folder, runtime_folder
from gemini_companion.headless import headless_page
from gemini_companion.host.policy import HostPolicy
from gemini_companion.network import Fetcher
from gemini_companion.openings import AT_ONCE_S, BY_HAND_S, OpeningFile
from gemini_companion.server import Server


@dataclass(frozen=True)
class Options:
    """What a start of the companion was told.

    Attributes:
        folder: The built surface.
        host: What pages may have of this machine.
        headless: Whether it opens a page by itself, without a window.
        profile: Where a browser that it starts keeps what pages store; None: where it always does.
        network_proxy: The URL of an HTTP proxy for what pages fetch from other origins.
    """

    folder: Path
    host: HostPolicy
    headless: bool = False
    profile: Path | None = None
    network_proxy: str | None = None


@contextlib.asynccontextmanager
async def serving(server: Server, options: Options) -> AsyncGenerator[Companion]:
    """A companion that answers on the server's ports while the block runs, with a page where it is headless.

    Raises:
        BrowserMissing: It is to be headless, and there is no browser.
    """
    browsers, network = Browsers(data_folder() / FILE), Fetcher(proxy=options.network_proxy)
    companion = Companion(options.folder, server, options.host, browsers, network)
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(server.serving(companion.app(), **companion.beside()))
        stack.enter_context(control.reachable(server.main.number, companion.entrance.key))
        if options.headless:
            # What pages store belongs to their origin, and so to the port.
            profile = options.profile or profile_folder(f"headless-{server.main.number}")
            opening = partial(companion.entrance.address, attended=False, within_s=AT_ONCE_S)
            await stack.enter_async_context(headless_page(opening, profile, companion.pages))
        yield companion


async def run(options: Options, port: int, *, opens: bool) -> None:
    """`control-surface serve`: tell where the surface is, open it, and serve it until Ctrl-C or SIGTERM.

    Raises:
        PortUnavailable: Somebody else has the port.
        BrowserMissing: See `serving`.
    """
    stop = stop_signal()
    server = Server(port)
    async with serving(server, options) as companion:
        with contextlib.ExitStack() as stack:
            _tell(companion, server, options)
            # Held for as long as the companion runs, and left alone after it.
            window = _window(companion, options, stack) if opens and not options.headless else None
            if window is None and not options.headless:
                print(how_to_open(companion.entrance.address()), flush=True)
                print(f"That address works once, within {BY_HAND_S / 60:.0f} minutes.", flush=True)
            await stop.wait()
        print("\nStopped.", flush=True)


def _tell(companion: Companion, server: Server, options: Options) -> None:
    number = server.main.number
    print(f"Serving {companion.url} (Ctrl-C stops)", flush=True)
    print(f"Files that are shown as web pages have port {server.sites.number}.", flush=True)
    print(f"Another browser is let in by what `control-surface url --port {number}` prints.", flush=True)
    print(f"MCP clients connect to {companion.mcp_url} with this header:", flush=True)
    print(f"  Authorization: Bearer {companion.token}", flush=True)
    if options.host.allowed:
        folders = ", ".join(str(each.resolve()) for each in options.host.directories)
        print(f"Pages may run commands on this machine in {folders}, when their person agrees.", flush=True)


def _window(
    companion: Companion, options: Options, stack: contextlib.ExitStack
) -> subprocess.Popen[bytes] | None:
    """The surface in a window; None where there is no browser or screen, or no file to start it with."""
    try:
        file = OpeningFile(runtime_folder())
        stack.callback(file.remove)
        file.lead_to(companion.entrance.address(within_s=AT_ONCE_S, file=file))
    except FolderUnusable as problem:
        print(f"{problem.message}. {problem.hint}", flush=True)
        return None
    return open_page(file.url, options.profile or profile_folder("window"))


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
