"""Keeps a page of the surface open in a Chromium without a window, for MCP clients that nobody opens one for."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from gemini_companion.browser import flags
from gemini_companion.errors import BrowserMissing
from gemini_companion.pages import Pages
from gemini_companion.private import private_folder
from gemini_testing.chromium import find_browser

FLAGS = (
    "--headless=new",
    # Containers' /dev/shm is often too small.
    "--disable-dev-shm-usage",
    "--disable-gpu",
    # Nothing but the surface is asked for anything.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nobody looks at this page, and it is to work as if somebody did.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--window-size=1400,900",
)
# A page that is loaded anew is gone for some seconds; one that crashed doesn't come again by itself.
PAGE_WITHIN_S = 60.0
PAGE_AGAIN_WITHIN_S = 20.0
END_WITHIN_S = 5.0
# Gives descriptors the numbers 3 and 4, as subprocesses of Python can't have them, and becomes the program.
WITH_PIPES = """
import fcntl, os, sys
held = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
for number, descriptor in zip((3, 4), held):
    os.dup2(descriptor, number)
    os.close(descriptor)
os.execv(sys.argv[3], sys.argv[3:])
"""
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0

logger = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def headless_page(address: Callable[[], str], profile: Path, pages: Pages) -> AsyncGenerator[None]:
    """A browser has the surface open while the block runs; it is started anew where it, or its page, is lost.

    Calls that come before the page is there wait for it.

    Args:
        address: Makes an address that opens the surface once, for each browser that is started.
        profile: Where the page keeps what it stores; one browser at a time may have it.
        pages: Where the page will appear.

    Raises:
        BrowserMissing: There is no Chromium on this machine.
        FolderUnusable: The profile can't be written.
    """
    program = find_browser()
    if program is None:
        raise BrowserMissing(
            "--headless needs Chromium or Chrome, and none was found",
            hint="Install one, or name it in the environment variable CHROME_BIN.",
        )
    private_folder(profile)
    keeping = asyncio.create_task(_keep_open(program, address, profile, pages))
    try:
        with pages.awaited(PAGE_WITHIN_S):
            yield
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})


async def _keep_open(program: Path, address: Callable[[], str], profile: Path, pages: Pages) -> None:
    pause = SHORTEST_PAUSE_S
    while True:
        try:
            async with _started([str(program), *flags(profile), *FLAGS], address()) as browser:
                had_page, why = await _until_lost(browser, pages)
        except OSError as error:
            had_page, why = False, f"can't be started: {error}"
        logger.warning("the browser %s; it is started anew", why)
        if had_page:
            pause = SHORTEST_PAUSE_S
            continue
        pages.miss(f", since the browser {why}")
        await asyncio.sleep(pause)
        pages.miss(None)
        pause = min(pause * 2, LONGEST_PAUSE_S)


async def _until_lost(browser: asyncio.subprocess.Process, pages: Pages) -> tuple[bool, str]:
    """Whether the browser ever had its page, and why it has it no longer."""
    ended = asyncio.create_task(browser.wait())
    joined = asyncio.create_task(pages.joined())
    lost = asyncio.create_task(_page_lost(pages))
    try:
        await asyncio.wait({ended, lost}, return_when=asyncio.FIRST_COMPLETED)
        return joined.done(), f"ended with code {browser.returncode}" if ended.done() else "has lost its page"
    finally:
        for task in (ended, joined, lost):
            task.cancel()


async def _page_lost(pages: Pages) -> None:
    """Ends when there has been no page for too long."""
    within = PAGE_WITHIN_S
    with contextlib.suppress(TimeoutError):
        while True:
            async with asyncio.timeout(within):
                await pages.joined()
            await pages.gone()
            within = PAGE_AGAIN_WITHIN_S


@contextlib.asynccontextmanager
async def _started(command: list[str], url: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    """The browser, which ends with the block, and with this process whatever ends it."""
    async with contextlib.AsyncExitStack() as stack:
        if sys.platform == "win32":
            browser = await _run([*command, url])
        else:
            browser = await _run_with_pipe(command, url, stack)
        try:
            yield browser
        finally:
            await asyncio.shield(_end(browser))


async def _run_with_pipe(
    command: list[str], url: str, stack: contextlib.AsyncExitStack
) -> asyncio.subprocess.Process:
    """Chromium with the pipes of its debugger, its descriptors 3 and 4, which tell it what to open.

    So the code in the address is in no list of processes. And it ends by itself when the pipes close: a companion that
    is killed leaves no browser behind, whose profile the next one couldn't have.
    (https://chromedevtools.github.io/devtools-protocol/)
    """
    commands, tell = os.pipe()
    hear, answers = os.pipe()
    for descriptor in (tell, hear):
        stack.callback(os.close, descriptor)
    try:
        words = [sys.executable, "-ISc", WITH_PIPES, str(commands), str(answers), *command]
        browser = await _run([*words, "--remote-debugging-pipe", "about:blank"], pass_fds=(commands, answers))
    finally:
        os.close(commands)
        os.close(answers)
    opening = {"id": 1, "method": "Target.createTarget", "params": {"url": url}}
    # One that has ended by now is noticed where its end is waited for.
    with contextlib.suppress(BrokenPipeError):
        os.write(tell, json.dumps(opening).encode() + b"\0")
    return browser


async def _run(command: list[str], pass_fds: tuple[int, ...] = ()) -> asyncio.subprocess.Process:
    nothing = asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        pass_fds=pass_fds,
        # Ctrl-C in the terminal stops the companion, which stops the browser.
        start_new_session=True,
    )


async def _end(browser: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        browser.terminate()
    try:
        async with asyncio.timeout(END_WITHIN_S):
            await browser.wait()
    except TimeoutError:
        browser.kill()
        await browser.wait()
