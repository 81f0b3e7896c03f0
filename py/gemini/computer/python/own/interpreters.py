"""The interpreters of agents whose files say `python: own`, as the kernel uses them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from typing import Any

from gemini.computer.python.children import ProgramInvocation
from gemini.computer.python.console import ConsoleResult
from gemini.core import ffi
from gemini.errors import CapabilityMissing, InterpreterEnded, PythonError
from gemini.tools.consent import current_request_context
from gemini_userland.invocation import InputPipe, Invocation, Keyboard, LineRequest, Output, ReadInterrupted

MOST = 4
"""The most interpreters at a time; the one that was used longest ago makes room."""
MOST_BYTES = 1 << 30
KILLED = 137
CANNOT_EXECUTE = 126
# Stopped code must end within this time; after that the interpreter is ended.
GRACE_S = 3.0
RENEWED = "[This agent's Python was ended to make room for other agents', and has started again, without its names.]\n"
AGAIN = "The next call starts it again, without its names. Its finished writes are in the files."


class Interpreters:
    """The interpreters, by the agents' names. Each starts with the first call.

    Args:
        home: Their working directory.
        environment: Their environment.
    """

    def __init__(self, home: str, environment: Mapping[str, str]) -> None:
        self._home = home
        self._environment = environment
        # The one that was used last is the last one.
        self._live: dict[str, ffi.OwnInterpreter] = {}
        self._removed: set[str] = set()
        self._numbers = itertools.count(1)

    async def run(self, owner: str, code: str) -> ConsoleResult:
        """Run code in an agent's namespace; see `PythonConsole.run`.

        Raises:
            PythonError: The code raised, or has a syntax error.
            InterpreterEnded: The interpreter ended, or was ended because the code didn't stop.
            CapabilityMissing: There can be no such interpreter here.
        """
        answer = await self._call(owner, {"kind": "run", "code": code})
        if (error := answer.get("error")) is not None:
            raise PythonError(error["message"], hint=error["hint"], data=error["data"])
        renewed = RENEWED if owner in self._removed else ""
        self._removed.discard(owner)
        return ConsoleResult(answer["result"], answer["stdout"], renewed + answer["stderr"])

    async def run_program(self, owner: str, invocation: Invocation) -> int:
        """Run a program; return its exit code, 137 if the interpreter ended, and 126 if it can't start."""
        program = invocation if isinstance(invocation, ProgramInvocation) else None
        request = {
            "kind": "program",
            "argv": invocation.argv,
            "cwd": invocation.cwd,
            "env": invocation.env,
            "umask": invocation.umask,
            "places": invocation.places,
            "watched": sorted(invocation.watched),
            "reads": invocation.keyboard is not None,
            "piped": invocation.input is not None,
            "on_terminal": program is None or program.on_terminal,
        }
        reads = _Input(invocation.keyboard, invocation.input).read
        try:
            output = _Output(invocation.stdout, invocation.stderr)
            answer = await self._call(owner, request, invocation.stdin, output, reads)
        except (InterpreterEnded, CapabilityMissing) as problem:
            invocation.error(f"{problem.message}. {problem.hint}")
            return KILLED if isinstance(problem, InterpreterEnded) else CANNOT_EXECUTE
        return int(answer["exit_code"])

    def rows(self) -> list[dict[str, Any]]:
        """Return `{agent, memory, start_ms}` of each living interpreter; bytes, and milliseconds."""
        return [
            {"agent": name, "memory": each.memory, "start_ms": each.start_ms}
            for name, each in self._live.items()
            if not each.ended
        ]

    def end(self, owner: str) -> None:
        """End an agent's interpreter, if it has one."""
        found = self._live.pop(owner, None)
        if found is not None:
            found.end("it was ended")

    async def _call(
        self,
        owner: str,
        request: Mapping[str, Any],
        data: bytes | None = None,
        output: _Output | None = None,
        read: ffi.Read | None = None,
    ) -> dict[str, Any]:
        interpreter, number = self._open(owner), next(self._numbers)
        output = output or _Output(Output(), Output())
        whole = {**request, "words": current_request_context()}
        reads = read or _Input(None, None).read
        call = asyncio.ensure_future(interpreter.call(number, whole, data, output.write, reads))
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError as cancelled:
            output.muted = bool(cancelled.args) and cancelled.args[0] not in ("", "INT")
            interpreter.stop(number)
            await asyncio.wait([call], timeout=GRACE_S)
            if not call.done():
                interpreter.end("its code didn't stop")
                await asyncio.wait([call])
            # Nobody waits for the stopped code's result.
            call.exception()
            raise
        except OSError as error:
            raise InterpreterEnded(
                f"the Python of the agent {owner} has ended: {error}", hint=AGAIN
            ) from None

    def _open(self, owner: str) -> ffi.OwnInterpreter:
        found = self._live.pop(owner, None)
        if found is None or found.ended:
            self._make_room()
            found = ffi.open_python(self._home, self._environment, MOST_BYTES)
            if found is None:
                raise CapabilityMissing(
                    f"the agent {owner} needs a Python of its own, which this page can't start",
                    hint="Serve the page cross-origin isolated (docs/hosting.md), or remove `python: own` from "
                    "the agent's file.",
                )
        self._live[owner] = found
        return found

    def _make_room(self) -> None:
        self._live = {name: each for name, each in self._live.items() if not each.ended}
        idle = [name for name, each in self._live.items() if each.is_idle]
        if len(self._live) < MOST:
            return
        if not idle:
            raise CapabilityMissing(
                f"{MOST} agents use a Python of their own at the moment",
                hint="Wait until one of them has ended.",
            )
        self.end(idle[0])
        self._removed.add(idle[0])


class _Output:
    """The output of a program, until a signal other than SIGINT ends it: Python has no words about those."""

    def __init__(self, stdout: Output, stderr: Output) -> None:
        self._streams = {1: stdout, 2: stderr}
        self.muted = False

    async def write(self, stream: int, data: bytes) -> bool:
        """Write data when its reader has room; return False if there is no reader any more."""
        if self.muted:
            return True
        try:
            self._streams[stream].write(data)
        except BrokenPipeError:
            return False
        if (behind := self._streams[stream].writable()) is not None:
            await behind
        return True


class _Input:
    """The input of a program: lines of a terminal, or bytes of a pipe."""

    def __init__(self, keyboard: Keyboard | None, pipe: InputPipe | None) -> None:
        self._keyboard = keyboard
        self._pipe = pipe

    async def read(self, asked: dict[str, Any]) -> str | bytes | None:
        if "count" in asked:
            return b"" if self._pipe is None else await self._bytes(self._pipe, asked["count"])
        if self._keyboard is None:
            return None
        try:
            return await self._keyboard.read_line(LineRequest(asked["prompt"], asked["hidden"]))
        except ReadInterrupted:
            return None

    async def _bytes(self, pipe: InputPipe, count: int) -> bytes:
        if (change := pipe.readable()) is not None:
            await change
        return pipe.take(count)
