"""However snapshots, batches and reconnections fall, the page ends with what the kernel has."""

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

REDUCER = Path(__file__).with_name("reducer.mjs")
STATE = Path(__file__).parents[3] / "web/ui/state.js"
Event = dict[str, Any]
Reduce = Callable[[list[Event]], dict[str, Any]]
SHOWN = ("terminals", "tabs", "calls", "files", "surface")


@pytest.fixture(scope="module")
def reduce() -> Iterator[Reduce]:
    """What the page's reducer makes of events, in a Node of its own."""
    command = [find_node().node, REDUCER, STATE.as_uri()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        told, heard = node.stdin, node.stdout

        def reduce(events: list[Event]) -> dict[str, Any]:
            told.write(json.dumps(events) + "\n")
            told.flush()
            return json.loads(heard.readline())

        yield reduce
        told.close()


class Kernel:
    """What a kernel has and tells, as far as a page can see it."""

    def __init__(self) -> None:
        self.seq = 0
        self.rows: dict[str, dict[int, Event]] = {name: {} for name in ("terminals", "tabs", "calls")}
        self.files: Event = {"path": "/", "entries": [], "truncated": False}
        self.surface: Event = {"version": 0}
        self.told: list[Event] = []

    def do(self, what: str, row: int) -> None:
        """Something happens; it is told by an event."""
        self.seq += 1
        self.told.append({"seq": self.seq, **getattr(self, f"_{what}")(row)})

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


WHATS = ["terminal", "terminal_end", "tab", "tab_end", "call", "files", "surface"]
DOINGS = st.tuples(st.sampled_from(WHATS), st.integers(0, 3))
# What happens between a kernel and its page: it does something, tells a batch, a batch is lost or comes twice or
# late, a snapshot is taken, arrives, or the page connects anew.
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("do"), DOINGS),
        st.tuples(
            st.sampled_from(["tell", "lose", "twice", "late", "take", "arrive", "reconnect"]), st.none()
        ),
    ),
    max_size=60,
)


def history(steps: list[tuple[str, Any]]) -> tuple[list[Event], Kernel]:
    """The events that a page gets, which ends up to date: with a snapshot and all that comes after."""
    kernel = Kernel()
    page: list[Event] = []
    taken: list[Event] = []
    late: list[Event] = []
    first = 0

    def batch() -> Event:
        nonlocal first
        events, start = kernel.told[first:], first
        first = kernel.seq
        return {"type": "events", "batch": {"first": start + 1, "last": kernel.seq, "events": events}}

    for step, doing in steps:
        if step == "do":
            kernel.do(*doing)
        elif step in ("tell", "lose", "twice", "late") and first < kernel.seq:
            told = batch()
            {"tell": page.append, "lose": lambda _: None, "twice": page.append, "late": late.append}[step](
                told
            )
            if step == "twice":
                page.append(told)
        elif step == "take":
            taken.append(kernel.snapshot())
        elif step == "arrive" and taken:
            page.append(taken.pop())
        elif step == "reconnect":
            page.append({"type": "disconnected"})
            # What was on its way is gone with the connection.
            taken.clear()
            late.clear()
    page.extend(late)
    page.append(kernel.snapshot())
    for number in range(3):
        kernel.do("terminal", number)
    first = kernel.seq - 3
    page.append(batch())
    return page, kernel


@given(STEPS)
def test_the_page_ends_with_what_the_kernel_has(reduce: Reduce, steps: list[tuple[str, Any]]) -> None:
    page, kernel = history(steps)

    state = reduce(page)

    assert {name: by_id(state[name]) for name in SHOWN} == {
        name: by_id(rows) for name, rows in kernel.shown().items()
    }
    assert (state["seq"], state["stale"], state["pending"]) == (kernel.seq, False, [])


def test_a_gap_is_noticed_and_nothing_of_what_came_after_is_lost(reduce: Reduce) -> None:
    kernel = Kernel()
    first = kernel.snapshot()
    kernel.do("terminal", 1)
    kernel.do("terminal", 2)
    late = {"type": "events", "batch": {"first": 2, "last": 2, "events": kernel.told[1:]}}

    state = reduce([first, late])
    assert (state["stale"], state["terminals"]) == (True, [])
    kernel.told, kernel.seq = kernel.told[:1], 1
    kernel.rows["terminals"].pop(2)
    state = reduce([first, late, kernel.snapshot()])
    assert [row["id"] for row in state["terminals"]] == [1, 2]
    assert (state["stale"], state["seq"]) == (False, 2)


def by_id(rows: Any) -> Any:
    """Rows in an order of their own: that of the page is the order in which they came."""
    return sorted(rows, key=lambda row: row["id"]) if isinstance(rows, list) else rows
