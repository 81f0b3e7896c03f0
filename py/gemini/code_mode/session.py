"""The session of one client: a Python console with the modules of code mode, which lasts until the client ends."""

import asyncio
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from gemini.code_mode.answer import Answer, short_print
from gemini.code_mode.functions import Pending
from gemini.code_mode.modules import CodeModule, Places
from gemini.code_mode.problems import explained
from gemini.computer.python import process
from gemini.computer.python.console import PythonConsole
from gemini.computer.python.display import display
from gemini.computer.python.transcript import Entry, Transcript
from gemini.core import interrupts
from gemini.errors import Cancelled, GeminiError, PythonError
from gemini.tools.calls import Call
from gemini.tools.content import Content

MAX_NAMES, MAX_FILES, MAX_LATE = 40, 20, 2_000
WRITES = frozenset({"file_write", "file_edit"})
TASKS = "[tasks that still run: {count}; what they print comes with your next call]"
LOST = "[The page was loaded again since your last call. Lost: {lost}. Files are as they were{written}.]"

_block: ContextVar["Answer | None"] = ContextVar("gemini_code_block", default=None)
"""The answer of the block of code that the running code belongs to."""
_session: ContextVar["Session | None"] = ContextVar("gemini_code_session", default=None)
_in_tool: ContextVar[bool] = ContextVar("gemini_in_tool", default=False)
"""True in a call of a tool, and in the tasks that it starts, such as one that saves the history of files."""


class Session:
    """The namespace of one client.

    Args:
        console: Runs the code.
        transcript: Shows the user what ran.
        modules: Returns the modules by name.
        lost: What an earlier kernel has saved of the session: `{names, files}`; None if there was none.
    """

    def __init__(
        self,
        console: PythonConsole,
        transcript: Transcript,
        modules: Callable[[], Mapping[str, Any]],
        lost: Mapping[str, list[str]] | None = None,
    ) -> None:
        self.running = 0
        self._console, self._transcript, self._modules = console, transcript, modules
        self._initial = {*console.namespace, "print", "__builtins__", "_"}
        self._before = "" if lost is None else _lost(lost)
        self._files = dict[str, None]() if lost is None else dict.fromkeys(lost["files"])
        self._late = ""

    def record(self) -> dict[str, list[str]]:
        """Return what to say if a reload ends the session: `{names, files}`."""
        own = self._console.namespace.keys() - self._initial - self._modules().keys()
        names = sorted(name for name in own if not name.startswith("_"))
        return {"names": names[:MAX_NAMES], "files": list(self._files)[-MAX_FILES:]}

    def note(self, tool: str, arguments: Mapping[str, Any]) -> None:
        """Note the file that a call of the session's code writes."""
        if tool in WRITES and isinstance(arguments.get("path"), str):
            self._files[arguments["path"]] = None

    async def run(self, code: str, call: Call | None, timeout_s: float, file: Path) -> Content:
        """Run code; return what it printed and the value of its last expression.

        Args:
            code: Python source.
            call: The call that runs it.
            timeout_s: The limit in seconds.
            file: Where a text goes that is too long.

        Raises:
            PythonError: The code raised, or ran too long; `data` has what it `printed`.
        """
        entry = self._transcript.begin(code, "script" if call is None else call.caller)
        answer = Answer(file, lambda stream, data: getattr(entry, stream).write(data), self._print_late)
        modules = self._modules()
        names = self._console.namespace
        names.update({name: each for name, each in modules.items() if _is_ours(names.get(name))})
        names.setdefault("print", short_print)
        before, self._before = "\n".join(filter(None, (self._before, self._late.rstrip("\n")))), ""
        self._late = ""
        self.running += 1
        tokens = _block.set(answer), _session.set(self)
        try:
            value = await self._evaluate(code, entry, answer, timeout_s)
            if value is not None:
                answer.show(value)
            if self._tasks(answer):
                # Those with which Pyodide waits for a call end a turn of the loop later.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            if tasks := len(self._tasks(answer)):
                answer.add(TASKS.format(count=tasks))
            return answer.content(before)
        except PythonError as error:
            shadowed = [name for name in modules if not _is_ours(names.get(name))]
            raise explained(error, answer.content(before), code, shadowed) from None
        finally:
            answer.close()
            self.running -= 1
            _block.reset(tokens[0])
            _session.reset(tokens[1])

    async def _evaluate(self, code: str, entry: Entry, answer: Answer, timeout_s: float) -> Any:
        problem: GeminiError | None = None
        value: Any = None

        def show(each: Any) -> None:
            entry.show(display(each)[0])
            answer.show(each)

        alarm = interrupts.Alarm(timeout_s)
        try:
            async with asyncio.timeout(timeout_s):
                with alarm:
                    value = await self._console.evaluate(
                        code,
                        answer.stdout,
                        answer.stderr,
                        show=show,
                        is_target=lambda: alarm.is_due or interrupts.is_request_cancelled(),
                    )
                if isinstance(value, Pending):
                    value = await value
            return value
        except TimeoutError:
            problem = _too_long(timeout_s)
            raise problem from None
        except PythonError as error:
            problem = _too_long(timeout_s) if alarm.is_due else error
            raise problem from None
        except BaseException:
            problem = Cancelled("Stopped.")
            raise
        finally:
            shown = (None, None) if value is None else display(value)
            entry.end(*shown, problem)

    def end(self) -> None:
        """Cancel the tasks that the session's code has left."""
        for task in self._tasks():
            task.cancel()

    def _tasks(self, answer: Answer | None = None) -> set["asyncio.Task[Any]"]:
        """Return the unfinished tasks of the session's code, or of one block of it."""
        # Tasks have no get_context() before Python 3.12. Pyodide is newer.
        if sys.version_info < (3, 12):
            return set()
        here = asyncio.current_task()
        return {
            task
            for task in process.all_tasks()
            if task is not here
            and not task.done()
            # Those that a tool has started, such as a terminal's, are the surface's.
            and process.program_of(task) is not None
            and not task.get_context().get(_in_tool)
            and task.get_context().get(_session) is self
            and answer in (None, task.get_context().get(_block))
        }

    def _print_late(self, text: str) -> None:
        self._late = (self._late + text)[-MAX_LATE:]


def call_tool(call: Callable[[], Any]) -> Any:
    """Return `call()`, a call of a tool by code: a task that it starts isn't the code's."""
    token = _in_tool.set(True)
    try:
        return call()
    finally:
        _in_tool.reset(token)


def current_session() -> Session | None:
    """Return the session whose code is running; None for other code."""
    return _session.get()


def _is_ours(value: Any) -> bool:
    """Return whether the code has given no other value to a module's name."""
    return value is None or isinstance(value, (CodeModule, Places))


def _too_long(timeout_s: float) -> PythonError:
    return PythonError(
        f"the code ran for {timeout_s:g} s and was stopped",
        hint="What it had set is still there. Work in smaller parts, or pass a larger timeout_s.",
    )


def _lost(lost: Mapping[str, list[str]]) -> str:
    names = ", ".join(lost["names"])
    written = f", such as those you wrote: {', '.join(lost['files'])}" if lost["files"] else ""
    return LOST.format(
        lost=f"the names {names}, and running tasks" if names else "running tasks", written=written
    )
