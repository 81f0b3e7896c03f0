"""One clock: the zone of Python's local time, and the data of zones, which loads where a zone is asked for."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from gemini.core import ffi, loading
from gemini.errors import CapabilityMissing, GeminiError

DATA = "tzdata"
UTC = ("", "UTC", "Etc/UTC")
_HALF_YEAR_S = 183 * 86_400
Change = tuple[int, int, str, bool]
"""See `gemini_userland.clock.Change`."""


class Clock:
    """The zone of Python's local time.

    Attributes:
        zone: A value of `TZ`; None for the browser's zone.
        chosen: The zone of programs without `TZ`; None for the browser's.
    """

    async def choose(self, zone: str) -> str | None:
        """Set `chosen`; return the problem with the zone, or None."""
        problem = await zone_problem(zone)
        if problem is None:
            self.chosen = zone
        return problem

    @property
    def machine_zone(self) -> str:
        """The name of the zone of programs without `TZ`."""
        return self.chosen or ffi.time_zone()

    def __init__(self) -> None:
        self.zone: str | None = None
        self.chosen: str | None = None
        # The module's constants for the browser's zone.
        self._own = time.tzname, time.timezone, time.altzone, time.daylight

    def use(self, zone: str | None) -> None:
        """Choose the zone. An unknown one is UTC, as in the GNU C library."""
        if not ffi.IN_BROWSER:
            # The C library reads `TZ` itself.
            self.zone = zone
            time.tzset()
            return
        if zone == self.zone:
            return
        self.zone = zone
        module: Any = time
        if zone is None:
            module.tzname, module.timezone, module.altzone, module.daylight = self._own
            ffi.set_clock(None, self._own[0])
            return
        changes = table_of(zone)
        winter, summer = _states_of(changes)
        module.tzname = winter[1], summer[1]
        module.timezone, module.altzone, module.daylight = -winter[0], -summer[0], int(winter != summer)
        ffi.set_clock(changes, module.tzname)


def _states_of(changes: list[Change]) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return the offset and the name of a zone in this year's winter and summer; without a summer, twice the same."""
    now = time.time()
    recent = [change for change in changes if change[0] <= now + _HALF_YEAR_S][-2:]
    winter = next((change for change in recent if not change[3]), recent[-1])
    summer = next((change for change in recent if change[3] and now - change[0] < 3 * _HALF_YEAR_S), winter)
    return winter[1:3], summer[1:3]


clock = Clock()


async def load() -> None:
    """Load the data of time zones, unless it is there.

    Raises:
        CapabilityMissing: It can't be downloaded.
    """
    await loading.load_packages((DATA,), (DATA,), CapabilityMissing, "the data of time zones")


async def zone_for_shell(name: str | None) -> str:
    """Return `{changes, problem}` as JSON for a value of `TZ`; None stands for the browser's zone.

    See web/kernel/shell/commands/zone.ts.
    """
    own = name is None
    zone = clock.machine_zone if own else name
    if not zone or zone.lstrip(":") in UTC:
        return json.dumps(
            {"changes": None if own and clock.chosen is None else [(0, 0, "UTC", False)], "problem": None}
        )
    try:
        problem = await zone_problem(zone)
    except (GeminiError, OSError) as error:
        if own:
            # The browser knows its own zone, but for its name.
            return json.dumps({"changes": None, "problem": None})
        return json.dumps({"changes": [(0, 0, "UTC", False)], "problem": str(error)})
    return json.dumps({"changes": table_of(zone), "problem": problem})


async def zone_problem(name: str | None) -> str | None:
    """Load the zone data for a value of `TZ`; return the problem with the value, or None."""
    if not name or name.lstrip(":") in UTC:
        return None
    await ffi.load_programs()
    await load()
    zones = import_module("gemini_userland.clock")
    return None if zones.zone_named(name) is not None else zones.unknown(name)


def table_of(name: str) -> list[Change]:
    """Return the table of a zone (`gemini_userland.clock.Change`); UTC's for an unknown one."""
    zones = import_module("gemini_userland.clock")
    return list(zones.table_of(zones.zone_named(name) or zones.fallback(name)))


def _tzset() -> None:
    """Use the zone that the environment variable TZ names, as `time.tzset` of CPython on Unix."""
    zone = os.environ.get("TZ")
    if zone and ffi.can_wait():
        ffi.wait(zone_problem(zone))
    clock.use(zone)


class _DataFinder(importlib.abc.MetaPathFinder):
    """Loads the data of zones when `zoneinfo` imports it."""

    def __init__(self) -> None:
        self._loading = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the package of the data, once it is loaded; None for every other module."""
        if fullname != DATA or self._loading or not ffi.can_wait():
            return None
        self._loading = True
        try:
            ffi.wait(ffi.install_packages([DATA]))
        finally:
            self._loading = False
        importlib.invalidate_caches()
        return importlib.machinery.PathFinder.find_spec(fullname, path)


def install() -> None:
    """Give Python `time.tzset`, and the data of zones on first use; further calls do nothing."""
    if not ffi.IN_BROWSER or any(isinstance(finder, _DataFinder) for finder in sys.meta_path):
        return
    sys.meta_path.append(_DataFinder())
    module: Any = time
    module.tzset = _tzset
