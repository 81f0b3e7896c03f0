"""The standard library's debugger in an interpreter that runs programs inside of other code."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any


def patch(module: Any, is_hidden: Callable[[FrameType], bool]) -> None:
    """Let `pdb` show and step through only frames that belong to the program.

    Args:
        module: The module `bdb`, which `pdb` is based on.
        is_hidden: Returns whether a frame belongs to the code that runs programs.
    """
    base = module.Bdb
    get_stack, stop_here, original = base.get_stack, base.stop_here, base.__init__

    def visible_stack(
        self: Any, frame: FrameType | None, trace: TracebackType | None
    ) -> tuple[list[tuple[FrameType, int]], int]:
        stack, position = get_stack(self, frame, trace)
        current = stack[position][0] if stack else None
        # The frames around those that run the program are the event loop's.
        first = next((n for n, entry in enumerate(stack) if is_hidden(entry[0])), 0)
        visible = [entry for entry in stack[first:] if not is_hidden(entry[0])]
        if not visible:
            return stack, position
        at = next((n for n, entry in enumerate(visible) if entry[0] is current), len(visible) - 1)
        return visible, at

    def stops_here(self: Any, frame: FrameType) -> bool:
        return not is_hidden(frame) and stop_here(self, frame)

    def initialize(self: Any, skip: Any = None, **options: Any) -> None:
        # Events of `sys.monitoring` would also come from other code while the program waits; a trace function is
        # exchanged with the program's other state.
        original(self, skip, **({"backend": "settrace"} if "backend" in options else {}))

    base.__init__ = initialize
    base.get_stack, base.stop_here = visible_stack, stops_here
