"""The Settings panel: theme, permissions, tool groups, storage and reset."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.conftest import Start
from tests.web.names import FACT
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

FAR = """
@gemini.tool(effect="outside")
def far(where: str = "") -> str:
    "Reach outside."
    return "was outside"
"""


@pytest.fixture
def panel(surface: Surface, person: Person) -> Iterator[Person]:
    """Return the user at the settings."""
    open_settings(person)
    yield person
    surface.driver.execute_script("localStorage.clear(); document.documentElement.dataset.theme = 'system'")


def open_settings(person: Person) -> None:
    person.open_panel("settings")
    person.sees('region "Storage" table')


def declare(surface: Surface) -> None:
    surface.python(FAR)
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === 'far'))()"
    )


def grant(surface: Surface, *subjects: str) -> None:
    """Reload the page with "Always allow" grants in its storage."""
    rows = [
        {
            "kind": "tool",
            "subject": subject,
            "answer": "always",
            "since": "2026-01-02T03:04:05Z",
            "until": None,
        }
        for subject in subjects
    ]
    surface.driver.execute_script(
        "localStorage.setItem('gemini-consent-grants', JSON.stringify(arguments[0]))", rows
    )
    surface.reload()


def grants(surface: Surface) -> list[dict[str, str]]:
    return surface.javascript("return JSON.parse(localStorage.getItem('gemini-consent-grants') ?? '[]')")


def background_color(surface: Surface) -> str:
    return surface.javascript("return getComputedStyle(document.body).backgroundColor")


@pytest.mark.extended
def test_the_start_asks_for_nothing_that_only_the_settings_show(surface: Surface, person: Person) -> None:
    calls = "from gemini.kernel.kernel import kernel; [row['tool'] for row in kernel.registry.log.rows()]"
    before = len(surface.python(calls))
    surface.reload()
    shown = {"python_package_list", "panel_history_limits"}
    assert not shown & set(surface.python(calls)[before:])
    open_settings(person)
    person.sees('region "Python packages" form')
    person.sees('region "File history" form')
    assert shown <= set(surface.python(calls)[before:])


@pytest.mark.extended
def test_the_theme_applies_at_once_and_after_a_reload(surface: Surface, panel: Person) -> None:
    panel.reads("$")
    light = background_color(surface)
    panel.click('radiogroup "Theme" input[value=dark]')
    dark = background_color(surface)
    assert dark != light
    surface.wait_for(
        "getComputedStyle(document.querySelector('.terminal-view .xterm-scrollable-element')).backgroundColor"
        " === 'rgb(20, 24, 30)'"
    )
    surface.load(wait=False)
    # Long before the page's own scripts run.
    assert background_color(surface) == dark
    surface.wait_until_ready()
    open_settings(panel)
    panel.press(Keys.TAB)
    panel.by_script('radiogroup "Theme" input:checked', "focus()")
    panel.press(Keys.ARROW_LEFT)
    assert background_color(surface) == light


def test_high_contrast_is_a_choice_and_a_wish_of_the_system(surface: Surface, panel: Person) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    terminal = "getComputedStyle(document.querySelector('.xterm-scrollable-element')).backgroundColor"
    panel.reads("$")
    panel.click('radiogroup "Theme" input[value=contrast-dark]')
    assert background_color(surface) == "rgb(0, 0, 0)"
    surface.wait_for(f"{terminal} === 'rgb(0, 0, 0)'")
    panel.click('radiogroup "Theme" input[value=system]')
    surface.wait_for(f"{ground} !== 'rgb(255, 255, 255)' && {ground} !== 'rgb(0, 0, 0)'")
    more = {"features": [{"name": "prefers-contrast", "value": "more"}]}
    surface.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", more)
    surface.wait_for(f"{ground} === 'rgb(255, 255, 255)' && {terminal} === 'rgb(255, 255, 255)'")
    surface.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_permanent_grants_are_listed_and_revoked(surface: Surface, panel: Person, start: Start) -> None:
    panel.sees('region "Permissions"', "No permissions")
    declare(surface)
    call = start("far")
    panel.click('button "Always allow"')
    assert call.result() == "was outside"
    listed = panel.sees('region "Permissions" li', "far")
    assert "an agent in your browser" in listed and "allowed" in listed

    surface.reload()
    declare(surface)
    assert surface.call("far") == "was outside"
    open_settings(panel)
    panel.click('region "Permissions" li button')
    panel.sees('region "Permissions"', "No permissions")
    call = start("far")
    panel.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"


@pytest.mark.extended
def test_all_grants_are_revoked_together_by_keyboard(surface: Surface, panel: Person) -> None:
    grant(surface, "a", "b", "c")
    open_settings(panel)
    panel.find('region "Permissions" button "Revoke all"')
    assert violations(surface, 'region "Permissions"') == []
    panel.by_script('region "Permissions" button "Revoke all"')
    assert len(grants(surface)) == 3
    panel.by_script('region "Permissions" button "Revoke all"', "focus()")
    panel.press(Keys.ENTER)

    panel.sees('region "Permissions"', "No permissions")
    assert grants(surface) == []


def test_without_a_companion_the_settings_say_how_to_start_it(panel: Person) -> None:
    shown = panel.sees('region "MCP clients"', "control-surface serve")
    assert "Claude Desktop, Claude Code" in shown
    panel.no_longer_sees('region "This computer"')
    panel.no_longer_sees('region "Keys of language models"')


@pytest.mark.extended
def test_limits_of_the_file_history_are_shown_and_changed(surface: Surface, panel: Person) -> None:
    panel.sees('region "File history" input[name=most_mb]')
    shown = "return [...document.querySelectorAll('#settings-history input')].map(({ value }) => value)"
    assert surface.javascript(shown) == ["200", "64", "30"]
    panel.click('region "File history" input[name=most_days]')
    panel.press("a", holding=Keys.CONTROL)
    panel.type("0")
    panel.click('region "File history" button')
    assert not surface.javascript("return document.querySelector('#settings-history form').checkValidity()")
    panel.click('region "File history" input[name=most_days]')
    panel.press("a", holding=Keys.CONTROL)
    panel.type("7")
    panel.press(Keys.ENTER)
    panel.sees('region "File history" .outcome', "Saved")

    surface.reload()
    open_settings(panel)
    panel.sees('region "File history" input[name=most_mb]')
    assert surface.javascript(shown) == ["200", "64", "7"]
    assert violations(surface, 'region "File history"') == []


def test_groups_are_switched_in_the_settings(surface: Surface, panel: Person) -> None:
    panel.by_script('region "Settings" .switch[data-group=dom]', "focus()")
    panel.press(Keys.SPACE)
    surface.wait_for(
        "(async () => !(await document.modelContext.getTools()).some(({ name }) => name === 'browser_tabs'))()"
    )
    panel.sees('region "Settings" .switch[data-group=dom]', "Off")
    panel.press(Keys.SPACE)
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === 'browser_tabs'))()"
    )


def test_the_settings_show_the_storage_used(surface: Surface, panel: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/big.txt", content="x" * 3_000_000)
    panel.click('region "Storage" button "Refresh"')

    panel.sees('region "Storage" tbody tr', "2.9 MB")
    panel.sees('region "Storage" tbody tr', "/var/lib/gemini")
    # The figure of the status line.
    used = panel.sees('region "Storage" p', "The surface uses")
    assert used.split("uses ")[1].split(" of ")[0] in panel.sees(FACT, "stored")


@pytest.mark.extended
def test_reset_layout_resets_only_the_layout(surface: Surface, panel: Person) -> None:
    surface.call("file_write", path="/project/stays.txt", content="")
    surface.driver.execute_script(
        "localStorage.setItem('gemini:tools.chosen', '\"file_read\"');"
        "localStorage.setItem('gemini:theme', '\"dark\"'); localStorage.setItem('another', 'site');"
        "localStorage.setItem('gemini:tour', 'true');"
        "localStorage.setItem('gemini:git-proxy', '\"https://proxy.example/\"');"
        "localStorage.setItem('gemini:draft:/project/a.txt', '{\"content\": \"unsaved\"}');"
        "document.querySelector('#reset-layout').click()"
    )
    assert surface.javascript("return localStorage.getItem('gemini:tools.chosen')")
    panel.click('region "Settings" button "Reset layout"')
    surface.wait_for("localStorage.getItem('gemini:tools.chosen') === null")
    surface.wait_until_ready()

    names = ["gemini:theme", "another", "gemini:tour", "gemini:draft:/project/a.txt", "gemini:git-proxy"]
    left = surface.javascript("return arguments[0].map((name) => localStorage.getItem(name))", names)
    assert left == ['"dark"', "site", "true", '{"content": "unsaved"}', '"https://proxy.example/"']
    assert "stays.txt" in [entry["name"] for entry in surface.call("file_list", path="/project")]


@pytest.mark.extended
def test_the_settings_are_accessible(surface: Surface, panel: Person) -> None:
    assert violations(surface, 'region "Settings"') == []
    panel.click('region "Settings" button "Erase everything…"')
    panel.sees('dialog "Erase everything?" button "Erase everything"')
    assert violations(surface, "dialog.exchange") == []
    panel.click('dialog.exchange button "Cancel"')


@pytest.mark.extended
def test_a_user_erases_everything(surface: Surface, person: Person) -> None:
    surface.call("file_write", path="/project/mine.txt", content="mine")
    surface.python("from gemini.kernel.kernel import kernel; kernel.registry.groups.switch('dom', False)")
    open_settings(person)
    person.click('radiogroup "Theme" input[value=dark]')
    person.by_script('region "Settings" button "Erase everything…"')
    assert not surface.javascript("return document.querySelector('dialog.exchange').open")
    person.click('region "Settings" button "Erase everything…"')
    person.sees("dialog.exchange", "Erase everything?")
    person.by_script('dialog "Erase everything?" button "Erase everything"')
    person.sees("dialog.exchange h2", "Erase everything?")
    person.click('dialog "Erase everything?" button "Erase everything"')
    shown = person.sees("dialog.exchange [aria-live]", "before-import-")
    before = shown.split("The previous data is in ")[1].split(".tar.gz")[0] + ".tar.gz"
    person.click('dialog.exchange button "Close"')
    surface.wait_for("document.documentElement.dataset.theme === 'system'")
    surface.wait_until_ready()

    names = [entry["name"] for entry in surface.call("file_list", path="/project")]
    assert sorted(names) == ["README.md", "app.log", "report.py"]
    assert "browser_tabs" in {tool["name"] for tool in surface.tools()}
    surface.python(f"gemini.import_all({before!r})")
    assert surface.call("file_read", path="/project/mine.txt")["content"] == "mine"
