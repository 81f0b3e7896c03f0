"""Interrupts of terminals in shared memory: each is for one command, in the order in which it was typed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from builder.npm import find_node
from tests.compiling import compiled_module


def take(*steps: tuple[Any, ...]) -> dict[str, Any]:
    """Return the steps' results, and whether the command of terminal 1 is to stop after each."""
    script = Path(__file__).with_suffix("").with_name("interrupts.mjs")
    command = [
        find_node().node,
        script,
        compiled_module("kernel/interrupts.ts").as_uri(),
        json.dumps(steps),
    ]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def test_an_interrupt_lasts_until_its_message_has_arrived() -> None:
    taken = take(("stop", 1, 7), ("receive", 7), ("withdraw", 7))
    assert taken == {"results": [[None, True], [False, False], [None, False]], "pending": False}


def test_an_interrupt_after_its_message_stops_nothing() -> None:
    taken = take(("receive", 7), ("stop", 1, 7), ("withdraw", 7))
    assert taken == {"results": [[False, False], [None, False], [None, False]], "pending": False}


def test_the_message_of_an_interrupt_that_ended_a_command_is_recognized() -> None:
    taken = take(("stop", 1, 7), ("end", 1), ("receive", 7))
    assert taken["results"] == [[None, True], [None, False], [True, False]]


def test_a_second_interrupt_is_independent_of_the_first() -> None:
    taken = take(("stop", 1, 7), ("stop", 1, 8), ("receive", 7), ("withdraw", 7), ("end", 1), ("withdraw", 8))
    stopping = [stopping for _, stopping in taken["results"]]
    assert (stopping, taken["pending"]) == ([True, True, True, True, False, False], False)


def test_a_terminal_is_not_interrupted_for_another() -> None:
    assert take(("stop", 2, 7), ("stop", 65, 8))["results"] == [[None, False], [None, False]]
