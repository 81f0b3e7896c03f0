"""Requests for files in memory that two threads share: none is lost, and none waits for a busy thread."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from builder.npm import find_node
from tests.compiling import compiled_module

MANY = 300


def test_requests_are_answered_at_once_or_later() -> None:
    script = Path(__file__).with_name("file_slot.mjs")
    command = [find_node().node, script, compiled_module("linux/files/slot.ts").as_uri()]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    # Nobody serves the first one, so the machine continues, and the place is taken until its answer is sent.
    assert found["silent"] == ["late", "full"]
    assert found["first"] == ["2,1"]
    assert found["large"] == "full"
    # On a busy machine, some answers come later.
    assert found["right"] + found["late"] == MANY
