"""Who is told of a path before a tool of ours changes it, where nobody sees all changes by themselves."""

from collections.abc import Callable

_listener: Callable[[str], None] | None = None


def on_change(listener: Callable[[str], None] | None) -> None:
    """Call `listener` with the absolute path of each file before it changes."""
    global _listener  # noqa: PLW0603 - there is one filesystem in an interpreter
    _listener = listener


def note(path: str) -> None:
    """A file is about to change."""
    if _listener is not None:
        _listener(path)
