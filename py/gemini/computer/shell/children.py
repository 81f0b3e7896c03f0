"""Programs that Python programs start, as tasks of the embedded shell (web/kernel/shell/execution/children.ts)."""

from __future__ import annotations

import asyncio
import errno
import math
import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from gemini.computer.python import process
from gemini.computer.python.children import Child, Pipe, Source, Start
from gemini.core import ffi

_PROBLEMS = {"missing": errno.ENOENT, "denied": errno.EACCES, "format": errno.ENOEXEC}


class EnginePipe:
    """This program's end of a pipe of the engine.

    Args:
        end: The `End` of children.ts.
    """

    def __init__(self, end: Any) -> None:
        self.end = end

    def readable(self) -> Awaitable[object] | None:
        """Return an awaitable, or None if there is data or the end of it."""
        return self.end.readable()

    def take(self, count: int) -> bytes:
        """Return at most `count` bytes that are there."""
        return self.end.take(count).to_bytes()

    def push(self, data: bytes) -> bool:
        """Write `data`; return False if nothing reads it."""
        return bool(self.end.push(ffi.to_js_bytes(data)))

    def writable(self) -> Awaitable[object] | None:
        """Return an awaitable, or None if little is unread."""
        return self.end.writable()

    def close(self) -> None:
        """Close this end."""
        self.end.close()


class EngineChild:
    """A running program.

    Args:
        child: The `Child` of children.ts.
        proxies: Functions that the engine calls until the program has ended.
    """

    def __init__(self, child: Any, proxies: Sequence[Any]) -> None:
        self.timed_out = False
        self.pid, self.group = int(child.pid), int(child.group)
        self.pipes: Sequence[Pipe | None] = [None if end is None else EnginePipe(end) for end in child.ends]
        self._child = child
        self._proxies = proxies
        # It outlives the program that started it.
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_task(
            self._end(), context=process.detached()
        )

    async def _end(self) -> int:
        try:
            return int(await self._child.done)
        finally:
            for proxy in self._proxies:
                proxy.destroy()

    def kill(self, number: int) -> None:
        """Send a signal; it is ignored once the program has ended."""
        if not self.ended.done():
            self._child.kill(number)

    def limit(self, seconds: float | None) -> None:
        """Interrupt Python code in it that still runs, without a pause, after `seconds`."""
        self._child.limit(math.inf if seconds is None else seconds * 1000)

    def is_late(self) -> bool:
        """Return whether its code must be interrupted now."""
        late = not self.ended.done() and bool(self._child.isLate())
        self.timed_out = self.timed_out or late
        return late


Begin = Callable[[Callable[[], bool], dict[str, Any]], Any]


def any_late(started: list[EngineChild]) -> Callable[[], bool]:
    """Return a function that returns whether the child is late, once it has started."""
    return lambda: any(child.is_late() for child in started)


class EnginePrograms:
    """The programs of a session of the shell.

    Args:
        begin: Starts a program. It gets a function that returns whether the program is late, and children.ts's
            ChildRequest without `origin`.
        names: Returns the names of commands that are in no file.
        signal: Sends a signal; see `Programs.signal`.
    """

    loaded = True
    has_streams = True

    def __init__(
        self, begin: Begin, names: Callable[[], list[str]], signal: Callable[[int, int], bool]
    ) -> None:
        self._begin = begin
        self.names = names
        self._signal = signal

    async def load(self) -> None:
        """Do nothing: the program that asks runs in the session."""

    def signal(self, pid: int, number: int) -> bool:
        """Send a signal; see `Programs.signal`."""
        return self._signal(pid, number)

    def start(self, start: Start) -> Child:
        """Start a program; see `Programs.start`."""
        proxies: list[Any] = []
        started: list[EngineChild] = []
        child = self._begin(
            any_late(started),
            {
                "program": start.program,
                "words": list(start.words),
                "cwd": start.cwd,
                "env": dict(start.env),
                "leads": start.leads,
                "streams": [_to_js(source, proxies) for source in start.streams],
            },
        )
        problem = getattr(child, "problem", None)
        if problem is not None:
            raise OSError(_PROBLEMS[problem], os.strerror(_PROBLEMS[problem]))
        started.append(EngineChild(child, proxies))
        return started[0]


def _to_js(source: Source, proxies: list[Any]) -> dict[str, Any]:
    value: dict[str, Any] = {"kind": source.kind, "number": source.number}
    if isinstance(source.end, EnginePipe):
        value["end"] = source.end.end
    if source.write is not None:
        value["write"] = ffi.js_callback(partial(_receive, source.write))
        proxies.append(value["write"])
    return value


def _receive(write: Callable[[bytes], object], data: Any) -> None:
    write(data.to_bytes())


class ConsolePrograms:
    """The programs that code of the Python console starts, which runs in no terminal.

    Args:
        open: Opens a session of the shell.
    """

    has_streams = False

    def __init__(self, open: Callable[[], Awaitable[EnginePrograms]]) -> None:
        self._open = open
        self._opening: asyncio.Task[EnginePrograms] | None = None

    @property
    def loaded(self) -> bool:
        """Return whether the session is open."""
        return self._opening is not None and self._opening.done()

    async def load(self) -> None:
        """Open the session, unless it is open."""
        if self._opening is None:
            self._opening = asyncio.get_running_loop().create_task(self._opened(), context=process.detached())
        try:
            await asyncio.shield(self._opening)
        except Exception:
            # The next program tries again.
            self._opening = None
            raise

    async def _opened(self) -> EnginePrograms:
        return await self._open()

    def names(self) -> list[str]:
        """Return the names of commands that are in no file."""
        assert self._opening is not None
        return self._opening.result().names()

    def signal(self, pid: int, number: int) -> bool:
        """Send a signal; see `Programs.signal`. Nothing runs before the session is open."""
        return self.loaded and self._opening is not None and self._opening.result().signal(pid, number)

    def start(self, start: Start) -> Child:
        """Start a program; see `Programs.start`."""
        assert self._opening is not None
        return self._opening.result().start(start)
