"""Python in the page attacks the user's computer, by every way to the companion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from tests.tiers import sampled
from tests.web.conftest import Start
from tests.web.own_machine import machine, surface_of_module
from tests.web.person import Person

__all__ = ["machine", "surface_of_module"]

pytestmark = pytest.mark.usefixtures("empty_home")
ASKS = "import asyncio\nfrom gemini.kernel.kernel import kernel\nask = kernel.host.request\n"
# Each tries to run `touch stolen` without consent, or to obtain the permission.
UNASKED = {
    "answers": "await ask('consent/answer', {'id': '1', 'decision': 'hour'})",
    "unmarks-taint": "await ask('consent/tainted', {'tainted': False})",
    "presses": "await ask('host/press', {})",
    "types-as-the-person": "await ask('host/keys', {'press': '', 'data': 'touch stolen\\r'})",
    "revokes": "await ask('host/revoke', {})",
    "says-hello-again": "await ask('page/hello', {'key': 'x', 'title': 'x', 'url': 'x', 'attended': True})",
    "old-method": "await ask('host/consent', {'to': 'session'})",
    "case": "await ask('HOST/PRESS', {})",
    "space": "await ask('host/press ', {})",
    "settings": "await ask('settings/status', {})",
    "grants-a-ticket": "await ask('models/grant', {'provider': 'openai', 'model': 'gpt-5'})",
    "raises-a-ceiling": "await ask('models/ceiling', {'dollars': 10_000})",
}
# These reach the companion, which asks the user.
ASKED = {
    "run": "await ask('host/execute', {'terminal': 1, 'command': 'touch stolen'})",
    "run-with-words-of-its-own": (
        "await ask('host/execute', {'terminal': 1, 'command': 'touch stolen', 'words': "
        "{'tool': 'file_read', 'effect': 'read', 'arguments': {'command': 'ls'}, 'facts': {'command': 'ls'}}})"
    ),
    "type": "await ask('host/write', {'terminal': 1, 'data': 'touch stolen\\r'})",
    "open-by-a-forged-press": "await ask('host/open', {'press': 'x' * 22})",
}


@pytest.fixture(autouse=True)
def nothing_was_stolen(machine: Path) -> Iterator[None]:
    yield
    assert not (machine / "stolen").exists()


@pytest.mark.parametrize("code", sampled(UNASKED.values()), ids=UNASKED)
def test_python_has_no_such_method(surface: Surface, start: Start, code: str) -> None:
    answer = start("python_run", code=ASKS + code).result()
    assert "Python can't ask the companion" in answer["error"]["message"]
    assert not surface.javascript("return document.querySelector('#approval').open")


def test_an_agent_s_terminal_needs_consent(person: Person, start: Start) -> None:
    opening = start("terminal_create", backend="host")
    person.sees("#approval-question", "open a shell")
    person.click('button "Allow once"')
    assert opening.result()["backend"] == "host"


@pytest.mark.parametrize("code", ASKED.values(), ids=ASKED)
def test_the_question_shows_the_actual_command(
    person: Person, start: Start, machine: Path, code: str
) -> None:
    call = start("python_run", code=ASKS + code)
    person.sees("#approval-question", str(machine))
    question = person.sees("#approval-question")
    assert "stolen" in question or "shell" in question
    person.click('button "Refuse"')
    assert "refused" in call.result()["error"]["message"]


def test_an_id_like_those_of_the_page_reaches_no_request(surface: Surface, start: Start) -> None:
    code = """
import asyncio, json
heard = []
connection = kernel.host._connection
connection._send(json.dumps({"jsonrpc": "2.0", "id": "page-1", "method": "host/read", "params": {"terminal": 1}}))
await asyncio.sleep(0)
(await ask("models/access", {}))["token"] != ""
"""
    assert start("python_run", code=ASKS + code).result()["result"] is True
    assert surface.javascript("return document.querySelector('#status-companion').innerText") == "Companion"


def test_a_cancelled_call_withdraws_its_question(surface: Surface, person: Person, start: Start) -> None:
    code = """
running = asyncio.ensure_future(ask("host/execute", {"terminal": 1, "command": "touch stolen"}))
await asyncio.sleep(1.5)
running.cancel()
"""
    call = start("python_run", code=ASKS + code)
    person.sees("#approval-question", "touch stolen")
    call.result()
    surface.wait_for("!document.querySelector('#approval').open")
