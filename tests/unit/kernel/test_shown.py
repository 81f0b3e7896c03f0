"""The state that the page shows has the types that the build generates from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from gemini.core.events import Event, row_of
from gemini.kernel.kernel import Kernel
from gemini.kernel.shown import Snapshot, event_types
from gemini.tools import Registry


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    (tmp_path / "a.txt").write_text("one\n")
    return Kernel(Registry(), str(tmp_path))


def test_every_event_of_a_surface_has_a_type(kernel: Kernel) -> None:
    assert {each.__name__ for each in event_types()} == {each.__name__ for each in Event.__subclasses__()}


async def test_the_snapshot_and_the_events_fit_their_types(kernel: Kernel) -> None:
    types = {each.__name__: TypeAdapter[Any](each) for each in event_types()}
    seen: set[str] = set()

    def check(seq: int, event: Event) -> None:
        types[type(event).__name__].validate_python(row_of(seq, event))
        seen.add(event.type)

    kernel.events.subscribe(check)
    for tool, arguments in (
        ("python_run", {"code": "print('a')\ndisplay([{'n': 1}])\n1/0"}),
        ("file_navigate", {"path": "."}),
        ("terminal_create", {}),
        ("terminal_close", {"terminal_id": "term-1"}),
    ):
        await kernel.registry.call_json(tool, arguments, caller="script")
    await kernel.registry.call("panel_run_demo", {}, caller="person")
    TypeAdapter(Snapshot).validate_python(kernel.snapshot())
    assert {"call_changed", "console_printed", "files_shown", "terminal_created", "run_changed"} <= seen
