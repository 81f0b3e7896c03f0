"""The Tools panel: the list of tools, a form for each, and the switches of groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface, ToolCallFailed
from tests.web.axe import violations
from tests.web.person import Person, erase

pytestmark = pytest.mark.extended

DECLARE = '''
import gemini
from typing import Literal

@gemini.tool(effect="read")
def mix(text: str, count: int, share: float = 0.5, kind: Literal["a", "b"] = "a", loud: bool = False,
        parts: list[str] | None = None) -> dict[str, object]:
    """Give back what it gets.

    Args:
        text: Some words.
        parts: Words, as a list.
    """
    return {"text": text, "count": count, "share": share, "kind": kind, "loud": loud, "parts": parts}

@gemini.tool(effect="outside")
def far() -> str:
    """Reach outside."""
    return "was outside"
'''
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture
def panel(surface: Surface, person: Person) -> Iterator[Person]:
    """Return the user at the panel, with no tool selected. Groups that were on are on again at the end."""
    person.open_panel("tools")
    show_all(surface, person)
    on = {*groups(surface, on=True)}
    yield person
    show_all(surface, person)
    for group in on & {*groups(surface, on=False)}:
        person.click(f'region "Tools" .switch[data-group={group}]')
        person.sees(f'region "Tools" .switch[data-group={group}]', "On")


def groups(surface: Surface, *, on: bool) -> list[str]:
    """Return the groups that are on, or off."""
    switches = f"document.querySelectorAll('#tools .switch[aria-checked={str(on).lower()}]')"
    return surface.javascript(f"return [...{switches}].map(({{ dataset }}) => dataset.group)")


def show_all(surface: Surface, person: Person) -> None:
    """Show the full list, without a selected tool."""
    if surface.javascript("return document.querySelector('#tools').dataset.selected") == "true":
        person.click('group "Chosen tool" .back')
    field = person.find('region "Tools" searchbox "Search tools"')
    erase(field)
    # Clearing alone sends no event.
    field.send_keys(" ")
    person.sees('group "List of tools" .tool-name')


@pytest.fixture
def declared(surface: Surface, panel: Person) -> Person:
    surface.python(DECLARE)
    panel.sees(".tool-name[value=mix]")
    return panel


def names(surface: Surface) -> set[str]:
    return {tool["name"] for tool in surface.tools()}


def result(person: Person) -> str:
    return person.sees('group "Chosen tool" pre', "")


def select_tool(person: Person, tool: str) -> None:
    person.sees(f".tool-name[value={tool}]")
    scroll = "document.querySelector(`.tool-name[value=${arguments[0]}]`).scrollIntoView({ block: 'center' })"
    person.surface.javascript(scroll, tool)
    person.click(f".tool-name[value={tool}]")
    person.sees('group "Chosen tool" h3', tool)


def fill(person: Person, **values: str) -> None:
    for name, value in values.items():
        field = person.find(f"#tool-field-{name}")
        if field.tag_name != "select":
            erase(field)
        field.send_keys(value)


def test_every_tool_is_listed_in_its_group(surface: Surface, panel: Person) -> None:
    shown = surface.javascript(
        "return [...document.querySelectorAll('#tool-list .tool-name')].map(({ value }) => value)"
    )

    # Groups that are off are listed, too.
    declared = surface.python(
        "import gemini\n"
        "[tool.declaration.name for tool in gemini.registry if not tool.declaration.person_only]"
    )
    assert sorted(shown) == sorted(declared) and names(surface) < set(shown)
    panel.find('region "Tools" searchbox "Search tools"').send_keys("wait_for")
    surface.wait_for("document.querySelectorAll('#tool-list .tool-name').length === 1")
    panel.sees(".tool-name", "browser_wait_for")
    panel.find('region "Tools" searchbox "Search tools"').send_keys("zzz")
    panel.sees('group "List of tools"', "No matching tools")


def test_a_form_accepts_every_kind_of_argument(surface: Surface, declared: Person) -> None:
    select_tool(declared, "mix")
    assert "string, required" in declared.sees('group "Chosen tool" label[for=tool-field-text]')
    assert "default 0.5" in declared.sees('group "Chosen tool" label[for=tool-field-share]')
    declared.sees('group "Chosen tool"', "Words, as a list.")
    fill(declared, text="two\nlines", count="3", kind="b", loud="true", parts='["x", "y"]')
    declared.click('button "Call"')

    assert surface.javascript("return JSON.parse(arguments[0])", result(declared)) == {
        "text": "two\nlines", "count": 3, "share": 0.5, "kind": "b", "loud": True, "parts": ["x", "y"],
    }  # fmt: skip
    declared.sees('group "Chosen tool" [role=status]', "Done in")
    declared.sees(".tool-calls", "You")


def test_an_invalid_value_is_reported_at_its_field(surface: Surface, declared: Person) -> None:
    select_tool(declared, "mix")
    for typed, said in (("many", "a whole number, not many"), ("1.5", "a whole number"), ("", "is required")):
        fill(declared, text="t", count=typed)
        declared.click('button "Call"')
        declared.sees('group "Chosen tool" .wrong', said)
        assert declared.focus == "tool-field-count"
    fill(declared, count="1", parts="[1")
    declared.click('button "Call"')
    declared.sees('group "Chosen tool" .wrong', "must be JSON")
    fill(declared, parts="[1]")
    declared.click('button "Call"')

    # Python reports problems that the page can't check.
    declared.sees('group "Chosen tool" .problem', "parts[0]: input should be a valid string")


def test_a_tool_is_found_and_called_by_keyboard(surface: Surface, declared: Person) -> None:
    declared.by_script('region "Tools" searchbox "Search tools"', "focus()")
    declared.type("mix")
    declared.press(Keys.ARROW_DOWN)
    declared.press(Keys.ENTER)
    surface.wait_for("document.activeElement.id === 'tool-field-text'")
    declared.type("by keys\t7")
    declared.press(Keys.ENTER)
    assert '"count": 7' in result(declared)
    surface.driver.execute_script("document.querySelector('#tool-field-text').focus()")
    declared.type(" again")
    declared.press(Keys.ENTER, holding=Keys.CONTROL)

    declared.sees('group "Chosen tool" pre', '"text": "by keys again"')


def test_arguments_of_an_earlier_call_are_copied_into_the_form(surface: Surface, declared: Person) -> None:
    surface.call("mix", text="from the agent", count=5, parts=["p"])
    select_tool(declared, "mix")
    declared.click(".tool-calls li:first-child summary")
    declared.click(".tool-calls li:first-child button")

    values = surface.javascript(
        "return ['text', 'count', 'parts'].map((name) => document.querySelector(`#tool-field-${name}`).value)"
    )
    assert values == ["from the agent", "5", '["p"]']


def test_the_user_s_own_call_that_reaches_outside_needs_consent(declared: Person) -> None:
    select_tool(declared, "far")
    declared.click('button "Call"')
    declared.sees("[role=alertdialog]", "You, from a panel of this page")
    declared.click('button "Allow once"')

    assert result(declared) == '"was outside"'


def test_a_call_is_stopped(surface: Surface, panel: Person) -> None:
    select_tool(panel, "terminal_execute")
    fill(panel, command="sleep 60")
    panel.click('button "Call"')
    panel.click('button "Stop"')

    panel.sees('group "Chosen tool" [role=status]', "Failed")
    panel.sees('group "Chosen tool" .problem', "Cancelled")


def test_an_image_result_is_shown_as_an_image(surface: Surface, panel: Person) -> None:
    surface.python(
        "@gemini.tool(effect='read')\n"
        "def dot() -> dict[str, str]:\n"
        "    'Give a picture.'\n"
        f"    return {{'format': 'png', 'data': '{PICTURE}'}}"
    )
    select_tool(panel, "dot")
    panel.click('button "Call"')

    surface.wait_for("document.querySelector('#tool-result img')?.naturalWidth === 1")
    assert PICTURE not in result(panel)


def test_switching_a_group_off_hides_it_from_agents_at_once(surface: Surface, panel: Person) -> None:
    surface.call("file_navigate", path="/project")
    off = "Number(/(\\d+) off/.exec(document.querySelector('#tool-count').textContent)[1])"
    before = surface.javascript(f"return {off}")
    panel.click('region "Tools" .switch[data-group=files]')
    surface.wait_for(
        "(async () => !(await document.modelContext.getTools()).some(({ name }) => name === 'file_read'))()"
    )
    assert "terminal_list" in names(surface)
    answer = surface.javascript("return gemini.callTool('file_read', { path: 'README.md' })")
    assert answer["error"]["type"] == "SwitchedOff"
    surface.wait_for(f"{off} === arguments[0]", before + 8)
    panel.sees(".tool-name[value=file_read]")

    # The user's own panels still work.
    panel.open_panel("files")
    panel.click('button "Up"')
    panel.sees('grid "Files"', "project")
    panel.open_panel("tools")
    select_tool(panel, "file_read")
    panel.sees('group "Chosen tool"', "off for agents")
    fill(panel, path="/project/README.md")
    panel.click('button "Call"')
    panel.sees('group "Chosen tool" pre', "Your project")
    panel.click('group "Chosen tool" .back')

    panel.click('region "Tools" .switch[data-group=files]')
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === 'file_read'))()"
    )
    assert "Your project" in surface.call("file_read", path="/project/README.md")["content"]
    # The fixture's cleanup reads the switches.
    panel.sees('region "Tools" .switch[data-group=files]', "On")


def test_a_group_stays_off_after_a_reload(surface: Surface, panel: Person) -> None:
    panel.click('region "Tools" .switch[data-group=files]')
    panel.sees('region "Tools" .switch[data-group=files]', "Off")
    surface.load(wait=False)
    # While Python starts, the page lists every tool of the build. Calls of a group that is off are refused.
    with pytest.raises(ToolCallFailed) as refused:
        surface.call("file_read", path="/project/README.md")
    assert refused.value.type == "SwitchedOff"
    surface.wait_for(
        "(async () => !(await document.modelContext.getTools()).some(({ name }) => name === 'file_read'))()"
    )
    panel.open_panel("tools")
    panel.sees('region "Tools" .switch[data-group=files]', "Off")


def test_a_scripted_press_neither_switches_nor_calls(surface: Surface, declared: Person) -> None:
    calls: Any = (
        "return (await gemini.python('[row[\"tool\"] for row in gemini.registry.log.rows()]')).length"
    )
    select_tool(declared, "mix")
    fill(declared, text="t", count="1")
    before = surface.javascript(calls)
    surface.javascript(
        """
        document.querySelector("#tool-call").click();
        const keys = { key: "Enter", ctrlKey: true, bubbles: true };
        document.querySelector("#tool-field-text").dispatchEvent(new KeyboardEvent("keydown", keys));
        document.querySelector("#tools form").requestSubmit();
        for (const each of document.querySelectorAll(".switch")) each.click();
        """
    )
    # After a round trip, any effect would have arrived.
    surface.python("1")

    assert surface.javascript(calls) == before
    assert "mix" in names(surface)


def test_the_panel_is_accessible(surface: Surface, declared: Person) -> None:
    assert violations(surface, 'region "Tools"') == []
    select_tool(declared, "mix")
    declared.click('button "Call"')
    declared.sees(".wrong")
    assert violations(surface, 'region "Tools"') == []
