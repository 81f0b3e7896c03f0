"""The official conformance suite for MCP servers, run on the page's declarations for it."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from tests.conformance.clients import CONFORMANCE, CONFORMANCE_NEXT, NODE

pytestmark = pytest.mark.extended

EXCEPTIONS = Path(__file__).parent / "exceptions.toml"
LONGEST_S = 240


def failures(program: Path, url: str, folder: Path, *options: str) -> dict[str, list[str]]:
    """Return the failed checks of each scenario that ran, an empty list if it passed."""
    command = [NODE, program, "server", "--url", url, "--output-dir", folder, *options]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=LONGEST_S, check=False)
    found: dict[str, list[str]] = {}
    for file in folder.glob("server-*/checks.json"):
        # The folder is named after the scenario and the time, as 2026-07-28T12-00-00-000Z.
        scenario = file.parent.name.removeprefix("server-").rsplit("-", 6)[0]
        checks = json.loads(file.read_text(encoding="utf-8"))
        wrong = [
            f"{check['id']}: {check.get('errorMessage')}" for check in checks if check["status"] == "FAILURE"
        ]
        found[scenario] = wrong
    assert found, done.stdout + done.stderr
    return found


@pytest.mark.parametrize(
    ("program", "options", "scenarios"),
    [
        pytest.param(CONFORMANCE, ("--suite", "all"), 32, id="0.1.16"),
        pytest.param(CONFORMANCE_NEXT, ("--requirements", "2025-11-25"), 33, id="2025-11-25"),
    ],
)
def test_every_scenario_passes(
    companion: Companion,
    surface: Surface,
    tmp_path: Path,
    program: Path,
    options: tuple[str, ...],
    scenarios: int,
) -> None:
    found = failures(program, companion.mcp_url, tmp_path, *options)
    assert {scenario: wrong for scenario, wrong in found.items() if wrong} == {}
    assert len(found) == scenarios


def test_all_scenarios_of_2026_07_28_pass_except_those_listed(
    companion: Companion, surface: Surface, tmp_path: Path
) -> None:
    listed = tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8"))
    found = failures(CONFORMANCE_NEXT, companion.mcp_url, tmp_path, "--requirements", "2026-07-28")
    wrong = {scenario: problems for scenario, problems in found.items() if problems}
    assert wrong.keys() == listed.keys(), wrong
    assert len(found) > 40
