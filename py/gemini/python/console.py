"""The page's Python console: a namespace that lasts, top-level `await`, and the last expression's value."""

import ast
import asyncio
import contextlib
import inspect
import json
import linecache
import os
import sys
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any, cast

from gemini.core import interrupts
from gemini.core.events import EventLog
from gemini.errors import Cancelled, GeminiError, PythonError
from gemini.python import process, program, stdio, tracebacks
from gemini.python.completion import Completions, complete
from gemini.python.display import Display, display
from gemini.python.transcript import Transcript
from gemini_userland.invocation import Output

tracebacks.hide_frames_of(__file__)

LONGEST_REPR = 20_000
LONGEST_OUTPUT = 1_000_000
REMEMBERED_SOURCES = 200
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


@dataclass
class ConsoleResult:
    """What came of a piece of code.

    Attributes:
        result: The value of its last expression: as it is where JSON can hold it, else its repr.
        stdout: What it printed.
        stderr: What it printed to standard error.
    """

    result: Any
    stdout: str
    stderr: str


class PythonConsole:
    """Runs code in a namespace that later code finds again.

    The console has a working directory, an environment, `sys.argv` and modules of its own, as each script
    has, and they last as the namespace does. Calls may overlap at `await`. Tasks go on after the call that
    started them.

    Args:
        cwd: The directory that it starts in.
        env: Its environment; by default that of the interpreter.
        transcript: Where those who watch see what `run` runs.
    """

    def __init__(
        self,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        transcript: Transcript | None = None,
    ) -> None:
        self.transcript = transcript or Transcript(EventLog(), lambda inputs: None)
        self._state = program.new_state(
            main={"gemini": sys.modules["gemini"]},
            argv=[""],
            cwd=os.getcwd() if cwd is None else cwd,
            env=os.environ if env is None else env,
            first_on_path=[""],
            exit_handlers=program.ExitHandlers(),
        )
        self.namespace: dict[str, Any] = self._state.namespace
        self._sources: deque[str] = deque()
        self._calls = 0

    async def run(self, code: str, *, caller: str = "script", typed: bool = False) -> ConsoleResult:
        """Run `code`, for all who watch to see.

        Args:
            code: Python.
            caller: Who runs it.
            typed: Whether a person wrote it.

        Raises:
            PythonError: The code raised, or is no Python. `data` has `traceback`, `stdout` and `stderr`.
        """
        entry = self.transcript.begin(code, caller, typed=typed)
        entry.source = name = self._remember(code)
        out, err = entry.stdout, entry.stderr
        shown: Display | None = None
        whole: str | None = None
        problem: GeminiError | None = None

        def finish(value: Any) -> Any:
            nonlocal shown, whole
            result = _jsonable(value)
            if value is not None:
                shown, whole = display(value)
            return result

        try:
            result = await self._call(code, name, out, err, finish)
            return ConsoleResult(result, _text(out), _text(err))
        except PythonError as error:
            error.data |= {"stdout": _text(out), "stderr": _text(err)}
            problem = error
            raise
        except BaseException:
            problem = Cancelled("Stopped.")
            raise
        finally:
            entry.end(shown, whole, problem)

    def complete(self, code: str, cursor: int) -> Completions:
        """What could stand at position `cursor` of `code`."""
        return complete(code, cursor, self.namespace)

    async def evaluate(self, code: str, stdout: Output | None = None, stderr: Output | None = None) -> Any:
        """Run `code` and return the value of its last expression itself.

        Raises:
            PythonError: The code raised, or is no Python. `data` has `traceback`.
        """
        name = self._remember(code)
        return await self._call(code, name, stdout or Output(), stderr or Output(), lambda value: value)

    async def _call(
        self, code: str, name: str, out: Output, err: Output, finish: Callable[[Any], Any]
    ) -> Any:
        streams = stdio.Streams(b"", out, err)
        call = process.Process(self._state, streams)
        call.context.run(interrupts.wanted.set, interrupts.is_request_cancelled)
        evaluation = self._evaluate(code, name, finish, call)
        task = asyncio.get_running_loop().create_task(evaluation, context=call.context)
        try:
            result = await call.supervise(task)
        finally:
            streams.flush()
        if isinstance(result, PythonError):
            raise result
        return result

    async def _evaluate(
        self, code: str, name: str, finish: Callable[[Any], Any], call: process.Process
    ) -> Any:
        """Return what `finish` makes of the value, or a PythonError; raised here it would hold our frames."""
        try:
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
            return PythonError(message, data={"traceback": tracebacks.format_error(error)})

    async def _execute(self, code: str, name: str) -> Any:
        # Not ast.parse, whose own frame would stand in the traceback of a SyntaxError.
        tree = cast(ast.Module, compile(code, name, "exec", _FLAGS | ast.PyCF_ONLY_AST, dont_inherit=True))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        await self._step(compile(tree, name, "exec", _FLAGS, dont_inherit=True))
        if not isinstance(last, ast.Expr):
            return None
        return await self._step(compile(ast.Expression(last.value), name, "eval", _FLAGS, dont_inherit=True))

    async def _step(self, code: CodeType) -> Any:
        value = eval(code, self.namespace)
        return await value if code.co_flags & inspect.CO_COROUTINE else value

    def _remember(self, code: str) -> str:
        """Keep `code` for tracebacks to quote, and return the file name that it goes by."""
        self._calls += 1
        name = f"<console-{self._calls}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        self._sources.append(name)
        if len(self._sources) > REMEMBERED_SOURCES:
            linecache.cache.pop(self._sources.popleft(), None)
        return name


def _jsonable(value: Any) -> Any:
    with contextlib.suppress(TypeError, ValueError, RecursionError):
        return json.loads(json.dumps(value, allow_nan=False))
    return _cut(repr(value), LONGEST_REPR)


def _text(output: Output) -> str:
    return _cut(output.text(), LONGEST_OUTPUT)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… [cut: {len(text) - most:,} more characters]"
