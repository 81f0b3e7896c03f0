"""Replacements of the library's functions that need an operating system: processes and threads.

`install` is called once when the kernel starts. What runs programs is imported on first use; what can't work here says
what to use instead.
"""

from __future__ import annotations

import asyncio
import errno
import functools
import os
import subprocess
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any, NoReturn

from gemini.computer.network.importing import when_imported
from gemini.computer.python import progress, tracebacks
from gemini.core import ffi

tracebacks.hide_frames_of(__file__)

_POPEN = "gemini.computer.python.popen"
_TRANSPORTS = "gemini.computer.python.subprocess_transports"

RUN = "Use subprocess.run, subprocess.Popen or asyncio.create_subprocess_exec, which start programs of the page's shell"
CONCURRENT = "Use asyncio: `asyncio.gather` and `asyncio.create_task` run coroutines at the same time"
_FORKING = ("fork", "forkpty", "posix_spawn", "posix_spawnp")
_EXECUTING = ("execv", "execve", "execl", "execle", "execlp", "execlpe", "execvp", "execvpe")
_SPAWNING = ("spawnv", "spawnve", "spawnvp", "spawnvpe", "spawnl", "spawnle", "spawnlp", "spawnlpe")
_SHARED = (
    "Manager Pipe Lock RLock Condition Semaphore BoundedSemaphore Event Barrier Queue JoinableQueue SimpleQueue "
    "Pool"
)


def install() -> None:
    """Replace the functions; do nothing outside of browsers and when called again."""
    if not ffi.IN_BROWSER or getattr(subprocess, "_can_fork_exec", True):
        return
    subprocess._can_fork_exec = True  # type: ignore[attr-defined]
    _replace_popen()
    for name in ("system", "kill", "killpg", "getpgid", "waitpid"):
        setattr(os, name, _lazy(_POPEN, name))
    for name in (*_FORKING, *_EXECUTING, *_SPAWNING):
        if hasattr(os, name):
            setattr(os, name, _refusal(f"os.{name}", "A page has one process. " + RUN))
    _extend_loop()
    threading._start_joinable_thread = _refuse_thread  # type: ignore[attr-defined]
    when_imported("multiprocessing.context", _refuse_multiprocessing)
    when_imported("pty", _refuse_pty)
    progress.install()


def _lazy(module: str, name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(module), name)(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


def _replace_popen() -> None:
    popen: Any = subprocess.Popen
    create = popen.__init__

    @functools.wraps(create)
    def initialize(self: Any, args: Any, bufsize: Any = -1, *rest: Any, **options: Any) -> None:
        # The streams are opened once the program has started.
        self._bufsize = -1 if bufsize is None else bufsize
        create(self, args, bufsize, *rest, **options)

    popen.__init__ = initialize
    methods = {
        "_get_handles": "get_handles",
        "_execute_child": "execute_child",
        "_internal_poll": "internal_poll",
        "_wait": "wait_for_child",
        "_communicate": "communicate",
    }
    for method, function in methods.items():
        setattr(popen, method, _lazy(_POPEN, function))


def _extend_loop() -> None:
    loop: Any = type(asyncio.get_running_loop())
    base: Any = asyncio.BaseEventLoop
    loop.subprocess_exec, loop.subprocess_shell = base.subprocess_exec, base.subprocess_shell
    loop._debug = False
    loop._make_subprocess_transport = _lazy(_TRANSPORTS, "make_subprocess_transport")
    loop.connect_read_pipe = _lazy(_TRANSPORTS, "connect_read_pipe")
    loop.connect_write_pipe = _lazy(_TRANSPORTS, "connect_write_pipe")


# --- What can't work ---


def _refusal(name: str, hint: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise OSError(errno.ENOSYS, f"{name} isn't available in a page. {hint}")

    return refuse


def _refuse_thread(*_: Any, **__: Any) -> NoReturn:
    raise RuntimeError(f"can't start new thread: Python in a page has one thread. {CONCURRENT}")


def _refuse_multiprocessing(module: Any) -> None:
    hint = f"A page has one process. {CONCURRENT}; subprocess.run starts another program"
    for name in _SHARED.split():
        setattr(module.BaseContext, name, _refusal(f"multiprocessing.{name}", hint))
    for name in ("Value", "Array"):
        setattr(module.BaseContext, name, _in_one_process(name))
    module.process.BaseProcess.start = _refusal("multiprocessing.Process", hint)


def _in_one_process(name: str) -> Callable[..., Any]:
    """Return a context's `Value` or `Array` with a thread's lock: Werkzeug's debugger has one, for forked servers."""

    def create(_: Any, kind: Any, *values: Any, lock: Any = True) -> Any:
        function = getattr(import_module("multiprocessing.sharedctypes"), name)
        return function(kind, *values, lock=threading.RLock() if lock in (True, None) else lock)

    return create


def _refuse_pty(module: Any) -> None:
    for name in ("fork", "openpty", "spawn"):
        setattr(module, name, _refusal(f"pty.{name}", "There are no pseudo-terminals. " + RUN))
