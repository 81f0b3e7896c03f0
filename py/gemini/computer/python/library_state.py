"""Undoes what a program has changed in modules of the standard library, which all programs share, when it ends.

A module's state is its namespace: names that the program has assigned get the values from before. Classes and
containers that it has changed in place stay changed. Another program that still runs keeps its own changes.
"""

from __future__ import annotations

import builtins
import gc
import random
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, cast

from gemini.computer.python import tracebacks

tracebacks.hide_frames_of(__file__)

_MISSING: Any = object()
# The interpreter's slots have what programs change in these.
_EXCLUDED = {"sys", "builtins", "__main__"}
# `_` holds the console's last value; `open` has its own slot.
_OTHERS = {"_", "open"}
_BUILTINS = vars(builtins).copy()
# Programs may replace or delete what these are the names of.
_MODULES, _SYS, _callable = sys.modules, sys.__dict__, callable
_FUNCTIONS = tuple(name for name, value in _BUILTINS.items() if callable(value) and name not in _OTHERS)
_SYS_FUNCTIONS = {
    name: value
    for name, value in _SYS.items()
    if isinstance(value, BuiltinFunctionType) and "hook" not in name
}
_LIBRARY = sys.stdlib_module_names
_OWN = ("gemini", "pyodide", "_pyodide", "js")
_FINDERS = ("meta_path", "path_hooks")

Place = tuple[str, str]
"""The names of a module and of a variable in it."""


class LibraryState:
    """The namespaces of the library's modules as the interpreter has them without programs."""

    def __init__(self) -> None:
        self._modules: dict[str, tuple[ModuleType, dict[str, Any]]] = {}
        self._known = 0
        self._running = 0
        # What imports need, as it was before the last program began.
        self._imported: dict[str, ModuleType] = {}
        self._finders: dict[str, list[Any]] = {}

    def enter(self) -> dict[Place, Any]:
        """Note the start of a program; return the changes of others that run, for `leave`."""
        self._note()
        self._imported = {name: module for name, module in _MODULES.items() if name != "__main__"}
        self._finders = {name: list(_SYS[name]) for name in _FINDERS}
        changes = dict(self._changes()) if self._running else {}
        self._running += 1
        if self._running == 1:
            # Otherwise one program's `random.seed` would decide the numbers of the next.
            random.seed()
        return changes

    def leave(self, before: dict[Place, Any]) -> None:
        """Undo the changes since `enter`."""
        self._running -= 1
        self._mend_interpreter()
        for place in {**before, **dict(self._changes())}:
            module, saved = self._modules[place[0]]
            value = before.get(place, saved.get(place[1], _MISSING))
            if value is _MISSING:
                vars(module).pop(place[1], None)
            else:
                vars(module)[place[1]] = value
        self._note()

    def mend(self) -> None:
        """Restore the functions, classes, modules and finders that are gone, or can't be called any more.

        The event loop and the surface's own code need them, too.
        """
        self._mend_interpreter()
        for (name, variable), value in list(self._changes()):
            module, variables = self._modules[name]
            if callable(variables.get(variable)) and not callable(value):
                vars(module)[variable] = variables[variable]

    def _mend_interpreter(self) -> None:
        mend_builtins()
        _SYS["modules"] = _MODULES
        # Packages without `__init__.py` read it.
        if not isinstance(_SYS.get("path"), list):
            _SYS["path"] = []
        for name, function in _SYS_FUNCTIONS.items():
            if not callable(_SYS.get(name)):
                _SYS[name] = function
        # Packages alone may be gone because pip has replaced them.
        if any(_is_needed(name) and name not in _MODULES for name in self._imported):
            for name, module in self._imported.items():
                _MODULES.setdefault(name, module)
        for name, saved in self._finders.items():
            found = _SYS.get(name)
            present = cast("list[Any]", found) if isinstance(found, list) else []
            if any(one not in present for one in saved):
                _SYS[name] = [*saved, *(one for one in present if one not in saved)]

    def _note(self) -> None:
        """Note the modules that were imported since the last call. One that a program has changed is imported again."""
        if len(_MODULES) == self._known:
            return
        for name, module in list(_MODULES.items()):
            known = self._modules.get(name)
            if (known is not None and known[0] is module) or not _is_library(name, module):
                continue
            if any(_is_of_program(value) for value in vars(module).values()):
                del _MODULES[name]
            else:
                self._modules[name] = (module, vars(module).copy())
        self._known = len(_MODULES)

    def _changes(self) -> Iterator[tuple[Place, Any]]:
        """Yield the variables that have other values than without programs, with these."""
        for name, (module, saved) in self._modules.items():
            namespace = vars(module)
            if not _differs(namespace, saved):
                continue
            for variable in [*saved, *(namespace.keys() - saved.keys())]:
                value = namespace.get(variable, _MISSING)
                old = saved.get(variable, _MISSING)
                # Importing a submodule sets a variable of its package.
                if value is old or isinstance(value, ModuleType):
                    continue
                if old is _MISSING and variable.startswith("__"):
                    continue
                yield (name, variable), value


def _differs(namespace: dict[str, Any], saved: dict[str, Any]) -> bool:
    try:
        return namespace != saved
    except Exception:  # noqa: BLE001 - values of programs compare as they like
        return True


def _is_library(name: str, module: object) -> bool:
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names and name not in _EXCLUDED and isinstance(module, ModuleType)


def _is_needed(name: str) -> bool:
    top = name.partition(".")[0]
    return top in _LIBRARY or top.startswith(_OWN)


def _is_of_program(value: object) -> bool:
    # A program's modules are in `sys.modules` only while it is active.
    return type(value) in (FunctionType, type) and getattr(value, "__module__", None) == "__main__"


STATE = LibraryState()


def mend_builtins() -> None:
    """Restore the builtins that can't be called any more. Calls no builtin by its name."""
    namespace = builtins.__dict__
    for name in _FUNCTIONS:
        if not _callable(namespace.get(name)):
            namespace[name] = _BUILTINS[name]


def read_builtins() -> dict[str, Any]:
    """Return the builtins that have other values than at the start, as the surface's own code uses them, too."""
    namespace = builtins.__dict__
    if not _differs(namespace, _BUILTINS):
        return {}
    names = {**_BUILTINS, **namespace}.keys() - _OTHERS
    values = {name: namespace.get(name, _MISSING) for name in names}
    return {name: value for name, value in values.items() if value is not _BUILTINS.get(name, _MISSING)}


def take_builtins() -> dict[str, Any]:
    """Reset the builtins to those at the start; return what `read_builtins` did before. Calls no builtin itself."""
    changes = read_builtins()
    if changes:
        write_builtins({})
    return changes


def write_builtins(changes: dict[str, Any]) -> None:
    """Set the builtins so that `read_builtins` returns `changes`."""
    namespace = builtins.__dict__
    for name in {**read_builtins(), **changes}:
        value = changes.get(name, _BUILTINS.get(name, _MISSING))
        if value is _MISSING:
            namespace.pop(name, None)
        else:
            namespace[name] = value


def read_collector() -> tuple[bool, tuple[int, ...], int]:
    """Return the settings of the garbage collector."""
    return gc.isenabled(), gc.get_threshold(), gc.get_debug()


def write_collector(settings: tuple[bool, tuple[int, ...], int]) -> None:
    """Set what `read_collector` returned."""
    if settings == read_collector():
        return
    enabled, threshold, debug = settings
    (gc.enable if enabled else gc.disable)()
    gc.set_threshold(*threshold)
    gc.set_debug(debug)
