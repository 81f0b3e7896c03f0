"""The running kernel, by its former name."""

from typing import Any

from gemini.kernel import kernel as current


def __getattr__(name: str) -> Any:
    # The kernel is another after a restart of the surface.
    return getattr(current, name)
