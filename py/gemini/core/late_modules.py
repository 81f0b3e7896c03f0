"""Imports of modules that arrive after the start of the page (builder/preinstall.py), by code that runs earlier.

Programs and commands wait for these modules before they run. Anything else that imports one of them early, such as a
tool that few calls use, loads them here.
"""

import importlib
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType


class LateModules(MetaPathFinder):
    """Finds the modules that `names` lists, one a line; the last of `sys.meta_path`.

    Args:
        names: The file.
        load: Loads the modules, or returns if they are there. May raise an `OSError`.
    """

    def __init__(self, names: Path, load: Callable[[], None]) -> None:
        self._file = names
        self._load = load

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._file.read_text(encoding="utf-8").split())

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Load the modules if this is one of them, and find it.

        Raises:
            ImportError: They can't be loaded.
        """
        if fullname not in self._names:
            return None
        try:
            self._load()
        except OSError as error:
            raise ImportError(f"{fullname} can't be imported: {error}", name=fullname) from error
        importlib.invalidate_caches()
        return PathFinder.find_spec(fullname, path, target)


def install(load: Callable[[], None]) -> None:
    """Find the modules of this build that arrive late; do nothing where all are there.

    Args:
        load: See `LateModules`.
    """
    names = Path(__file__).with_suffix(".txt")
    if names.is_file():
        sys.meta_path.append(LateModules(names, load))
