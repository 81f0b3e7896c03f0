"""The layout: the rail, the side bar, documents, the area below, the agents' place, and layouts of earlier versions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.tiers import in_turn
from tests.web.conftest import Resize
from tests.web.person import Person

Box = dict[str, float]
# The boxes of the shown groups, by area.
BOXES = """
return Object.groupBy([...document.querySelectorAll('#dock .dv-groupview')].filter((group) => group.checkVisibility())
  .map((group) => ({ area: group.dataset.area, width: group.clientWidth, height: group.clientHeight,
    content: group.querySelector('.dv-content-container').clientHeight })), ({ area }) => area)
"""
MORE = "document.querySelector('#panels-button')"
OPEN_AREA = "document.querySelector(`#dock [data-area=${arguments[0]}]`)?.checkVisibility() ?? false"
# As version 1 of the page has saved it: columns, with Files, a terminal, the console and Activity in front.
EARLIER: dict[str, Any] = {
    "grid": {
        "root": {
            "type": "branch",
            "data": [
                {
                    "type": "leaf",
                    "data": {"views": ["files", "search"], "activeView": "files", "id": "1"},
                    "size": 260,
                },
                {
                    "type": "branch",
                    "data": [
                        {
                            "type": "leaf",
                            "data": {"views": ["term-1"], "activeView": "term-1", "id": "2"},
                            "size": 500,
                        },
                        {
                            "type": "leaf",
                            "data": {"views": ["python"], "activeView": "python", "id": "3"},
                            "size": 200,
                        },
                    ],
                    "size": 700,
                },
                {
                    "type": "leaf",
                    "data": {"views": ["activity", "tools", "settings"], "activeView": "activity", "id": "4"},
                    "size": 300,
                },
            ],
            "size": 700,
        },
        "width": 1280,
        "height": 700,
        "orientation": "HORIZONTAL",
    },
    "panels": {
        name: {"id": name, "contentComponent": "panel", "tabComponent": "tab", "title": name}
        for name in ("files", "search", "term-1", "python", "activity", "tools", "settings")
    },
    "activeGroup": "2",
}


@pytest.fixture
def first(surface: Surface, resize: Resize) -> Person:
    """Return a user who sees the default layout at 1280×720."""
    surface.reload(fresh=True)
    resize(1280, 720)
    return Person(surface)


def boxes(surface: Surface) -> dict[str, list[Box]]:
    return surface.javascript(BOXES)


def is_open(surface: Surface, area: str) -> bool:
    return surface.javascript(f"return {OPEN_AREA}", area)


def test_the_first_sight_is_the_start_page(first: Person) -> None:
    assert first.sees('region "Start"', "Give an agent a computer")
    assert set(boxes(first.surface)) == {"document"}
    # A press away.
    first.click('button "Terminal"')
    first.reads("$")
    assert set(boxes(first.surface)) == {"document", "below"}


@pytest.mark.fortnightly(together="layout")
def test_the_document_has_room_beside_an_agent(first: Person) -> None:
    first.click('navigation "Panels" button "Files"')
    first.click('navigation "Panels" button "Agents"')
    first.sees('region "Agent"')
    [document] = boxes(first.surface)["document"]
    assert document["width"] >= 640
    assert document["content"] >= 420
    first.press("j", holding=Keys.CONTROL)
    first.reads("$")
    [document] = boxes(first.surface)["document"]
    assert document["width"] >= 640
    assert document["height"] >= 420


@pytest.mark.fortnightly(together="layout")
def test_two_documents_fit_beside_each_other_in_a_large_window(first: Person, resize: Resize) -> None:
    resize(1920, 1080)
    first.click('navigation "Panels" button "Files"')
    first.click('navigation "Panels" button "Agents"')
    surface = first.surface
    surface.call("file_write", path="/project/two.html", content="<h1>Two</h1>")
    first.press("k", holding=Keys.CONTROL)
    first.type("two.html")
    first.sees('listbox "Suggestions" [aria-selected=true]', "two.html")
    first.press(Keys.ENTER)
    surface.wait_for("document.activeElement.closest('#editor-view')")
    first.press(Keys.ENTER, holding=Keys.CONTROL)
    first.sees('region "Browser"')
    documents = boxes(surface)["document"]
    assert len(documents) == 2
    assert all(document["width"] >= 500 for document in documents)
    surface.python("import os; os.remove('/project/two.html')")


@pytest.mark.extended
def test_the_rail_opens_and_closes_one_side_bar(first: Person) -> None:
    surface = first.surface
    files, search = 'navigation "Panels" button "Files"', 'navigation "Panels" button "Search"'
    first.click(files)
    first.sees('region "Files"')
    assert first.find(files).get_attribute("aria-pressed") == "true"
    first.click(search)
    first.sees('region "Search"')
    first.no_longer_sees('region "Files"')
    assert len(boxes(surface)["side"]) == 1
    assert first.find(files).get_attribute("aria-pressed") == "false"
    first.click(search)
    first.no_longer_sees('region "Search"')
    assert "side" not in boxes(surface)
    # What was open last stays that way, also over a reload.
    first.click(files)
    first.sees('region "Files"')
    width = boxes(surface)["side"][0]["width"]
    surface.wait_for("localStorage['gemini:layout']?.includes('\"files\"')")
    surface.reload()
    first.sees('region "Files"')
    assert boxes(surface)["side"][0]["width"] == pytest.approx(width, abs=1)


@pytest.mark.fortnightly(together="layout")
def test_the_rail_works_by_keyboard(first: Person) -> None:
    surface = first.surface
    focused = "document.activeElement.closest('#rail') && document.activeElement.innerText.trim()"
    while not surface.javascript(f"return {focused}"):
        first.press(Keys.F6)
    assert surface.javascript(f"return {focused}") == "Files"
    first.press(Keys.ARROW_DOWN)
    assert surface.javascript(f"return {focused}") == "Search"
    first.press(Keys.ENTER)
    surface.wait_for("document.activeElement.closest('#search')")
    first.press(Keys.F6, holding=Keys.SHIFT)
    assert surface.javascript(f"return {focused}")
    first.press(Keys.END)
    assert surface.javascript(f"return {focused}") == "Settings"
    first.press(Keys.TAB, holding=Keys.SHIFT)
    assert surface.javascript(f"return {focused}") == "More"


@pytest.mark.fortnightly(together="layout")
def test_one_key_opens_and_closes_what_is_below(first: Person) -> None:
    surface = first.surface
    first.press("j", holding=Keys.CONTROL)
    surface.wait_for("document.activeElement.closest('.terminal')")
    first.reads("$")
    first.type("echo opened\n")
    first.reads_line("opened")
    height = boxes(surface)["below"][0]["height"]
    first.press("j", holding=Keys.CONTROL + Keys.ALT)
    surface.wait_for(
        "document.querySelector('#dock [data-area=below]').clientHeight > arguments[0] * 1.5", height
    )
    # Also from the terminal, which takes most keys.
    first.press("j", holding=Keys.CONTROL)
    surface.wait_for(f"!({OPEN_AREA})", "below")
    assert surface.javascript("return document.activeElement.closest('#start') !== null")
    first.press("`", holding=Keys.CONTROL)
    first.reads_line("opened")


def test_who_opens_the_terminal_before_it_is_there_types_into_it(first: Person) -> None:
    surface = first.surface
    surface.reload(fresh=True, wait=False)
    # The page answers keys long before Python has its first terminal.
    surface.wait_for("document.querySelector('#status-below[aria-expanded=false]')?.checkVisibility()")
    first.press("j", holding=Keys.CONTROL)
    surface.wait_for("document.querySelector('#status-below[aria-expanded=true]')")
    surface.wait_until_ready()
    surface.wait_for("document.activeElement.closest('.terminal')")
    first.reads("$")
    first.type("echo here\n")
    first.reads_line("here")


@pytest.mark.extended
def test_who_waits_where_no_terminal_is_types_into_the_first(first: Person) -> None:
    surface = first.surface
    first.press("j", holding=Keys.CONTROL)
    surface.wait_for("document.activeElement.closest('.terminal')")
    for terminal in surface.call("terminal_list"):
        surface.call("terminal_close", terminal_id=terminal["id"])
    first.sees('region "Terminals"', "No terminal is open")
    for _ in range(2):
        first.press("j", holding=Keys.CONTROL)
    surface.wait_for("document.activeElement.id === 'new-terminal'")
    surface.python("gemini.create_terminal(); None")
    surface.wait_for("document.activeElement.closest('.terminal')")


@pytest.mark.extended
def test_a_run_opens_the_agents_place_without_the_focus(first: Person) -> None:
    surface = first.surface
    assert not is_open(surface, "agent")
    first.click('region "Start" textbox "Describe a task"')
    surface.python(
        "from gemini.agents import ScriptedModel, call\n"
        "await gemini.agents.run('Count', model=ScriptedModel([call('done', result='1')]))\n"
        "None"
    )
    first.sees('region "Agent"')
    assert surface.javascript("return document.activeElement.id") == "start-task"


@pytest.mark.fortnightly(together="layout")
def test_a_call_of_an_agent_opens_nothing(first: Person) -> None:
    first.surface.call("terminal_execute", command="echo hello")
    assert set(boxes(first.surface)) == {"document"}


@pytest.mark.fortnightly(together="layout")
def test_the_start_page_is_there_without_another_document(first: Person) -> None:
    surface = first.surface
    first.open_panel("settings")
    first.click('tab "Start"')
    first.press(Keys.DELETE)
    first.no_longer_sees('region "Start"')
    first.click('tab "Settings"')
    first.press(Keys.DELETE)
    first.sees('region "Start"')
    # It stays: there is nothing else to show.
    first.click('tab "Start"')
    first.press(Keys.DELETE)
    first.sees('region "Start"')
    assert set(boxes(surface)) == {"document"}


@pytest.mark.fortnightly(together="layout")
def test_every_panel_has_its_place(first: Person) -> None:
    surface = first.surface
    first.click('button "More"')
    names = surface.javascript(
        "return [...document.querySelectorAll('#panels-menu [aria-pressed]')].map(({ value }) => value)"
    )
    first.press(Keys.ESCAPE)
    sections = surface.javascript(
        "return [...document.querySelectorAll('section.panel[data-title]')].map(({ id }) => id)"
    )
    assert sorted(names) == sorted(sections)
    areas = {}
    for name in names:
        first.open_panel(name)
        shown = "term-1" if name == "terminals" else name
        areas[name] = surface.wait_for(
            "((panel) => panel?.checkVisibility() && panel.closest('[data-area]')?.dataset.area)"
            "(document.getElementById(arguments[0]) ?? document.querySelector(`[data-terminal=${arguments[0]}]`))",
            shown,
        )
    assert areas["terminals"] == areas["python"] == "below"
    assert {name for name, area in areas.items() if area == "agent"} == {"agent", "chat", "team", "activity"}
    assert {"start", "editor", "browser", "preview", "settings"} <= {
        name for name, area in areas.items() if area == "document"
    }


@pytest.mark.fortnightly(together="layout")
def test_an_earlier_layout_becomes_the_new_one(first: Person) -> None:
    surface = first.surface
    surface.javascript("localStorage['gemini:layout'] = arguments[0]", json.dumps(EARLIER))
    # The page saves its own layout when it is left.
    surface.driver.execute_script(
        "addEventListener('pagehide', () => (localStorage['gemini:layout'] = arguments[0]))",
        json.dumps(EARLIER),
    )
    surface.reload()
    for panel in ("files", "activity", "python", "start"):
        first.open_panel(panel)
    assert set(boxes(surface)) == {"side", "document", "below", "agent"}
    assert [line for line in surface.console() if "layout" in line] == []


@in_turn("saved", ["{}", '{"version": 2}', '{"version": 3, "grid": 7}', '{"grid": {"root": null}}'])
def test_a_damaged_layout_is_replaced(first: Person, saved: str) -> None:
    surface = first.surface
    surface.driver.execute_script(
        "addEventListener('pagehide', () => (localStorage['gemini:layout'] = arguments[0]))", saved
    )
    surface.reload()
    first.sees('region "Start"', "Give an agent a computer")
    first.click('button "Terminal"')
    first.reads("$")


@pytest.mark.extended
def test_a_phone_has_five_entries_and_the_rest_behind_more(first: Person, resize: Resize) -> None:
    surface = first.surface
    resize(390, 844)
    surface.reload()
    first.sees('region "Start"')
    names = surface.javascript(
        "return [...document.querySelectorAll('#rail button')].map((each) => each.innerText.trim())"
    )
    assert names == ["Start", "Files", "Terminal", "Browser", "Agents", "More"]
    for name, section in {
        "Files": 'region "Files"',
        "Browser": 'region "Browser"',
        "Agents": 'region "Agent"',
        "Start": 'region "Start"',
    }.items():
        first.click(f'navigation "Panels" button "{name}"')
        first.sees(section)
        assert len(boxes(surface)["document"]) == 1
    assert surface.javascript(f"return {MORE}.title") == "All panels"
    first.click('navigation "Panels" button "More"')
    first.click('region "Panels" button "Calendar"')
    first.sees('region "Calendar"')
    assert surface.javascript(f"return {MORE}.title") == "All panels; Calendar is shown"
    lines = surface.javascript("return document.querySelector('#status').clientHeight / 28")
    assert lines < 1.5
    assert surface.javascript("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.extended
def test_a_phone_has_the_keys_that_its_keyboard_lacks(first: Person, resize: Resize) -> None:
    surface = first.surface
    resize(390, 844)
    first.click('navigation "Panels" button "Terminal"')
    first.enter_terminal()
    first.type("echo first\n")
    first.reads_line("first")
    first.click('group "Keys" button "Up"')
    first.type(" again\n")
    first.reads_line("first again")
    first.type("sleep 60\n")
    surface.wait_for("document.querySelector('#status-text').textContent.startsWith('Running')")
    first.click('group "Keys" button "Ctrl"')
    first.type("c")
    surface.wait_for("document.querySelector('#status-text').textContent === 'Ready'")
