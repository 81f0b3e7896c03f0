"""The stubs of code mode for jedi: `from gemini.code_mode.api import files` finds names that no source has."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jedi.file_io import FileIO
from jedi.inference.base_value import ValueSet
from jedi.inference.imports import load_module_from_path
from jedi.plugins import plugin_manager

from gemini.computer.code.packages import PREFIX, STUBS

API = ("gemini", "code_mode", "api")
Import = Callable[..., Any]
"""Imports a module for jedi: `(state, names, parent, …)`."""


def enable(folder: Path = STUBS) -> None:
    """Have jedi read the stubs of a folder, in which `api.pyi` imports the others."""

    def import_module(usual: Import) -> Import:
        def imported(state: Any, names: tuple[str, ...], parent: Any, *rest: Any, **named: Any) -> Any:
            name = names[0].removeprefix(PREFIX) if len(names) == 1 else names[-1]
            path = folder / f"{name}.pyi"
            if (names != API and names != (PREFIX + name,)) or not path.is_file():
                return usual(state, names, parent, *rest, **named)
            return ValueSet([load_module_from_path(state, FileIO(str(path)), names, is_package=False)])

        return imported

    plugin_manager.register(SimpleNamespace(import_module=import_module))
