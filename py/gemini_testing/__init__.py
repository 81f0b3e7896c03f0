"""The surface under test: its page in headless Chromium with WebMCP on, for pytest.

`pip install gemini-surface[testing]` brings the pytest fixtures `surface` and `open_surface`; docs/testing.md tells
how to use them.
"""

from gemini_testing.errors import PageError, PythonFailed, SurfaceError, ToolCallFailed
from gemini_testing.surface import Surface

__all__ = ["PageError", "PythonFailed", "Surface", "SurfaceError", "ToolCallFailed"]
