"""What CPython keeps once for the whole interpreter, kept once for each program that shares it.

A program expects a working directory, an environment, `sys.argv`, `sys.path`, a `__main__` and its own modules. The
interpreter has one of each, so an `InterpreterState` holds a program's set while other code runs, and `switch` swaps
two of them. Nothing else in the surface may rely on these things being the same on both sides of an `await`.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import gc
import io
import logging
import os
import signal
import sys
import sysconfig
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from gemini.terminals import tracebacks
from gemini.terminals.stdio import MULTIPLEXERS

tracebacks.hide_frames_of(__file__)

_SIGNALS = [
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2")
    if name in signal.Signals.__members__
]


class HardExit(BaseException):
    """`os._exit` was called, which may not end the interpreter that everybody shares."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class _Slot(NamedTuple):
    read: Callable[[], Any]
    write: Callable[[Any], None]


def _attribute(owner: object, name: str) -> _Slot:
    return _Slot(lambda: getattr(owner, name), lambda value: setattr(owner, name, value))


def _read_directory() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        return "/"


def _write_directory(path: str) -> None:
    try:
        os.chdir(path)
    except OSError:
        # Someone removed it meanwhile.
        os.chdir("/")


def _write_environment(wanted: dict[str, str]) -> None:
    present = dict(os.environ)
    if present == wanted:
        return
    for name in present.keys() - wanted.keys():
        del os.environ[name]
    for name, value in wanted.items():
        if present.get(name) != value:
            os.environ[name] = value


def _write_recursion_limit(limit: int) -> None:
    # CPython refuses a limit that the present depth exceeds already.
    if limit != sys.getrecursionlimit():
        with contextlib.suppress(RecursionError):
            sys.setrecursionlimit(limit)


def _write_log_level(level: int) -> None:
    if level != logging.root.level:
        logging.root.setLevel(level)


def _write_signals(handlers: dict[signal.Signals, Any]) -> None:
    for number, handler in handlers.items():
        # None is a handler that C code installed.
        if handler is not None and handler is not signal.getsignal(number):
            signal.signal(number, handler)


_SLOTS: dict[str, _Slot] = {
    "signals": _Slot(lambda: {number: signal.getsignal(number) for number in _SIGNALS}, _write_signals),
    "directory": _Slot(_read_directory, _write_directory),
    "environment": _Slot(lambda: dict(os.environ), _write_environment),
    "recursion_limit": _Slot(sys.getrecursionlimit, _write_recursion_limit),
    "log_level": _Slot(lambda: logging.root.level, _write_log_level),
    "log_handlers": _attribute(logging.root, "handlers"),
    "warning_filters": _attribute(warnings, "filters"),
    "show_warning": _attribute(warnings, "showwarning"),
    "atexit_register": _attribute(atexit, "register"),
    "atexit_unregister": _attribute(atexit, "unregister"),
    "hard_exit": _attribute(os, "_exit"),
    **{
        name: _attribute(sys, name)
        for name in ("argv", "path", "executable", "dont_write_bytecode", "displayhook", "excepthook")
        + ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
    },
}

# What CPython starts with in a release build; see "Default Warning Filter" in its library reference.
_WARNING_FILTERS = [
    ("default", None, DeprecationWarning, "__main__", 0),
    ("ignore", None, DeprecationWarning, None, 0),
    ("ignore", None, PendingDeprecationWarning, None, 0),
    ("ignore", None, ImportWarning, None, 0),
    ("ignore", None, ResourceWarning, None, 0),
]


class InterpreterState:
    """One program's share of the interpreter. While it is active, the interpreter itself holds the values."""

    def __init__(self, values: dict[str, Any], modules: dict[str, ModuleType]) -> None:
        self._values = values
        self._modules = modules

    def capture(self) -> None:
        """Take the program's values and modules out of the interpreter."""
        self._values = {name: slot.read() for name, slot in _SLOTS.items()}
        self._modules = _take_local_modules()

    def install(self) -> None:
        """Put the program's values and modules into the interpreter."""
        sys.modules.update(self._modules)
        self._modules = {}
        for name, value in self._values.items():
            _SLOTS[name].write(value)

    @property
    def namespace(self) -> dict[str, Any]:
        """That of the program's `__main__`, while the program is not active."""
        return vars(self._modules["__main__"])

    def value(self, name: str) -> Any:
        return _SLOTS[name].read() if _active is self else self._values[name]


KERNEL = InterpreterState({}, {})
"""The state of the surface itself, and of whatever runs beside its programs."""

_active = KERNEL
_switching = False


def switch(state: InterpreterState) -> InterpreterState:
    """Make `state` the interpreter's, and return the one that was."""
    global _active, _switching
    previous = _active
    if state is previous:
        return previous
    _switching = True
    try:
        previous.capture()
        state.install()
        _active = state
    finally:
        _switching = False
    return previous


def is_switching() -> bool:
    """Whether the interpreter is between two states, and may not be interrupted."""
    return _switching


def new_state(
    *,
    main: Mapping[str, object],
    argv: list[str],
    cwd: str,
    env: Mapping[str, str],
    first_on_path: Iterable[str],
    exit_handlers: ExitHandlers,
    on_interrupt: Callable[..., object],
) -> InterpreterState:
    """Return what a program finds when it starts: the kernel's libraries, and everything else as CPython has it.

    Args:
        main: What its `__main__` has from the beginning.
        argv, cwd, env: As the program sees them.
        first_on_path: Directories that come before the libraries on `sys.path`.
        exit_handlers: Where the program's own use of `atexit` ends.
        on_interrupt: Handles SIGINT while the program is active.
    """
    _forget_local_directories()
    values = {
        **{name: KERNEL.value(name) for name in ("recursion_limit", "displayhook")},
        "signals": {number: signal.SIG_DFL for number in _SIGNALS} | {signal.SIGINT: on_interrupt},
        "directory": cwd,
        "environment": dict(env),
        "log_level": logging.WARNING,
        "log_handlers": [],
        "warning_filters": list(_WARNING_FILTERS),
        "show_warning": KERNEL.value("show_warning"),
        "atexit_register": exit_handlers.register,
        "atexit_unregister": exit_handlers.unregister,
        "hard_exit": _hard_exit,
        "argv": argv,
        "path": [*first_on_path, *(entry for entry in KERNEL.value("path") if entry)],
        "executable": "/usr/bin/python3" if sys.platform == "emscripten" else sys.executable,
        # Agents edit and run again within a second, which is the resolution of a .pyc file's time stamp.
        "dont_write_bytecode": True,
        "excepthook": sys.__excepthook__,
    }
    for name in ("stdin", "stdout", "stderr"):
        values[name] = values[f"__{name}__"] = getattr(MULTIPLEXERS, name)
    module = ModuleType("__main__")
    vars(module).update(main, __builtins__=builtins)
    return InterpreterState(values, {"__main__": module})


def _hard_exit(status: int) -> NoReturn:
    raise HardExit(status)


class ExitHandlers:
    """`atexit` for one program. What a library registers, even on a program's behalf, stays with the interpreter."""

    def __init__(self) -> None:
        self._handlers: list[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any]]] = []

    def register(self, function: Callable[..., object], /, *args: Any, **kwargs: Any) -> Callable[..., object]:
        caller = sys._getframe(1).f_globals  # pyright: ignore[reportPrivateUsage]
        module = sys.modules.get(caller.get("__name__", ""))
        if module is None or _is_local(module):
            self._handlers.append((function, args, kwargs))
        else:
            KERNEL.value("atexit_register")(function, *args, **kwargs)
        return function

    def unregister(self, function: Callable[..., object], /) -> None:
        self._handlers = [handler for handler in self._handlers if handler[0] != function]
        KERNEL.value("atexit_unregister")(function)

    def pop(self) -> Callable[[], object] | None:
        """Return the handler that is due, or None when there is none left."""
        if not self._handlers:
            return None
        function, args, kwargs = self._handlers.pop()
        return lambda: function(*args, **kwargs)


def tear_down() -> None:
    """Let go of the active program's modules, and of what only they hold, as an interpreter does when it exits.

    What others hold lives on: a tool that the program declared goes on working.
    """
    modules = _take_local_modules()
    namespace = vars(modules.pop("__main__"))
    modules.clear()
    # Functions hold the namespace that holds them, so only the collector can free it.
    unshared: dict[str, Any] = {}
    if sys.getrefcount(namespace) > sys.getrefcount(unshared):
        del namespace
        _flush_files()
        gc.collect()


def _flush_files() -> None:
    """Write out what files have buffered: the collector closes a file's layers in any order, and may lose it."""
    for thing in gc.get_objects():
        if isinstance(thing, io.TextIOWrapper | io.BufferedWriter | io.BufferedRandom) and not thing.closed:
            with contextlib.suppress(OSError):
                thing.flush()


# --- Modules: the interpreter's own are shared by all, those of a program's directories are the program's ---


def _shared_directories() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    directories = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    directories += [os.path.dirname(os.__file__), str(Path(__file__).parents[1])]
    return tuple(sorted({directory.rstrip("/") + "/" for directory in directories}))


_SHARED_DIRECTORIES = _shared_directories()
_shared_modules: set[str] = set()


def _is_local_path(path: object) -> bool:
    return isinstance(path, str) and not path.startswith(_SHARED_DIRECTORIES)


def _is_local(module: object) -> bool:
    # Looking into the namespace spares us the modules that compute their attributes.
    if not isinstance(module, ModuleType):
        return False
    if module.__name__ == "__main__":
        return True
    namespace = vars(module)
    file = namespace.get("__file__")
    if file is not None:
        return _is_local_path(file)
    return any(_is_local_path(path) for path in namespace.get("__path__", ()))


def _take_local_modules() -> dict[str, ModuleType]:
    taken: dict[str, ModuleType] = {}
    for name in sys.modules.keys() - _shared_modules:
        module = sys.modules[name]
        if name == "__main__" or _is_local(module):
            taken[name] = sys.modules.pop(name)
        else:
            _shared_modules.add(name)
    return taken


def _forget_local_directories() -> None:
    """Have the import system list a program's directories anew; a cached list can be as old as the clock's tick."""
    for path in [path for path in sys.path_importer_cache if _is_local_path(path + "/")]:
        del sys.path_importer_cache[path]
