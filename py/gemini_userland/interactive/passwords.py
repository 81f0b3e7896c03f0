"""The module `getpass` on a terminal of the surface, which has no device to switch its echo off."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gemini_userland.interactive.reader import Read
from gemini_userland.invocation import LineRequest


def patch(module: Any, current: Callable[[], Read | None]) -> None:
    """Let `getpass.getpass` ask at the running program's terminal without showing the typed text.

    Args:
        module: The module `getpass`.
        current: Returns the function that reads the running program's lines; None if it has no terminal.
    """
    original = module.getpass
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def getpass(prompt: str = "Password: ", stream: Any = None, **options: Any) -> str:
        read = current()
        if read is None:
            return original(prompt, stream, **options)
        password = read(LineRequest(prompt, hidden=True))
        if password is None:
            raise EOFError
        return password

    module.getpass = getpass
