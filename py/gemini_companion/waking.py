"""Wakes the surface for its schedules: opens its page in a headless browser when one is due and no page is open.

    page → companion, from the page alone (not from its Python):
    clock/status {} → {possible, on}
    clock/allow {on} → {possible, on}      the person's choice
    clock/next {at, busy} → {}             the next slot, in seconds since 1970, or null; whether a run works

The companion stores the choice and the time, and nothing of what is scheduled. It can wake only the page of the window
that it has opened itself: what a page stores is in its browser's profile, and only one browser can use that.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, cast

from gemini.core.protocol import Handler
from gemini_companion.entrance import Visitor
from gemini_companion.errors import BrowserMissing, FolderUnusable
from gemini_companion.pages import Pages
from gemini_companion.parameters import MethodParams, NoParams, validated
from gemini_companion.private import read_private, write_private

Row = dict[str, Any]
# The clock is read this often, so that one that jumps, or a machine that slept, is noticed.
LONGEST_WAIT_S = 30.0
# A woken page must report within this time, and works for at most that.
REPORTED_WITHIN_S, LONGEST_WORK_S = 300.0, 6 * 3600.0
# A page that is idle for this time is closed.
IDLE_S = 5.0
# The time between two wakings.
PAUSE_S = 60.0

logger = logging.getLogger(__name__)


class AllowParams(MethodParams):
    """The parameters of `clock/allow`."""

    on: bool


class NextParams(MethodParams):
    """The parameters of `clock/next`."""

    at: float | None
    busy: bool


class Waking:
    """Wakes the page of one companion.

    Args:
        pages: The connected pages.
        file: Saves the choice and the time; None holds them in memory.
        pause_s: The least time between two wakings.
        idle_s: A page that is idle for this time is closed.
    """

    def __init__(
        self, pages: Pages, file: Path | None = None, *, pause_s: float = PAUSE_S, idle_s: float = IDLE_S
    ) -> None:
        self._pages = pages
        self._file = file
        self._pause_s = pause_s
        self._idle_s = idle_s
        self._on, self._at = _read(file)
        self._busy = False
        self._reports = 0
        self._changed = asyncio.Event()

    def handlers(self, visitor: Visitor) -> Mapping[str, Handler]:
        """Return the request methods of one page, for `gemini.core.protocol.Connection`."""

        async def status(_: NoParams) -> Row:
            return {"possible": visitor.own, "on": visitor.own and self._on}

        async def allow(params: AllowParams) -> Row:
            if visitor.own:
                self._save(on=params.on, at=self._at)
            return {"possible": visitor.own, "on": visitor.own and self._on}

        async def next_slot(params: NextParams) -> Row:
            if visitor.own:
                self._busy = params.busy
                self._reports += 1
                self._save(on=self._on, at=params.at)
            return {}

        return {
            "clock/status": validated(NoParams, status),
            "clock/allow": validated(AllowParams, allow),
            "clock/next": validated(NextParams, next_slot),
        }

    async def run(self, open_page: Callable[[], AbstractAsyncContextManager[None]]) -> None:
        """Wake the page whenever it is due, until this is cancelled.

        Args:
            open_page: Returns a block during which the page is open in a headless browser.
        """
        while True:
            await self._until_due()
            logger.info("a schedule is due; the page is opened")
            reports = self._reports
            try:
                async with open_page():
                    await self._until_idle(reports)
            except TimeoutError:
                logger.warning("the page that was woken didn't report in time; it was closed")
            except (BrowserMissing, FolderUnusable) as problem:
                logger.warning("the page can't be woken: %s", problem.message)
            await asyncio.sleep(self._pause_s)

    async def _until_due(self) -> None:
        """Wait until a slot is due and no page is open, which would run it by itself."""
        while True:
            await self._pages.emptied()
            self._changed.clear()
            left_s = LONGEST_WAIT_S if self._at is None else self._at - time.time()
            if self._on and self._at is not None and left_s <= 0:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(
                    min(LONGEST_WAIT_S, max(0.0, left_s) if self._on else LONGEST_WAIT_S)
                ):
                    await self._changed.wait()

    async def _until_idle(self, reports: int) -> None:
        """Wait until the page has reported that nothing works and nothing is due. Raises TimeoutError."""
        async with asyncio.timeout(REPORTED_WITHIN_S):
            while self._reports == reports:
                await self._report()
        async with asyncio.timeout(LONGEST_WORK_S):
            while True:
                seen = self._reports
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._idle_s):
                        await self._report()
                is_due = self._at is not None and self._at <= time.time()
                if seen == self._reports and not self._busy and not is_due:
                    return

    async def _report(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _save(self, *, on: bool, at: float | None) -> None:
        before, (self._on, self._at) = (self._on, self._at), (on, at)
        self._changed.set()
        if self._file is None or before == (on, at):
            return
        try:
            write_private(self._file, json.dumps({"on": on, "at": at}))
        except FolderUnusable as problem:
            logger.warning("The time of the next schedule isn't saved: %s.", problem.message)
            self._file = None


def _read(file: Path | None) -> tuple[bool, float | None]:
    text = None if file is None else read_private(file)
    try:
        row = cast("dict[str, Any]", json.loads(text or "{}"))
        at = row.get("at")
        return row.get("on") is True, None if at is None else float(at)
    except (ValueError, TypeError, AttributeError):
        logger.warning("%s can't be read; the page isn't woken until it reports again.", file)
        return False, None
