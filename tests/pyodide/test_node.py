"""The package in Pyodide under Node: in versions of Node, and in earlier versions of Pyodide.

docs/clients.md lists the same versions.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from builder.npm import find_node
from builder.pyodide import RUNTIME
from tests.conformance.clients import NODE

pytestmark = pytest.mark.extended

HERE = Path(__file__).parent
PACKAGES = HERE / "node_modules"
EARLIER: dict[str, str] = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]


@pytest.fixture(scope="module")
def installed() -> None:
    """Install the earlier versions of Pyodide, which no other test needs."""
    if {path.name for path in PACKAGES.glob("pyodide-*")} != set(EARLIER):
        subprocess.run([find_node().npm, "ci"], cwd=HERE, check=True, timeout=300)


def printed_in(folder: Path, node: str | Path = "node") -> list[str]:
    """Return the lines that a terminal prints in the Pyodide of a folder."""
    command = [node, HERE / "start_in_node.mjs", folder.resolve()]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return ran.stdout.strip().splitlines()


@pytest.mark.parametrize("node", ["node", NODE], ids=["on the PATH", "22"])
def test_terminals_work_under_node(pytestconfig: pytest.Config, node: str | Path) -> None:
    assert printed_in(pytestconfig.option.dist_dir, node) == ["app.log: 9 lines", "42", "[1]"]


@pytest.mark.parametrize("package", EARLIER)
@pytest.mark.usefixtures("installed")
def test_terminals_work_in_an_earlier_pyodide(
    pytestconfig: pytest.Config, tmp_path: Path, package: str
) -> None:
    folder = tmp_path / "pyodide"
    shutil.copytree(pytestconfig.option.dist_dir, folder)
    for name in RUNTIME:
        shutil.copy(PACKAGES / package / name, folder)
    assert printed_in(folder) == ["app.log: 9 lines", "42", "[1]"]
