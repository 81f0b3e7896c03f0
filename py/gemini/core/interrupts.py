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
# The folders of Python's library: the page's build has compiled a part of it into another folder.
STDLIB = (f"{Path(os.__file__).parent}{os.sep}", f"{Path(asyncio.__file__).parents[1]}{os.sep}")
# The loop's `call_later` is the surface's.
TIMERS = str(Path(__file__).with_name("timers.py"))
LOOP = (
    TIMERS,
    *(f"{folder}{package}{os.sep}" for folder in STDLIB for package in ("asyncio", "pyodide", "_pyodide")),
)

FrameTest = Callable[[FrameType | None], bool]

may_interrupt: contextvars.ContextVar[FrameTest | None] = contextvars.ContextVar(
    "gemini_may_interrupt", default=None
)
"""Returns whether KeyboardInterrupt may be raised in a frame; None, as in the surface's own code, means never."""


class Terminated(BaseException):
    """A signal without a handler ends the program, which gets no message of it."""


def raised_by(signal_name: str) -> type[BaseException]:
    """Return what a signal raises in a program, by its name without SIG; "" is an interrupt."""
    return KeyboardInterrupt if signal_name in ("", "INT") else Terminated


Reason = Callable[[], type[BaseException] | None]

reason: contextvars.ContextVar[Reason | None] = contextvars.ContextVar("gemini_reason", default=None)
"""Returns what the current SIGINT raises in this context's code, None if it is meant for other code.

Without it, every SIGINT raises KeyboardInterrupt.
"""

request: contextvars.ContextVar[int] = contextvars.ContextVar("gemini_request", default=0)
"""The id of the page's current request, which the page writes to shared memory to cancel it; 0 if there is none."""


def install(buffer: object) -> None:
    """Receive SIGINT through `buffer`, which CPython checks while code runs (Pyodide's setInterruptBuffer)."""
    signal.signal(signal.SIGINT, on_interrupt)
    ffi.set_interrupt_buffer(buffer)


def on_interrupt(_number: int, frame: FrameType | None) -> None:
    """Handle SIGINT. It is lost where nothing may be raised, so the sender repeats it."""
    accepts, find_reason = may_interrupt.get(), reason.get()
    if accepts is None:
        _note_elsewhere()
        return
    if not accepts(frame) or _is_in_loop(frame):
        return
    found = KeyboardInterrupt if find_reason is None else _find(find_reason)
    if found is None:
        _note_elsewhere()
    else:
        raise found


def _find(find_reason: Reason) -> type[BaseException] | None:
    """Find what to raise. The search may send the signal of a time limit; nothing interrupts that."""
    current = may_interrupt.set(None)
    try:
        return find_reason()
    finally:
        may_interrupt.reset(current)


def when(is_meant: Callable[[], bool]) -> Reason:
    """Return a `reason` for code that KeyboardInterrupt is raised in where `is_meant` returns True."""
    return lambda: KeyboardInterrupt if is_meant() else None


def from_page() -> Any | None:
    """Return the memory that the page shares with the kernel (web/kernel/interrupts.ts), or None without isolation."""
    return getattr(ffi.kernel_host(), "interrupts", None)


class Alarm:
    """A context manager that interrupts code which never pauses, once its time is over, where the page can.

    The code's `reason` must look at `is_due`.

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


_reason_of_request = when(is_request_cancelled)


def _is_in_loop(frame: FrameType | None) -> bool:
    """Return whether the frame belongs to the event loop, or to a library module that the loop calls."""
    while frame is not None and frame.f_code.co_filename.startswith((*STDLIB, TIMERS)):
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

    __slots__ = ("_may_interrupt", "_own", "_reason", "_task")

    def __init__(self, own: bool) -> None:
        self._own = own

    def __enter__(self) -> None:
        self._may_interrupt = None
        # A program's own setting applies to the tools that it calls.
        if request.get() and may_interrupt.get() is None:
            self._task = asyncio.current_task()
            self._may_interrupt = may_interrupt.set(self._accept)
            self._reason = reason.set(_reason_of_request)

    def __exit__(self, *_: object) -> None:
        if self._may_interrupt is not None:
            may_interrupt.reset(self._may_interrupt)
            reason.reset(self._reason)

    def _accept(self, frame: FrameType | None) -> bool:
        # Tasks that the tool started inherit its context and may outlive it.
        # Frames of Python's library belong to their caller.
        while frame is not None and frame.f_code.co_filename.startswith(STDLIB):
            frame = frame.f_back
        if frame is None or asyncio.current_task() is not self._task:
            return False
        file = frame.f_code.co_filename
        return not file.startswith(PACKAGE) or (self._own and file != __file__)
