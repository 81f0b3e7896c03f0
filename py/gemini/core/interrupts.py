"""Interrupts of code that never pauses: which context a SIGINT is meant for, and where it may be raised.

CPython calls the handler between two instructions of any running code. Context variables, which tasks and timers
inherit, answer both questions, so that the surface's own code is never interrupted. The event loop's code isn't
either, because a KeyboardInterrupt there would lose the wake-up of a waiting task.
"""

import asyncio
import contextvars
import math
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

from gemini.core import ffi

# The surface's own code and the userland's.
PACKAGE = str(Path(__file__).parents[1])
STDLIB = f"{Path(os.__file__).parent}{os.sep}"
# The loop's `call_later` is the surface's.
TIMERS = str(Path(__file__).with_name("timers.py"))
LOOP = (TIMERS, *(f"{STDLIB}{package}{os.sep}" for package in ("asyncio", "pyodide", "_pyodide")))

FrameTest = Callable[[FrameType | None], bool]

may_interrupt: contextvars.ContextVar[FrameTest | None] = contextvars.ContextVar(
    "gemini_may_interrupt", default=None
)
"""Returns whether KeyboardInterrupt may be raised in a frame; None, as in the surface's own code, means never."""

is_target: contextvars.ContextVar[Callable[[], bool] | None] = contextvars.ContextVar(
    "gemini_is_target", default=None
)
"""Returns whether the current SIGINT is meant for this context's code; None means always."""

request: contextvars.ContextVar[int] = contextvars.ContextVar("gemini_request", default=0)
"""The id of the page's current request, which the page writes to shared memory to cancel it; 0 if there is none."""


def install(buffer: object) -> None:
    """Receive SIGINT through `buffer`, which CPython checks while code runs (Pyodide's setInterruptBuffer)."""
    signal.signal(signal.SIGINT, on_interrupt)
    ffi.set_interrupt_buffer(buffer)


def on_interrupt(_number: int, frame: FrameType | None) -> None:
    """Handle SIGINT. It is lost where nothing may be raised, so the sender repeats it."""
    accepts, is_meant = may_interrupt.get(), is_target.get()
    if accepts is None or (is_meant is not None and not is_meant()):
        _note_elsewhere()
    elif accepts(frame) and not _is_in_loop(frame):
        raise KeyboardInterrupt


def from_page() -> Any | None:
    """Return the memory that the page shares with the kernel (web/kernel/interrupts.ts), or None without isolation."""
    return getattr(ffi.kernel_host(), "interrupts", None)


class Alarm:
    """A context manager that interrupts code which never pauses, once its time is over, where the page can.

    The code's `is_target` must return `is_due`.

    Args:
        seconds: The time.
    """

    _set: ClassVar[set["Alarm"]] = set()

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    @property
    def is_due(self) -> bool:
        """True once the time is over."""
        return time.monotonic() >= self._at

    def __enter__(self) -> None:
        self._set.add(self)
        self._tell()

    def __exit__(self, *_: object) -> None:
        self._set.discard(self)
        self._tell()

    def _tell(self) -> None:
        page = from_page()
        if page is not None:
            next_at = min((each._at for each in self._set), default=math.inf)
            page.setAlarm((next_at - time.monotonic()) * 1000)


def receive(stop: int) -> bool:
    """Record that the message of an interrupt has arrived; return whether the interrupt has already ended something.

    Args:
        stop: The interrupt's number: the request's that asks for it, or the one that came with the key.
    """
    page = from_page()
    return page is not None and bool(page.receive(stop))


def is_request_cancelled() -> bool:
    """Return whether the page has cancelled the current request."""
    page = from_page()
    return page is not None and bool(page.isRequestCancelled(request.get()))


def _is_in_loop(frame: FrameType | None) -> bool:
    """Return whether the frame belongs to the event loop, or to a library module that the loop calls."""
    while frame is not None and frame.f_code.co_filename.startswith((STDLIB, TIMERS)):
        if frame.f_code.co_filename.startswith(LOOP):
            return True
        frame = frame.f_back
    return False


def _note_elsewhere() -> None:
    """Tell the page that the running code isn't the target, so that the page doesn't restart the kernel."""
    page = from_page()
    if page is not None:
        page.noteElsewhere()


class stoppable:  # noqa: N801 - used like a function
    """A context manager whose code is interrupted when the page cancels the current request.

    It is a class because `contextlib`'s generators would take a tenth of a trivial call's time.

    Args:
        own: Whether the surface's own code may be interrupted, too. Only for code that changes nothing.
    """

    __slots__ = ("_is_target", "_may_interrupt", "_own", "_task")

    def __init__(self, own: bool) -> None:
        self._own = own

    def __enter__(self) -> None:
        self._may_interrupt = None
        # A program's own setting applies to the tools that it calls.
        if request.get() and may_interrupt.get() is None:
            self._task = asyncio.current_task()
            self._may_interrupt = may_interrupt.set(self._accept)
            self._is_target = is_target.set(is_request_cancelled)

    def __exit__(self, *_: object) -> None:
        if self._may_interrupt is not None:
            may_interrupt.reset(self._may_interrupt)
            is_target.reset(self._is_target)

    def _accept(self, frame: FrameType | None) -> bool:
        # Tasks that the tool started inherit its context and may outlive it.
        # Frames of Python's library belong to their caller.
        while frame is not None and frame.f_code.co_filename.startswith(STDLIB):
            frame = frame.f_back
        if frame is None or asyncio.current_task() is not self._task:
            return False
        file = frame.f_code.co_filename
        return not file.startswith(PACKAGE) or (self._own and file != __file__)
