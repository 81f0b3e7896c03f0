"""The status line and the explanations of its items."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.conftest import Resize, Start
from tests.web.console import enter, show_console
from tests.web.names import FACT
from tests.web.person import Person

pytestmark = pytest.mark.extended

EXPLAINED = 'dialog "Status"'


@pytest.mark.extended
@pytest.mark.parametrize(
    ("fact", "label", "explained"),
    [
        ("isolation", "Isolated", "Ctrl-C stops code that never pauses"),
        ("webmcp", "WebMCP native", "its agent sees this page's tools"),
        ("companion", "No companion", "control-surface serve"),
        ("tools", "tools", "Agents can call"),
        ("storage", "", "for this address only"),
        ("memory", "Python", "doesn't shrink"),
    ],
)
def test_each_item_opens_its_explanation(
    surface: Surface, person: Person, fact: str, label: str, explained: str
) -> None:
    person.click('button "Status"')
    person.sees('contentinfo "Status" [aria-haspopup][aria-expanded=true]')
    person.sees(FACT, label)
    person.click(f"#status-{fact}")
    assert explained in person.sees(EXPLAINED, explained)
    person.press(Keys.ESCAPE)
    person.no_longer_sees(EXPLAINED)
    assert person.focus == "status-button"
    surface.wait_for("document.activeElement.ariaExpanded === 'false'")


def test_memory_and_storage_are_measured(surface: Surface, person: Person) -> None:
    label = person.sees(FACT, "Python ")
    heap = surface.python("import pyodide_js; pyodide_js._module.HEAP8.length")
    shown = float(label.removeprefix("Python ").removesuffix(" MB"))
    assert shown == pytest.approx(heap / 1024**2, rel=0.2)
    person.sees(FACT, "stored")

    surface.python("keep = bytearray(200 * 1024**2)")
    surface.wait_for(
        "parseFloat(document.querySelector('#status-memory').innerText.replace('Python ', '')) >= arguments[0] + 100",
        shown,
    )
    surface.python("del keep")


def test_tools_and_storage_open_their_panels(surface: Surface, person: Person) -> None:
    for fact, panel in (("tools", "tools"), ("storage", "settings")):
        person.click(f"#status-{fact}")
        person.click(f"{EXPLAINED} details[open] button")
        person.no_longer_sees(EXPLAINED)
        surface.wait_for("document.getElementById(arguments[0]).contains(document.activeElement)", panel)


def test_tools_that_are_off_are_counted(surface: Surface, person: Person) -> None:
    before = int(person.sees(FACT, "tool").split()[0])
    count = sum(1 for tool in surface.tools() if tool["name"].startswith(("browser_", "page_")))
    surface.python("from gemini.tools import registry; registry.groups.switch('dom', False)")
    person.sees(FACT, f"{before - count} tools, {count} off")
    person.click("#status-tools")
    person.sees(EXPLAINED, "You turned off: dom.")
    surface.python("registry.groups.switch('dom', True)")
    person.sees(FACT, f"{before} tools")
    person.press(Keys.ESCAPE)


def test_f6_reaches_the_status_line(surface: Surface, person: Person) -> None:
    person.by_script('combobox "Search and commands"', "focus()")
    seen: list[str | None] = []
    for _ in range(20):
        person.press(Keys.F6)
        where = surface.javascript(
            "return document.activeElement.closest('[data-region]')?.dataset.region ?? null"
        )
        seen.append(where)
        if where == "omnibar":
            break
    assert "status" in seen and seen[-1] == "omnibar"


@pytest.mark.extended
def test_a_page_that_is_not_isolated_says_so(open_surface: OpenSurface) -> None:
    surface = open_surface(isolated=False, webmcp=False)
    person = Person(surface)
    person.sees(FACT, "WebMCP polyfill")
    if not surface.javascript("return crossOriginIsolated"):
        person.sees(FACT, "Not isolated")


def test_the_line_names_the_running_command_and_stops_it(
    surface: Surface, person: Person, start: Start, terminal: str
) -> None:
    call = start("terminal_execute", command="sleep 600", terminal_id=terminal)
    person.sees('contentinfo "Status" [role=status]', "Running sleep 600…")
    [row] = [row for row in surface.call("terminal_list") if row["id"] == terminal]
    assert row["running"] == "sleep 600"
    assert (
        surface.javascript("return arguments[0].title", person.find('contentinfo "Status" button "Stop"'))
        == "Stop sleep 600"
    )

    person.click('contentinfo "Status" button "Stop"')
    assert call.result()["exit_code"] == 130
    person.sees('contentinfo "Status" [role=status]', "Ready")
    person.no_longer_sees('contentinfo "Status" button "Stop"')


def test_a_long_name_cuts_nothing_else_on_a_phone(
    surface: Surface, person: Person, start: Start, terminal: str, resize: Resize
) -> None:
    resize(390, 844)
    call = start("terminal_execute", command="sleep 600 && echo a long name", terminal_id=terminal)
    person.sees('contentinfo "Status" [role=status]', "Running sleep 600 && echo a long name…")
    person.find('contentinfo "Status" button "Stop"')
    cut = (
        "return [...document.querySelectorAll('#status-items, #status button')].filter((each) =>"
        " each.checkVisibility() && each.scrollWidth > each.clientWidth + 1).map(({ id }) => id)"
    )
    assert surface.javascript(cut) == []
    # The name itself ends with an ellipsis.
    assert (
        surface.javascript("return getComputedStyle(document.querySelector('#status-text')).display")
        == "block"
    )

    person.click('contentinfo "Status" button "Stop"')
    call.result()


def test_the_line_names_the_person_s_code_and_stops_it(person: Person) -> None:
    show_console(person)
    enter(person, "import asyncio\nawait asyncio.sleep(600)")
    person.sees('contentinfo "Status" [role=status]', "Running import asyncio…")
    person.click('contentinfo "Status" button "Stop"')
    person.sees('contentinfo "Status" [role=status]', "Ready")
    assert person.focus == "console-input"
