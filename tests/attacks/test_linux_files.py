"""A Linux machine sends messages to the server of /project, to reach files outside of it."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from pathlib import Path

import pytest

from builder.npm import find_node
from tests.compiling import compiled

HERE = Path(__file__).parent
SCRIPT = HERE / "linux_files.mjs"
MODULES = ("linux/files/server.ts", "linux/frames.ts")
NAMES = re.findall(r'^  "([^"]+)": \[', SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)


@functools.cache
def found(dist: Path) -> dict[str, dict[str, str]]:
    [pyodide], [lock] = dist.glob("pyodide-*/pyodide.mjs"), dist.glob("surface-*/packages/pyodide-lock.json")
    linux = compiled(*MODULES) / "linux"
    command = [find_node().node, SCRIPT, pyodide, linux / "files/server.js", linux / "frames.js", lock]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_outside_of_the_folder_is_read_or_changed(surface_dist: Path, name: str) -> None:
    results = found(surface_dist)
    assert set(results) == set(NAMES)
    assert results[name]["control"].startswith("OWN"), "the same within the folder works"
    assert results[name]["got"] == ""
