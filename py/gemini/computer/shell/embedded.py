"""The `shell` backend: a bash in JavaScript on Pyodide's filesystem, with commands written in Python.

The wheel contains the JavaScript (web/kernel/shell), so that the shell works in any Pyodide.
"""

import asyncio
import contextvars
import itertools
import json
import math
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gemini.computer.python import process, signals
from gemini.computer.python.children import ProgramInvocation, offered
from gemini.computer.shell import missing_commands
from gemini.computer.shell.backend import NO_TERMINAL, Finished, Tty, no_answer
from gemini.computer.shell.children import EnginePipe, EnginePrograms
from gemini.computer.shell.commands import COMMANDS
from gemini.computer.shell.ctrl_c import CtrlC
from gemini.computer.shell.interrupted import reason_of_child, reason_of_command
from gemini.computer.shell.open_files import open_files
from gemini.computer.shell.output import Stream
from gemini.computer.shell.printed import Printed, PrintedToFile
from gemini.computer.shell.userland import run_command
from gemini.core import ffi, interrupts, time_zones
from gemini.errors import ShellUnavailable
from gemini.tools.calls import serve_under_git
from gemini_userland.invocation import (
    Invocation,
    Machine,
    Output,
    Process,
)

ENGINE = "shell_engine.mjs"
ENVIRONMENT = {
    "HOME": "/home/user",
    # pip creates the commands of packages in the last one, where they replace no other command.
    "PATH": "/usr/local/bin:/usr/bin:/bin:/home/user/.local/bin",
    "USER": "user",
    "LOGNAME": "user",
    "SHELL": "/bin/bash",
    "TERM": "xterm-256color",
    "LANG": "C.UTF-8",
    # The page's editor.
    "EDITOR": "edit",
}
# Variables with such names are never saved.
SECRET = re.compile(
    r"(^|_)(api)?(keys?|tokens?|secrets?|pass(word|wd|phrase)?|credentials?|auth)(_|$)", re.IGNORECASE
)
INTERRUPTED = 130
# Above this number of call contexts, those of ended calls are dropped; JavaScript knows which calls ended.
MOST_CONTEXTS = 32
# These print while they run, the others when they end.
LIVE = [
    "python", "python3", "serve", "curl", "pip", "pip3", "make", "watch", "sqlite3", "less", "more", "man",
    "linux", "awk", "gawk", "bc", "dd", "edit", "nano", "vi",
]  # fmt: skip
# Into pipes and files, too.
PROGRAMS = ["python", "python3", "serve", "linux", "awk", "gawk", "bc", "dd"]


class ShellBackend:
    """The backend of the embedded shell. The engine is loaded with the first session."""

    name = "shell"
    raw = outside = False

    def __init__(self) -> None:
        self._engine: asyncio.Task[Any] | None = None
        self.edit: Callable[[str], Awaitable[None]] | None = None
        """Shows a file in the page's editor and waits until it is closed, for commands that a user typed."""
        self.linux: Callable[[Invocation], Awaitable[int]] | None = None
        """Runs a program of the Linux in the page, for the command `linux`."""

    def require(self) -> None:
        """Do nothing: the embedded shell is always available."""

    def is_complete(self, command: str) -> bool:
        """Return whether Enter runs the text; True until the engine is loaded."""
        loaded = self._engine is not None and self._engine.done()
        return bool(self._engine.result().isComplete(command)) if loaded else True  # type: ignore[union-attr]

    async def open(self, tty: Tty, working_dir: str, state: str | None = None) -> "ShellSession":
        """Load the engine if needed and open a session.

        Raises:
            ShellUnavailable: The engine could not be loaded.
        """
        if self._engine is None:
            # The engine outlives the script whose command loads it.
            self._engine = asyncio.get_running_loop().create_task(_load_engine(), context=process.detached())
        try:
            engine = await asyncio.shield(self._engine)
        except ShellUnavailable:
            # The next command tries again.
            self._engine = None
            raise
        return ShellSession(engine, tty, working_dir, state, self._edit, self.linux)

    @property
    def lacks(self) -> Mapping[str, str]:
        """The missing capabilities, each with the backend that has it."""
        return missing_commands.lacks()

    async def _edit(self, path: str) -> None:
        if self.edit is None:
            raise OSError("there is no editor")
        await self.edit(path)

    async def open_programs(self, working_dir: str) -> EnginePrograms:
        """Open a session that runs no commands, for the programs that code outside of terminals starts."""
        tty = Tty(NO_TERMINAL, lambda stream, data: None, no_answer)
        session = await self.open(tty, working_dir)
        return EnginePrograms(session.start, session.names, session.signal)


async def _load_engine() -> Any:
    os.makedirs(ENVIRONMENT["HOME"], exist_ok=True)
    os.makedirs("/tmp", exist_ok=True)
    try:
        engine = await ffi.import_packaged_module("gemini.computer.shell", ENGINE)
    except (OSError, ImportError) as error:
        raise ShellUnavailable(
            f"the shell could not be loaded: {error}",
            hint="Check the connection to the page's server and try again, or reload the page.",
        ) from error
    interrupts.install(engine.interruptBuffer(interrupts.from_page()))
    return engine


class ShellSession:
    """A session of the embedded bash; web/kernel/shell/session.ts explains how its state persists.

    Args:
        engine: The JavaScript module.
        tty: The shell's terminal.
        working_dir: The initial directory, absolute.
        state: The state to restore.
        edit: Shows a file in an editor and waits until it is closed.
        linux: Runs a Linux program.
    """

    def __init__(
        self,
        engine: Any,
        tty: Tty,
        working_dir: str,
        state: str | None,
        edit: Callable[[str], Awaitable[None]],
        linux: Callable[[Invocation], Awaitable[int]] | None,
    ) -> None:
        self._engine = engine
        self._edit = edit
        self._write = tty.write
        self._before_program = tty.before_program
        self._ctrl_c = CtrlC(tty.number, tty.read_line)
        self._display, self._offer = tty.display, tty.offer
        self._watched = False
        # The last state that the session returned.
        self._saved = state or ""
        self._tasks: dict[asyncio.Task[Any], int] = {}
        self._contexts: dict[int, contextvars.Context] = {}
        self._origins = itertools.count(1)
        files = partial(open_files, engine)
        self._machine = Machine(
            tty.number, self._processes, files, ffi.memory, self._aes_cbc, linux=linux, signal=self.signal
        )
        self._proxies = {name: ffi.js_callback(each) for name, each in self._callbacks(tty).items()}
        options = {
            "FS": ffi.emscripten_fs(),
            "workingDir": working_dir,
            "env": {**ENVIRONMENT, "PWD": working_dir},
            "commands": [*COMMANDS, *missing_commands.NAMES],
            "liveCommands": LIVE,
            "interrupts": interrupts.from_page(),
            "number": tty.number,
            "state": state,
            "secretNames": SECRET.pattern,
        }
        self._session = engine.openSession(ffi.to_js_object(options | self._proxies))
        self._should_stop = self._session.shouldStop

    def _callbacks(self, tty: Tty) -> dict[str, Callable[..., Any]]:
        """Return the functions that the engine calls, by the names of its options."""
        return {
            "runCommand": self._run_command,
            "cancelCommands": self._cancel_commands,
            "deliverSignal": signals.deliver,
            "write": self._receive,
            "ask": tty.ask,
            "importModule": partial(ffi.import_packaged_module, "gemini.computer.shell"),
            "suggest": self._suggest,
            "zone": time_zones.zone_for_shell,
            "originUnderGit": self._origin_under_git,
        }

    async def run(
        self, command: str, timeout_s: float | None, *, attended: bool = False, watched: bool = False
    ) -> Finished:
        """Run a command; see `Session.run`."""
        # Commands that JavaScript calls start in an empty context; this one identifies their tool call. A timeout
        # doesn't end the code that awaits them here.
        context = contextvars.copy_context()
        context.run(interrupts.reason.set, interrupts.when(self._should_stop))
        self._watched = watched
        limit = math.inf if timeout_s is None else timeout_s * 1000
        request = interrupts.request.get()
        ended = asyncio.ensure_future(
            self._session.run(command, limit, request, attended, self._origin(context), watched)
        )
        try:
            done = await asyncio.shield(ended)
        except asyncio.CancelledError:
            self._session.interrupt()
            await ended
            raise
        return Finished(int(done.exitCode), str(done.workingDir), done.ended)

    async def _suggest(self, name: str, known: str) -> str:
        """Return a line that helps where a command is missing; offer its package to the user who typed it."""
        line = await missing_commands.suggest(name, known)
        if line and self._watched and (package := missing_commands.package_of(name)):
            self._offer(package)
            line = offered(package)
        return line

    def _origin(self, context: contextvars.Context) -> int:
        """Return a number for `context`, which tasks of the engine have until they end: a job outlives its command."""
        if len(self._contexts) > MOST_CONTEXTS:
            alive = set(self._session.origins())
            self._contexts = {origin: saved for origin, saved in self._contexts.items() if origin in alive}
        origin = next(self._origins)
        self._contexts[origin] = context
        return origin

    def _origin_under_git(self, origin: int, directory: str) -> int:
        """Return the origin of a program that git runs for a repository, where git's own task has `origin`."""
        context = self._contexts[origin].copy()
        context.run(serve_under_git, directory)
        return self._origin(context)

    def start(self, is_late: Callable[[], bool], request: dict[str, Any]) -> Any:
        """Start a program on behalf of the current call; see `EnginePrograms`."""
        return self._start(self._session.start, is_late, request)

    def _start(self, start: Any, is_late: Callable[[], bool], request: dict[str, Any]) -> Any:
        context = process.detached()
        context.run(interrupts.reason.set, reason_of_child(is_late, context))
        return start(ffi.to_js_object({**request, "origin": self._origin(context)}))

    def interrupt(self) -> None:
        """Interrupt the running command, or have it handle the interrupt if it is interactive."""
        if not self._ctrl_c.handle():
            self._session.interrupt()

    def complete(self, before: str) -> list[str]:
        """Return the completions of the word at the end of `before`."""
        # Imported on first use, because a first visit completes nothing.
        from gemini_userland.completion import Shell, complete

        names = json.loads(self._session.names())
        return complete(before, Shell(str(self._session.shell.cwd), names["commands"], names["variables"]))

    def names(self) -> list[str]:
        """Return the names of commands that are in no file."""
        return list(json.loads(self._session.names())["commands"])

    def state(self) -> str:
        """Return the session's state as JSON, without variables whose names suggest a secret."""
        changed = self._session.saved()
        if changed is not None:
            self._saved = str(changed)
        return self._saved

    async def settled(self) -> None:
        """Do nothing: the state is always current."""

    async def close(self) -> None:
        """Interrupt the running command and release the session."""
        self._session.interrupt()
        self._session.close()
        for proxy in self._proxies.values():
            proxy.destroy()

    def _receive(self, stream: int, data: Any) -> None:
        self._write("stdout" if stream == 1 else "stderr", data.to_bytes())

    def _cancel_commands(self, job: int, signal: str) -> None:
        for task, owner in list(self._tasks.items()):
            if owner == job:
                task.cancel(signal)

    def _run_command(self, text: str, calls: Any) -> Any:
        """Run a Python command for the engine: take host.js's Invocation as JSON, return its CommandResult.

        A command that never waits needs no turn of the event loop: its result is returned at once, else an awaitable.
        """
        request = json.loads(text)
        invocation = self._invocation(request, calls)
        if invocation.name in LIVE:
            self._before_program()
        # No task of the engine runs without one.
        context = self._contexts[request["origin"]].copy()
        context.run(process.job.set, request["job"])
        context.run(interrupts.reason.set, reason_of_command(self._session, request["job"], context))
        if invocation.name in LIVE:
            # It may suspend its stack, which only a task of the loop can.
            task = asyncio.get_running_loop().create_task(run_command(invocation), context=context)
        else:
            task = ffi.start_eagerly(run_command(invocation), context)
        if task.done():
            return _result(invocation, task.result())
        self._tasks[task] = request["job"]
        return self._finish(task, invocation)

    async def _finish(self, task: asyncio.Task[int], invocation: Invocation) -> Any:
        """Wait for a command and return its CommandResult."""
        try:
            exit_code = await task
        except asyncio.CancelledError:
            exit_code = INTERRUPTED
        finally:
            del self._tasks[task]
        if invocation.keyboard is not None and self._ctrl_c.program_ended() and exit_code == INTERRUPTED:
            # As in bash, which ends the rest of its list when SIGINT has ended a program.
            self._session.interrupt()
        return _result(invocation, exit_code)

    def _invocation(self, request: dict[str, Any], calls: Any) -> Invocation:
        """Return the invocation of a command: host.js's Invocation, with its Calls."""
        name, live = request["name"], request["live"]
        stdout = self._output(name, calls, 1, live["stdout"])
        stderr = self._output(name, calls, 2, live["stderr"])

        async def shell(script: str, cwd: str, environment: Mapping[str, str]) -> int:
            done = await calls.shell(script, cwd, ffi.to_js_object(dict(environment)))
            stdout.write(done.stdout.to_bytes())
            stderr.write(done.stderr.to_bytes())
            return int(done.exitCode)

        return ProgramInvocation(
            [name, *request["args"]],
            calls.stdin.to_bytes(),
            request["cwd"],
            request["env"],
            stdout,
            stderr,
            shell,
            request["descriptors"],
            request["umask"],
            replace(self._machine, edit=self._edit, display=self._display, offer=self._offer)
            if self._watched
            else self._machine,
            keyboard=self._ctrl_c.keyboard() if request["reads"] else None,
            watched=frozenset(request["terminals"] if self._watched else ()),
            stdin_size=request["stdinSize"],
            programs=EnginePrograms(partial(self._start, calls.start), self.names, self.signal),
            input=None if calls.input is None else EnginePipe(calls.input),
            on_terminal=bool(live["stdout"]),
            places=request["places"],
        )

    def signal(self, pid: int, number: int) -> bool:
        """Send a signal to a process of any terminal, or only look if it is 0; return whether there is one."""
        return bool(self._engine.signal(pid, number))

    def _processes(self) -> list[Process]:
        return [Process(**row) for row in self._engine.processes().to_py()]

    async def _aes_cbc(self, data: bytes, key: bytes, vector: bytes, decrypts: bool) -> bytes | None:
        request = {"data": data, "key": key, "iv": vector, "decrypts": decrypts}
        done = await self._engine.aesCbc(ffi.to_js_object(request))
        return None if done is None else bytes(done.to_bytes())

    def _output(self, name: str, calls: Any, number: int, live: int) -> Output:
        """Return a command's output: `live` is 1 for the terminal's stdout, 2 for its stderr, 0 for another file."""
        if not live:
            return PrintedToFile(calls, number) if name in PROGRAMS else Output()
        stream: Stream = "stdout" if live == 1 else "stderr"
        return Printed(lambda data: self._write(stream, data))


def _result(invocation: Invocation, exit_code: int) -> Any:
    """Return host.js's CommandResult."""
    output = {
        name: b"" if isinstance(stream, Printed) else stream.bytes()
        for name, stream in (("stdout", invocation.stdout), ("stderr", invocation.stderr))
    }
    return ffi.to_js_object({**output, "exitCode": exit_code})
