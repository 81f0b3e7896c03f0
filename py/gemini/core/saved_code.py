"""Code in saved files, of which a Python that the user has restarted runs none automatically.

The user's restart ends the effect of what was read before (docs/consent.md). Python can write its saved files, so
packages installed there stay unused until a command, code or a run begins, and the page learns of it first.
"""

from collections.abc import Callable

_deferred: list[Callable[[], None]] = []


def defer(action: Callable[[], None]) -> None:
    """Call `action` when code in saved files is first used, in the order of these calls."""
    _deferred.append(action)


def use() -> None:
    """Report that code in saved files may run now. Call this before commands, code and runs."""
    while _deferred:
        _deferred.pop(0)()
