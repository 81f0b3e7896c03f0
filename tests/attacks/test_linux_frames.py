"""A Linux program writes its own frames to the machine's console, which end the machine and nothing else."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.compiling import compiled

HERE = Path(__file__).parent
SCRIPT = HERE / "linux_frames.mjs"
MODULES = ("linux/machine.ts", "linux/frames.ts")
NAMES = re.findall(r'^  "([^"]+)": \(\)', SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)


@functools.cache
def found() -> dict[str, dict[str, Any]]:
    linux = compiled(*MODULES) / "linux"
    command = [find_node().node, SCRIPT, linux / "machine.js", linux / "frames.js"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


@pytest.mark.parametrize("name", NAMES)
def test_frames_that_break_the_protocol_end_the_machine(name: str) -> None:
    results = found()
    assert set(results) == set(NAMES)
    assert results[name]["control"] == "OWN"
    assert results[name]["ended"] and re.fullmatch(
        r"The Linux sent .*, and was ended\.", results[name]["said"]
    )
