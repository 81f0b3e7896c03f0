"""Runs a companion until it is asked to stop."""

import asyncio
import contextlib
import signal
import subprocess
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from gemini_companion.admission import control
from gemini_companion.admission.known_browsers import FILE, Browsers
from gemini_companion.admission.one_time_codes import AT_ONCE_S, BY_HAND_S, LaunchFile
from gemini_companion.browser.headless import headless_page
from gemini_companion.browser.launch import how_to_open, open_page, profile_folder
from gemini_companion.browser.tabs import TabBrowser
from gemini_companion.errors import FolderUnusable
from gemini_companion.host.policy import HostPolicy
from gemini_companion.mcp.keys import FILE as CLIENTS
from gemini_companion.mcp.keys import Keys
from gemini_companion.mcp.profile import FILE as MCP_TOOLS
from gemini_companion.mcp.profile import Profile, Profiles
from gemini_companion.named_command import named_command
from gemini_companion.network import Fetcher
from gemini_companion.network.private_origins import FILE as PRIVATE_ORIGINS
from gemini_companion.serving.app import Companion
from gemini_companion.serving.chosen_port import retained_at, saved_port
from gemini_companion.serving.relocation import Relocation
from gemini_companion.serving.server import Server
from gemini_companion.storage.folders import data_folder, runtime_folder


@dataclass(frozen=True)
class Options:
    """The options of a companion.

    Attributes:
        folder: The built surface.
        host: The access of pages to this machine.
        headless: Whether to open a page in a headless browser.
        profile: The folder where a browser that it starts stores its data; None uses the default one.
        tabs: Its own browser, in which pages may open other sites: in a window, hidden, or none.
        sites: The origins that may be opened there without a question; `*` for all public ones.
        network_proxy: The URL of an HTTP proxy for pages' requests to other origins.
        tools: The tools that MCP clients list; None for the user's choice.
    """

    folder: Path
    host: HostPolicy
    headless: bool = False
    profile: Path | None = None
    tabs: Literal["window", "hidden"] | None = None
    sites: tuple[str, ...] = ()
    network_proxy: str | None = None
    tools: Profile | None = None


@contextlib.asynccontextmanager
async def serving(
    server: Server, options: Options, keys: Keys | None = None, relocation: Relocation | None = None
) -> AsyncGenerator[Companion]:
    """Run a companion on the server's ports while the block runs, with a page if it is headless.

    Args:
        server: The ports.
        options: The options of the companion.
        keys: The tokens of MCP clients, if an earlier companion of this process has created them.
        relocation: Moves the surface to another port; None if that isn't possible.

    Raises:
        BrowserMissing: A headless page is requested, and there is no browser.
    """
    browsers, network = Browsers(data_folder() / FILE), Fetcher(proxy=options.network_proxy)
    companion = Companion(
        options.folder,
        server,
        host=options.host,
        browsers=browsers,
        network=network,
        keys=keys or Keys(data_folder() / CLIENTS),
        browser=_tab_browser(options, server),
        sites=options.sites,
        waking=None if options.headless else data_folder() / f"waking-{server.first}.json",
        relocation=relocation,
        private_origins=data_folder() / PRIVATE_ORIGINS,
        profiles=Profiles(data_folder() / MCP_TOOLS, options.tools),
    )
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(server.serving(companion.app(), **companion.other_apps()))
        for port in (server.main, *server.former):
            stack.enter_context(control.reachable(port.number, companion.entrance.key))
        if options.headless:
            # What pages store belongs to their origin, and so to the port.
            profile = options.profile or profile_folder(f"headless-{server.main.number}")
            opening = partial(companion.entrance.address, attended=False, within_s=AT_ONCE_S)
            await stack.enter_async_context(headless_page(opening, profile, companion.pages))
        yield companion


@contextlib.asynccontextmanager
async def waking(companion: Companion, options: Options) -> AsyncGenerator[None]:
    """Wake the page of the companion's window for its schedules while the block runs."""
    opening = partial(companion.entrance.address, attended=False, within_s=AT_ONCE_S, own=True)
    profile = options.profile or profile_folder("window")
    watch = asyncio.create_task(
        companion.waking.run(lambda: headless_page(opening, profile, companion.pages)), name="waking"
    )
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.wait({watch})


def _tab_browser(options: Options, server: Server) -> TabBrowser | None:
    if options.tabs is None:
        return None
    # Not the profile of a browser that shows the surface.
    profile = profile_folder(f"tabs-{server.first}")
    return TabBrowser(options.folder, profile, visible=options.tabs == "window")


async def run(options: Options, port: int | None, *, opens: bool) -> None:
    """Run `control-surface serve`: print the surface's address, open it, and serve it until Ctrl-C or SIGTERM.

    Takes the arguments of `serve_until`, and raises its errors.
    """
    await serve_until(stop_signal(), options, port, opens=opens)
    print("\nStopped.", flush=True)


async def serve_until(stop: asyncio.Event, options: Options, port: int | None, *, opens: bool) -> None:
    """Serve the surface until `stop` is set, also on the ports to which the user moves it.

    Args:
        stop: Ends it.
        options: The options of the companion.
        port: The surface's port; None for the one that the user has chosen, or the usual one.
        opens: Whether to open the surface in a window.

    Raises:
        PortUnavailable: Another process has the port.
        BrowserMissing: As in `serving`.
    """
    port, retained = saved_port() if port is None else (port, retained_at(port))
    keys = Keys(data_folder() / CLIENTS)
    server = await _run_on(Server(port, retained=retained), options, keys, stop, opens=opens)
    while server is not None:
        # Open pages follow by themselves.
        server = await _run_on(server, options, keys, stop, opens=None)


async def _run_on(
    server: Server, options: Options, keys: Keys, stop: asyncio.Event, *, opens: bool | None
) -> Server | None:
    """Serve until the end, and return None; or until the surface moves, and return the server with its next port.

    `opens` is None if the surface was opened before.
    """
    # A page without a window belongs to its port.
    relocation = None if options.headless else Relocation(server)
    async with serving(server, options, keys, relocation) as companion, contextlib.AsyncExitStack() as outer:
        if not options.headless:
            await outer.enter_async_context(waking(companion, options))
        with contextlib.ExitStack() as stack:
            companion.pairings.announce = partial(print, flush=True)
            _print_addresses(companion, server, options)
            # A reference to the browser, which runs on when the companion stops.
            window = _window(companion, options, stack) if opens and not options.headless else None
            if window is None and not options.headless and opens is not None:
                print(how_to_open(companion.entrance.address()), flush=True)
                print(f"That address works once, within {BY_HAND_S / 60:.0f} minutes.", flush=True)
            await _either(stop, relocation)
    if relocation is None or relocation.server is server:
        return None
    if stop.is_set():
        relocation.server.close()
        return None
    return relocation.server


async def _either(stop: asyncio.Event, relocation: Relocation | None) -> None:
    """Wait until the process is asked to stop, or the surface moves."""
    events = [stop] if relocation is None else [stop, relocation.wanted]
    waits = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


def _print_addresses(companion: Companion, server: Server, options: Options) -> None:
    number = server.main.number
    print(f"Serving {companion.url} (Ctrl-C stops)", flush=True)
    print(f"Files shown as web pages use port {server.sites.number}.", flush=True)
    url_command = named_command("url", "--port", str(number))
    print(f"To open the surface in another browser, run `{url_command}`.", flush=True)
    print(f"MCP clients connect to {companion.mcp_url} with this header:", flush=True)
    print(f"  Authorization: Bearer {companion.token}", flush=True)
    if options.host.allowed:
        folders = ", ".join(str(each.resolve()) for each in options.host.directories)
        print(f"Pages may run commands on this machine in {folders}, once you have allowed it.", flush=True)


def _window(
    companion: Companion, options: Options, stack: contextlib.ExitStack
) -> subprocess.Popen[bytes] | None:
    """Open the surface in a window; return None if there is no browser or screen, or no file to start it with."""
    try:
        file = LaunchFile(runtime_folder())
        stack.callback(file.remove)
        file.write_redirect(companion.entrance.address(within_s=AT_ONCE_S, file=file, own=True))
    except FolderUnusable as problem:
        print(f"{problem.message}. {problem.hint}", flush=True)
        return None
    return open_page(file.url, options.profile or profile_folder("window"))


def stop_signal() -> asyncio.Event:
    """Return an event that is set when the process is asked to stop, by Ctrl-C or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows' event loop has no signal handlers; there Ctrl-C ends the process as usual.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    return stop
