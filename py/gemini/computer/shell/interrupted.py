"""Interrupts of the shell's commands: what each raises (gemini.core.interrupts)."""

import contextvars
from collections.abc import Callable
from typing import Any

from gemini.computer.python import process, tracebacks
from gemini.core import interrupts

# Errors of handlers pass through here.
tracebacks.hide_frames_of(__file__)


def reason_of_command(session: Any, job: int, context: contextvars.Context) -> interrupts.Reason:
    """Return the reason for a command: the signal of its own time limit once that is over, otherwise its call's reason.

    Args:
        session: The `Session` of web/kernel/shell/session.ts.
        job: The number of the task that runs the command.
        context: The context of its caller.
    """
    outer = context.get(interrupts.reason)

    def reason() -> type[BaseException] | None:
        signal = str(session.dueSignal(job))
        if signal:
            return interrupts.raised_by(signal)
        program = process.current()
        if program is not None:
            program.call_handlers()
        return _of_caller(outer)

    return reason


def reason_of_child(is_late: Callable[[], bool], context: contextvars.Context) -> interrupts.Reason:
    """Return the reason for a program's child: an interrupt once its parent's wait is over, else the parent's own."""
    outer = context.get(interrupts.reason)
    return lambda: KeyboardInterrupt if is_late() else _of_caller(outer)


def _of_caller(reason: interrupts.Reason | None) -> type[BaseException] | None:
    return KeyboardInterrupt if reason is None else reason()
