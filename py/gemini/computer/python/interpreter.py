"""Per-program interpreter state for programs that share one interpreter.

A program expects its own working directory, environment, `sys.argv`, `sys.path`, `__main__` and modules. The
interpreter has one of each, so an `InterpreterState` holds a program's set while other code runs, and `switch` swaps
two sets.
"""

from __future__ import annotations

import asyncio
import atexit
import builtins
import contextlib
import gc
import io
import logging
import os
import signal
import socket
import sys
import sysconfig
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from gemini.computer.python import library_state, packages, tracebacks
from gemini.core.time_zones import clock

tracebacks.hide_frames_of(__file__)

SIGNALS = [
    name
    for name in ("INT", "TERM", "HUP", "ALRM", "USR1", "USR2")
    if f"SIG{name}" in signal.Signals.__members__
]
"""The signals that programs have handlers of their own for, without SIG."""

# The filters of a CPython release build; see "Default Warning Filter" in its library reference.
_WARNING_FILTERS = [
    ("default", None, DeprecationWarning, "__main__", 0),
    ("ignore", None, DeprecationWarning, None, 0),
    ("ignore", None, PendingDeprecationWarning, None, 0),
    ("ignore", None, ImportWarning, None, 0),
    ("ignore", None, ResourceWarning, None, 0),
]


_BUFFERED = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)


# --- The values that are swapped, each with a reader and a writer ---


class _Slot(NamedTuple):
    read: Callable[[], Any]
    write: Callable[[Any], None]


# A program may replace or delete what these are the names of.
_ENVIRONMENT, _ROOT_LOGGER, _MODULES = os.environ, logging.root, sys.modules
_getcwd, _chdir = os.getcwd, os.chdir
_MISSING: Any = object()


def _attribute(owner: object, name: str) -> _Slot:
    def write(value: Any) -> None:
        if value is not _MISSING:
            setattr(owner, name, value)
        elif hasattr(owner, name):
            delattr(owner, name)

    return _Slot(lambda: getattr(owner, name, _MISSING), write)


def _read_directory() -> str:
    try:
        return _getcwd()
    except FileNotFoundError:
        return "/"


def _write_directory(path: str) -> None:
    try:
        _chdir(path)
    except OSError:
        # The directory was removed in the meantime.
        _chdir("/")


def _read_environment() -> dict[Any, Any]:
    # Private, but unchanged since Python 3.0. Copying through the mapping decodes each variable and takes 20 times
    # as long.
    return _ENVIRONMENT._data.copy()  # pyright: ignore


# Programs load the libraries of packages, too.
_ENVIRONMENT_OF_LINKER = {b"LD_LIBRARY_PATH"} if sys.platform == "emscripten" else set[bytes]()


def _write_environment(wanted: dict[Any, Any]) -> None:
    present = _read_environment()
    for name in present.keys() - wanted.keys() - _ENVIRONMENT_OF_LINKER:
        del _ENVIRONMENT[os.fsdecode(name)]
    for name, value in wanted.items() - present.items():
        _ENVIRONMENT[os.fsdecode(name)] = os.fsdecode(value)


def _write_recursion_limit(limit: int) -> None:
    # CPython rejects a limit below the current depth.
    if limit != sys.getrecursionlimit():
        with contextlib.suppress(RecursionError):
            sys.setrecursionlimit(limit)


def _write_socket_timeout(seconds: float | None) -> None:
    if seconds != socket.getdefaulttimeout():
        socket.setdefaulttimeout(seconds)


def _write_log_level(level: int) -> None:
    if level != _ROOT_LOGGER.level:
        _ROOT_LOGGER.setLevel(level)


def _signal(number: signal.Signals) -> _Slot:
    def write(handler: Any) -> None:
        # None stands for a handler that C code installed.
        if handler is not None and handler is not signal.getsignal(number):
            signal.signal(number, handler)

    return _Slot(lambda: signal.getsignal(number), write)


_SYS = ("argv", "orig_argv", "path", "executable", "dont_write_bytecode", "displayhook", "excepthook")
_STREAMS = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
_SLOTS: dict[str, _Slot] = {
    **{f"signal.SIG{name}": _signal(signal.Signals[f"SIG{name}"]) for name in SIGNALS},
    "directory": _Slot(_read_directory, _write_directory),
    "environment": _Slot(_read_environment, _write_environment),
    "collector": _Slot(library_state.read_collector, library_state.write_collector),
    "socket_timeout": _Slot(socket.getdefaulttimeout, _write_socket_timeout),
    "time_zone": _Slot(lambda: clock.zone, clock.use),
    "recursion_limit": _Slot(sys.getrecursionlimit, _write_recursion_limit),
    "log_level": _Slot(lambda: _ROOT_LOGGER.level, _write_log_level),
    "log_handlers": _attribute(_ROOT_LOGGER, "handlers"),
    "warnings.filters": _attribute(warnings, "filters"),
    "warnings.showwarning": _attribute(warnings, "showwarning"),
    "warnings._showwarnmsg_impl": _attribute(warnings, "_showwarnmsg_impl"),
    "builtins.open": _attribute(builtins, "open"),
    "io.open": _attribute(io, "open"),
    **{f"os.{name}": _attribute(os, name) for name in ("_exit", "open", "close", "read", "write", "getpid")},
    "atexit.register": _attribute(atexit, "register"),
    "atexit.unregister": _attribute(atexit, "unregister"),
    "asyncio.run": _attribute(asyncio, "run"),
    "asyncio.Runner": _attribute(asyncio, "Runner"),
    "asyncio.all_tasks": _attribute(asyncio, "all_tasks"),
    "asyncio.new_event_loop": _attribute(asyncio, "new_event_loop"),
    "asyncio.set_event_loop": _attribute(asyncio, "set_event_loop"),
    **{f"sys.{name}": _attribute(sys, name) for name in _SYS + _STREAMS},
    # The last one, because writing the others calls builtins, which the program may have replaced.
    "builtins": _Slot(library_state.read_builtins, library_state.write_builtins),
}


# --- States ---


class InterpreterState:
    """One program's interpreter state. While the program is active, the interpreter itself holds the values.

    Args:
        values: The value of each slot, by name.
        modules: The program's own modules, including `__main__`.
    """

    def __init__(self, values: dict[str, Any], modules: dict[str, ModuleType]) -> None:
        self._values = values
        self._modules = modules
        # A program may remove it from the modules.
        self.main = modules.get("__main__")
        self._installed: tuple[list[str], tuple[int, str]] | None = None

    @property
    def namespace(self) -> dict[str, Any]:
        """The namespace of the program's `__main__`; valid while the program is not active."""
        return vars(self._modules.get("__main__") or self.main)

    def capture(self) -> None:
        """Move the program's values and modules out of the interpreter."""
        # The first one, because the rest and the surface's own code call builtins.
        replaced = library_state.take_builtins()
        self._values = {name: slot.read() for name, slot in _SLOTS.items()}
        self._values["builtins"] = replaced
        self._modules = self._take_modules()

    def install(self) -> None:
        """Move the program's values and modules into the interpreter."""
        _MODULES.update(self._modules)
        self._installed = list(self._modules), _newest_module()
        self._modules = {}
        for name, value in self._values.items():
            _SLOTS[name].write(value)

    def _take_modules(self) -> dict[str, ModuleType]:
        if self._installed is not None:
            names, newest = self._installed
            # Usually nothing was imported, so searching for new modules can be skipped.
            if newest == _newest_module() and all(name in _MODULES for name in names):
                return {name: _MODULES.pop(name) for name in names}
        return _take_local_modules(of_program=self is not KERNEL)

    def value(self, name: str) -> Any:
        """Return the program's value of a slot, whether the program is active or not."""
        return _SLOTS[name].read() if _active.state is self else self._values[name]


KERNEL = InterpreterState({}, {})
"""The state of the surface's own code."""


class _Active:
    state = KERNEL
    switching = False


_active = _Active()


def switch(state: InterpreterState) -> InterpreterState:
    """Activate `state`; return the state that was active."""
    previous = _active.state
    if state is previous:
        return previous
    _active.switching = True
    try:
        try:
            previous.capture()
        except Exception:  # noqa: BLE001 - anything can fail if a program has replaced what this calls
            library_state.STATE.mend()
            previous.capture()
        state.install()
        _active.state = state
    finally:
        _active.switching = False
    return previous


def is_switching() -> bool:
    """Return whether a switch is in progress, which must not be interrupted."""
    return _active.switching


def new_state(
    *,
    main: Mapping[str, object],
    argv: list[str],
    orig_argv: list[str],
    cwd: str,
    env: Mapping[str, str],
    first_on_path: Iterable[str],
    substitutes: Mapping[str, object],
) -> InterpreterState:
    """Return the initial state of a program: the kernel's libraries, and CPython's defaults for everything else.

    Args:
        main: The initial names of `__main__`.
        argv: The program's `sys.argv`.
        orig_argv: Its `sys.orig_argv`, the command line of Python.
        cwd: The working directory, absolute.
        env: The environment.
        first_on_path: Directories that come before the libraries on `sys.path`.
        substitutes: Values that replace parts of the interpreter, by the name of the slot.
    """
    _forget_local_directories()
    packages.forget_replaced(_shared_modules)
    module = ModuleType("__main__")
    vars(module).update(main, __builtins__=builtins)
    values: dict[str, Any] = {
        **{name: KERNEL.value(name) for name in _SLOTS},
        **{f"signal.SIG{name}": signal.SIG_DFL for name in SIGNALS},
        "directory": cwd,
        "environment": {_ENVIRONMENT.encodekey(name): _ENVIRONMENT.encodevalue(env[name]) for name in env},
        "time_zone": env.get("TZ", clock.chosen),
        "log_level": logging.WARNING,
        "log_handlers": [],
        "warnings.filters": list(_WARNING_FILTERS),
        "sys.argv": argv,
        "sys.orig_argv": orig_argv,
        "sys.path": [*first_on_path, *(entry for entry in KERNEL.value("sys.path") if entry)],
        "sys.executable": "/usr/bin/python3" if sys.platform == "emscripten" else sys.executable,
        # Agents edit and rerun within one second, the resolution of a .pyc file's timestamp.
        "sys.dont_write_bytecode": True,
        "sys.excepthook": sys.__excepthook__,
        **substitutes,
    }
    return InterpreterState(values, {"__main__": module})


# --- Modules: programs share the libraries, and own the modules in their directories ---


def _shared_directories() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    directories = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    # `os` may be frozen, and then names a directory where the others aren't (Pyodide 314.0.0 and 314.0.1).
    directories += [os.path.dirname(str(module.__file__)) for module in (os, warnings)]
    directories.append(str(Path(__file__).parents[2]))
    # Pyodide's paths begin with two slashes.
    return tuple(sorted({f"/{directory.strip('/')}/" for directory in directories}))


_shared_prefixes = _shared_directories()
packages.watch({path for name, path in sysconfig.get_paths().items() if name in ("purelib", "platlib")})
_shared_modules: set[str] = set()


def share_directory(path: Path) -> None:
    """Treat modules below `path` as the interpreter's libraries, which all programs share."""
    global _shared_prefixes  # noqa: PLW0603 - the interpreter has one set of libraries
    _shared_prefixes = (*_shared_prefixes, f"{path}/")
    packages.watch([str(path)])


def is_local(module: object) -> bool:
    """Return whether `module` belongs to a program, not to the interpreter's libraries."""
    # Read the namespace, because some modules compute their attributes.
    if not isinstance(module, ModuleType):
        return False
    if module.__name__ == "__main__":
        return True
    namespace = vars(module)
    file = namespace.get("__file__")
    if file is not None:
        return _is_local_path(file)
    return any(_is_local_path(path) for path in namespace.get("__path__", ()))


def _is_local_path(path: object) -> bool:
    return isinstance(path, str) and not path.startswith(_shared_prefixes)


def _newest_module() -> tuple[int, str]:
    return len(_MODULES), next(reversed(_MODULES), "")


def _take_local_modules(*, of_program: bool = True) -> dict[str, ModuleType]:
    new = _MODULES.keys() - _shared_modules
    # Check all modules before removing any: a namespace package needs its parent to compute its path.
    local = [name for name in new if name == "__main__" or is_local(_MODULES[name])]
    shared = new.difference(local)
    _shared_modules.update(shared)
    if of_program:
        packages.note_imports(shared)
    return {name: _MODULES.pop(name) for name in local}


def _forget_local_directories() -> None:
    """Drop cached listings of programs' directories, which may miss files that are younger than a clock tick."""
    for path in [path for path in sys.path_importer_cache if _is_local_path(path + "/")]:
        del sys.path_importer_cache[path]


def tear_down() -> None:
    """Release the active program's modules and the objects that only they reference, as interpreter exit does.

    Objects with other references survive: a tool that the program declared continues to work.
    """
    modules = _take_local_modules()
    main = modules.pop("__main__", None) or _active.state.main
    _active.state.main = None
    modules.clear()
    if main is None:
        return
    namespace = vars(main)
    del main
    # Functions and their namespace reference each other, so only the garbage collector can free them.
    unshared: dict[str, Any] = {}
    if sys.getrefcount(namespace) > sys.getrefcount(unshared):
        del namespace
        _flush_files()
        gc.collect()


def _flush_files() -> None:
    """Flush open files, because the garbage collector closes a file's layers in any order."""
    # Use type(), because reading `__class__` may raise.
    files: list[Any] = [thing for thing in gc.get_objects() if issubclass(type(thing), _BUFFERED)]
    for file in files:
        if not file.closed:
            with contextlib.suppress(OSError):
                file.flush()
