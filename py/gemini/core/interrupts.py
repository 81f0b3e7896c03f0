"""Stopping code that never pauses: whom a SIGINT is for, and where it may be raised.

CPython calls the handler between two instructions of whatever runs just then. Both questions are answered by
context variables, which tasks and timers inherit, so that the surface's own code is never interrupted, and a
program only by those who may. The event loop's code never is: a KeyboardInterrupt there keeps a future from waking up
who waits for it.
"""

import asyncio
import contextvars
import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from gemini.core import ffi

PACKAGE = str(Path(__file__).parent)
STDLIB = f"{Path(os.__file__).parent}{os.sep}"
LOOP = tuple(f"{STDLIB}{package}{os.sep}" for package in ("asyncio", "pyodide", "_pyodide"))

Accepts = Callable[[FrameType | None], bool]

accepts: contextvars.ContextVar[Accepts | None] = contextvars.ContextVar("gemini_accepts", default=None)
"""Asked whether KeyboardInterrupt may be raised in a frame; None, as in the surface's own code: never."""

wanted: contextvars.ContextVar[Callable[[], bool] | None] = contextvars.ContextVar(
    "gemini_wanted", default=None
)
"""Asked at each SIGINT whether it is meant for the code of this context; None: it always is."""

request: contextvars.ContextVar[int] = contextvars.ContextVar("gemini_request", default=0)
"""The page's request that is being served, whose number it leaves in shared memory when it gives up; or 0."""


def install(buffer: object) -> None:
    """Take SIGINT from `buffer`, which CPython looks into while code runs (Pyodide's setInterruptBuffer)."""
    signal.signal(signal.SIGINT, on_interrupt)
    ffi.set_interrupt_buffer(buffer)


def on_interrupt(_number: int, frame: FrameType | None) -> None:
    """Handle SIGINT. A signal that falls where nothing may be raised is lost, so the sender repeats it."""
    accepting, wanting = accepts.get(), wanted.get()
    if accepting is None or (wanting is not None and not wanting()):
        _tell_elsewhere()
    elif accepting(frame) and not _is_in_loop(frame):
        raise KeyboardInterrupt


def from_page() -> Any | None:
    """What the surface's page shares with its kernel (web/kernel/interrupts.js); None without isolation."""
    return getattr(ffi.kernel_host(), "interrupts", None)


def is_request_cancelled() -> bool:
    """Whether the page has given up on the request that is being served."""
    page = from_page()
    return page is not None and bool(page.isRequestCancelled(request.get()))


def _is_in_loop(frame: FrameType | None) -> bool:
    """Whether the event loop runs just then, or a module of Python's library that it calls."""
    while frame is not None and frame.f_code.co_filename.startswith(STDLIB):
        if frame.f_code.co_filename.startswith(LOOP):
            return True
        frame = frame.f_back
    return False


def _tell_elsewhere() -> None:
    """Spare what keeps the kernel busy, where something else is to stop."""
    page = from_page()
    if page is not None:
        page.noteElsewhere()


class stoppable:  # noqa: N801 - used as a function is
    """Let what runs within be interrupted when the page gives up on the request that it serves.

    A class, since `contextlib`'s generators would take a tenth of a trivial call.

    Args:
        own: Whether that holds for the surface's own code, too. Only what changes nothing may say so.
    """

    __slots__ = ("_accepts", "_own", "_task", "_wanted")

    def __init__(self, own: bool) -> None:
        self._own = own

    def __enter__(self) -> None:
        self._accepts = None
        # What a program calls is a part of that program.
        if request.get() and accepts.get() is None:
            self._task = asyncio.current_task()
            self._accepts = accepts.set(self._accept)
            self._wanted = wanted.set(is_request_cancelled)

    def __exit__(self, *_: object) -> None:
        if self._accepts is not None:
            accepts.reset(self._accepts)
            wanted.reset(self._wanted)

    def _accept(self, frame: FrameType | None) -> bool:
        # Tasks that the tool started inherit its context, and may outlive it.
        # What Python's library does is done by whoever called it.
        while frame is not None and frame.f_code.co_filename.startswith(STDLIB):
            frame = frame.f_back
        if frame is None or asyncio.current_task() is not self._task:
            return False
        file = frame.f_code.co_filename
        return not file.startswith(PACKAGE) or (self._own and file != __file__)
