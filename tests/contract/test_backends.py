"""The contract of `gemini.computer.shell.backend`, run on every backend."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.shell.host import HostBackend
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.secret_variables import HostSecrets
from gemini_companion.host.terminals import HostTerminals
from gemini_companion.secrets import Secrets
from tests.contract import step_runner
from tests.contract.bash import BashBackend
from tests.contract.cases import CASES, HOST_CASES, Case, Step
from tests.tiers import in_turn
from tests.unit.companion.host.wire import Agrees, Wire
from tests.web.linux_page import require_machine

Outcome = tuple[str, list[dict[str, Any]]]
pytestmark = pytest.mark.usefixtures("empty_home")
Perform = Callable[[Case], Awaitable[Outcome]]

IN_BROWSER = """
import json, tempfile
from gemini.computer.shell.embedded import ShellBackend
from gemini.computer.shell.linux import LinuxBackend

# One machine for all cases.
linux = globals().get("linux") or LinuxBackend()

async def run_steps(steps, backend):
    directory = tempfile.mkdtemp(dir="/project")
    return directory, await perform(backend, directory, json.loads(steps))
"""
BACKENDS = {"shell": "ShellBackend()", "linux": "linux"}


@pytest.fixture(params=["bash", "shell", pytest.param("linux", marks=pytest.mark.extended(together="linux"))])
def perform(request: pytest.FixtureRequest, case: Case, tmp_path: Path) -> Perform:
    """Return a function that runs a case on a backend and returns its directory and the outcome of each step."""
    if request.param == "bash":
        return lambda case: _on_bash(case, tmp_path)
    if case.shell_lacks and request.param == "shell":
        request.applymarker(pytest.mark.xfail(reason=case.shell_lacks, raises=AssertionError, strict=True))
    if request.param == "linux":
        require_machine(request.getfixturevalue("surface_dist"))
    surface = request.getfixturevalue("surface")

    async def in_browser(case: Case) -> Outcome:
        surface.python(inspect.getsource(step_runner) + IN_BROWSER)
        return surface.python(f"await run_steps({json.dumps(_plain(case))!r}, {BACKENDS[request.param]})")

    return in_browser


async def _on_bash(case: Case, directory: Path) -> Outcome:
    return str(directory), await step_runner.perform(BashBackend(), str(directory), _plain(case))


async def _on_host(case: Case, directory: Path) -> Outcome:
    terminals = HostTerminals(
        HostPolicy(allowed=True, directories=(directory,), grace_s=0.5),
        Agrees(),
        secrets=HostSecrets(Secrets(directory), str),
    )
    host = HostBackend()
    host.request = Wire(terminals.handlers()).client.request
    try:
        return str(directory), await step_runner.perform(host, str(directory), _plain(case))
    finally:
        await terminals.close()


def _plain(case: Case) -> list[Any]:
    sent = ("script", "session", "timeout_s", "interrupt_at", "renewed")

    def plain(step: Step) -> dict[str, Any]:
        return {name: value for name, value in asdict(step).items() if name in sent}

    return [[plain(one) for one in step] if isinstance(step, tuple) else plain(step) for step in case.steps]


@in_turn("case", CASES, ids=str)
async def test_backend(case: Case, perform: Perform) -> None:
    _check(case, *await perform(case))


@in_turn("case", HOST_CASES, ids=str)
async def test_host(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # So that the shell on the PTY reads no startup files of the user who runs the tests.
    monkeypatch.setenv("HOME", str(tmp_path.parent))
    _check(case, *await _on_host(case, tmp_path))


def _check(case: Case, directory: str, results: list[dict[str, Any]]) -> None:
    steps = [one for step in case.steps for one in (step if isinstance(step, tuple) else (step,))]
    assert len(results) == len(steps)
    for step, result in zip(steps, results, strict=True):
        assert _expected(step, directory, result) == result


def _expected(step: Step, directory: str, result: dict[str, Any]) -> dict[str, Any]:
    stdout = step.stdout.encode() if isinstance(step.stdout, str) else step.stdout
    return {
        "stdout": stdout.decode("latin-1"),
        "stderr": result["stderr"] if step.stderr is None else step.stderr,
        "exit_code": step.exit_code,
        "working_dir": f"{directory}/{step.working_dir}".rstrip("/"),
        "ended": step.ended,
    }
