"""The modules of code mode, for the Python console and scripts.

from gemini.code_mode.api import files, terminal
files.read("/project/report.csv").content
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    running = None if name.startswith("_") else import_module("gemini.kernel.kernel").kernel
    modules: Mapping[str, Any] = {} if running is None else running.code.mode.modules()
    if name not in modules:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return modules[name]


def __dir__() -> list[str]:
    running = import_module("gemini.kernel.kernel").kernel
    return [] if running is None else list(running.code.mode.modules())
