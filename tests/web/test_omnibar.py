"""One bar for addresses, commands and search, by keyboard and by pointer."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.axe import violations
from tests.web.person import Person

INPUT, LIST, MODE = "#omnibar-input", "#omnibar-list", "#omnibar-mode"
SELECTED = "#omnibar-list [aria-selected=true]"


def enter(person: Person, text: str = "") -> None:
    """Ctrl+K, a text, and the bar is there."""
    person.press("k", holding=Keys.CONTROL)
    person.surface.wait_for("document.activeElement.id === 'omnibar-input'")
    person.type(text)


@pytest.fixture(autouse=True)
def left(surface: Surface) -> None:
    """The bar as nobody uses it."""
    surface.javascript("document.activeElement.blur()")


def kinds(surface: Surface) -> list[str]:
    return surface.javascript(
        "return [...document.querySelectorAll('#omnibar-list li')].map(({ dataset }) => dataset.kind)"
    )


# --- the bar ---


def test_ctrl_k_leads_there_out_of_a_terminal_and_escape_back(surface: Surface, shell: Person) -> None:
    shell.type("echo unfinis")
    enter(shell, "zzz")
    assert surface.javascript("return document.querySelector('#omnibar-input').value") == "zzz"
    shell.press(Keys.ESCAPE)
    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    shell.no_longer_sees("#omnibar-popup")
    # The terminal got no key that was meant for the bar.
    shell.type("hed\n")
    shell.reads_line("unfinished")


def test_tab_cycles_the_modes_and_a_prefix_chooses_one(surface: Surface, person: Person) -> None:
    enter(person)
    seen = [person.sees(MODE)]
    for _ in range(5):
        person.press(Keys.TAB)
        surface.wait_for("document.querySelector('#omnibar-mode').innerText !== arguments[0]", seen[-1])
        seen.append(person.sees(MODE))
    assert seen == ["Search", "Address", "Command", "Agent", "Chat", "Search"]
    person.press(Keys.TAB, holding=Keys.SHIFT)
    person.sees(MODE, "Chat")
    person.press(Keys.ESCAPE)

    for typed, mode in (
        (">", "Command"),
        ("!", "Agent"),
        ("/", "Address"),
        ("https://", "Address"),
        ("?", "Search"),
        ("x", "Search"),
    ):
        enter(person, typed)
        person.sees(MODE, mode)
        person.press(Keys.ESCAPE)
        surface.wait_for("document.querySelector('#omnibar-input').value === ''")

    enter(person, ">")
    person.sees(MODE, "Command")
    person.press(Keys.BACKSPACE)
    person.sees(MODE, "Search")
    person.press(Keys.ESCAPE)


def test_it_is_a_combobox_to_a_screen_reader(surface: Surface, person: Person) -> None:
    enter(person, ">open")
    person.sees(SELECTED)
    told = surface.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    boxes = [node for node in told if node.get("role", {}).get("value") == "combobox"]
    [box] = [node for node in boxes if node["name"]["value"] == "Command"]
    properties = {each["name"]: each["value"].get("value") for each in box["properties"]}

    assert properties["expanded"] is True
    active = surface.javascript("return document.activeElement.getAttribute('aria-activedescendant')")
    assert surface.javascript("return document.getElementById(arguments[0]).ariaSelected", active) == "true"
    assert "suggestion" in surface.wait_for(
        "document.querySelector('#omnibar [role=status]').innerText.includes('suggestions')"
        " && document.querySelector('#omnibar [role=status]').innerText"
    )
    person.press(Keys.ESCAPE)


def test_arrows_choose_and_go_round(surface: Surface, person: Person) -> None:
    enter(person, ">open")
    first = person.sees(SELECTED)
    person.press(Keys.ARROW_UP)
    surface.wait_for("document.querySelector(arguments[0]).innerText !== arguments[1]", SELECTED, first)
    person.press(Keys.ARROW_DOWN)
    assert person.sees(SELECTED, first.split("\n")[-1]) == first
    person.press(Keys.ESCAPE)


# --- commands ---


def test_a_command_opens_a_panel(surface: Surface, person: Person) -> None:
    enter(person, ">opac")
    person.sees(SELECTED, "Open Activity")
    assert surface.javascript(
        "return [...document.querySelectorAll('#omnibar-list [aria-selected=true] mark')].map((mark) => mark.innerText)"
    ) == ["Op", "Ac"]
    person.press(Keys.ENTER)

    surface.wait_for("document.querySelector('#activity').contains(document.activeElement)")
    person.no_longer_sees("#omnibar-popup")


def test_a_command_is_chosen_by_pointer(surface: Surface, person: Person) -> None:
    count = len(surface.call("terminal_list"))
    person.click(INPUT)
    person.click(MODE)
    person.click(MODE)
    person.sees(MODE, "Command")
    person.type("new terminal")
    person.sees(SELECTED, "New terminal")
    person.click(SELECTED)

    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    assert len(surface.call("terminal_list")) == count + 1


def test_tools_are_found_by_name(person: Person) -> None:
    enter(person, ">browsnap")
    assert "browser_snapshot" in person.sees(SELECTED)
    person.press(Keys.ESCAPE)


# --- search ---


def test_search_finds_a_file_by_its_content(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/deep/Notes.md", content="one\n\nThe unmistakable zebra.\n")
    enter(person, "unmistak zeb")
    found = person.sees(SELECTED, "zebra")

    assert "Notes.md" in found and "line 3" in found
    assert surface.javascript(
        "return [...document.querySelectorAll('#omnibar-list [aria-selected=true] mark')].map((mark) => mark.innerText)"
    ) == ["unmistakable", "zebra"]
    person.press(Keys.ENTER)
    person.sees("#editor", "Notes.md")


def test_what_was_typed_is_followed_key_by_key(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/a.txt", content="okapi")
    enter(person, "oka")
    person.sees(LIST, "a.txt")
    person.type("pu")
    person.sees("#omnibar-popup .note", "No matches in")
    assert kinds(surface) == []
    person.press(Keys.BACKSPACE)
    person.sees(LIST, "a.txt")
    person.press(Keys.ESCAPE)


def test_a_command_of_a_terminal_comes_back_to_its_line_and_does_not_run(
    surface: Surface, shell: Person
) -> None:
    shell.type("echo capybara one\n")
    shell.reads_line("capybara one")
    enter(shell, "capyb")
    shell.sees(SELECTED, "capybara")
    surface.wait_for("document.querySelector('#omnibar-list [data-kind=command]')")
    shell.click("#omnibar-list [data-kind=command]")

    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    shell.reads("$ echo capybara one")
    shell.type("\b\b\btwo\n")
    shell.reads_line("capybara two")


def test_several_lines_come_back_without_running_either(surface: Surface, shell: Person) -> None:
    surface.call("terminal_execute", command="for word in wombat; do\necho $word\ndone")
    enter(shell, "wombat")
    surface.wait_for("document.querySelector('#omnibar-list [data-kind=command]')")
    shell.click("#omnibar-list [data-kind=command]")
    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    shell.reads("done")
    shell.press("c", holding=Keys.CONTROL)
    assert [row["busy"] for row in surface.call("terminal_list") if row["focused"]] == [False]


def test_code_of_the_console_comes_back_and_does_not_run(surface: Surface, person: Person) -> None:
    person.find("#console-input").send_keys("narwhal = 1 + 1", Keys.ENTER)
    surface.wait_for("document.querySelector('#console-log').innerText.includes('narwhal')")
    surface.python("del narwhal")
    enter(person, "narw")
    surface.wait_for("document.querySelector('#omnibar-list [data-kind=python]')")
    person.click("#omnibar-list [data-kind=python]")

    surface.wait_for("document.activeElement.id === 'console-input'")
    assert surface.javascript("return document.activeElement.value") == "narwhal = 1 + 1"
    assert surface.python("'narwhal' in globals()") is False
    person.find("#console-input").clear()


def test_a_call_is_opened_in_the_log(surface: Surface, person: Person) -> None:
    surface.call("file_find", pattern="*.pangolin")
    enter(person, "pangolin")
    person.sees(SELECTED, "file_find")
    person.press(Keys.ENTER)

    surface.wait_for("document.querySelector('#activity').contains(document.activeElement)")
    assert "pangolin" in person.sees("#activity-list details[open]", "file_find")


def test_what_is_typed_stands_in_no_log(surface: Surface, person: Person) -> None:
    enter(person, "axolotl")
    person.sees("#omnibar-popup .note", "No matches in")
    person.press(Keys.ESCAPE)

    assert "axolotl" not in surface.javascript("return document.querySelector('#activity-list').textContent")


def test_text_of_files_is_text(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/x.html", content="<img src=x onerror=alert(1)> quokka")
    enter(person, "quokka")
    person.sees(LIST, "<img src=x onerror=alert(1)>")
    assert not surface.javascript("return document.querySelector('#omnibar img')")
    person.press(Keys.ESCAPE)


# --- addresses ---


def test_a_path_is_completed_and_opened(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/inner/leaf.txt", content="")
    enter(person, f"{folder}/in")
    person.sees(SELECTED, "inner/")
    person.press(Keys.ARROW_RIGHT)
    surface.wait_for("document.querySelector('#omnibar-input').value === arguments[0]", f"{folder}/inner/")
    person.sees(LIST, "leaf.txt")
    person.press(Keys.ENTER)

    surface.wait_for(
        "(async () => (await gemini.python('gemini.file_browser.path')) === arguments[0])()",
        f"{folder}/inner",
    )


def test_a_page_of_a_file_is_opened_in_a_tab_and_found_again(
    surface: Surface, person: Person, folder: str
) -> None:
    surface.call("file_write", path=f"{folder}/page.html", content="<title>Numbat facts</title><p>Numbats.")
    enter(person, f"{folder}/page")
    assert person.sees(SELECTED, "page.html").startswith("page")
    person.press(Keys.ENTER)
    surface.wait_for("document.querySelector('#browser-tabs').innerText.includes('Numbat')")

    enter(person, "/")
    person.press(Keys.BACKSPACE)
    person.press(Keys.TAB)
    person.sees(MODE, "Address")
    person.type("numbat")
    assert person.sees(SELECTED, "Numbat facts").startswith("tab")
    person.press(Keys.ESCAPE)


def test_what_does_not_open_says_why(surface: Surface, person: Person) -> None:
    enter(person, "https://")
    person.sees(SELECTED, "https://")
    person.press(Keys.ENTER)

    assert person.sees("#omnibar-popup .problem")
    assert person.focus == "omnibar-input"
    person.press(Keys.ESCAPE)


# --- how it looks ---


@pytest.mark.parametrize(("dark", "size"), [(False, (1400, 900)), (True, (340, 700))])
def test_axe_finds_nothing(open_surface: OpenSurface, dark: bool, size: tuple[int, int]) -> None:
    surface = open_surface(dark=dark, size=size)
    person = Person(surface)
    assert violations(surface, "#omnibar") == []
    enter(person, "report")
    person.sees(SELECTED, "report.py")
    assert violations(surface, "#omnibar") == []
    person.press("a", holding=Keys.CONTROL)
    person.type(">new term")
    person.sees(SELECTED, "New terminal")
    assert violations(surface, "#omnibar") == []
    assert surface.javascript(
        "const { left, right } = document.querySelector('#omnibar-popup').getBoundingClientRect();"
        "return left >= 0 && right <= innerWidth"
    )
