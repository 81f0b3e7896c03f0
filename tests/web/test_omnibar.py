"""The palette: commands, files, addresses and search in one list, by keyboard and pointer."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.agent import close_tabs, show_tab
from tests.web.conftest import Start
from tests.web.console import TYPED, clear, enter
from tests.web.names import CONNECT
from tests.web.person import Person
from tests.web.shadow import FOUND

pytestmark = pytest.mark.fortnightly

INPUT, LIST = 'combobox "Search and commands"', 'listbox "Suggestions"'
# Its name says which mode it is.
MODE = 'search "Search and commands" [aria-label^=Mode]'
SELECTED = f"{LIST} [aria-selected=true]"
MARKED = f"return {FOUND}('{SELECTED} mark').map((mark) => mark.innerText)"


def type_in_omnibar(person: Person, text: str = "") -> None:
    """Open the omnibar with Ctrl+K and type a text."""
    person.press("k", holding=Keys.CONTROL)
    person.surface.wait_for("document.activeElement.id === 'omnibar-input'")
    person.type(text)


@pytest.fixture(autouse=True)
def wait_until_closed(surface: Surface) -> None:
    """Wait until the omnibar is closed and empty."""
    surface.javascript("document.activeElement.blur()")


def kinds(surface: Surface) -> list[str]:
    return surface.javascript(f"return {FOUND}('{LIST} [role=option]').map(({{ dataset }}) => dataset.kind)")


# --- the omnibar ---


def test_ctrl_k_focuses_the_omnibar_from_a_terminal_and_escape_returns(
    surface: Surface, shell: Person
) -> None:
    shell.type("echo unfinis")
    type_in_omnibar(shell, "zzz")
    assert shell.find(INPUT).get_property("value") == "zzz"
    shell.press(Keys.ESCAPE)
    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    shell.no_longer_sees('search "Search and commands" [popover]')
    # The terminal got none of the omnibar's keys.
    shell.type("hed\n")
    shell.reads_line("unfinished")


@pytest.mark.fortnightly
def test_tab_cycles_the_modes_and_a_prefix_selects_one(surface: Surface, person: Person) -> None:
    type_in_omnibar(person)
    seen = [person.sees(MODE)]
    for _ in range(7):
        person.press(Keys.TAB)
        surface.wait_for(f"{FOUND}(arguments[0])[0].innerText !== arguments[1]", MODE, seen[-1])
        seen.append(person.sees(MODE))
    assert seen == ["All", "Search", "Meaning", "Address", "Command", "Agent", "Chat", "All"]
    person.press(Keys.TAB, holding=Keys.SHIFT)
    person.sees(MODE, "Chat")
    person.press(Keys.ESCAPE)

    for typed, mode in (
        (">", "Command"),
        ("!", "Agent"),
        ("/", "Address"),
        ("https://", "Address"),
        ("?", "Search"),
        ("=", "Meaning"),
        ("x", "All"),
    ):
        type_in_omnibar(person, typed)
        person.sees(MODE, mode)
        person.press(Keys.ESCAPE)
        surface.wait_for(f"{FOUND}('{INPUT}')[0].value === ''")

    type_in_omnibar(person, ">")
    person.sees(MODE, "Command")
    person.press(Keys.BACKSPACE)
    person.sees(MODE, "All")
    person.press(Keys.ESCAPE)


def test_a_screen_reader_sees_a_combobox(surface: Surface, person: Person) -> None:
    type_in_omnibar(person, ">open")
    person.sees(SELECTED)
    nodes = surface.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    boxes = [node for node in nodes if node.get("role", {}).get("value") == "combobox"]
    [box] = [node for node in boxes if node["name"]["value"] == "Search and commands"]
    assert box["description"]["value"].startswith("Mode: Command.")
    properties = {each["name"]: each["value"].get("value") for each in box["properties"]}

    assert properties["expanded"] is True
    active = surface.javascript("return document.activeElement.getAttribute('aria-activedescendant')")
    assert surface.javascript("return document.getElementById(arguments[0]).ariaSelected", active) == "true"
    person.sees('search "Search and commands" [role=status]', "suggestions")
    person.press(Keys.ESCAPE)


def test_arrows_select_and_wrap_around(surface: Surface, person: Person) -> None:
    type_in_omnibar(person, ">open")
    first = person.sees(SELECTED)
    person.press(Keys.ARROW_UP)
    surface.wait_for(f"{FOUND}(arguments[0])[0].innerText !== arguments[1]", SELECTED, first)
    person.press(Keys.ARROW_DOWN)
    assert person.sees(SELECTED, first.split("\n")[-1]) == first
    person.press(Keys.ESCAPE)


@pytest.mark.extended
def test_a_file_s_name_is_no_address(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/page.html", content="<p>Shop</p>")
    type_in_omnibar(person, "page.html")
    person.sees(f"{LIST} [data-kind=file]", "page.html")
    assert not {"page", "outside"} & set(kinds(surface))
    person.press(Keys.ESCAPE)


# Answers a part of the time as a search does while files are indexed.
UNFINISHED = """
from gemini.computer.search.search import Search
finds = Search.find
left = 3
async def find(self, *given):
    global left
    found, unfinished = await finds(self, *given)
    left -= 1
    return found, left > 0
Search.find = find
"""
WATCH = """
const list = document.querySelector("#omnibar-list");
globalThis.gone = false;
new MutationObserver(() => {
  gone ||= ![...list.querySelectorAll("[role=option]")].some((row) => row.innerText.includes("only-indexed"));
}).observe(list, { childList: true, subtree: true, characterData: true });
"""


@pytest.mark.extended
def test_a_text_with_signs_is_found_as_it_is(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/a-b_(c)+$.txt", content="text")
    type_in_omnibar(person, "a-b_(c)+$")
    person.sees(f"{LIST} [data-kind=file]", "a-b_(c)+$.txt")
    person.press(Keys.ESCAPE)


@pytest.mark.extended
def test_items_stay_while_files_are_indexed(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/deep/only-indexed.txt", content="text")
    surface.call("file_navigate", path="/project")
    surface.python(UNFINISHED)
    try:
        type_in_omnibar(person, "only-indexed")
        person.sees(LIST, "only-indexed.txt")
        surface.javascript(WATCH)
        surface.wait_for("gemini.python('left <= 0')")
        person.no_longer_sees('search "Search and commands" [popover] .note')
        assert surface.javascript("return gone") is False
    finally:
        surface.python("Search.find = finds")
        person.press(Keys.ESCAPE)


@pytest.mark.extended
def test_the_selected_row_of_a_long_list_is_in_view(surface: Surface, person: Person) -> None:
    type_in_omnibar(person, "r")
    surface.wait_for(f"{FOUND}('{LIST} [role=option]').length > 30")
    for keys in (Keys.ARROW_UP, Keys.PAGE_UP + Keys.PAGE_UP, Keys.PAGE_DOWN):
        person.press(keys)
        surface.wait_for(
            "((row, list) => row.top >= list.top - 1 && row.bottom <= list.bottom + 1)"
            f"({FOUND}(arguments[0])[0].getBoundingClientRect(), {FOUND}(arguments[1])[0].getBoundingClientRect())",
            SELECTED,
            LIST,
        )
    person.press(Keys.ESCAPE)


# --- the palette ---

# A word that a user would type, and the beginning of the title of what they mean.
MEANT = {
    "tour": "Take the tour",
    "agent": "Give an agent a task",
    "dark": "Theme: dark",
    "upload": "Upload ",
    "model": "Connect a language model",
    "reset": "Reset layout",
    "claude": "Connect Claude",
    "settings": "Open Settings",
    "run": "Run the open file",
}


def first_title(person: Person, starts: str) -> None:
    """Wait until the first item's title starts with a text, after Python's items have arrived, too."""
    person.surface.wait_for(
        f"{FOUND}('{LIST} [role=option] .title')[0]?.innerText.startsWith(arguments[0])",
        starts,
    )


@pytest.mark.extended
def test_a_word_finds_what_one_means_as_the_first_hit(surface: Surface, person: Person) -> None:
    person.find(INPUT)
    for word, title in MEANT.items():
        # A note about the files shows that Python's items have arrived.
        surface.call("file_write", path=f"/project/palette/{word}s.txt", content=f"{word} and more")
        type_in_omnibar(person, word)
        person.sees(LIST, f"{word}s.txt")
        first_title(person, title)
        person.press(Keys.ESCAPE)
    surface.python("import shutil; shutil.rmtree('/project/palette')")


def test_without_a_companion_connecting_a_client_begins_with_its_start(
    surface: Surface, person: Person
) -> None:
    type_in_omnibar(person, "connect claude")
    first_title(person, "Connect Claude or another MCP client")
    person.press(Keys.ENTER)
    person.sees(f"{CONNECT} pre", "control-surface serve")
    person.press(Keys.ESCAPE)
    person.no_longer_sees(CONNECT)


@pytest.mark.fortnightly
def test_ctrl_p_and_f1_open_it_too(surface: Surface, shell: Person) -> None:
    for key, holding in (("p", Keys.CONTROL), (Keys.F1, "")):
        shell.press(key, holding=holding)
        surface.wait_for("document.activeElement.id === 'omnibar-input'")
        shell.press(Keys.ESCAPE)
        surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")


def test_without_input_it_lists_what_was_used_last_and_the_starters(surface: Surface, person: Person) -> None:
    type_in_omnibar(person, ">open tools")
    person.sees(SELECTED, "Open Tools")
    person.press(Keys.ENTER)
    surface.wait_for(f"{FOUND}(arguments[0])[0]?.contains(document.activeElement)", 'region "Tools"')

    type_in_omnibar(person)
    person.sees(LIST, "Take the tour")
    used, starters = surface.javascript(
        f"const rows = {FOUND}('{LIST} li');"
        "const start = rows.findIndex((row) => row.innerText === 'Start');"
        "return [rows.slice(0, start), rows.slice(start + 1)].map((part) => part.map((row) =>"
        " row.querySelector('.title')?.innerText ?? row.innerText))"
    )
    assert used[:2] == ["Used last", "Open Tools"]
    assert starters[0] == "Watch the demo" and "Take the tour" in starters and len(starters) == 7
    person.press(Keys.ESCAPE)


def test_it_lists_commands_panels_tools_and_files_together(
    surface: Surface, person: Person, folder: str
) -> None:
    surface.call("file_write", path=f"{folder}/terminal.txt", content="")
    type_in_omnibar(person, "terminal")
    person.sees(LIST, "terminal.txt")
    assert {"command", "panel", "setting", "file", "tool"} <= set(kinds(surface))
    person.press("a", holding=Keys.CONTROL)
    person.type("shortcuts")
    assert person.sees(SELECTED, "Keyboard shortcuts").endswith("?")
    person.press(Keys.ESCAPE)


@pytest.mark.extended
def test_enter_waits_for_the_items_of_the_text(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/zyzzyva.md", content="A weevil.\n")
    type_in_omnibar(person, "zyzzyva" + Keys.ENTER)
    person.sees('region "Editor"', "zyzzyva.md")


@pytest.mark.extended
def test_a_setting_is_opened(surface: Surface, person: Person) -> None:
    type_in_omnibar(person, "permissions")
    person.sees(SELECTED, "Permissions")
    person.press(Keys.ENTER)
    surface.wait_for(
        "(({ top, bottom }) => top >= 0 && bottom <= innerHeight)"
        f"({FOUND}('region \"Permissions\" h3')[0].getBoundingClientRect())"
    )
    person.no_longer_sees('search "Search and commands" [popover]')


@pytest.mark.extended
def test_it_opens_and_filters_while_python_is_busy(surface: Surface, person: Person, start: Start) -> None:
    code = "import time\nend = time.monotonic() + 60\nwhile time.monotonic() < end: pass"
    call = start("python_run", code=code)
    person.sees("[role=alert].failure", "Python is busy")
    type_in_omnibar(person, "dark")
    person.sees(SELECTED, "Theme: dark")
    person.press(Keys.ENTER)
    surface.wait_for("document.documentElement.dataset.theme === 'dark'")
    assert call.is_running
    call.abort()
    call.result()
    type_in_omnibar(person, "theme system")
    person.sees(SELECTED, "Theme: system")
    person.press(Keys.ENTER)


PAGE = "<title>Keys</title><input id=field oninput='log.textContent = this.value'><p id=log></p>"


def open_field(surface: Surface, person: Person, folder: str, page: str) -> None:
    """Show a page with a field, and focus the field as a user does."""
    surface.call("file_write", path=f"{folder}/keys.html", content=page)
    surface.call("browser_tabs", action="open", url=f"{folder}/keys.html")
    show_tab(surface)
    person.click(".tab-frame.front")
    surface.call("browser_click", selector="#field")
    surface.wait_for("document.activeElement.matches('.tab-frame.front')")


def hold(surface: Surface, *keys: str) -> None:
    actions = ActionChains(surface.driver, duration=0)
    for key in keys:
        actions.key_down(key)
    actions.perform()


def let_go(surface: Surface, *keys: str) -> None:
    actions = ActionChains(surface.driver, duration=0)
    for key in keys:
        actions.key_up(key)
    actions.perform()


@pytest.mark.extended
def test_it_opens_from_inside_a_page(surface: Surface, person: Person, folder: str) -> None:
    open_field(surface, person, folder, PAGE)
    hold(surface, Keys.CONTROL, "k")
    person.sees('search "Search and commands" [popover]', "Release the keys")
    let_go(surface, "k", Keys.CONTROL)
    person.sees(LIST, "Take the tour")
    person.type("tour")
    first_title(person, "Take the tour")
    person.press(Keys.ESCAPE)
    surface.wait_for("document.activeElement.matches('.tab-frame.front')")
    close_tabs(surface)


# The page learns the port of its script, and reports a key that nobody pressed as the user types.
FORGING = """<title>Forger</title><input id=field><script>
let port;
const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (...given) { port ??= this; return post.apply(this, given); };
addEventListener("keydown", () => {
  document.title = `forged with ${port}`;
  post.call(port, JSON.stringify({ jsonrpc: "2.0", method: "notifications/opens_palette" }));
});
</script>"""


@pytest.mark.fortnightly
def test_a_page_can_not_get_what_is_typed_in_it_into_the_palette(
    surface: Surface, person: Person, folder: str
) -> None:
    open_field(surface, person, folder, FORGING)
    hold(surface, "x")
    person.sees('search "Search and commands" [popover]', "Release the keys")
    let_go(surface, "x")
    person.no_longer_sees('search "Search and commands" [popover]')
    surface.wait_for("document.activeElement.matches('.tab-frame.front')")
    assert person.find(INPUT).get_property("value") == ""
    close_tabs(surface)


# --- commands ---


def test_a_command_opens_a_panel(surface: Surface, person: Person) -> None:
    type_in_omnibar(person, ">opac")
    person.sees(SELECTED, "Open Activity")
    assert surface.javascript(MARKED) == ["Op", "Ac"]
    person.press(Keys.ENTER)

    surface.wait_for(f"{FOUND}(arguments[0])[0]?.contains(document.activeElement)", 'region "Activity"')
    person.no_longer_sees('search "Search and commands" [popover]')


@pytest.mark.extended
def test_a_command_is_selected_by_pointer(surface: Surface, person: Person) -> None:
    count = len(surface.call("terminal_list"))
    person.click(INPUT)
    for mode in ("Search", "Meaning", "Address", "Command"):
        person.click(MODE)
        person.sees(MODE, mode)
    person.type("new terminal")
    person.sees(SELECTED, "New terminal")
    person.click(SELECTED)

    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    assert len(surface.call("terminal_list")) == count + 1


def test_tools_are_found_by_name(person: Person) -> None:
    type_in_omnibar(person, ">browsnap")
    assert "browser_snapshot" in person.sees(SELECTED)
    person.press(Keys.ESCAPE)


# --- search ---


def test_search_finds_a_file_by_its_content(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/deep/Notes.md", content="one\n\nThe unmistakable zebra.\n")
    type_in_omnibar(person, "unmistak zeb")
    found = person.sees(SELECTED, "zebra")

    assert "Notes.md" in found and "line 3" in found
    assert surface.javascript(MARKED) == ["unmistakable", "zebra"]
    person.press(Keys.ENTER)
    person.sees('region "Editor"', "Notes.md")


def test_results_follow_each_key(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/a.txt", content="okapi")
    type_in_omnibar(person, "oka")
    person.sees(LIST, "a.txt")
    person.type("pu")
    person.sees('search "Search and commands" [popover] .note', "No matches in")
    assert "file" not in kinds(surface)
    person.press(Keys.BACKSPACE)
    person.sees(LIST, "a.txt")
    person.press(Keys.ESCAPE)


@pytest.mark.fortnightly
def test_a_found_command_is_put_on_the_command_line_without_running(surface: Surface, shell: Person) -> None:
    shell.type("echo capybara one\n")
    shell.reads_line("capybara one")
    type_in_omnibar(shell, "capyb")
    shell.sees(SELECTED, "capybara")
    shell.click('listbox "Suggestions" [data-kind=terminal]')

    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    shell.reads("$ echo capybara one")
    shell.type("\b\b\btwo\n")
    shell.reads_line("capybara two")


@pytest.mark.extended
def test_a_found_command_of_several_lines_does_not_run(surface: Surface, shell: Person) -> None:
    surface.call("terminal_execute", command="for word in wombat; do\necho $word\ndone")
    type_in_omnibar(shell, "wombat")
    shell.click('listbox "Suggestions" [data-kind=terminal]')
    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")
    shell.reads("done")
    shell.press("c", holding=Keys.CONTROL)
    assert [row["busy"] for row in surface.call("terminal_list") if row["focused"]] == [False]


@pytest.mark.extended
def test_found_code_is_put_into_the_console_without_running(surface: Surface, person: Person) -> None:
    enter(person, "narwhal = 1 + 1")
    person.sees('log "Python console"', "narwhal")
    surface.python("del narwhal")
    type_in_omnibar(person, "narw")
    person.click('listbox "Suggestions" [data-kind=python]')

    surface.wait_for("document.activeElement.id === 'console-input'")
    surface.wait_for(f"{TYPED} === 'narwhal = 1 + 1'")
    assert surface.python("'narwhal' in globals()") is False
    clear(person)


@pytest.mark.extended
def test_a_found_call_opens_in_the_log(surface: Surface, person: Person) -> None:
    surface.call("file_find", pattern="*.pangolin")
    type_in_omnibar(person, "pangolin")
    person.sees(SELECTED, "file_find")
    person.press(Keys.ENTER)

    surface.wait_for(f"{FOUND}(arguments[0])[0]?.contains(document.activeElement)", 'region "Activity"')
    assert "pangolin" in person.sees('group "Calls" details[open]', "file_find")


def test_searches_are_not_logged(surface: Surface, person: Person) -> None:
    type_in_omnibar(person, "axolotl")
    person.sees('search "Search and commands" [popover] .note', "No matches in")
    person.press(Keys.ESCAPE)

    assert "axolotl" not in surface.javascript("return document.querySelector('#activity-list').textContent")


def test_text_of_files_is_shown_as_text(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/x.html", content="<img src=x onerror=alert(1)> quokka")
    type_in_omnibar(person, "quokka")
    person.sees(LIST, "<img src=x onerror=alert(1)>")
    assert surface.javascript(f"return {FOUND}('{LIST} img')") == []
    person.press(Keys.ESCAPE)


# --- addresses ---


@pytest.mark.fortnightly
def test_a_path_is_completed_and_opened(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/inner/leaf.txt", content="")
    type_in_omnibar(person, f"{folder}/in")
    person.sees(SELECTED, "inner/")
    person.press(Keys.ARROW_RIGHT)
    surface.wait_for(f"{FOUND}('{INPUT}')[0].value === arguments[0]", f"{folder}/inner/")
    person.sees(LIST, "leaf.txt")
    person.press(Keys.ENTER)

    surface.wait_for(
        "(async () => (await gemini.python('gemini.file_browser.path')) === arguments[0])()",
        f"{folder}/inner",
    )


@pytest.mark.extended
def test_a_file_opens_as_a_page_in_a_tab_that_is_found_again(
    surface: Surface, person: Person, folder: str
) -> None:
    surface.call("file_write", path=f"{folder}/page.html", content="<title>Numbat facts</title><p>Numbats.")
    type_in_omnibar(person, f"{folder}/page")
    assert person.sees(SELECTED, "page.html").startswith("open")
    person.press(Keys.ENTER)
    person.sees('tablist "Open pages"', "Numbat")

    type_in_omnibar(person, "/")
    person.press(Keys.BACKSPACE)
    person.press(Keys.TAB, times=3)
    person.sees(MODE, "Address")
    person.type("numbat")
    assert person.sees(SELECTED, "Numbat facts").startswith("tab")
    person.press(Keys.ESCAPE)


@pytest.mark.extended
def test_an_address_that_does_not_open_says_why(surface: Surface, person: Person) -> None:
    type_in_omnibar(person, "https://")
    person.sees(SELECTED, "https://")
    person.press(Keys.ENTER)

    assert person.sees('search "Search and commands" [popover] .problem')
    assert person.focus == "omnibar-input"
    person.press(Keys.ESCAPE)
