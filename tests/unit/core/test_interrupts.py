"""An interrupt is raised in a caller's code, and never in the surface's own code that changes something."""

import asyncio
from types import FrameType
from typing import Any

import pytest

import gemini_userland.ls
from gemini.computer.files import paths
from gemini.core import ffi, interrupts, timers


class Page:
    """A page that has cancelled every request."""

    interrupts: Any

    def __init__(self) -> None:
        self.interrupts = self

    def isRequestCancelled(self, number: int) -> bool:  # noqa: N802 - the page's own name
        return True

    def noteElsewhere(self) -> None:  # noqa: N802 - the page's own name
        pass


def frame_in(file: str) -> FrameType:
    namespace: dict[str, Any] = {}
    exec(compile("import sys; frame = sys._getframe()", file, "exec"), namespace)
    return namespace["frame"]


async def interrupted(file: str, *, own: bool) -> bool:
    """Return whether an interrupt in `file` is raised while a tool's call runs."""

    async def call() -> bool:
        interrupts.request.set(1)
        with interrupts.stoppable(own=own):
            try:
                interrupts.on_interrupt(2, frame_in(file))
            except KeyboardInterrupt:
                return True
            return False

    return await asyncio.create_task(call())


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ffi, "kernel_host", Page)


@pytest.mark.parametrize("file", [paths.__file__, interrupts.__file__, gemini_userland.ls.__file__])
async def test_a_tool_that_changes_something_is_not_interrupted_in_the_surface_s_code(file: str) -> None:
    assert not await interrupted(file, own=False)


async def test_a_tool_that_only_reads_is_interrupted_in_the_surface_s_code() -> None:
    assert await interrupted(paths.__file__, own=True)


async def test_the_loop_s_timers_are_not_interrupted() -> None:
    # An interrupt in `call_soon`, which calls them, would lose the wake-up of a task.
    assert not await interrupted(timers.__file__, own=True)


async def test_a_caller_s_code_is_interrupted() -> None:
    assert await interrupted("<console>", own=False)
