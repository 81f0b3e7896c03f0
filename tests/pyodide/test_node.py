"""The package in Pyodide under Node, in each version of Node that the README names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conformance.clients import NODE

pytestmark = pytest.mark.extended

SCRIPT = Path(__file__).parent / "start_in_node.mjs"


@pytest.mark.parametrize("node", ["node", NODE], ids=["on the PATH", "22"])
def test_terminals_work_under_node(pytestconfig: pytest.Config, node: str | Path) -> None:
    folder: Path = pytestconfig.option.dist_dir
    command = [node, SCRIPT, folder.resolve()]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    assert ran.stdout.strip().splitlines() == ["app.log: 9 lines", "42", "[1]"]
