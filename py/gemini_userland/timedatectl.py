"""`timedatectl`: show the time and its zone."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from gemini_userland.clock import Machine, zone_of
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

SYNTAX = Syntax(
    help="""
Usage: timedatectl [status | list-timezones | set-timezone ZONE]
Show the time and its zone, list zones, or have the page's programs use another zone until it is reloaded.
"""
)
FORM = "%a %Y-%m-%d %H:%M:%S %Z"


async def timedatectl(invocation: Invocation) -> int:
    """Show or set the zone."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    match given.operands:
        case [] | ["status"]:
            return _status(invocation)
        case ["list-timezones"]:
            from zoneinfo import available_timezones

            invocation.print("\n".join(sorted(available_timezones())))
            return 0
        case ["set-timezone", zone]:
            return await _set(invocation, zone)
        case _:
            return SYNTAX.usage_error(invocation, f"unknown command: {' '.join(given.operands)}")


def _status(invocation: Invocation) -> int:
    now = time.time()
    local = datetime.fromtimestamp(now, zone_of(invocation))
    name = invocation.env.get("TZ") or Machine.zone or "local"
    invocation.print(f"               Local time: {local:{FORM}}")
    invocation.print(f"           Universal time: {datetime.fromtimestamp(now, UTC):{FORM}}")
    invocation.print(f"                Time zone: {name} ({local:%Z, %z})")
    return 0


async def _set(invocation: Invocation, zone: str) -> int:
    problem = await Machine.choose(zone)
    if problem is None:
        return 0
    invocation.error(f"Failed to set time zone: {problem}")
    return 1
