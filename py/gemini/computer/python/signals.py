"""Signals that programs get from outside, such as by `kill`: the program's handler is called where it has one."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager

from gemini.computer.python import process, tracebacks

tracebacks.hide_frames_of(__file__)

_programs: dict[int, process.Process] = {}


@contextmanager
def received_by(program: process.Process) -> Generator[None]:
    """Have `program` receive the signals of the shell's task that runs it."""
    job = process.job.get()
    _programs[job] = program
    try:
        yield
    finally:
        # Programs outside of the shell's tasks, as in an agent's own interpreter, have a number in common.
        if _programs.get(job) is program:
            del _programs[job]


def deliver(job: int, name: str) -> bool:
    """Have a program receive a signal; return False if it has no handler for it, so that it ends.

    Args:
        job: The number of the shell's task that runs the program.
        name: The signal's name without SIG.
    """
    program = _programs.get(job)
    handler = None if program is None else program.handler(name)
    if program is None or handler is None:
        return False
    if callable(handler):
        number = signal.Signals[f"SIG{name}"]
        if program is process.current():
            # It never pauses, so an interrupt calls the handler.
            program.signals.append((handler, number))
        else:
            loop = asyncio.get_running_loop()
            loop.call_soon(_call, program, handler, number, context=program.context.copy())
    return True


def _call(program: process.Process, handler: Callable[..., object], number: signal.Signals) -> None:
    try:
        handler(number, None)
    except BaseException as error:  # noqa: BLE001 - it is the program's, and is raised where that waits
        program.stop(error)
