"""Programs that run from a start to an exit code.

This module also replaces the functions that would affect other programs: `os._exit`, signal handling, `atexit`, and
asyncio's event loop, which all programs share.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import sys
import warnings
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, NoReturn, TextIO, TypeVar

from gemini.computer.python import (
    descriptors,
    interpreter,
    library_state,
    process,
    signals,
    stdio,
    tracebacks,
)
from gemini.computer.python.children import Programs, offered
from gemini.computer.python.interpreter import KERNEL, InterpreterState
from gemini.core import ffi, interrupts

tracebacks.hide_frames_of(__file__)

INTERRUPTED = 130
TERMINATED = 143

T = TypeVar("T")


def new_state(
    *,
    main: Mapping[str, object],
    argv: list[str],
    orig_argv: list[str],
    cwd: str,
    env: Mapping[str, str],
    first_on_path: Iterable[str],
    exit_handlers: ExitHandlers,
    places: Mapping[str, str] | None = None,
) -> InterpreterState:
    """Return the initial state of a program; see `interpreter.new_state`.

    Args:
        main: The initial names of `__main__`.
        argv: The program's `sys.argv`.
        orig_argv: Its `sys.orig_argv`.
        cwd: The working directory, absolute.
        env: The environment.
        first_on_path: Directories that come before the libraries on `sys.path`.
        exit_handlers: Replaces `atexit` for the program.
        places: The files that stand for paths of descriptors.
    """
    substitutes: dict[str, object] = {
        **descriptors.Descriptors(places or {}).substitutes(),
        "os.getpid": _getpid,
        "signal.SIGINT": interrupts.on_interrupt,
        "os._exit": _hard_exit,
        "warnings.showwarning": _show_warning,
        "atexit.register": exit_handlers.register,
        "atexit.unregister": exit_handlers.unregister,
        **{f"sys.{name}": getattr(stdio.MULTIPLEXERS, name) for name in stdio.NAMES},
        **{f"sys.__{name}__": getattr(stdio.MULTIPLEXERS, name) for name in stdio.NAMES},
    }
    if ffi.IN_BROWSER:
        substitutes |= _SHARED_LOOP
    return interpreter.new_state(
        main=main,
        argv=argv,
        orig_argv=orig_argv,
        cwd=cwd,
        env=env,
        first_on_path=first_on_path,
        substitutes=substitutes,
    )


class Program(process.Process):
    """A program as a shell runs it.

    Args:
        state: The initial interpreter state.
        streams: The standard streams; they are flushed and cut off when the program ends.
        exit_handlers: The handlers that `state` was created with.
        sources: Source text that is in no file, by the name it is compiled with; tracebacks quote it.
        programs: Starts other programs.
        offer: Offers a package to the user who typed the command; None where nobody did.
    """

    def __init__(
        self,
        state: InterpreterState,
        streams: stdio.Streams,
        exit_handlers: ExitHandlers,
        sources: Mapping[str, str] | None = None,
        programs: Programs | None = None,
        offer: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(state, streams, programs)
        self._offer = offer
        self._exit_handlers = exit_handlers
        self._sources = sources or {}
        self._missing_module: str | None = None

    async def run(self, code: Callable[[], object]) -> int:
        """Run `code` and its exit handlers; return its exit code.

        Cancelling the calling task stops the program: KeyboardInterrupt is raised where it waits.
        """
        before = library_state.STATE.enter()
        try:
            with signals.received_by(self):
                status = await self.supervise(self._start(lambda: _mending(code)))
            if self._missing_module is not None:
                await self._name_package(self._missing_module)
            return status
        finally:
            try:
                await self._shut_down()
            finally:
                library_state.STATE.leave(before)
                while self.at_end:
                    self.at_end.pop()()
                self.streams.flush()
                self.streams.cut()

    async def _name_package(self, module: str) -> None:
        # Imported here, because few visits use it.
        from gemini.computer.python.pip.modules import package_with

        package = await package_with(module)
        self.streams.flush()
        hint = f"If {package} is the package that has it: pip install {package}"
        if self._offer is not None:
            self._offer(package)
            hint = offered(package)
        self.streams.stderr.write(f"{hint}\n")

    async def _shut_down(self) -> None:
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

        # Not a task: in CPython too, a script's top level is outside every task. A copy of the context, because a
        # suspended context can't be entered again.
        loop.call_soon(call, context=self.context.copy())
        return ending

    def _exit_code(self, code: Callable[[], object]) -> int:
        try:
            code()
        except SystemExit as end:
            self._note_missing_module(end)
            return _status(end.code)
        except HardExit as end:
            return end.status & 0xFF
        except interrupts.Terminated:
            return TERMINATED
        except KeyboardInterrupt as interrupt:
            self.report(interrupt)
            return INTERRUPTED
        except BaseException as error:
            self.report(error)
            return 1
        return 0

    def report(self, error: BaseException) -> None:
        """Print an error as the interpreter does."""
        self.reporting = True
        try:
            self.streams.flush()
            tracebacks.clean(error)
            if sys.excepthook is not sys.__excepthook__:
                sys.excepthook(type(error), error, error.__traceback__)
            else:
                text = tracebacks.format_error(
                    error, self._sources, colorize=_is_colored(self.streams.stderr)
                )
                print(text, end="", file=sys.stderr)
                self._note_missing_module(error)
        finally:
            self.reporting = False

    def _note_missing_module(self, error: BaseException) -> None:
        if isinstance(error, (ImportError, SystemExit)):
            from gemini.computer.python.pip.modules import missing_module

            self._missing_module = missing_module(error)


def _mending(code: Callable[[], object]) -> None:
    """Run a program's code; then the event loop finds its parts of the library."""
    try:
        code()
    finally:
        library_state.STATE.mend()


def _is_colored(stream: TextIO) -> bool:
    """Return whether a stream shows colors (https://no-color.org)."""
    return not stream.closed and stream.isatty() and not os.environ.get("NO_COLOR")


def _status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


# --- Exit ---


class HardExit(BaseException):
    """The program called `os._exit`.

    Args:
        status: The argument of `os._exit`.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


_interpreter_pid = os.getpid


def _getpid() -> int:
    """Return the number by which `ps` lists the program."""
    return process.job.get() or _interpreter_pid()


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
    """Print a warning as CPython does; the kernel's own function may collect warnings instead."""
    if filename == "<frozen runpy>" and "found in sys.modules" in str(message):
        # The surface itself has imported the module that `python -m` runs.
        return
    print(warnings.formatwarning(message, category, filename, lineno, line), end="", file=file or sys.stderr)


class ExitHandlers:
    """The `atexit` functions of one program. Handlers that a library registers stay with the interpreter."""

    def __init__(self) -> None:
        self._handlers: list[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any]]] = []

    def register(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Callable[..., T]:
        """Register a handler, as `atexit.register` does."""
        caller = sys._getframe(1).f_globals  # pyright: ignore[reportPrivateUsage]
        module = sys.modules.get(caller.get("__name__", ""))
        if module is None or interpreter.is_local(module):
            self._handlers.append((function, args, kwargs))
        else:
            KERNEL.value("atexit.register")(function, *args, **kwargs)
        return function

    def unregister(self, function: Callable[..., object], /) -> None:
        """Remove a handler, as `atexit.unregister` does."""
        self._handlers = [handler for handler in self._handlers if handler[0] != function]
        KERNEL.value("atexit.unregister")(function)

    def pop(self) -> Callable[[], object] | None:
        """Remove and return the last registered handler; None if none is left."""
        if not self._handlers:
            return None
        function, args, kwargs = self._handlers.pop()
        return lambda: function(*args, **kwargs)


# --- asyncio on the one loop that is already running ---


class _Runner:
    """A replacement for `asyncio.Runner` that suspends the stack while a coroutine runs."""

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
        """Cancel the tasks that were started since the runner was created, and wait for them."""
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
    """Ignore the call, because all programs share the running loop."""


_SHARED_LOOP: Mapping[str, object] = {
    "asyncio.run": _run,
    "asyncio.Runner": _Runner,
    "asyncio.all_tasks": _all_tasks,
    "asyncio.new_event_loop": _new_event_loop,
    "asyncio.set_event_loop": _set_event_loop,
}
