"""Test support for the surface: its page in headless Chromium with WebMCP enabled, for pytest.

`pip install control-surface[testing]` installs the pytest fixtures `surface` and `open_surface`; docs/testing.md
explains them.

Names load on first use, because `build.py` runs this package's server before Selenium is installed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gemini_testing.errors import PageError, PythonFailed, SurfaceError, ToolCallFailed
    from gemini_testing.surface import Surface

__all__ = ["PageError", "PythonFailed", "Surface", "SurfaceError", "ToolCallFailed"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'surface' if name == 'Surface' else 'errors'}"), name)
