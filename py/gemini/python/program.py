"""Programs with a beginning, an end and an exit code.

Here is also what each finds in the place of what would reach beyond it: the interpreter's exit and
interrupts, and the event loop, of which there is one for everybody.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
import warnings
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, NoReturn, TextIO, TypeVar

from gemini.core import ffi, interrupts
from gemini.python import interpreter, process, stdio, tracebacks
from gemini.python.interpreter import KERNEL, InterpreterState

tracebacks.hide_frames_of(__file__)

INTERRUPTED = 130

T = TypeVar("T")


def new_state(
    *,
    main: Mapping[str, object],
    argv: list[str],
    cwd: str,
    env: Mapping[str, str],
    first_on_path: Iterable[str],
    exit_handlers: ExitHandlers,
) -> InterpreterState:
    """Return what a program finds when it starts; see `interpreter.new_state`."""
    substitutes: dict[str, object] = {
        "signal.SIGINT": interrupts.on_interrupt,
        "os._exit": _hard_exit,
        "warnings.showwarning": _show_warning,
        "atexit.register": exit_handlers.register,
        "atexit.unregister": exit_handlers.unregister,
        **{f"sys.{name}": getattr(stdio.MULTIPLEXERS, name) for name in stdio.NAMES},
        **{f"sys.__{name}__": getattr(stdio.MULTIPLEXERS, name) for name in stdio.NAMES},
    }
    if ffi.IN_BROWSER:
        substitutes |= _ON_THE_ONE_LOOP
    return interpreter.new_state(
        main=main, argv=argv, cwd=cwd, env=env, first_on_path=first_on_path, substitutes=substitutes
    )


class Program(process.Process):
    """A program as a shell runs it.

    Args:
        state: What it finds when it starts.
        streams: Its standard streams; they are flushed and cut off at its end.
        exit_handlers: Those that `state` was made with.
        sources: Program text that stands in no file, by the name it is compiled with; tracebacks quote it.
    """

    def __init__(
        self,
        state: InterpreterState,
        streams: stdio.Streams,
        exit_handlers: ExitHandlers,
        sources: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(state, streams)
        self._exit_handlers = exit_handlers
        self._sources = sources or {}

    async def run(self, code: Callable[[], object]) -> int:
        """Run `code` and what it left to be done at its end; return its exit code.

        Cancelling the calling task ends the program: it gets KeyboardInterrupt where it waits.
        """
        try:
            return await self.supervise(self._start(code))
        finally:
            try:
                await self._wind_up()
            finally:
                self.streams.flush()
                self.streams.cut()

    async def _wind_up(self) -> None:
        await self.end()
        while not self.killed and (handler := self._exit_handlers.pop()) is not None:
            await self.supervise(self._start(handler))
        if not self.killed:
            await self._start(interpreter.tear_down)

    def _start(self, code: Callable[[], object]) -> asyncio.Future[int]:
        loop = asyncio.get_running_loop()
        ending: asyncio.Future[int] = loop.create_future()

        def call() -> None:
            status = 1
            try:
                status = self._exit_code(code)
            finally:
                if not ending.done():
                    ending.set_result(status)

        # No task: as in any interpreter, a script's top level is outside of every task. A copy, because a
        # context that is suspended can't be entered again.
        loop.call_soon(call, context=self.context.copy())
        return ending

    def _exit_code(self, code: Callable[[], object]) -> int:
        try:
            code()
        except SystemExit as end:
            return _status(end.code)
        except HardExit as end:
            return end.status & 0xFF
        except KeyboardInterrupt as interrupt:
            self._report(interrupt)
            return INTERRUPTED
        except BaseException as error:
            self._report(error)
            return 1
        return 0

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


def _status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


# --- The interpreter's end ---


class HardExit(BaseException):
    """`os._exit` was called."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def _hard_exit(status: int) -> NoReturn:
    raise HardExit(status)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning as CPython does; the kernel's own way may be to collect them."""
    print(warnings.formatwarning(message, category, filename, lineno, line), end="", file=file or sys.stderr)


class ExitHandlers:
    """`atexit` for one program. What a library registers, even for a program, stays with the interpreter."""

    def __init__(self) -> None:
        self._handlers: list[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any]]] = []

    def register(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Callable[..., T]:
        caller = sys._getframe(1).f_globals  # pyright: ignore[reportPrivateUsage]
        module = sys.modules.get(caller.get("__name__", ""))
        if module is None or interpreter.is_local(module):
            self._handlers.append((function, args, kwargs))
        else:
            KERNEL.value("atexit.register")(function, *args, **kwargs)
        return function

    def unregister(self, function: Callable[..., object], /) -> None:
        self._handlers = [handler for handler in self._handlers if handler[0] != function]
        KERNEL.value("atexit.unregister")(function)

    def pop(self) -> Callable[[], object] | None:
        """Return the handler that is due, or None when there is none left."""
        if not self._handlers:
            return None
        function, args, kwargs = self._handlers.pop()
        return lambda: function(*args, **kwargs)


# --- asyncio where one loop, which runs already, has to do for all ---


class _Runner:
    """`asyncio.Runner`; its stack is suspended while it runs a coroutine."""

    def __init__(self, *, debug: bool | None = None, loop_factory: object = None) -> None:
        self._context = contextvars.copy_context()
        self._present = _all_tasks()

    def __enter__(self) -> _Runner:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def run(self, coro: Coroutine[Any, Any, T], *, context: contextvars.Context | None = None) -> T:
        if not asyncio.iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {coro!r}")
        loop = asyncio.get_running_loop()
        return loop.run_until_complete(loop.create_task(coro, context=context or self._context))

    def close(self) -> None:
        """Cancel the tasks that were started since, and wait for them."""
        left = _all_tasks() - self._present
        for task in left:
            task.cancel()
        if left:
            asyncio.get_running_loop().run_until_complete(asyncio.wait(left))


def _run(main: Coroutine[Any, Any, T], *, debug: bool | None = None, loop_factory: object = None) -> T:
    with _Runner(debug=debug, loop_factory=loop_factory) as runner:
        return runner.run(main)


def _all_tasks(loop: asyncio.AbstractEventLoop | None = None) -> set[asyncio.Task[Any]]:
    program = process.current()
    return process.all_tasks(loop) if program is None else program.tasks()


def _new_event_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def _set_event_loop(_loop: asyncio.AbstractEventLoop | None) -> None:
    """Leave the loop as it is."""


_ON_THE_ONE_LOOP: Mapping[str, object] = {
    "asyncio.run": _run,
    "asyncio.Runner": _Runner,
    "asyncio.all_tasks": _all_tasks,
    "asyncio.new_event_loop": _new_event_loop,
    "asyncio.set_event_loop": _set_event_loop,
}
