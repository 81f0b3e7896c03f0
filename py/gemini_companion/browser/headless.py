"""Holds a page of the surface open in a headless Chromium, for MCP clients without a page of the user's."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from gemini_companion.browser.chromium_process import debugged, end, run
from gemini_companion.browser.launch import flags
from gemini_companion.browser.profile import let_sites_store
from gemini_companion.errors import BrowserMissing
from gemini_companion.pages.pages import Pages
from gemini_companion.storage.private_files import private_folder
from gemini_testing.chromium import NO_ADDRESS_MENU, find_browser, missing_browser

FLAGS = (
    "--headless=new",
    # Containers' /dev/shm is often too small.
    "--disable-dev-shm-usage",
    "--disable-gpu",
    # No requests except the surface's.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    NO_ADDRESS_MENU,
    # The page must work as if a user were looking at it.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--window-size=1400,900",
)
# A page that reloads is absent for some seconds; one that crashed doesn't return on its own.
PAGE_WITHIN_S = 60.0
PAGE_AGAIN_WITHIN_S = 20.0
PROFILE_IN_USE = 21
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0

logger = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def headless_page(address: Callable[[], str], profile: Path, pages: Pages) -> AsyncGenerator[None]:
    """Hold the surface open in a browser while the block runs; restart the browser if it or its page is lost.

    Calls that arrive before the page is there wait for it.

    Args:
        address: Returns a one-time address of the surface, for each browser that is started.
        profile: The folder where the page's data is stored; only one browser at a time may use it.
        pages: The pages in which this one will appear.

    Raises:
        BrowserMissing: There is no Chromium on this machine.
        FolderUnusable: The profile can't be written.
    """
    program = find_browser()
    if program is None:
        raise BrowserMissing(
            f"--headless needs a browser, but {missing_browser()}",
            hint="Install Chrome or Chromium, or set the environment variable CHROME_BIN to its path.",
        )
    private_folder(profile)
    let_sites_store(profile)
    keeper = asyncio.create_task(_keep_open(program, address, profile, pages))
    try:
        with pages.expected(PAGE_WITHIN_S):
            yield
    finally:
        keeper.cancel()
        await asyncio.wait({keeper})


def _how_it_ended(code: int | None, profile: Path) -> str:
    # chrome/common/chrome_result_codes.h
    in_use = f", since another browser uses {profile}" if code == PROFILE_IN_USE else ""
    return f"ended with code {code}{in_use}"


async def _keep_open(program: Path, address: Callable[[], str], profile: Path, pages: Pages) -> None:
    pause = SHORTEST_PAUSE_S
    while True:
        try:
            async with _start([str(program), *flags(profile), *FLAGS], address()) as browser:
                had_page, why = await _until_lost(browser, profile, pages)
        except OSError as error:
            had_page, why = False, f"can't be started: {error}"
        logger.warning("the browser %s; it is restarted", why)
        if had_page:
            pause = SHORTEST_PAUSE_S
            continue
        pages.set_unavailable(f", since the browser {why}")
        await asyncio.sleep(pause)
        pages.set_unavailable(None)
        pause = min(pause * 2, LONGEST_PAUSE_S)


async def _until_lost(browser: asyncio.subprocess.Process, profile: Path, pages: Pages) -> tuple[bool, str]:
    """Wait until the browser or its page is lost; return whether it had a page, and why it was lost."""
    ended = asyncio.create_task(browser.wait())
    joined = asyncio.create_task(pages.joined())
    lost = asyncio.create_task(_page_lost(pages))
    try:
        await asyncio.wait({ended, lost}, return_when=asyncio.FIRST_COMPLETED)
        return joined.done(), _how_it_ended(
            browser.returncode, profile
        ) if ended.done() else "has lost its page"
    finally:
        for task in (ended, joined, lost):
            task.cancel()


async def _page_lost(pages: Pages) -> None:
    """Return when there has been no page for too long."""
    within = PAGE_WITHIN_S
    with contextlib.suppress(TimeoutError):
        while True:
            async with asyncio.timeout(within):
                await pages.joined()
            await pages.emptied()
            within = PAGE_AGAIN_WITHIN_S


@contextlib.asynccontextmanager
async def _start(command: list[str], url: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    """Run the browser, which ends with the block."""
    if sys.platform == "win32":
        browser = await run([*command, url])
        try:
            yield browser
        finally:
            await asyncio.shield(end(browser))
        return
    async with debugged(command) as browser:
        # So the list of processes doesn't show the code in the address.
        opening = {"id": 1, "method": "Target.createTarget", "params": {"url": url}}
        # If it has ended by now, the caller notices.
        with contextlib.suppress(BrokenPipeError):
            os.write(browser.commands, json.dumps(opening).encode() + b"\0")
        yield browser.process
