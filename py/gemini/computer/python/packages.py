"""Installed packages: those that programs have imported are imported again after packages were installed or removed.

Programs share the modules of packages, because an import takes long. Packages of the surface itself, and those with
compiled modules, which can't be loaded twice, stay until the page reloads.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, MutableSet
from importlib.machinery import ExtensionFileLoader

# A second copy of the surface's modules would have a second state: an open socket of the first one is unknown to it.
_OWN = ("gemini", "gemini_userland", "pyodide", "_pyodide")

_directories: set[str] = set()
_imported: set[str] = set()
_seen: dict[str, int] = {}


def watch(directories: Iterable[str]) -> None:
    """Watch directories in which packages are installed."""
    _directories.update(f"/{path.strip('/')}" for path in directories)


def note_imports(names: Iterable[str]) -> None:
    """Note the names of modules that a program has imported, also those that the surface loads for it, which stay."""
    _imported.update(name for name in names if _top(name) not in _OWN and _is_in_package(name))


def forget_replaced(shared: MutableSet[str]) -> None:
    """Forget the modules of packages if any package was installed or removed since the last call.

    Args:
        shared: The names of the modules that programs share, from which the forgotten ones are removed.
    """
    now = {path: _changed_at(path) for path in _directories}
    is_first, is_same = not _seen, now == _seen
    _seen.clear()
    _seen.update(now)
    if is_first or is_same:
        return
    importlib.invalidate_caches()
    compiled = {_top(name) for name in _imported if _is_compiled(name)}
    for name in [name for name in _imported if _top(name) not in compiled]:
        sys.modules.pop(name, None)
        shared.discard(name)
        _imported.discard(name)


def _changed_at(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _top(name: str) -> str:
    return name.partition(".")[0]


def _is_in_package(name: str) -> bool:
    spec = getattr(sys.modules.get(name), "__spec__", None)
    places = [spec.origin or "", *(spec.submodule_search_locations or ())] if spec is not None else []
    return any(f"/{place.lstrip('/')}".startswith(f"{path}/") for place in places for path in _directories)


def _is_compiled(name: str) -> bool:
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return isinstance(getattr(spec, "loader", None), ExtensionFileLoader)
