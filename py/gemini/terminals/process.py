"""Programs in Python that run side by side in the one interpreter, each with the state that it takes for its own.

A program is active only while its own code runs. It ceases to be at every point where control goes back to the event
loop, of which there are two kinds, and `install` hooks both:

- a callback of the loop ends: what belongs to a program is told by its context (`contextvars`), which tasks and
  timers inherit, so `asyncio.Handle` activates the program around each callback of such a context;
- the whole stack is suspended in the middle (`run_sync` of Pyodide, and with it `asyncio.run` and `time.sleep`):
  the program is put aside until the stack goes on.

On CPython a stack can't be suspended; there `asyncio.run` refuses to run inside the running loop, as always.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from gemini import ffi
from gemini.terminals import interpreter, stdio, tracebacks
from gemini.terminals.interpreter import ExitHandlers, HardExit, InterpreterState

INTERRUPTED = 130
GRACE_S = 2.0
"""How long a program that was told to end may take for its `finally` blocks."""

tracebacks.hide_frames_of(__file__)

T = TypeVar("T")
RunSync = Callable[[Awaitable[Any]], Any]

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
        self._state = state
        self._waits: set[asyncio.Future[Any]] = set()
        self._reason: BaseException | None = None
        self.deaf = False
        """Whether an interrupt would hit those who tell how the program ended."""

    @property
    def stopping(self) -> bool:
        """Whether the program was told to end."""
        return self._reason is not None

    def stop(self, reason: BaseException) -> None:
        """Raise `reason` where the program waits with its whole stack, now and whenever it tries to again."""
        self._reason = reason.with_traceback(None)
        for future in self._waits:
            future.cancel()

    async def supervise(self, ending: asyncio.Future[T]) -> T:
        """Wait until `ending` is done; if the waiting task is cancelled, end the program before that goes on."""
        try:
            return await asyncio.shield(ending)
        except asyncio.CancelledError:
            self.stop(KeyboardInterrupt())
            if isinstance(ending, asyncio.Task):
                ending.cancel()
            await asyncio.wait([ending], timeout=GRACE_S)
            raise

    async def end(self) -> None:
        """Cancel the tasks that the program left behind, and wait for them."""
        # Before Python 3.12 a task doesn't tell its context; the only one that matters here, Pyodide's, is newer.
        if sys.version_info < (3, 12):
            return
        left = [task for task in asyncio.all_tasks() if task.get_context().get(_current) is self]
        for task in left:
            task.cancel()
        for future in self._waits:
            future.cancel()
        if left:
            await asyncio.wait(left, timeout=GRACE_S)

    @contextmanager
    def active(self) -> Iterator[None]:
        """Let the interpreter be the program's for the length of the block."""
        previous = interpreter.switch(self._state)
        try:
            yield
        finally:
            interpreter.switch(previous)

    def wait_for(self, run_sync: RunSync, awaitable: Awaitable[Any]) -> Any:
        """Suspend the program's stack until `awaitable` is done."""
        future = asyncio.ensure_future(awaitable)
        self._waits.add(future)
        if self.stopping:
            future.cancel()
        interpreter.switch(interpreter.KERNEL)
        try:
            return run_sync(future)
        except asyncio.CancelledError:
            if self._reason is not None:
                raise type(self._reason)(*self._reason.args) from None
            raise
        finally:
            interpreter.switch(self._state)
            self._waits.discard(future)
            # Where stacks can't be suspended, nobody is going to wait for it.
            future.cancel()


class ScriptProcess(Process):
    """A program with a beginning, an end and an exit code.

    Args:
        state: What it finds when it starts, as `interpreter.new_state` makes it.
        streams: Its standard streams; they are flushed and cut off at its end.
        exit_handlers: Those that `state` registers with.
        sources: Program text that stands in no file, by the name it is compiled with; tracebacks quote it.
    """

    def __init__(
        self,
        state: InterpreterState,
        streams: stdio.Streams,
        exit_handlers: ExitHandlers,
        sources: dict[str, str] | None = None,
    ) -> None:
        super().__init__(state, streams)
        self._exit_handlers = exit_handlers
        self._sources = sources or {}

    async def run(self, program: Callable[[], object]) -> int:
        """Run `program` and what it left to be done at its end; return its exit code.

        Cancelling the calling task ends the program: it gets KeyboardInterrupt where it waits.
        """
        try:
            return await self.supervise(self._start(program))
        finally:
            try:
                await self._wind_up()
            finally:
                self.streams.flush()
                self.streams.cut()

    async def _wind_up(self) -> None:
        await self.end()
        while (handler := self._exit_handlers.pop()) is not None:
            await self._start(handler)
        await self._start(interpreter.tear_down)

    def _start(self, program: Callable[[], object]) -> asyncio.Future[int]:
        loop = asyncio.get_running_loop()
        ending: asyncio.Future[int] = loop.create_future()

        def call() -> None:
            code = 1
            try:
                code = self._exit_code(program)
            finally:
                if not ending.done():
                    ending.set_result(code)

        # No task: as in any interpreter, a script's top level is outside of every task. A copy, because a context that
        # is suspended can't be entered again.
        loop.call_soon(call, context=self.context.copy())
        return ending

    def _exit_code(self, program: Callable[[], object]) -> int:
        try:
            program()
        except SystemExit as end:
            return self._status(end.code)
        except HardExit as end:
            return end.code & 0xFF
        except KeyboardInterrupt as interrupt:
            self._report(interrupt)
            return INTERRUPTED
        except BaseException as error:
            self._report(error)
            return 1
        return 0

    def _status(self, code: object) -> int:
        if code is None:
            return 0
        if isinstance(code, int):
            return code & 0xFF
        print(code, file=sys.stderr)
        return 1

    def _report(self, error: BaseException) -> None:
        self.deaf = True
        try:
            self.streams.flush()
            tracebacks.clean(error)
            if sys.excepthook is not sys.__excepthook__:
                sys.excepthook(type(error), error, error.__traceback__)
            else:
                print(tracebacks.format_error(error, self._sources), end="", file=sys.stderr)
        finally:
            self.deaf = False


# --- Hooks ---


def detached() -> contextvars.Context:
    """Return a copy of this context that belongs to no program.

    A task of the surface that may outlive the script which happened to cause it has to be started in one.
    """
    context = contextvars.copy_context()
    context.run(_current.set, None)
    context.run(stdio.set_streams, None)
    return context


def on_interrupt(_number: int, frame: FrameType | None) -> None:
    """Handle SIGINT for programs: raise KeyboardInterrupt in theirs, never in the code around it.

    The sender has to repeat a signal that falls between.
    """
    process = _current.get()
    if process is None or process.deaf or interpreter.is_switching():
        return
    if frame is not None and tracebacks.is_hidden(frame):
        return
    raise KeyboardInterrupt


def install() -> None:
    """Hook the event loop's callbacks and the suspension of stacks; a second time changes nothing."""
    if asyncio.Handle._run is _run_handle:  # pyright: ignore
        return
    asyncio.Handle._run = _run_handle  # pyright: ignore
    if ffi.IN_BROWSER:
        ffi.replace_run_sync(_run_sync_of)


# Private, yet the same in every asyncio since 3.7: each loop, Pyodide's too, calls this for each callback.
_run_plainly: Callable[[asyncio.Handle], None] = asyncio.Handle._run  # pyright: ignore


def _run_handle(handle: asyncio.Handle) -> None:
    process: Process | None = handle._context.get(_current)  # pyright: ignore
    if process is None:
        _run_plainly(handle)
        return
    with process.active():
        try:
            _run_plainly(handle)
        except (SystemExit, KeyboardInterrupt) as reason:
            # It would end the loop, and there is one for everybody.
            process.stop(reason)


def _run_sync_of(run_sync: RunSync) -> RunSync:
    def run_sync_of_process(awaitable: Awaitable[Any]) -> Any:
        process = _current.get()
        return run_sync(awaitable) if process is None else process.wait_for(run_sync, awaitable)

    return run_sync_of_process
