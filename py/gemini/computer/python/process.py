"""Python programs that run concurrently in one interpreter, each with its own interpreter state.

A program is active only while its own code runs. It is deactivated when control returns to the event loop, which
happens in two ways. `install` hooks both:

- A callback of the loop ends. The callback's context (`contextvars`), which tasks and timers inherit, names its
  program, so `asyncio.Handle` activates the program around each of its callbacks.
- Pyodide's `run_sync` suspends the stack, also for `asyncio.run` and `time.sleep`. The program is deactivated until
  the stack resumes.

CPython can't suspend a stack; there, as usual, `asyncio.run` raises an error inside the running loop.
"""

from __future__ import annotations

import asyncio
import contextvars
import signal
import sys
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any, TypeVar

from gemini.computer.python import interpreter, stdio, tracebacks
from gemini.computer.python.children import Child, Programs
from gemini.computer.python.interpreter import InterpreterState
from gemini.core import ffi, interrupts

tracebacks.hide_frames_of(__file__)

GRACE_S = 2.0
"""The time that a stopped program has for its `finally` blocks."""
REPEAT_S = 0.1

T = TypeVar("T")
RunSync = Callable[[Awaitable[Any]], Any]

_never_collected: set[asyncio.Future[Any]] = set()
job: contextvars.ContextVar[int] = contextvars.ContextVar("gemini_job", default=0)
"""The number of the shell's task that runs the current command; 0 in other code."""
_current: contextvars.ContextVar[Process | None] = contextvars.ContextVar("gemini_process", default=None)


def _reason(cancelled: asyncio.CancelledError) -> type[BaseException]:
    """Return what ends a program whose task was cancelled: the message is the signal's name, if there was one."""
    return interrupts.raised_by(cancelled.args[0] if cancelled.args else "")


class Process:
    """A running program, or one call of a console: its interpreter state, its streams and its pending waits.

    Args:
        state: The interpreter state; the calls of one Python console share it.
        streams: The standard streams.
        programs: Starts other programs.
    """

    def __init__(
        self, state: InterpreterState, streams: stdio.Streams, programs: Programs | None = None
    ) -> None:
        install()
        self.streams = streams
        self.programs = programs
        self.context = contextvars.copy_context()
        self.context.run(_current.set, self)
        self.context.run(stdio.set_streams, streams)
        self.context.run(interrupts.may_interrupt.set, self._accepts_interrupt)
        self.reporting = False
        """The program's error is being reported, so interrupts are ignored."""
        self.at_end: list[Callable[[], None]] = []
        """Release what the program has opened: called when it has ended."""
        self.killed = False
        """The program continued after it was stopped, so none of its code runs again."""
        self.signals: list[tuple[Callable[..., object], signal.Signals]] = []
        """Signals that have arrived while the program's code ran, with their handlers."""
        self._state = state
        self._waits: set[asyncio.Future[Any]] = set()
        self._children: set[Child] = set()
        self._stop_reason: BaseException | None = None
        # Whether `interrupt` has cancelled a wait that has not raised yet.
        self._interrupted = False

    @property
    def stopping(self) -> bool:
        """True after `stop` was called."""
        return self._stop_reason is not None

    def _accepts_interrupt(self, frame: FrameType | None) -> bool:
        """Return whether an interrupt may be raised in `frame`: only the program's own code is interrupted."""
        if self.reporting or interpreter.is_switching():
            return False
        return frame is None or not tracebacks.is_hidden(frame)

    def stop(self, reason: BaseException) -> None:
        """Raise a copy of `reason` in each suspended stack of the program."""
        self._stop_reason = reason.with_traceback(None)
        for child in self._children:
            child.kill(signal.SIGINT if isinstance(reason, KeyboardInterrupt) else signal.SIGTERM)
        for future in self._waits:
            future.cancel()

    def add_child(self, child: Child) -> None:
        """Stop `child` too when the program is stopped."""
        if child not in self._children:
            self._children.add(child)
            child.ended.add_done_callback(lambda _: self._children.discard(child), context=detached())

    def handler(self, name: str) -> Any:
        """Return the program's handler of a signal, SIG_IGN if it ignores it, or None if it does neither.

        Args:
            name: The signal's name without SIG.
        """
        if name not in interpreter.SIGNALS:
            return None
        found = self._state.value(f"signal.SIG{name}")
        defaults = (None, signal.SIG_DFL, signal.default_int_handler, interrupts.on_interrupt)
        # Not `in`, which would run the code of an object that the program made.
        return None if any(found is each for each in defaults) else found

    def call_handlers(self) -> None:
        """Call the handlers of the signals that have arrived while the program's code ran."""
        while self.signals:
            handler, number = self.signals.pop(0)
            handler(number, sys._getframe(1))  # pyright: ignore[reportPrivateUsage]

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in each suspended stack of the program, which may catch it and continue."""
        self._interrupted = bool(self._waits)
        for future in self._waits:
            future.cancel()

    async def supervise(self, ending: asyncio.Future[T]) -> T:
        """Wait until `ending` is done. If the wait is cancelled, stop the program first."""
        try:
            return await asyncio.shield(ending)
        except asyncio.CancelledError as cancelled:
            await self._stop_until_done({ending}, _reason(cancelled))
            raise

    async def end(self) -> None:
        """Cancel the program's remaining tasks and wait for them."""
        if not self.killed:
            await self._stop_until_done({*self.tasks(), *self._waits})

    async def _stop_until_done(
        self, left: set[asyncio.Future[Any]], reason: type[BaseException] = KeyboardInterrupt
    ) -> None:
        """Cancel `left` repeatedly, because programs often catch every exception."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + GRACE_S
        while left and clock() < deadline:
            self.stop(reason())
            for future in left:
                # Only a task can be cancelled; a script's stack must end on its own.
                if isinstance(future, asyncio.Task):
                    future.cancel()
            _, left = await asyncio.wait(left, timeout=REPEAT_S)
        self.killed = bool(left)
        # If they were garbage-collected, their errors would appear in another program's output.
        _never_collected.update(left)

    def tasks(self) -> set[asyncio.Task[Any]]:
        """Return the program's unfinished tasks."""
        # Tasks have no get_context() before Python 3.12. Pyodide is newer.
        if sys.version_info < (3, 12):
            return set()
        return {task for task in all_tasks() if task.get_context().get(_current) is self}

    def run_handle(self, handle: asyncio.Handle) -> None:
        """Run a callback of the loop that belongs to the program."""
        if self.killed:
            return
        # No context manager: an interrupt in the code of `contextlib` would leave the program active.
        previous = interpreter.switch(self._state)
        try:
            _run_original(handle)
        except (SystemExit, KeyboardInterrupt, interrupts.Terminated) as reason:
            # It would end the loop, which all programs share.
            self.stop(reason)
        finally:
            interpreter.switch(previous)

    def _wait(self, run_sync: RunSync, awaitable: Awaitable[T]) -> asyncio.Future[T]:
        future = asyncio.ensure_future(awaitable)
        # Pyodide prints the error of an awaitable that fails, so it waits for one that can't.
        settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda _: settled.set_result(None))
        self._waits.add(future)
        try:
            run_sync(settled)
        finally:
            self._waits.discard(future)
            # If the stack couldn't be suspended, nothing awaits the future.
            future.cancel()
        return future

    def wait_for(self, run_sync: RunSync, awaitable: Awaitable[Any]) -> Any:
        """Suspend the program's stack until `awaitable` is done, and return its result."""
        # First of all, because the program's debugger must not trace the event loop.
        interpreter.switch(interpreter.KERNEL)
        try:
            future = self._wait(run_sync, awaitable)
        finally:
            interpreter.switch(self._state)
        if future.cancelled() and self._stop_reason is not None:
            raise type(self._stop_reason)(*self._stop_reason.args)
        if future.cancelled() and self._interrupted:
            self._interrupted = False
            raise KeyboardInterrupt
        return future.result()


def current() -> Process | None:
    """Return the program whose code is running; None in the surface's own code."""
    return _current.get()


def program_of(task: asyncio.Task[Any]) -> Process | None:
    """Return the program that a task belongs to; None for the surface's own. Needs Python 3.12."""
    return task.get_context().get(_current) if sys.version_info >= (3, 12) else None


def detached() -> contextvars.Context:
    """Return a copy of this context that belongs to no program.

    Start a task of the surface in such a context if it may outlive the script that caused it.
    """
    context = contextvars.copy_context()
    context.run(_current.set, None)
    context.run(stdio.set_streams, None)
    context.run(interrupts.may_interrupt.set, None)
    return context


# --- Hooks ---

# Saved before any program can replace it.
all_tasks = asyncio.all_tasks
# Private, but unchanged since Python 3.7: every loop, including Pyodide's, calls this for each callback.
_run_original: Callable[[asyncio.Handle], None] = asyncio.Handle._run  # pyright: ignore


def install() -> None:
    """Hook the event loop's callbacks and the suspension of stacks; further calls do nothing."""
    if asyncio.Handle._run is _run_handle:  # pyright: ignore
        return
    asyncio.Handle._run = _run_handle  # pyright: ignore
    if ffi.IN_BROWSER:
        ffi.replace_run_sync(_run_sync_of_process)


def _run_handle(handle: asyncio.Handle) -> None:
    process: Process | None = handle._context.get(_current)  # pyright: ignore
    if process is None:
        _run_original(handle)
    else:
        process.run_handle(handle)


def _run_sync_of_process(run_sync: RunSync) -> RunSync:
    def wait(awaitable: Awaitable[Any]) -> Any:
        process = _current.get()
        return run_sync(awaitable) if process is None else process.wait_for(run_sync, awaitable)

    return wait
