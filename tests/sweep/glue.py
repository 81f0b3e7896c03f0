"""Calls our commands for sweep.mjs. Its source runs in Pyodide, so it imports nothing from the tests."""

import json
import sys
from typing import Any

sys.path.insert(0, "/library")

from gemini_userland import COMMANDS, run
from gemini_userland.invocation import Invocation, Machine, OpenFile, Process
from gemini_userland.suggestions import suggest as _suggest

# The used memory, and the total, in bytes.
MEMORY = (300 << 20, 4 << 30)


def names() -> list[str]:
    """Return the names of the commands."""
    return list(COMMANDS)


def suggest(name: str, known: str) -> str:
    """Return the shell's message for a missing command."""
    return _suggest(name, known.split())


def _open_files(engine: Any) -> list[OpenFile]:
    """Return the open files of the shell and its jobs."""
    rows = [row for row in engine.openFiles().to_py() if row["pid"]]
    programs = {
        row["pid"]: row["command"].split(" ")[0].removesuffix(":") for row in engine.processes().to_py()
    }
    return [OpenFile(programs[row["pid"]], row["pid"], row["descriptor"], row["path"]) for row in rows]


class _Pipe:
    """The standard input of a command that reads it while it runs."""

    def __init__(self, end: Any) -> None:
        self._end = end

    def readable(self) -> Any:
        """Return what to wait for, or None if there is data."""
        return self._end.readable()

    def take(self, count: int) -> bytes:
        """Return bytes that are there."""
        return self._end.take(count).to_bytes()


async def run_command(text: str, calls: Any) -> tuple[Any, Any, int]:
    """Run a command for the engine; return its output, its errors and its exit code."""
    from pyodide.ffi import to_js  # pyright: ignore[reportMissingImports]

    request = json.loads(text)
    invocation = Invocation(
        [request["name"], *request["args"]],
        calls.stdin.to_bytes(),
        request["cwd"],
        request["env"],
        descriptors=request["descriptors"],
        umask=request["umask"],
        stdin_size=request["stdinSize"],
        places=request["places"],
        machine=Machine(
            calls.terminal,
            lambda: [Process(**row) for row in calls.engine.processes().to_py()],
            lambda: _open_files(calls.engine),
            lambda: MEMORY,
            signal=lambda pid, number: bool(calls.engine.signal(pid, number)),
        ),
        input=_Pipe(calls.input) if getattr(calls, "input", None) else None,
    )

    async def shell(script: str, cwd: str, environment: Any) -> int:
        done = await calls.shell(script, cwd, to_js(dict(environment)))
        invocation.stdout.write(done.stdout.to_bytes())
        invocation.stderr.write(done.stderr.to_bytes())
        return int(done.exitCode)

    invocation.shell = shell
    code = await run(invocation, COMMANDS)
    return to_js(invocation.stdout.bytes()), to_js(invocation.stderr.bytes()), code
