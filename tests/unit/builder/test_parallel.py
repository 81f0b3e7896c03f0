"""Parts of a build that run side by side, and the line that shows them."""

from __future__ import annotations

import io
from pathlib import Path
from threading import Barrier, Event

import pytest

from builder.parallel import side_by_side
from builder.problems import BuildProblem
from builder.progress import Progress
from builder.stamps import Steps


class Terminal(io.StringIO):
    """A terminal that sets an event once a line shows both steps."""

    def __init__(self) -> None:
        super().__init__()
        self.both = Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if "first ..." in text and "second ..." in text:
            self.both.set()
        return super().write(text)


def test_actions_run_at_the_same_time() -> None:
    # Each waits for the other.
    met = Barrier(2, timeout=30)
    side_by_side([met.wait] * 2, at_once=2)
    assert not met.broken


def test_a_failure_is_raised_and_no_further_action_begins() -> None:
    begun: list[str] = []

    def fail() -> None:
        raise BuildProblem("It can't be made.")

    def never() -> None:
        begun.append("never")

    with pytest.raises(BuildProblem, match="can't be made"):
        side_by_side([fail, never], at_once=1)
    assert begun == []


def test_the_line_shows_all_steps_that_run(tmp_path: Path) -> None:
    terminal = Terminal()
    steps = Steps(Progress(terminal))

    def run(name: str) -> None:
        steps.run(name, tmp_path / name, lambda: [name], [], lambda step: wait())

    def wait() -> None:
        assert terminal.both.wait(30)

    side_by_side([lambda: run("first"), lambda: run("second")], at_once=2)
    assert steps.taken == 2
    assert all(f"{name}: done in" in terminal.getvalue() for name in ("first", "second"))
