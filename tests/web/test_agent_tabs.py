"""Tabs of agents: they open behind the user's, work there as in front, and the user sees whose they are."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.surface import WAIT_TIMEOUT_S
from tests.web.agent import close_tabs
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

NOTES = (
    "<!doctype html><title>Notes</title><style>body { margin: 0 }</style>"
    "<textarea id=notes rows=20 cols=90></textarea>"
)
# The list is there while the field has the focus, as in many libraries. The log has what such a library hears.
SHOP = """<!doctype html><title>Shop</title>
<input id=size aria-label=Size><ul id=list role=listbox hidden><li role=option>Small<li role=option>Large</ul>
<p id=log></p><script>
size.onfocus = () => { list.hidden = false; log.append("focus "); };
size.onblur = () => { list.hidden = true; log.append("blur "); };
list.onmousedown = (event) => event.preventDefault();
list.onclick = ({ target }) => { size.value = target.textContent; };
addEventListener("blur", () => log.append("window "));
</script>"""


@pytest.fixture
def notes(surface: Surface, person: Person, folder: str) -> Iterator[Person]:
    """Return the user with a page of their own in front, and the focus in its text."""
    surface.call("file_write", path=f"{folder}/notes.html", content=NOTES)
    surface.call("file_write", path=f"{folder}/shop.html", content=SHOP)
    person.open_panel("browser")
    person.click('region "Browser" textbox "Address, or path of an HTML file"')
    person.press("a", holding=Keys.CONTROL)
    person.type(f"{folder}/notes.html" + Keys.ENTER)
    person.sees('tablist "Open pages" [aria-selected=true]', "Notes")
    click_into_notes(person)
    yield person
    close_tabs(surface)


def click_into_notes(person: Person) -> None:
    """Click into the text of the page in front.

    The browser begins to send presses to a new frame's process some frames after its page is painted, and has no event
    for it. Until then they only focus the frame.
    """
    deadline = time.monotonic() + WAIT_TIMEOUT_S
    while person.surface.python(in_tab("Notes", "return document.activeElement.id")) != "notes":
        assert time.monotonic() < deadline, "No press reached the page"
        person.click(".tab-frame.front")
        person.surface.wait_for("document.activeElement.matches('.tab-frame.front')")


def click_tab(person: Person, selector: str, title: str) -> None:
    """Click a tab once it shows its title, which changes its width and so moves the point to click."""
    person.sees(selector, title)
    person.click(selector)


def in_tab(title: str, code: str) -> str:
    """Return Python that runs JavaScript in the tab with a title."""
    tab = f"next(tab for tab in gemini.browser.tabs.values() if tab.title == {title!r})"
    return f"await {tab}.execute_js({code!r})"


def text_of_notes(surface: Surface) -> str:
    return surface.python(in_tab("Notes", "return notes.value"))


def wait_for_focus(surface: Surface, title: str, element: str) -> None:
    surface.wait_for(
        "gemini.python(arguments[0]).then((id) => id === arguments[1])",
        in_tab(title, "return document.activeElement.id"),
        element,
    )


def test_an_agent_works_behind_the_user_s_page_while_they_type(
    surface: Surface, notes: Person, folder: str
) -> None:
    notes.type("one ")
    surface.call("browser_navigate", url=f"{folder}/shop.html")
    surface.call("browser_click", selector="#size")
    notes.type("two ")
    # The list is still open, since the page doesn't notice that the user types elsewhere.
    options = surface.call("browser_snapshot")
    assert '"Large"' in options
    surface.call("browser_click", selector="li:last-child")
    notes.type("three")
    surface.call("browser_press_key", key="s")

    read = surface.call("browser_execute_js", code="return [size.value, log.textContent]")["result"]
    assert read == ["Larges", "focus "]
    assert surface.call("browser_screenshot")["width"] >= 1024
    notes.sees('tablist "Open pages" [aria-selected=true]', "Notes")
    assert text_of_notes(surface) == "one two three"


def test_a_page_behind_can_not_take_the_keys(surface: Surface, notes: Person, folder: str) -> None:
    surface.call("browser_navigate", url=f"{folder}/shop.html")
    steal = "setTimeout(() => { size.focus(); document.body.append('stolen'); }, 50)"
    surface.call("browser_execute_js", code=steal)
    surface.call("browser_wait_for", text="stolen")
    # The page behind has lost the focus again, and the user's has it where it was.
    wait_for_focus(surface, "Shop", "")
    wait_for_focus(surface, "Notes", "notes")
    notes.type("mine")
    assert text_of_notes(surface) == "mine"
    assert surface.call("browser_execute_js", code="return size.value") == {"result": ""}


RUN = """
from gemini.agents import ScriptedModel, call
model = ScriptedModel([
    call("browser_navigate", url="{folder}/shop.html"),
    call("ask", question="Which size?"),
    call("done", result="Ordered."),
])
run = gemini.agents.run("Order", model=model, agent="Researcher")
run.id
"""


def test_a_run_s_tab_is_marked_framed_and_the_user_s_after_its_end(
    surface: Surface, notes: Person, folder: str
) -> None:
    surface.python(RUN.replace("{folder}", folder))
    notes.sees('tablist "Open pages" [data-owner=working]', "Used by Researcher")
    notes.sees('tablist "Open pages" [aria-selected=true]', "Notes")
    notes.no_longer_sees('group "Agent in this tab"')

    surface.wait_for("gemini.python('run.status').then((status) => status === 'waiting')")
    click_tab(notes, 'tablist "Open pages" [data-owner=working]', "Shop")
    notes.sees('group "Agent in this tab"', "Used by Researcher")
    border = "return getComputedStyle(document.querySelector('#browser-layer'), '::after').borderTopStyle"
    assert surface.javascript(border) == "solid"
    notes.click('group "Agent in this tab" button "Take over"')
    notes.sees('group "Agent in this tab"', "You have taken over from Researcher")
    notes.click('group "Agent in this tab" button "Give back control"')
    notes.sees('group "Agent in this tab"', "Used by Researcher")

    # The question stands once, and not as the call that asks it.
    notes.click('group "Agent in this tab" button "Show run"')
    notes.sees(".agent-question", "Which size?")
    assert notes.sees('region "Agent"').count("Which size?") == 1
    notes.click('form "The agent asks" [name=text]')
    notes.type("Large" + Keys.ENTER)
    notes.sees('region "Outcome"', "Ordered.")

    [mine] = [row["id"] for row in surface.call("browser_tabs") if row["title"] == "Notes"]
    click_tab(notes, f"#page-tab-{mine}", "Notes")
    notes.click('region "Agent" button "Show the agent’s tab"')
    notes.sees('group "Agent in this tab"', "Left by Researcher")
    assert surface.javascript(border) == "none"
    notes.click(".tab-frame.front")
    notes.no_longer_sees('group "Agent in this tab"')
    assert "owner" not in surface.call("browser_tabs")[-1]


def test_the_user_may_take_a_client_s_tab_and_follow_agents(
    surface: Surface, notes: Person, folder: str
) -> None:
    first = surface.call("browser_navigate", url=f"{folder}/shop.html")["tab"]
    click_tab(notes, f"#page-tab-{first}", "Shop")
    notes.sees('group "Agent in this tab"', "Used by WebMCP")
    notes.click('group "Agent in this tab" button "Take over"')
    notes.no_longer_sees('group "Agent in this tab"')

    notes.click('region "Browser" button "Follow agents"')
    notes.sees('region "Browser" [aria-label="Follow agents"][aria-pressed=true]')
    second = surface.call("browser_navigate", url=f"{folder}/notes.html")["tab"]
    assert second != first
    notes.sees(f"#page-tab-{second}[aria-selected=true]", "Used by WebMCP")
    notes.click('region "Browser" button "Follow agents"')
    notes.sees('region "Browser" [aria-label="Follow agents"][aria-pressed=false]')
