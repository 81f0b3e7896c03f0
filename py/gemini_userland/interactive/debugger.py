"""The standard library's debugger in an interpreter that runs programs inside of other code."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any


def patch(module: Any, is_foreign: Callable[[FrameType], bool]) -> None:
    """Let `pdb` show and trace only frames that belong to the program.

    Args:
        module: The module `bdb`, which `pdb` is based on.
        is_foreign: Returns whether a frame belongs to the code that runs programs, or is called by it.
    """
    base = module.Bdb
    if hasattr(base.get_stack, "__wrapped__"):
        return
    get_stack, trace, original = base.get_stack, base.trace_dispatch, base.__init__

    @functools.wraps(get_stack)
    def visible_stack(
        self: Any, frame: FrameType | None, traceback: TracebackType | None
    ) -> tuple[list[tuple[FrameType, int]], int]:
        stack, position = get_stack(self, frame, traceback)
        current = stack[position][0] if stack else None
        visible = [entry for entry in stack if not is_foreign(entry[0])]
        if not visible:
            return stack, position
        at = next((n for n, entry in enumerate(visible) if entry[0] is current), len(visible) - 1)
        return visible, at

    def dispatch(self: Any, frame: FrameType, event: str, argument: Any) -> Any:
        # Other code runs while the debugger waits for a command.
        return None if is_foreign(frame) else trace(self, frame, event, argument)

    def initialize(self: Any, skip: Any = None, **options: Any) -> None:
        # Events of `sys.monitoring`, the other backend, don't pass `trace_dispatch`.
        original(self, skip, **({"backend": "settrace"} if "backend" in options else {}))

    base.__init__, base.trace_dispatch, base.get_stack = initialize, dispatch, visible_stack


def leave_interrupts(module: Any) -> None:
    """Let `pdb` leave the handler of SIGINT alone. After `continue`, its own would get all interrupts of the process.

    Args:
        module: The module `pdb`.
    """
    original = module.Pdb.__init__
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def initialize(self: Any, *args: Any, **options: Any) -> None:
        original(self, *args, **options)
        self.nosigint = True

    module.Pdb.__init__ = initialize
