"""Notify a listener before a file tool changes a path. It is used where no worker captures every change."""

from collections.abc import Callable

_listener: Callable[[str], None] | None = None


def set_listener(listener: Callable[[str], None] | None) -> None:
    """Call `listener` with the absolute path of each file before it changes."""
    global _listener  # noqa: PLW0603 - there is one filesystem in an interpreter
    _listener = listener


def notify(path: str) -> None:
    """Notify the listener that a file is about to change."""
    if _listener is not None:
        _listener(path)
