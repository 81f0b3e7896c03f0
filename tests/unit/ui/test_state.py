"""The page ends with the kernel's state, in whatever order snapshots, batches and reconnections arrive."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.npm import find_node
from tests.compiling import compiled_module

REDUCER = Path(__file__).with_name("reducer.mjs")
Event = dict[str, Any]
Reduce = Callable[[list[Event]], dict[str, Any]]
SHOWN = ("terminals", "tabs", "calls", "files", "surface")


@pytest.fixture(scope="module")
def reduce() -> Iterator[Reduce]:
    """Return a function that runs the page's reducer in a Node process."""
    command = [find_node().node, REDUCER, compiled_module("ui/state/state.ts").as_uri()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        requests, answers = node.stdin, node.stdout

        def reduce(events: list[Event]) -> dict[str, Any]:
            requests.write(json.dumps(events) + "\n")
            requests.flush()
            return json.loads(answers.readline())

        yield reduce
        requests.close()


class Kernel:
    """The state of a kernel, and the events that it has sent."""

    def __init__(self) -> None:
        self.seq = 0
        self.rows: dict[str, dict[int, Event]] = {name: {} for name in ("terminals", "tabs", "calls")}
        self.files: Event = {"path": "/", "entries": [], "truncated": False}
        self.surface: Event = {"version": 0}
        self.sent: list[Event] = []

    def change(self, what: str, row: int) -> None:
        """Change a row and send the event."""
        self.seq += 1
        self.sent.append({"seq": self.seq, **getattr(self, f"_{what}")(row)})

    def _place(self, rows: str, row: int) -> Event:
        placed = {"id": row, "version": self.seq}
        self.rows[rows][row] = placed
        return placed

    def _terminal(self, row: int) -> Event:
        return {"type": "terminal_changed", "terminal": self._place("terminals", row)}

    def _terminal_end(self, row: int) -> Event:
        self.rows["terminals"].pop(row, None)
        return {"type": "terminal_closed", "terminal_id": row}

    def _tab(self, row: int) -> Event:
        return {"type": "tab_changed", "tab": self._place("tabs", row)}

    def _tab_end(self, row: int) -> Event:
        self.rows["tabs"].pop(row, None)
        return {"type": "tab_closed", "tab_id": row}

    def _call(self, row: int) -> Event:
        return {"type": "call_changed", "call": self._place("calls", row)}

    def _files(self, row: int) -> Event:
        self.files = {"path": f"/{row}", "entries": [{"version": self.seq}], "truncated": False}
        return {"type": "files_shown", **self.files}

    def _surface(self, row: int) -> Event:
        self.surface = {"version": self.seq, "row": row}
        return {"type": "surface_changed", "surface": self.surface}

    def shown(self) -> dict[str, Any]:
        rows = {name: list(rows.values()) for name, rows in self.rows.items()}
        return json.loads(json.dumps({**rows, "files": self.files, "surface": self.surface}))

    def snapshot(self) -> Event:
        return {"type": "snapshot", "snapshot": {"seq": self.seq, **self.shown()}}


CHANGES = ["terminal", "terminal_end", "tab", "tab_end", "call", "files", "surface"]
CHANGE_STEPS = st.tuples(st.sampled_from(CHANGES), st.integers(0, 3))
# Between a kernel and its page: the state changes; a batch is sent, lost, duplicated or late; a snapshot is taken or
# arrives; or the page reconnects.
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("change"), CHANGE_STEPS),
        st.tuples(
            st.sampled_from(["send", "lose", "twice", "late", "take", "arrive", "reconnect"]), st.none()
        ),
    ),
    max_size=60,
)


def history(steps: list[tuple[str, Any]]) -> tuple[list[Event], Kernel]:
    """Return the events that a page receives, ending with a snapshot and all later events."""
    kernel = Kernel()
    page: list[Event] = []
    taken: list[Event] = []
    late: list[Event] = []
    first = 0

    def batch() -> Event:
        nonlocal first
        events, start = kernel.sent[first:], first
        first = kernel.seq
        return {"type": "events", "batch": {"first": start + 1, "last": kernel.seq, "events": events}}

    for step, change in steps:
        if step == "change":
            kernel.change(*change)
        elif step in ("send", "lose", "twice", "late") and first < kernel.seq:
            sent = batch()
            {"send": page.append, "lose": lambda _: None, "twice": page.append, "late": late.append}[step](
                sent
            )
            if step == "twice":
                page.append(sent)
        elif step == "take":
            taken.append(kernel.snapshot())
        elif step == "arrive" and taken:
            page.append(taken.pop())
        elif step == "reconnect":
            page.append({"type": "disconnected"})
            # Messages in transit are lost with the connection.
            taken.clear()
            late.clear()
    page.extend(late)
    page.append(kernel.snapshot())
    for number in range(3):
        kernel.change("terminal", number)
    first = kernel.seq - 3
    page.append(batch())
    return page, kernel


@given(STEPS)
def test_the_page_ends_with_the_kernels_state(reduce: Reduce, steps: list[tuple[str, Any]]) -> None:
    page, kernel = history(steps)

    state = reduce(page)

    assert {name: by_id(state[name]) for name in SHOWN} == {
        name: by_id(rows) for name, rows in kernel.shown().items()
    }
    assert (state["seq"], state["stale"], state["pending"]) == (kernel.seq, False, [])


def test_a_gap_is_noticed_and_later_events_are_not_lost(reduce: Reduce) -> None:
    kernel = Kernel()
    first = kernel.snapshot()
    kernel.change("terminal", 1)
    kernel.change("terminal", 2)
    late = {"type": "events", "batch": {"first": 2, "last": 2, "events": kernel.sent[1:]}}

    state = reduce([first, late])
    assert (state["stale"], state["terminals"]) == (True, [])
    kernel.sent, kernel.seq = kernel.sent[:1], 1
    kernel.rows["terminals"].pop(2)
    state = reduce([first, late, kernel.snapshot()])
    assert [row["id"] for row in state["terminals"]] == [1, 2]
    assert (state["stale"], state["seq"]) == (False, 2)


def by_id(rows: Any) -> Any:
    """Sort rows by id, because the page has them in order of arrival."""
    return sorted(rows, key=lambda row: row["id"]) if isinstance(rows, list) else rows
