"""Wakes the surface for its schedules: opens its page in a headless browser when one is due and no page is open.

    page → companion, from the page alone (not from its Python):
    clock/status {} → {possible, on}
    clock/allow {on} → {possible, on}      the user's choice
    clock/next {at, busy} → {}             the next slot, in seconds since 1970, or null; whether a run works

The companion stores the choice, the time and whether a run works, but no contents of the schedule. A run that was cut
off, since the companion, the browser or the window ended, continues in a page that is woken for it. The companion can
wake only the page of the window that it has opened itself: what a page stores is in its browser's profile, and only one
browser can use that.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, cast

from pydantic import FiniteFloat

from gemini.core.protocol import Handler
from gemini_companion.admission.admission import Visitor
from gemini_companion.errors import BrowserMissing, FolderUnusable
from gemini_companion.pages.pages import Pages
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.storage.private_files import read_private, write_private

Row = dict[str, Any]
# The clock is read this often, so that one that jumps, or a machine that slept, is noticed.
LONGEST_WAIT_S = 30.0
# A woken page must report within this time, and works for at most that.
REPORTED_WITHIN_S, LONGEST_WORK_S = 300.0, 6 * 3600.0
# A page that is idle for this time is closed.
IDLE_S = 5.0
# The time between two wakings.
PAUSE_S = 60.0
# Woken pages work for at most this time in any period of that length: Python says when the next one is due.
MOST_AWAKE_S, PERIOD_S = 12 * 3600.0, 24 * 3600.0
# A page that reloads is absent for some seconds, as is a window whose companion was restarted.
PAGE_AGAIN_WITHIN_S = 20.0

logger = logging.getLogger(__name__)


class AllowParams(MethodParams):
    """The parameters of `clock/allow`."""

    on: bool


class NextParams(MethodParams):
    """The parameters of `clock/next`."""

    at: FiniteFloat | None
    busy: bool


class Waking:
    """Wakes the page of one companion.

    Args:
        pages: The connected pages.
        file: Saves the choice, the time and whether a run works; None holds them in memory.
        pause_s: The least time between two wakings.
        idle_s: A page that is idle for this time is closed.
        again_s: A page whose run works and that is absent for this time was closed.
        most_awake_s: The most time that woken pages work in a day.
    """

    def __init__(
        self,
        pages: Pages,
        file: Path | None = None,
        *,
        pause_s: float = PAUSE_S,
        idle_s: float = IDLE_S,
        again_s: float = PAGE_AGAIN_WITHIN_S,
        most_awake_s: float = MOST_AWAKE_S,
    ) -> None:
        self._pages = pages
        self._file = file
        self._pause_s = pause_s
        self._idle_s = idle_s
        self._again_s = again_s
        self._most_awake_s = most_awake_s
        # When the pages of the last day were woken and closed, by the monotonic clock.
        self._awake: list[tuple[float, float]] = []
        self._on, self._at, self._busy = _read(file)
        self._reports = 0
        self._changed = asyncio.Event()

    def handlers(self, visitor: Visitor) -> Mapping[str, Handler]:
        """Return the request methods of one page, for `gemini.core.protocol.Connection`."""

        async def status(_: NoParams) -> Row:
            return {"possible": visitor.own, "on": visitor.own and self._on}

        async def allow(params: AllowParams) -> Row:
            if visitor.own:
                self._save(params.on, self._at, self._busy)
            return {"possible": visitor.own, "on": visitor.own and self._on}

        async def next_slot(params: NextParams) -> Row:
            if visitor.own:
                self._reports += 1
                self._save(self._on, params.at, params.busy)
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
            reports, begun = self._reports, time.monotonic()
            try:
                async with open_page(), asyncio.timeout(self._left_awake_s()):
                    await self._until_idle(reports)
            except TimeoutError:
                logger.warning(
                    "the page that was woken didn't report in time, or worked too long; it was closed"
                )
                # It isn't woken for the same run again.
                self._save(self._on, self._at, busy=False)
            except (BrowserMissing, FolderUnusable) as problem:
                logger.warning("the page can't be woken: %s", problem.message)
            self._awake.append((begun, time.monotonic()))
            await asyncio.sleep(self._pause_s)

    def _left_awake_s(self) -> float:
        """Return how long pages may still work today."""
        since = time.monotonic() - PERIOD_S
        self._awake = [(begun, ended) for begun, ended in self._awake if ended > since]
        return self._most_awake_s - sum(ended - max(begun, since) for begun, ended in self._awake)

    async def _until_due(self) -> None:
        """Wait until a slot is due or a run is cut off, and no page is open, which would run it automatically."""
        while True:
            await self._pages.emptied()
            self._changed.clear()
            if self._left_awake_s() <= 0:
                await asyncio.sleep(LONGEST_WAIT_S)
                continue
            left_s = LONGEST_WAIT_S if self._at is None else self._at - time.time()
            if self._on and self._at is not None and left_s <= 0:
                return
            if self._on and self._busy:
                try:
                    async with asyncio.timeout(self._again_s):
                        await self._pages.joined()
                except TimeoutError:
                    return
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(
                    min(LONGEST_WAIT_S, max(0.0, left_s) if self._on else LONGEST_WAIT_S)
                ):
                    await self._changed.wait()

    async def _until_idle(self, reports: int) -> None:
        """Wait until the page has reported that nothing works and nothing is due, or the user has switched waking off.

        Raises TimeoutError.
        """
        async with asyncio.timeout(REPORTED_WITHIN_S):
            while self._on and self._reports == reports:
                await self._report()
        async with asyncio.timeout(LONGEST_WORK_S):
            while self._on:
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

    def _save(self, on: bool, at: float | None, busy: bool) -> None:
        before, (self._on, self._at, self._busy) = (self._on, self._at, self._busy), (on, at, busy)
        self._changed.set()
        if self._file is None or before == (on, at, busy):
            return
        try:
            write_private(self._file, json.dumps({"on": on, "at": at, "busy": busy}))
        except FolderUnusable as problem:
            logger.warning("The time of the next schedule isn't saved: %s.", problem.message)
            self._file = None


def _read(file: Path | None) -> tuple[bool, float | None, bool]:
    text = None if file is None else read_private(file)
    try:
        row = cast("dict[str, Any]", json.loads(text or "{}"))
        at = row.get("at")
        if at is not None and not math.isfinite(at := float(at)):
            raise ValueError(at)
        return row.get("on") is True, at, row.get("busy") is True
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        logger.warning("%s can't be read; the page isn't woken until it reports again.", file)
        return False, None, False
