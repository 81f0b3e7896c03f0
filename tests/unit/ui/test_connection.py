"""The page's connection to its kernel."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from builder.npm import find_node

MODULE = Path(__file__).parents[3] / "webmcp_bridge.js"


def test_messages_of_an_ended_kernel_do_not_arrive() -> None:
    script = Path(__file__).with_name("connection.mjs")
    command = [find_node().node, script, MODULE.as_uri()]
    received = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    assert received == ["first of the new kernel"]
