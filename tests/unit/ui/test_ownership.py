"""Which tab owns the stored files."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from builder.npm import find_node
from tests.compiling import compiled_module


def test_only_a_tab_that_answers_is_the_owner() -> None:
    script = Path(__file__).with_name("ownership.mjs")
    command = [
        find_node().node,
        script,
        compiled_module("ui/kernel/ownership.ts").as_uri(),
    ]
    learned = json.loads(
        subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=20).stdout
    )
    assert learned == [["owned"], ["elsewhere"]]
