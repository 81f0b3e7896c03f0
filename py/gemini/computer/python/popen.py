"""The methods of `subprocess.Popen` that CPython implements with the system's calls.

The rest of `subprocess`, which checks arguments and raises errors, is CPython's own.
"""

from __future__ import annotations

import asyncio
import errno
import io
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Awaitable, Coroutine, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal, cast

from gemini.computer.python import pipes, process, stdio, tracebacks
from gemini.computer.python.children import Child, NoPrograms, Pipe, Programs, Source, Start
from gemini.core import ffi, interrupts

tracebacks.hide_frames_of(__file__)
# The frame that waits.
tracebacks.hide_frames_of(ffi.__file__)

CHUNK = 1 << 15
# What these do by default ends no program.
_HARMLESS = ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH")

children: weakref.WeakValueDictionary[int, Child] = weakref.WeakValueDictionary()
"""The children of all programs, by process id."""


def programs() -> Programs:
    """Return what starts the current program's children.

    Raises:
        OSError: The code doesn't belong to a program or the console.
    """
    current = process.current()
    if current is None or current.programs is None:
        raise OSError(errno.ENOTSUP, NoPrograms.words)
    return current.programs


def wait(awaitable: Awaitable[Any]) -> Any:
    """Suspend the stack until `awaitable` is done.

    Raises:
        OSError: The stack can't be suspended.
    """
    if ffi.can_wait():
        return ffi.wait(awaitable)
    if isinstance(awaitable, Coroutine):
        cast("Coroutine[Any, Any, Any]", awaitable).close()
    raise OSError(
        errno.ENOTSUP,
        "this code can't wait for a program: the browser has no stack switching (JSPI), or JavaScript called the "
        "code. Use `await asyncio.create_subprocess_exec(...)`, or `await` a terminal's `execute`",
    )


# --- Methods of Popen ---


def get_handles(self: Any, stdin: Any, stdout: Any, stderr: Any) -> tuple[int, ...]:
    """Replace `_get_handles`: note where the streams come from, and open nothing."""
    self._sources = (_source(stdin, 0), _source(stdout, 1), _source(stderr, 2))
    return (-1,) * 6


def _source(given: Any, number: int) -> Source:
    if given is None:
        return Source("inherit", number)
    if isinstance(given, int):
        named = {subprocess.PIPE: "pipe", subprocess.DEVNULL: "null", subprocess.STDOUT: "same"}
        if given in named:
            return Source(cast(Any, named[given]))
    own = stdio.number_of(given)
    if own is not None:
        return Source("inherit", own)
    descriptor = given if isinstance(given, int) else given.fileno()
    if 0 <= descriptor <= 2:
        return Source("inherit", descriptor)
    stream = pipes.find(descriptor)
    if stream is not None:
        return Source("end", end=stream.pipe)
    os.fstat(descriptor)
    return Source("file", descriptor)


def execute_child(
    self: Any,
    args: Any,
    executable: Any,
    preexec_fn: Any,
    close_fds: Any,
    pass_fds: Any,
    cwd: Any,
    env: Any,
    startupinfo: Any,
    creationflags: Any,
    shell: Any,
    *others: Any,
) -> None:
    """Replace `_execute_child`: start the program in the shell, and open the streams to it."""
    if preexec_fn is not None:
        raise OSError(
            errno.ENOTSUP, "preexec_fn needs fork, which a page lacks. Use cwd, env or a shell script"
        )
    words = _words(args, bool(shell))
    program = words[0] if executable is None else os.fsdecode(executable)
    if shell and executable is not None:
        words[0] = program
    _require_directory(cwd)
    starter = programs()
    if not starter.loaded:
        wait(starter.load())
    current = cast(process.Process, process.current())
    current.streams.flush()
    start = Start(
        program,
        words,
        os.path.abspath(os.fsdecode(cwd)) if cwd is not None else os.getcwd(),
        _environment(os.environ if env is None else env),
        [_connect(source, starter, current) for source in self._sources],
        _leads(*others[-2:]),
    )
    try:
        child = starter.start(start)
    except OSError as error:
        code = error.errno or errno.EIO
        raise OSError(code, os.strerror(code), *([] if code == errno.ENOEXEC else [program])) from None
    self._child, self.pid, self._child_created = child, child.pid, True
    children[child.pid] = child
    current.add_child(child)
    for number, (name, pipe) in enumerate(zip(("stdin", "stdout", "stderr"), child.pipes, strict=True)):
        if pipe is not None:
            setattr(self, name, _open(self, pipe, writes=number == 0))


def _leads(start_new_session: Any, process_group: Any) -> Literal["", "group", "session"]:
    if start_new_session:
        return "session"
    return "" if process_group is None or process_group < 0 else "group"


def _words(args: Any, shell: bool) -> list[str]:
    given: Sequence[Any] = [args] if isinstance(args, (str, bytes, os.PathLike)) else list(args)
    words = [os.fsdecode(word) for word in given]
    if any("\0" in word for word in words):
        raise ValueError("embedded null byte")
    return ["/bin/sh", "-c", *words] if shell else words


def _require_directory(cwd: Any) -> None:
    if cwd is None:
        return
    try:
        is_directory = os.path.isdir(os.stat(cwd) and cwd)
    except OSError as error:
        code = error.errno or errno.ENOENT
        raise OSError(code, os.strerror(code), cwd) from None
    if not is_directory:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), cwd)


def _environment(env: Mapping[Any, Any]) -> dict[str, str]:
    decoded = {os.fsdecode(name): os.fsdecode(value) for name, value in env.items()}
    if any("=" in name for name in decoded):
        raise ValueError("illegal environment variable name")
    if any("\0" in text for pair in decoded.items() for text in pair):
        raise ValueError("embedded null byte")
    return decoded


def _connect(source: Source, starter: Programs, current: process.Process) -> Source:
    """Return the source; a console's streams, which no shell knows, become functions."""
    if source.kind != "inherit" or starter.has_streams:
        return source
    return Source("write", write=current.streams.sink(source.number)) if source.number else Source("null")


def _open(self: Any, pipe: Pipe, *, writes: bool) -> Any:
    raw = pipes.PipeStream(pipe, writes=writes)
    size = self._bufsize
    if self.text_mode and size == 1:
        size = -1
    stream: Any = raw
    if size != 0:
        length = size if size > 1 else io.DEFAULT_BUFFER_SIZE
        stream = io.BufferedWriter(raw, length) if writes else io.BufferedReader(raw, length)
    if not self.text_mode:
        return stream
    return io.TextIOWrapper(
        stream,
        encoding=self.encoding,
        errors=self.errors,
        write_through=writes,
        line_buffering=writes and self._bufsize == 1,
    )


def internal_poll(self: Any, _deadstate: Any = None, **_: Any) -> int | None:
    """Replace `_internal_poll`. A program that asks again and again lets the child run."""
    child: Child | None = getattr(self, "_child", None)
    if self.returncode is None and child is not None:
        asks = _deadstate is None and not getattr(self, "_polls_at_once", False)
        if asks and not child.ended.done() and ffi.can_wait():
            ffi.wait(asyncio.sleep(0))
        if child.ended.done():
            self.returncode = child.ended.result()
    return self.returncode


def wait_for_child(self: Any, timeout: float | None) -> int:
    """Replace `_wait`."""
    child: Child = self._child
    if self.returncode is None and not child.ended.done():
        current = process.current()
        if current is not None:
            current.add_child(child)
        limit = None if timeout is None else max(timeout, 0)
        with _limit(child, limit):
            wait(asyncio.wait([child.ended], timeout=limit))
    if self.returncode is None:
        if not child.ended.done() or child.timed_out:
            child.timed_out = False
            raise subprocess.TimeoutExpired(self.args, cast(float, timeout))
        self.returncode = child.ended.result()
    return self.returncode


@contextmanager
def _limit(child: Child, limit: float | None) -> Generator[None]:
    """Interrupt the child's Python code at the limit: if it never pauses, this program gets no turn."""
    child.limit(limit)
    try:
        yield
    finally:
        child.limit(None)


def communicate(self: Any, input: Any, endtime: float | None, orig_timeout: Any) -> tuple[Any, Any]:
    """Replace `_communicate`: feed and read all pipes at the same time."""
    if not self._communication_started:
        streams = (self.stdout, self.stderr)
        self._fileobj2output = {stream: list[bytes]() for stream in streams if stream}
        _start_input(self, input)
    self._save_input(input)
    collected: dict[Any, list[bytes]] = self._fileobj2output
    seen = [collected.get(each) for each in (self.stdout, self.stderr)]
    remaining = None if endtime is None else max(endtime - time.monotonic(), 0)
    child: Child = self._child
    try:
        with _limit(child, remaining):
            wait(_exchange_within(self, remaining))
    except TimeoutError:
        self._check_timeout(endtime, orig_timeout, *seen, skip_check_and_raise=True)
    if child.timed_out:
        child.timed_out = False
        self._check_timeout(endtime, orig_timeout, *seen, skip_check_and_raise=True)
    try:
        self.wait(timeout=self._remaining_time(endtime))
    except subprocess.TimeoutExpired as error:
        error.timeout = orig_timeout
        raise
    out, err = (None if pieces is None else b"".join(pieces) for pieces in seen)
    return _decode(self, out, self.stdout), _decode(self, err, self.stderr)


def _start_input(self: Any, input: Any) -> None:
    if not self.stdin:
        return
    with suppress(BrokenPipeError):
        if not self.stdin.closed:
            self.stdin.flush()
        if not input:
            self.stdin.close()


def _decode(self: Any, data: bytes | None, stream: Any) -> Any:
    if data is None or not self.text_mode:
        return data
    return self._translate_newlines(data, stream.encoding, stream.errors)


async def _exchange_within(self: Any, seconds: float | None) -> None:
    # If the stack can't be suspended, `wait` closes one coroutine; another inside it would warn.
    await asyncio.wait_for(_exchange(self), seconds)


async def _exchange(self: Any) -> None:
    async with asyncio.TaskGroup() as group:
        if self.stdin and not self.stdin.closed and self._input:
            group.create_task(_feed(self, self._child.pipes[0]))
        for stream, pipe in ((self.stdout, self._child.pipes[1]), (self.stderr, self._child.pipes[2])):
            if stream and not stream.closed:
                group.create_task(_collect(stream, pipe, self._fileobj2output[stream]))


async def _feed(self: Any, pipe: Pipe) -> None:
    data = memoryview(self._input).cast("B")
    while self._input_offset < len(data):
        piece = bytes(data[self._input_offset : self._input_offset + CHUNK])
        if not pipe.push(piece):
            break
        self._input_offset += len(piece)
        if (change := pipe.writable()) is not None:
            await change
    with suppress(BrokenPipeError):
        self.stdin.close()


async def _collect(stream: Any, pipe: Pipe, pieces: list[bytes]) -> None:
    while True:
        if (change := pipe.readable()) is not None:
            await change
        data = pipe.take(CHUNK)
        if not data:
            stream.close()
            return
        pieces.append(data)


# --- Functions of os ---


def system(command: Any) -> int:
    """Replace `os.system`: run a command in the shell, and return its wait status."""
    code = subprocess.call(command, shell=True)
    return -code if code < 0 else code << 8


def kill(pid: int, number: int) -> None:
    """Replace `os.kill`: send a signal to any process of the terminals, or only look if it is 0.

    Raises:
        ProcessLookupError: No process has this id.
    """
    if pid == os.getpid() and number:
        _receive(int(number))
        return
    running = process.current()
    child = children.get(pid)
    if child is not None and not child.ended.done():
        child.kill(int(number))
    elif running is None or running.programs is None or not running.programs.signal(pid, int(number)):
        raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))


def killpg(group: int, number: int) -> None:
    """Replace `os.killpg`: send a signal to a process group, or only look if it is 0.

    Raises:
        ProcessLookupError: There is no such group.
    """
    running = process.current()
    if running is None or running.programs is None or not running.programs.signal(-group, int(number)):
        raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))


def getpgid(pid: int) -> int:
    """Replace `os.getpgid` for the programs that Python has started.

    Raises:
        ProcessLookupError: No program has this process id.
    """
    child = children.get(pid)
    if child is None:
        raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))
    return child.group


def _receive(number: int) -> None:
    """Have the running program receive a signal: its handler is called, or it ends."""
    handler = signal.getsignal(number)
    if callable(handler):
        handler(number, sys._getframe(2))  # pyright: ignore[reportPrivateUsage]
    elif handler == signal.SIG_DFL and signal.Signals(number).name not in _HARMLESS:
        raise interrupts.Terminated


def waitpid(pid: int, options: int) -> tuple[int, int]:
    """Replace `os.waitpid` for the programs that Python has started.

    Raises:
        ChildProcessError: No program has this process id.
    """
    child = children.get(pid)
    if child is None:
        raise ChildProcessError(errno.ECHILD, os.strerror(errno.ECHILD))
    wait(asyncio.wait([child.ended], timeout=0 if options & 1 else None))
    if not child.ended.done():
        return 0, 0
    code = child.ended.result()
    return pid, -code if code < 0 else code << 8
