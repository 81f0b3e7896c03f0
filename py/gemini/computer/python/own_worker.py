"""The worker of an agent's own interpreter: a console, and programs (web/kernel/own_python/worker.ts)."""

from __future__ import annotations

import asyncio
import contextvars
import errno
import json
import os
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from gemini.computer import network
from gemini.computer.python import stdio, system, user_site
from gemini.computer.python.children import NoPrograms, ProgramInvocation
from gemini.computer.python.console import PythonConsole
from gemini.computer.python.environment import inherited
from gemini.core import ffi, interrupts, time_zones, timers
from gemini.errors import Cancelled, GeminiError
from gemini_userland.invocation import Keyboard, LineRequest, Output

REFUSAL = "an agent's own Python starts no programs. Use the tool terminal_execute"


def begin(home: str, environment: str) -> Calls:
    """Prepare the interpreter and return the functions that the worker calls.

    Args:
        home: The working directory.
        environment: The environment, as JSON.
    """
    host = ffi.kernel_host()
    if host is None:
        raise RuntimeError("no worker has started this interpreter")
    calls = Calls(host, home, json.loads(environment))
    NoPrograms.words = REFUSAL
    # As the kernel does when it starts (gemini.kernel.kernel.start).
    timers.install(type(asyncio.get_running_loop()))
    stdio.install()
    system.install()
    time_zones.install()
    interrupts.install(host.signals)
    ffi.set_caller_description(lambda: calls.words)
    network.install()
    user_site.enable(Path(calls.environment["HOME"], ".local"))
    return calls


class Calls:
    """The calls of the kernel.

    Args:
        host: The worker's object.
        home: The working directory.
        environment: The environment.

    Attributes:
        words: Describes the caller of the last call for questions about its requests, as JSON.
    """

    def __init__(self, host: Any, home: str, environment: dict[str, str]) -> None:
        self.words = "{}"
        self.environment = {**inherited(), **environment}
        self._host = host
        self._console = PythonConsole(home, self.environment)
        # The surface is in the kernel.
        del self._console.namespace["gemini"]
        self._tasks: dict[int, asyncio.Task[str]] = {}

    def call(self, number: int, text: str, data: Any) -> asyncio.Task[str]:
        """Perform a request, and return its answer as JSON; see `gemini.computer.python.own.interpreters`."""
        request = json.loads(text)
        self.words = request["words"]
        stdin = b"" if data is None else bytes(data.to_bytes())
        context = contextvars.copy_context()
        context.run(interrupts.request.set, number)
        context.run(interrupts.reason.set, interrupts.when(interrupts.is_request_cancelled))
        loop = asyncio.get_running_loop()
        task = self._tasks[number] = loop.create_task(self._answer(number, request, stdin), context=context)
        task.add_done_callback(lambda _: self._tasks.pop(number))
        return task

    def stop(self, number: int) -> None:
        """Stop a call that waits."""
        if number in self._tasks:
            self._tasks[number].cancel()

    async def _answer(self, number: int, request: dict[str, Any], stdin: bytes) -> str:
        try:
            await ffi.load_programs()
            answer = await (
                self._run(request["code"])
                if request["kind"] == "run"
                else self._program(number, request, stdin)
            )
        except GeminiError as error:
            answer = _failure(error)
        except asyncio.CancelledError:
            answer = {**_failure(Cancelled("Stopped.")), "exit_code": 130}
        return json.dumps(answer)

    async def _run(self, code: str) -> dict[str, Any]:
        done = await self._console.run(code)
        return {"result": done.result, "stdout": done.stdout, "stderr": done.stderr}

    async def _program(self, number: int, request: dict[str, Any], stdin: bytes) -> dict[str, Any]:
        # Imported here, because the userland that it imports loads after the start.
        from gemini.computer.python.command import run_python

        exit_code = await run_python(
            ProgramInvocation(
                request["argv"],
                stdin,
                request["cwd"],
                request["env"],
                _Printed(self._host, number, 1),
                _Printed(self._host, number, 2),
                umask=request["umask"],
                places=request["places"],
                watched=frozenset(request["watched"]),
                keyboard=Keyboard(_Lines(self._host, number).read) if request["reads"] else None,
                input=_Piped(self._host, number) if request["piped"] else None,
                on_terminal=request["on_terminal"],
            )
        )
        return {"exit_code": exit_code}


class _Printed(Output):
    """Output that the kernel prints; the program waits until it has."""

    def __init__(self, host: Any, number: int, stream: int) -> None:
        super().__init__()
        self._print: Callable[[Any], Any] = partial(host.write, number, stream)

    def write(self, data: bytes) -> None:
        """Pass data on."""
        if data and not self._print(ffi.to_js_bytes(data)):
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


class _Lines:
    """Lines of the terminal."""

    def __init__(self, host: Any, number: int) -> None:
        self._read: Callable[[str], Any] = partial(host.read, number)

    async def read(self, request: LineRequest) -> str | None:
        line = self._read(json.dumps({"prompt": request.prompt, "hidden": request.hidden})).value
        return None if line is None else str(line)


class _Piped:
    """The standard input of a program, while another one writes it."""

    def __init__(self, host: Any, number: int) -> None:
        self._read: Callable[[str], Any] = partial(host.read, number)

    def readable(self) -> Awaitable[object] | None:
        """Return None: `take` waits."""
        return None

    def take(self, count: int) -> bytes:
        """Return at most `count` bytes; none at the end."""
        return bytes(self._read(json.dumps({"count": count})).bytes.to_bytes())

    def push(self, data: bytes) -> bool:
        """Refuse data: this end is read."""
        return False

    def writable(self) -> Awaitable[object] | None:
        """Return None: this end is read."""
        return None

    def close(self) -> None:
        """Do nothing: the kernel closes it."""


def _failure(error: GeminiError) -> dict[str, Any]:
    return {"error": {"message": error.message, "hint": error.hint, "data": error.data}}
