"""The tools that the page registers for agents in the browser: all, or a lean list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

# Clients like ChatGPT's desktop app have a frozen object with one method.
FROZEN = """
globalThis.client = new Map();
Object.defineProperty(document, "modelContext", { value: Object.freeze({
  async registerTool(tool, { signal } = {}) {
    if (client.has(tool.name)) throw new DOMException(tool.name, "InvalidStateError");
    client.set(tool.name, tool);
    signal?.addEventListener("abort", () => client.delete(tool.name));
  },
}) });
"""
REGISTERED = "[...client.keys()]"
LISTED = "(await document.modelContext.getTools()).map(({ name }) => name)"
COUNT = 'region "Tools for agents in the browser" [role=status]'


@pytest.fixture
def frozen(surface: Surface) -> Iterator[Surface]:
    """Return the page with such a client."""
    added = surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FROZEN})
    surface.load()
    yield surface
    surface.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    # It is the last test of its page.


def built(surface: Surface) -> list[dict[str, Any]]:
    """Return the tools that the page registers, which are all but those of code mode."""
    tools = surface.javascript("return (await (await fetch('../tools.json')).json()).tools")
    return [tool for tool in tools if not tool.get("code")]


def open_settings(person: Person) -> None:
    person.open_panel("settings")
    person.sees('region "Tools for agents in the browser"')


def choose(person: Person, value: str) -> None:
    """Choose by keyboard."""
    open_settings(person)
    values = ["automatic", "all", "lean", "code"]
    focused = "document.querySelector('#settings-webmcp input:checked')"
    person.surface.driver.execute_script(f"{focused}.focus()")
    now = person.surface.javascript(f"return {focused}.value")
    person.press(Keys.ARROW_DOWN, times=(values.index(value) - values.index(now)) % len(values))


def test_a_user_chooses_the_lean_list_for_a_browser_with_webmcp(surface: Surface, person: Person) -> None:
    tools = built(surface)
    lean = sorted(tool["name"] for tool in tools if tool.get("lean"))
    choose(person, "lean")
    surface.wait_for(f"(async () => String({LISTED}.sort()) === String(arguments[0]))()", lean)
    person.sees(COUNT, f"Agents see 25 of {len(tools)} tools.")
    # The others can be called by scripts.
    assert surface.javascript("return gemini.callTool('terminal_list')")
    surface.python(
        "@gemini.tool(effect='read', lean=True)\ndef mine() -> int:\n    'Return a number.'\n    return 7"
    )
    surface.wait_for(f"(async () => {LISTED}.includes('mine'))()")
    surface.python("gemini.registry.remove('mine')")

    choose(person, "automatic")
    surface.wait_for(f"(async () => {LISTED}.length === arguments[0])()", len(tools))


def test_a_client_that_takes_few_tools_gets_the_lean_list(frozen: Surface, person: Person) -> None:
    lean = {tool["name"] for tool in built(frozen) if tool.get("lean")}
    registered = set(frozen.javascript(f"return {REGISTERED}"))
    assert registered == lean and len(lean) == 25

    open_settings(person)
    person.sees(COUNT, f"Agents see 25 of {len(built(frozen))} tools. This browser doesn't list tools")
    assert violations(frozen, 'region "Tools for agents in the browser"') == []
    call = "return client.get('terminal_execute').execute({ command: 'echo $((6 * 7))' })"
    assert json.loads(frozen.javascript(call))["output"] == "42\n"

    choose(person, "all")
    frozen.wait_for("client.size === arguments[0]", len(built(frozen)))
    person.sees(COUNT, f"Agents see {len(built(frozen))} tools.")
    frozen.reload()
    assert frozen.javascript("return client.size") == len(built(frozen))
    choose(person, "automatic")
    frozen.wait_for("client.size === 25")
