"""Runs the commands of gemini_userland for the embedded shell."""

import contextlib
from importlib import import_module
from types import FrameType

from gemini.computer.shell import missing_commands
from gemini.computer.shell.commands import COMMANDS
from gemini.core import ffi, interrupts, time_zones
from gemini.errors import GeminiError
from gemini_userland import FOLDER, LOCATIONS, run
from gemini_userland.invocation import Invocation

CANNOT_EXECUTE = 126
TERMINATED = 143
# Commands that print times by the names of their zone.
DATED = {"cal", "date", "ls", "ps", "stat", "tar", "timedatectl", "top", "touch", "tree", "uptime", "watch"}


async def run_command(invocation: Invocation) -> int:
    """Run a command and return its exit code; one of Debian that isn't here prints that it is missing."""
    interrupts.may_interrupt.set(_may_interrupt if invocation.name in LOCATIONS else None)
    if invocation.name in missing_commands.NAMES:
        return missing_commands.answer(invocation)
    try:
        await ffi.load_programs()
    except OSError as error:
        invocation.error(str(error))
        return CANNOT_EXECUTE
    if "TZ" in invocation.env or invocation.name in DATED:
        await _prepare_zone(invocation)
    try:
        return await run(invocation, COMMANDS)
    except interrupts.Terminated:
        return TERMINATED


async def _prepare_zone(invocation: Invocation) -> None:
    """Load the data of the command's time zone. Without it, the zone is unknown, as the command says."""
    zone = invocation.env.get("TZ")
    if ffi.IN_BROWSER:
        machine = import_module("gemini_userland.clock").Machine
        clock = time_zones.clock
        machine.zone, machine.use, machine.choose = clock.machine_zone, clock.use, clock.choose
    with contextlib.suppress(GeminiError, OSError):
        await time_zones.zone_problem(time_zones.clock.machine_zone if zone is None else zone)


def _may_interrupt(frame: FrameType | None) -> bool:
    """Return whether the frame belongs to a command, or to library code that it calls."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(FOLDER):
            return True
        if file.startswith(interrupts.PACKAGE) or not file.startswith(interrupts.STDLIB):
            return False
        frame = frame.f_back
    return False
