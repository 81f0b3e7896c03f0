"""The user's MCP servers in the page: the settings, the questions, and what Python can't do."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended

SERVER = Path(__file__).parents[1] / "unit/companion/mcp_servers/honest_server.py"
SECRET = "hunter2hunter2"
# The page refuses these itself, so they never reach the companion.
BY_PYTHON = """
import asyncio
from gemini.kernel.kernel import kernel
methods = [
    "settings/mcp_servers", "settings/add_mcp_program", "settings/add_mcp_address", "settings/import_mcp_servers",
    "settings/remove_mcp_server", "settings/switch_mcp_server", "settings/start_mcp_server", "consent/answer",
]
asked = [asyncio.wait_for(kernel.host.request(method, {}), 10) for method in methods]
sorted({str(each).partition("for")[0] for each in await asyncio.gather(*asked, return_exceptions=True)})
"""
# It isn't in the list of tools.
RUN = """
void gemini.callTool("run", { code: arguments[0] }).then((answer) => { globalThis.answered = answer; });
"""


@pytest.fixture(scope="module")
def keyring() -> Iterator[MemoryKeyring]:
    with memory_keyring() as keyring:
        yield keyring


@pytest.fixture
def companion(
    surface_dist: Path, tmp_path: Path, keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Companion]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with companion_of(surface_dist) as companion:
        yield companion


@pytest.fixture
def surface(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    with opened_by(companion, browsers) as surface:
        yield surface


def block() -> str:
    entry = {"command": sys.executable, "args": [str(SERVER)], "env": {"TOKEN": SECRET}}
    return json.dumps({"mcpServers": {"calc": entry}})


def test_a_user_imports_starts_and_answers_for_a_server(surface: Surface) -> None:
    person = Person(surface)
    person.open_panel("settings")
    surface.driver.execute_script(
        "for (const each of document.querySelectorAll('#settings-mcp-servers details')) each.open = true"
    )
    person.find("#mcp-servers-import textarea").send_keys(block())
    person.click("#mcp-servers-import button")
    assert "calc" in person.sees("#settings-mcp-servers ul")
    assert SECRET not in surface.driver.page_source
    assert surface.python(BY_PYTHON) == ["Python can't ask the companion "]

    surface.python("from gemini.kernel.kernel import kernel; kernel.registry.groups.switch('mcp', True)")
    # Python's call starts nothing before the user's answer.
    asked = Background(surface, "mcp_call", {"server": "calc", "tool": "add", "arguments": {"a": 2, "b": 3}})
    started, called = person.answer_questions(asked, "always", "once")
    assert str(SERVER) in started
    assert "TOKEN" in started
    assert SECRET not in started
    assert "add" in called
    assert asked.result()["structured"] == {"total": 5}
    assert SECRET not in surface.driver.page_source
    # In code mode it is a function, which needs no await.
    surface.javascript(RUN, "mcp.calc.add(2, b=4).total")
    person.answer_until("globalThis.answered", decisions=["once"])
    assert surface.javascript("return globalThis.answered.content") == [{"type": "text", "text": "6"}]
    # A question of the server is in its words.
    asked = Background(surface, "mcp_call", {"server": "calc", "tool": "choose"})
    person.answer_questions(asked, "once", "refuse")
    assert asked.result()["structured"] == {"result": "decline"}
