"""The page's Python console: a persistent namespace, top-level `await`, and the last expression's value."""

import ast
import asyncio
import contextlib
import inspect
import io
import json
import linecache
import os
import sys
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import TYPE_CHECKING, Any, cast

from gemini.computer.python import process, program, showing, stdio, tracebacks
from gemini.computer.python.cell_outputs import CellOutputs, CellRun
from gemini.computer.python.children import Programs
from gemini.computer.python.display import Display, display
from gemini.computer.python.transcript import Entry, Transcript
from gemini.core import ffi, interrupts, saved_code
from gemini.core.events import EventLog
from gemini.errors import Cancelled, GeminiError, InvalidArguments, PythonError
from gemini.tools.registry import PERSON
from gemini_userland.invocation import Keyboard, Output

if TYPE_CHECKING:
    from gemini.computer.python.completion import Completions

tracebacks.hide_frames_of(__file__)

MAX_REPR = 20_000
MAX_OUTPUT = 1_000_000
MAX_SOURCES = 200
# The page draws the output of code that a user typed as a terminal does.
TERMINALS = frozenset({1, 2})
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


@dataclass
class ConsoleResult:
    """The result of console code.

    Attributes:
        result: The value of the last expression if JSON can represent it, else its repr.
        stdout: The standard output.
        stderr: The standard error output.
    """

    result: Any
    stdout: str
    stderr: str


class PythonConsole:
    """A console whose namespace persists from call to call.

    Like a script, the console has its own working directory, environment, `sys.argv` and modules; they persist too.
    Calls may overlap at `await`. Tasks continue after the call that started them.

    Args:
        cwd: The initial working directory; by default the interpreter's.
        env: The initial environment; by default the interpreter's.
        transcript: Records what `run` runs.
        programs: Starts other programs.
    """

    def __init__(
        self,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        transcript: Transcript | None = None,
        programs: Programs | None = None,
    ) -> None:
        self._programs = programs
        self.transcript = transcript or Transcript(EventLog(), lambda inputs: None)
        self._state = program.new_state(
            main={"gemini": sys.modules["gemini"], "display": showing.display},
            argv=[""],
            orig_argv=["python3"],
            cwd=os.getcwd() if cwd is None else cwd,
            env=os.environ if env is None else env,
            first_on_path=[""],
            exit_handlers=program.ExitHandlers(),
        )
        self.namespace: dict[str, Any] = self._state.namespace
        self._sources: deque[str] = deque()
        self._calls = 0
        self._last_cell: tuple[str, asyncio.Future[CellRun]] | None = None

    async def run_cell(self, code: str, cell: str) -> CellRun:
        """Run a cell of a notebook, which a user started, and return the outputs that the notebook saves.

        Args:
            code: Python source; top-level `await` works.
            cell: The cell's name, which the transcript's entry has.
        """
        collected = CellOutputs()
        entry = self.transcript.begin(code, PERSON, cell=cell)
        ended: asyncio.Future[CellRun] = asyncio.get_running_loop().create_future()
        self._last_cell = (cell, ended)
        problem: GeminiError | None = None
        try:
            await self._run(entry, typed=True, collected=collected)
        except PythonError as error:
            problem = error
        except BaseException:
            # A second interrupt may end the code that writes the traceback of the first.
            problem = Cancelled("Stopped.")
            raise
        finally:
            outputs = collected.outputs(entry.id, entry.row()["output"], problem)
            run: CellRun = {"outputs": outputs, "execution_count": entry.id, "package": entry.missing_package}
            ended.set_result(run)
        return run

    async def stopped_cell(self, cell: str) -> CellRun:
        """Return what a cell has shown that was stopped, once it has ended: its call has no answer.

        Raises:
            InvalidArguments: Another cell ran last, or none.
        """
        last, ended = self._last_cell or ("", None)
        if last != cell or ended is None:
            raise InvalidArguments(f"{cell} didn't run last", hint="Run the cell again.")
        return await asyncio.shield(ended)

    async def run(self, code: str, *, caller: str = "script", typed: bool = False) -> ConsoleResult:
        """Run `code` and record it in the transcript.

        Args:
            code: Python source; top-level `await` works.
            caller: The caller shown in the transcript.
            typed: A user typed the code, so the transcript saves it as an input.

        Raises:
            PythonError: The code raised, or has a syntax error. `data` has `traceback`, `stdout` and `stderr`.
        """
        return await self._run(self.transcript.begin(code, caller, typed=typed), typed=typed)

    async def _run(self, entry: Entry, *, typed: bool, collected: CellOutputs | None = None) -> ConsoleResult:
        code = entry.code
        entry.source = name = self._save_source(code)
        out, err = entry.stdout, entry.stderr
        shown: Display | None = None
        full_text: str | None = None
        problem: GeminiError | None = None

        def finish(value: Any) -> Any:
            nonlocal shown, full_text
            result = _jsonable(value)
            if value is not None:
                shown, full_text = display(value) if collected is None else collected.finish(value)
            return result

        def show(each: Any) -> None:
            entry.show((display(each) if collected is None else collected.show(each))[0])
            if not typed:
                # An agent gets text only.
                print(_truncate(repr(each), MAX_REPR))

        try:
            keyboard = Keyboard(entry.read_line) if typed else None
            result = await self._call(code, name, out, err, finish, show, keyboard)
            return ConsoleResult(result, _text(out), _text(err))
        except PythonError as error:
            error.data |= {"stdout": _text(out), "stderr": _text(err)}
            problem = error
            raise
        except BaseException:
            problem = Cancelled("Stopped.")
            raise
        finally:
            entry.end(shown, full_text, problem)

    async def install_missing(self, entry_id: int) -> None:
        """Install the package that an entry's code failed to import and, if that works, run the code again.

        Raises:
            InvalidArguments: The entry was dropped, or its code didn't fail so.
            PythonError: The code raised again.
        """
        from gemini.computer.python.magics.magics import EXIT_CODE

        code, package = self.transcript.missing_package(entry_id)
        await self.run(f"%pip install {package}", caller=PERSON, typed=True)
        # The shell's output says why it failed.
        if self.namespace.get(EXIT_CODE) == 0:
            await self.run(code, caller=PERSON, typed=True)

    async def complete(self, code: str, cursor: int) -> "Completions":
        """Return the completions at position `cursor` of `code`."""
        # Imported on first use, because a first visit completes nothing.
        from gemini.computer.python.completion import complete
        from gemini.computer.python.shell_completion import complete_command, shell_command

        command = shell_command(code[:cursor])
        if command is None:
            return complete(code, cursor, self.namespace)
        names: list[str] = []
        if self._programs is not None:
            # Without the shell there are paths.
            with contextlib.suppress(GeminiError):
                await self._programs.load()
                names = self._programs.names()
        environment = self._state.value("environment")
        variables = {
            os.environ.decodekey(key): os.environ.decodevalue(environment[key]) for key in environment
        }
        return complete_command(code[:cursor], command, self._state.value("directory"), names, variables)

    def search(self, entries: list[str]) -> None:
        """Add entries to the `sys.path` of the console's code."""
        path: list[str] = self._state.value("sys.path")
        path += entries

    async def evaluate(
        self,
        code: str,
        stdout: stdio.ByteSink | None = None,
        stderr: stdio.ByteSink | None = None,
        *,
        show: showing.Show | None = None,
        is_target: Callable[[], bool] = interrupts.is_request_cancelled,
    ) -> Any:
        """Run `code` without recording it; return the value of its last expression, not a JSON copy.

        Args:
            code: Python source; top-level `await` works.
            stdout: The sink of standard output.
            stderr: The sink of standard error.
            show: Receives the values that the code displays.
            is_target: Returns whether an interrupt is meant for this code.

        Raises:
            PythonError: The code raised, or has a syntax error. `data` has `traceback`.
        """
        name = self._save_source(code)
        out, err = stdout or Output(), stderr or Output()
        return await self._call(code, name, out, err, lambda value: value, show, is_target=is_target)

    async def _call(
        self,
        code: str,
        name: str,
        out: stdio.ByteSink,
        err: stdio.ByteSink,
        finish: Callable[[Any], Any],
        show: showing.Show | None = None,
        keyboard: Keyboard | None = None,
        is_target: Callable[[], bool] = interrupts.is_request_cancelled,
    ) -> Any:
        saved_code.use()
        terminals = frozenset[int]() if keyboard is None else TERMINALS
        streams = stdio.Streams(await _input(keyboard), out, err, terminals=terminals)
        call = process.Process(self._state, streams, self._programs)
        call.context.run(showing.target.set, show)
        call.context.run(interrupts.reason.set, interrupts.when(is_target))
        evaluation = self._evaluate(code, name, finish, call, asyncio.current_task())
        task = asyncio.get_running_loop().create_task(evaluation, context=call.context)
        try:
            result = await call.supervise(task)
        finally:
            streams.flush()
        if isinstance(result, PythonError):
            raise result
        return result

    async def _evaluate(
        self,
        code: str,
        name: str,
        finish: Callable[[Any], Any],
        call: process.Process,
        owner: asyncio.Task[Any] | None,
    ) -> Any:
        """Return `finish(value)`, or a PythonError, which would hold the console's frames if it were raised here."""
        try:
            await ffi.load_programs()
            # The cancelled owner wakes a turn of the loop later, and the code may never let the loop turn again.
            if owner is not None and owner.cancelling():
                raise KeyboardInterrupt
            value = await self._execute(code, name)
            if value is not None:
                self.namespace["_"] = value
            return finish(value)
        except GeneratorExit:
            raise
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and call.stopping:
                raise
            message = traceback.format_exception_only(error)[-1].strip()
            data = {"traceback": tracebacks.format_error(error)}
            package = await _missing_package(error) if isinstance(error, ImportError) else None
            if package is None:
                hint = error.hint if isinstance(error, GeminiError) else None
                return PythonError(message, hint=hint, data=data)
            hint = f"If {package} is the package that has it: %pip install {package}"
            return PythonError(message, hint=hint, data={**data, "package": package})

    async def _execute(self, code: str, name: str, names: dict[str, Any] | None = None) -> Any:
        names = self.namespace if names is None else names
        tree = self._parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        await self._step(compile(tree, name, "exec", _FLAGS, dont_inherit=True), names)
        if not isinstance(last, ast.Expr):
            return None
        expression = compile(ast.Expression(last.value), name, "eval", _FLAGS, dont_inherit=True)
        return await self._step(expression, names)

    def _parse(self, code: str, name: str) -> ast.Module:
        # `ast.parse` would add its own frame to the traceback of a SyntaxError.
        flags = _FLAGS | ast.PyCF_ONLY_AST
        try:
            return cast(ast.Module, compile(code, name, "exec", flags, dont_inherit=True))
        except SyntaxError:
            python = self._without_magics(code)
            if python == code:
                raise
        return cast(ast.Module, compile(python, name, "exec", flags, dont_inherit=True))

    def _without_magics(self, code: str) -> str:
        """Return `code` with its magics as calls."""
        # Imported here, because it is loaded after the start (builder/preinstall.py).
        from gemini.computer.python.magics import magics, transform

        if transform.CALL not in self.namespace:
            self.namespace[transform.CALL] = magics.Magics(self.namespace, self._execute_part)
        return transform.transform(code)

    async def _execute_part(self, code: str, names: dict[str, Any]) -> Any:
        return await self._execute(code, self._save_source(code), names)

    async def _step(self, code: CodeType, names: dict[str, Any]) -> Any:
        value = eval(code, names)
        return await value if code.co_flags & inspect.CO_COROUTINE else value

    def _save_source(self, code: str) -> str:
        """Save `code` for tracebacks to quote; return its file name."""
        self._calls += 1
        name = f"<console-{self._calls}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        self._sources.append(name)
        if len(self._sources) > MAX_SOURCES:
            linecache.cache.pop(self._sources.popleft(), None)
        return name


async def _input(keyboard: Keyboard | None) -> bytes | io.RawIOBase:
    """Return the standard input of code that a user typed, or an empty one."""
    if keyboard is None or not ffi.IN_BROWSER:
        return b""
    try:
        await ffi.load_programs()
    except OSError:
        # The evaluation, which needs them, too, reports the error.
        return b""
    # Imported here, because it is loaded after the start (builder/preinstall.py).
    from gemini.computer.python.interactive import open_input

    return open_input(keyboard)


async def _missing_package(error: ImportError) -> str | None:
    # Imported here, because few visits use it.
    from gemini.computer.python.pip.modules import package_of

    return await package_of(error)


def _jsonable(value: Any) -> Any:
    with contextlib.suppress(TypeError, ValueError, RecursionError):
        return json.loads(json.dumps(value, allow_nan=False))
    return _truncate(repr(value), MAX_REPR)


def _text(output: Output) -> str:
    return _truncate(output.text(), MAX_OUTPUT)


def _truncate(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… [cut: {len(text) - most:,} more characters]"
