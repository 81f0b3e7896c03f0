"""`nproc` and `uptime`."""

from __future__ import annotations

import os
import time
from datetime import datetime, timedelta

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation
from gemini_userland.options import Number, Syntax

NPROC = Syntax(
    numbers={"ignore": Number("invalid number: '{}'")},
    long={"all": "all", "ignore=": "ignore"},
    help="""
Usage: nproc [OPTION]...
Print the number of processors that are available. In the page, all commands share one.

      --all       the same
      --ignore=N  leave out N processors, if that leaves any
""",
)
UPTIME = Syntax(
    short="pshV",
    long={"pretty": "p", "since": "s"},
    answer={"h": "help", "V": "version"},
    help="""
Usage: uptime [OPTION]
Print the time, and for how long the machine has run. In the page, that is the time since Python started.

  -p, --pretty  only print for how long
  -s, --since   print since when
""",
)


async def nproc(invocation: Invocation) -> int:
    """Print the number of processors."""
    given = NPROC.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        return NPROC.usage_error(invocation, f"extra operand '{given.operands[0]}'")
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") and "all" not in given else None
    invocation.print(str(max(1, (usable or os.cpu_count() or 1) - given.number("ignore", 0))))
    return 0


def up(seconds: float) -> str:
    """Return a duration as `uptime` prints it: minutes, hours and minutes, or days too."""
    minutes = int(seconds // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    text = f"{days} day{'' if days == 1 else 's'}, " if days else ""
    return text + (f"{hours:2d}:{minutes % 60:02d}" if hours else f"{minutes % 60} min")


def pretty(seconds: float) -> str:
    """Return a duration in words."""
    minutes = int(seconds // 60)
    parts = (
        ("week", minutes // 10080),
        ("day", minutes // 1440 % 7),
        ("hour", minutes // 60 % 24),
        ("minute", minutes % 60),
    )
    words = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in parts if count]
    return ", ".join(words) or "0 minutes"


async def uptime(invocation: Invocation) -> int:
    """Print for how long the machine has run."""
    given = UPTIME.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        return UPTIME.usage_error(invocation, f"extra operand '{given.operands[0]}'")
    seconds = time.monotonic()
    now = datetime.now(zone_of(invocation))
    if "p" in given:
        invocation.print(f"up {pretty(seconds)}")
    elif "s" in given:
        invocation.print(f"{now - timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S}")
    else:
        terminals = {process.terminal for process in invocation.machine.processes()}
        users = f",  {len(terminals)} user{'' if len(terminals) == 1 else 's'}" if terminals else ""
        invocation.print(f" {now:%H:%M:%S} up {up(seconds)}{users}")
    return 0
