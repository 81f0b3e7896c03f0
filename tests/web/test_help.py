"""The list of shortcuts, and the tour of the first visit."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.axe import violations
from tests.web.console import clear, focus_console, show_console, typed
from tests.web.names import TOUR
from tests.web.person import Person, erase
from tests.web.shadow import FOUND

pytestmark = pytest.mark.extended

# As in a browser that isn't automated.
BY_HAND = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })"


def blur(surface: Surface) -> None:
    surface.javascript("document.activeElement.blur()")


# --- shortcuts ---


def test_a_question_mark_opens_the_shortcuts(surface: Surface, person: Person) -> None:
    blur(surface)
    person.press("?")
    shown = person.sees('dialog "Keyboard shortcuts"')
    for key in ("Ctrl+K", "F6", "Palette", "Terminal", "Python console"):
        assert key in shown
    person.press(Keys.ESCAPE)
    person.no_longer_sees('dialog "Keyboard shortcuts"')


def test_a_question_mark_is_typed_into_text_fields(surface: Surface, shell: Person) -> None:
    shell.type("echo what?\n")
    shell.reads_line("what?")
    shell.find('combobox "Search and commands"').send_keys("x?")
    assert surface.javascript("return document.activeElement.value") == "x?"
    erase(shell.find('combobox "Search and commands"'))
    focus_console(shell)
    shell.type("x?")
    assert typed(shell) == "x?"
    clear(shell)
    shell.no_longer_sees('dialog "Keyboard shortcuts"')


def test_the_shortcuts_open_from_the_menu_and_the_omnibar(surface: Surface, person: Person) -> None:
    person.click('button "Help"')
    person.click('region "Help" [value=shortcuts]')
    person.sees('dialog "Keyboard shortcuts"', "Ctrl+K")
    person.click('dialog "Keyboard shortcuts" button "Close"')
    person.no_longer_sees('dialog "Keyboard shortcuts"')

    person.press("k", holding=Keys.CONTROL)
    person.type(">shortcuts")
    person.sees('listbox "Suggestions" [aria-selected=true]', "Keyboard shortcuts")
    person.press(Keys.ENTER)
    person.sees('dialog "Keyboard shortcuts"', "Ctrl+K")
    person.press(Keys.ESCAPE)
    person.no_longer_sees('dialog "Keyboard shortcuts"')


# --- the tools behind controls ---


def hold_alt(surface: Surface, *, down: bool) -> None:
    actions = ActionChains(surface.driver, duration=0)
    (actions.key_down if down else actions.key_up)(Keys.ALT).perform()


def test_alt_names_the_tool_behind_each_control_and_copies_its_call(surface: Surface, person: Person) -> None:
    person.copy("nothing yet")
    person.sees('region "Files" button "Up"')
    person.click('button "Filter by name"')
    hold_alt(surface, down=True)
    assert "panel_open" in person.sees('group "Tools behind the controls"', "terminal_create")
    hold_alt(surface, down=False)
    show_console(person)
    hold_alt(surface, down=True)
    person.sees('group "Tools behind the controls"', "python_run")
    person.click('group "Tools behind the controls" [data-of=run_python]')
    person.sees('group "Tools behind the controls" [role=status]', "Copied")
    assert violations(surface, 'group "Tools behind the controls"') == []
    hold_alt(surface, down=False)
    person.no_longer_sees('group "Tools behind the controls"')
    copied = surface.javascript("return await navigator.clipboard.readText()")
    assert copied == 'await (await gemini.start()).tools.call("python_run", {"code": ...})'
    # What was copied is a call that runs.
    code = copied.replace("...", "'6 * 7'")
    assert surface.call("python_run", code=f"import gemini\n({code}).result")["result"] == 42

    person.by_script('region "Python console" button "Clear"', "focus()")
    hold_alt(surface, down=True)
    person.sees('group "Tools behind the controls"', "python_run")
    person.press("c")
    person.sees('group "Tools behind the controls" [role=status]', "scripts can't call it")
    hold_alt(surface, down=False)
    person.no_longer_sees('group "Tools behind the controls"')


# --- the tour ---


def steps(person: Person) -> list[str]:
    """Go through the tour to its end, and return the titles from the current step on."""
    seen = [person.sees(f"{TOUR} h2")]
    while "step 4 of 4" not in person.sees(TOUR):
        person.click(f'{TOUR} button "Next"')
        person.surface.wait_for(f"document.querySelector('{TOUR} h2').innerText !== arguments[0]", seen[-1])
        seen.append(person.sees(f"{TOUR} h2"))
    person.click(f'{TOUR} button "Done"')
    person.no_longer_sees(TOUR)
    return seen


def test_an_automated_browser_shows_no_tour(surface: Surface, person: Person) -> None:
    assert surface.javascript("return navigator.webdriver")
    person.no_longer_sees(TOUR)


def test_the_tour_has_four_steps_and_starts_once(open_surface: OpenSurface) -> None:
    surface = open_surface(wait=False)
    surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BY_HAND})
    surface.reload(fresh=True)
    person = Person(surface)
    person.sees(TOUR)
    assert (
        surface.javascript(f"return {FOUND}(arguments[0])[0].contains(document.activeElement)", TOUR) is False
    )
    assert violations(surface, TOUR) == []
    assert len(steps(person)) == 4
    assert surface.javascript("return document.querySelector('[data-toured]')") is None

    surface.reload()
    person.find('button "Help"')
    person.no_longer_sees(TOUR)


def test_the_tour_can_be_skipped_and_started_again(surface: Surface, person: Person) -> None:
    person.click('button "Help"')
    person.click('region "Help" [value=tour]')
    person.sees(TOUR, "step 1 of 4")
    person.click('button "Skip"')
    person.no_longer_sees(TOUR)

    person.press("k", holding=Keys.CONTROL)
    person.type(">tour")
    person.sees('listbox "Suggestions" [aria-selected=true]', "Take the tour")
    person.press(Keys.ENTER)
    person.sees(TOUR, "step 1 of 4")
    assert person.focus == "tour"
    person.press(Keys.ESCAPE)
    person.no_longer_sees(TOUR)


def test_the_tour_takes_no_keys_from_a_terminal(surface: Surface, shell: Person) -> None:
    shell.click('button "Help"')
    shell.click('region "Help" [value=tour]')
    shell.click(".panel.terminal[data-front] .xterm-screen")
    shell.type("echo still here\n")
    shell.reads_line("still here")
    shell.press(Keys.ESCAPE)
    assert shell.sees(TOUR, "step 1 of 4")
    shell.click('button "Skip"')


def test_the_tour_goes_back(person: Person) -> None:
    person.click('button "Help"')
    person.click('region "Help" [value=tour]')
    first = person.sees(f"{TOUR} h2")
    person.click(f'{TOUR} button "Next"')
    person.sees(TOUR, "step 2 of 4")
    person.click(f'{TOUR} button "Back"')
    person.sees(TOUR, "step 1 of 4")
    assert person.sees(f"{TOUR} h2") == first
    person.click('button "Skip"')
