"""`display`: show values in the console while code runs."""

import contextvars
import sys
from collections.abc import Callable
from typing import Any

Show = Callable[[Any], None]

target: contextvars.ContextVar[Show | None] = contextvars.ContextVar("gemini_show", default=None)
"""Shows a value in the entry of the code that is running; None if the code has no entry."""


def display(*values: Any) -> None:
    """Show values in the console as it shows results, among the output. Outside of the console, print them."""
    show = target.get()
    for value in values:
        if show is None:
            print(value)
        else:
            # What was printed before comes first.
            sys.stdout.flush()
            sys.stderr.flush()
            show(value)
