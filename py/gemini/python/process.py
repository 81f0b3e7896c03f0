"""Programs in Python that run side by side in the one interpreter, each with its own state of it.

A program is active only while its own code runs. It ceases to be wherever control goes back to the event
loop, in one of two ways, and `install` hooks both:

- a callback of the loop ends. Which program it belongs to stands in its context (`contextvars`), which tasks
  and timers inherit, so `asyncio.Handle` activates the program around each callback of such a context;
- the whole stack is suspended in the middle, by Pyodide's `run_sync` and with it `asyncio.run` and
  `time.sleep`. The program is put aside until the stack goes on.

On CPython a stack can't be suspended; there `asyncio.run` refuses to run inside of the running loop, as ever.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any, TypeVar

from gemini.core import ffi, interrupts
from gemini.python import interpreter, stdio, tracebacks
from gemini.python.interpreter import InterpreterState

tracebacks.hide_frames_of(__file__)

GRACE_S = 2.0
"""How long a program that was told to end may take for its `finally` blocks."""
REPEAT_S = 0.1

T = TypeVar("T")
RunSync = Callable[[Awaitable[Any]], Any]

_never_collected: set[asyncio.Future[Any]] = set()
_current: contextvars.ContextVar[Process | None] = contextvars.ContextVar("gemini_process", default=None)


class Process:
    """A program that runs, or one piece of it: its interpreter state, its streams, and what it waits for.

    Several may share one state, as the calls of a Python console do.
    """

    def __init__(self, state: InterpreterState, streams: stdio.Streams) -> None:
        install()
        self.streams = streams
        self.context = contextvars.copy_context()
        self.context.run(_current.set, self)
        self.context.run(stdio.set_streams, streams)
        self.context.run(interrupts.accepts.set, self._accepts_interrupt)
        self.deaf = False
        """Whether an interrupt would hit those who tell how the program ended."""
        self.killed = False
        """Whether the program went on after it was told to end, and so never runs again."""
        self._state = state
        self._waits: set[asyncio.Future[Any]] = set()
        self._reason: BaseException | None = None

    @property
    def stopping(self) -> bool:
        """Whether the program was told to end."""
        return self._reason is not None

    def _accepts_interrupt(self, frame: FrameType | None) -> bool:
        """Only the program's own code is interrupted, never the code around it."""
        if self.deaf or interpreter.is_switching():
            return False
        return frame is None or not tracebacks.is_hidden(frame)

    def stop(self, reason: BaseException) -> None:
        """Raise an error like `reason` in each stack of the program that is suspended."""
        self._reason = reason.with_traceback(None)
        for future in self._waits:
            future.cancel()

    async def supervise(self, ending: asyncio.Future[T]) -> T:
        """Wait until `ending` is done. If that is cancelled, end the program before going on."""
        try:
            return await asyncio.shield(ending)
        except asyncio.CancelledError:
            await self._stop_until_done({ending})
            raise

    async def end(self) -> None:
        """Cancel the tasks that the program left behind, and wait for them."""
        if not self.killed:
            await self._stop_until_done({*self.tasks(), *self._waits})

    async def _stop_until_done(self, left: set[asyncio.Future[Any]]) -> None:
        """Cancel `left` again and again, because programs are fond of catching everything."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + GRACE_S
        while left and clock() < deadline:
            self.stop(KeyboardInterrupt())
            for future in left:
                # Only a task gets to know; the end of a script's stack has to come by itself.
                if isinstance(future, asyncio.Task):
                    future.cancel()
            _, left = await asyncio.wait(left, timeout=REPEAT_S)
        self.killed = bool(left)
        # If they were collected, their errors would appear in some other program's output.
        _never_collected.update(left)

    def tasks(self) -> set[asyncio.Task[Any]]:
        """The program's tasks that are not done."""
        # Before Python 3.12 a task doesn't tell its context. Pyodide, which this is for, is newer.
        if sys.version_info < (3, 12):
            return set()
        return {task for task in all_tasks() if task.get_context().get(_current) is self}

    def run_handle(self, handle: asyncio.Handle) -> None:
        """Run a callback of the loop that belongs to the program."""
        if self.killed:
            return
        # No context manager: an interrupt could hit the code of `contextlib`, and leave the program active.
        previous = interpreter.switch(self._state)
        try:
            _run_plainly(handle)
        except (SystemExit, KeyboardInterrupt) as reason:
            # It would end the loop, and there is one for everybody.
            self.stop(reason)
        finally:
            interpreter.switch(previous)

    def wait_for(self, run_sync: RunSync, awaitable: Awaitable[Any]) -> Any:
        """Suspend the program's stack until `awaitable` is done, and return its result."""
        future = asyncio.ensure_future(awaitable)
        # Pyodide prints the error of what it waits for, so it gets to wait for something that can't fail.
        settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda _: settled.set_result(None))
        self._waits.add(future)
        interpreter.switch(interpreter.KERNEL)
        try:
            run_sync(settled)
        finally:
            interpreter.switch(self._state)
            self._waits.discard(future)
            # Nobody waits for it any more where stacks can't be suspended.
            future.cancel()
        if future.cancelled() and self._reason is not None:
            raise type(self._reason)(*self._reason.args)
        return future.result()


def current() -> Process | None:
    """The program whose code runs; None in the surface's own."""
    return _current.get()


def detached() -> contextvars.Context:
    """Return a copy of this context that belongs to no program.

    A task of the surface that may outlive the script which happens to cause it has to be started in one.
    """
    context = contextvars.copy_context()
    context.run(_current.set, None)
    context.run(stdio.set_streams, None)
    context.run(interrupts.accepts.set, None)
    return context


# --- Hooks ---

# Taken before any program can have its own in their place.
all_tasks = asyncio.all_tasks
# Private, yet the same in every asyncio since 3.7: each loop, Pyodide's too, calls this for each callback.
_run_plainly: Callable[[asyncio.Handle], None] = asyncio.Handle._run  # pyright: ignore


def install() -> None:
    """Hook the event loop's callbacks and the suspension of stacks; a second time changes nothing."""
    if asyncio.Handle._run is _run_handle:  # pyright: ignore
        return
    asyncio.Handle._run = _run_handle  # pyright: ignore
    if ffi.IN_BROWSER:
        ffi.replace_run_sync(_run_sync_of_process)


def _run_handle(handle: asyncio.Handle) -> None:
    process: Process | None = handle._context.get(_current)  # pyright: ignore
    if process is None:
        _run_plainly(handle)
    else:
        process.run_handle(handle)


def _run_sync_of_process(run_sync: RunSync) -> RunSync:
    def wait(awaitable: Awaitable[Any]) -> Any:
        process = _current.get()
        return run_sync(awaitable) if process is None else process.wait_for(run_sync, awaitable)

    return wait
