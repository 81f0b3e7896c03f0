"""The editor: users and agents edit the same files, and no text is lost."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.conftest import Resize, Start
from tests.web.person import SCREEN, Person

pytestmark = pytest.mark.fortnightly

LINES = "[...document.querySelectorAll('#editor-view .cm-line')].map((line) => line.textContent).join('\\n')"
CALLS = "from gemini.kernel import kernel\n[(call.tool, call.ok) for call in kernel.kernel.registry.log]"


@pytest.fixture(autouse=True)
def nothing_open(surface: Surface) -> None:
    """Close all files and delete their drafts."""
    surface.javascript(
        "for (const name of Object.keys(localStorage)) {"
        "  if (name.startsWith('gemini:draft:')) localStorage.removeItem(name); }"
    )
    surface.python(
        "from gemini.kernel.kernel import kernel\nfor path in kernel.opened.paths:\n    kernel.opened.close(path)"
    )
    surface.wait_for("document.querySelector('#editor-tabs button') === null")


def write(surface: Surface, path: str, content: str) -> None:
    surface.call("file_write", path=path, content=content)


def read(surface: Surface, path: str) -> str:
    return surface.call("file_read", path=path)["content"]


def edit(surface: Surface, person: Person, path: str, content: str | None = None) -> None:
    """Open a file from the list by keyboard, after writing `content` to it."""
    if content is not None:
        write(surface, path, content)
    person.open_panel("files")
    surface.call("file_navigate", path=path.rsplit("/", 1)[0])
    surface.wait_for("document.getElementById(`file:${arguments[0]}`)", path)
    surface.driver.execute_script("document.getElementById(`file:${arguments[0]}`).focus()", path)
    person.press(Keys.ENTER)
    wait_for_focus(surface, path)


def wait_for_focus(surface: Surface, path: str) -> None:
    """Wait until the text of a file, or a cell of a notebook, has the focus."""
    surface.wait_for(
        "document.activeElement.closest('#editor-notebook [data-cell]')"
        " || document.activeElement.ariaLabel?.startsWith(`Text of ${arguments[0]}`)",
        path.rsplit("/", 1)[1],
    )


def wait_for_text(surface: Surface, text: str) -> None:
    surface.wait_for(f"{LINES} === arguments[0]", text)


def tabs(surface: Surface) -> list[str]:
    return surface.javascript(
        "return [...document.querySelectorAll('#editor-tabs [role=tab]')]"
        ".map((tab) => tab.innerText + (tab.ariaSelected === 'true' ? ' *' : ''))"
    )


# --- typing and saving ---


def test_typed_text_is_saved(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/a.py"
    edit(surface, person, path, "def f():\n    return 1\n")
    wait_for_text(surface, "def f():\n    return 1\n")
    person.sees('region "Editor" .cm-line span')
    person.press(Keys.END)
    person.type("  # mine")
    person.sees('region "Editor" h2', "a.py (unsaved)")
    person.find('tablist "Open files" .unsaved')
    assert read(surface, path) == "def f():\n    return 1\n"
    person.press("s", holding=Keys.CONTROL)
    person.sees('region "Editor" [role=status]', "Saved a.py.")
    assert read(surface, path) == "def f():  # mine\n    return 1\n"
    person.no_longer_sees('tablist "Open files" .unsaved')
    person.press("z", holding=Keys.CONTROL)
    wait_for_text(surface, "def f():\n    return 1\n")
    person.sees('region "Editor" h2', "unsaved")
    person.click('region "Editor" button "Save"')
    person.sees('region "Editor" [role=status]', "Saved a.py.")
    assert read(surface, path) == "def f():\n    return 1\n"


@pytest.mark.extended
def test_line_endings_and_mode_are_preserved(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/dos.txt"
    surface.python(
        f"import os; open({path!r}, 'wb').write(b'\\xef\\xbb\\xbfone\\r\\ntwo'); os.chmod({path!r}, 0o750)"
    )
    edit(surface, person, path)
    wait_for_text(surface, "one\ntwo")
    person.sees('region "Editor" footer', "CRLF")
    person.type("zero\n")
    person.press("s", holding=Keys.CONTROL)
    person.sees('region "Editor" [role=status]', "Saved")
    data = surface.python(f"[list(open({path!r}, 'rb').read()), os.stat({path!r}).st_mode & 0o777]")
    assert data == [list(b"\xef\xbb\xbfzero\r\none\r\ntwo"), 0o750]


def test_text_is_found(surface: Surface, person: Person, folder: str) -> None:
    edit(surface, person, f"{folder}/a.txt", "one\ntwo\nthree\ntwo\n")
    person.press("f", holding=Keys.CONTROL)
    person.type("two")
    surface.wait_for("document.querySelectorAll('#editor-view .cm-searchMatch').length === 2")
    person.press(Keys.ENTER)
    person.press(Keys.ESCAPE)
    person.sees('region "Editor" footer', "Ln 2, Col 4")


@pytest.mark.extended
def test_a_file_that_can_not_be_edited_says_so(surface: Surface, person: Person, folder: str) -> None:
    surface.python(f"open({folder!r} + '/data.bin', 'wb').write(bytes(range(256)))")
    surface.call("file_navigate", path=folder)
    person.click(f"[data-path='{folder}/data.bin']")
    person.click('region "Files" button "Actions"')
    person.click(".menu [data-item=edit]")
    person.sees('region "Editor" .editor-notice', "is not UTF-8 text")
    person.click('region "Editor" .editor-notice button')
    person.sees('region "Content of the file"', "isn't text")
    person.click('dialog.viewer button "Close"')


# --- tabs ---


def test_tabs_of_files_are_selected_by_keyboard(surface: Surface, person: Person, folder: str) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        edit(surface, person, f"{folder}/{name}", name)
    assert tabs(surface) == ["a.txt", "b.txt", "c.txt *"]
    person.by_script('tablist "Open files" [aria-selected=true]', "focus()")
    person.press(Keys.HOME)
    wait_for_text(surface, "a.txt")
    person.press(Keys.ARROW_RIGHT)
    wait_for_text(surface, "b.txt")
    person.press(Keys.DELETE)
    wait_for_text(surface, "c.txt")
    assert tabs(surface) == ["a.txt", "c.txt *"]
    person.click('tablist "Open files" button')
    wait_for_text(surface, "a.txt")


def test_closing_asks_about_unsaved_text(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/a.txt"
    edit(surface, person, path, "old")
    person.type("new ")
    person.click('region "Editor" button "Close file"')
    person.sees("dialog.question", "Save changes to a.txt?")
    person.press(Keys.ESCAPE)
    wait_for_text(surface, "new old")
    person.click('region "Editor" button "Close file"')
    person.click("dialog.question [value=save]")
    person.no_longer_sees('tablist "Open files" button')
    assert read(surface, path) == "new old"
    edit(surface, person, path)
    person.type("unwanted ")
    person.click('region "Editor" button "Close file"')
    person.click("dialog.question [value=discard]")
    person.no_longer_sees('tablist "Open files" button')
    edit(surface, person, path)
    wait_for_text(surface, "new old")


@pytest.mark.extended
def test_discarded_text_stays_discarded_while_python_is_busy(
    surface: Surface, person: Person, folder: str, start: Start
) -> None:
    path = f"{folder}/a.txt"
    edit(surface, person, path, "old")
    person.type("unwanted ")
    person.click('region "Editor" button "Close file"')
    person.sees("dialog.question", "Save changes to a.txt?")
    call = start("python_run", code="while True: pass")
    person.click("dialog.question [value=discard]")
    # Unsaved text is also saved as a draft when the page closes.
    surface.javascript("dispatchEvent(new Event('pagehide'))")
    call.abort()
    person.no_longer_sees('tablist "Open files" button')
    edit(surface, person, path)
    wait_for_text(surface, "old")


@pytest.mark.extended
def test_a_renamed_file_keeps_its_unsaved_text(surface: Surface, person: Person, folder: str) -> None:
    edit(surface, person, f"{folder}/a.txt", "old")
    person.type("new ")
    surface.driver.execute_script("document.getElementById(arguments[0]).focus()", f"file:{folder}/a.txt")
    person.press(Keys.F2)
    person.type("b")
    person.press(Keys.ENTER)
    person.sees('region "Editor" h2', "b.txt (unsaved)")
    surface.reload()
    wait_for_text(surface, "new old")
    person.click('region "Editor" button "Save"')
    person.sees('region "Editor" [role=status]', "Saved b.txt.")
    assert read(surface, f"{folder}/b.txt") == "new old"


# --- drafts ---


@pytest.mark.extended
def test_typing_survives_a_reload(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/a.txt"
    edit(surface, person, path, "old")
    person.type("typed ")
    surface.reload()
    person.sees('region "Editor" h2', "a.txt (unsaved)")
    wait_for_text(surface, "typed old")
    assert read(surface, path) == "old"
    person.click('region "Editor" button "Save"')
    person.sees('region "Editor" [role=status]', "Saved")
    assert read(surface, path) == "typed old"
    surface.reload()
    wait_for_text(surface, "typed old")
    person.no_longer_sees('tablist "Open files" .unsaved')


def test_a_draft_is_saved_without_a_call(surface: Surface, person: Person, folder: str) -> None:
    edit(surface, person, f"{folder}/a.txt", "old")
    calls = surface.python(CALLS)
    # The call that opened it has ended.
    assert ["panel_read", True] in calls
    person.type("typed ")
    # The document has no sign of the saved draft.
    surface.javascript(
        """
        const saved = () => localStorage.getItem(`gemini:draft:${arguments[0]}`)?.includes("typed old");
        while (!saved()) await new Promise((resolve) => setTimeout(resolve, 20));
        """,
        f"{folder}/a.txt",
    )
    assert surface.python(CALLS) == calls


# --- conflicts ---


def test_an_unchanged_text_follows_its_file(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/a.txt"
    edit(surface, person, path, "one\ntwo\n")
    person.press(Keys.ARROW_DOWN)
    surface.call("file_edit", path=path, old="one", new="longer one")
    wait_for_text(surface, "longer one\ntwo\n")
    person.sees('region "Editor" footer', "Ln 2, Col 1")
    person.no_longer_sees('tablist "Open files" .unsaved')
    surface.call("terminal_execute", command=f"echo three >> {path}")
    wait_for_text(surface, "longer one\ntwo\nthree\n")


def conflict(surface: Surface, person: Person, path: str) -> None:
    edit(surface, person, path, "one\ntwo\nthree\nfour\nfive\n")
    person.type("mine ")
    surface.call("file_edit", path=path, old="five", new="theirs five")
    person.sees('region "Editor" .editor-notice', "a.txt has changed")


@pytest.mark.extended
def test_the_user_s_version_overwrites_the_other(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/a.txt"
    conflict(surface, person, path)
    person.press("s", holding=Keys.CONTROL)
    person.sees('region "Editor" .editor-notice', "a.txt has changed")
    assert read(surface, path) == "one\ntwo\nthree\nfour\ntheirs five\n"
    person.click('region "Editor" button "Keep mine"')
    person.sees('region "Editor" [role=status]', "Saved")
    assert read(surface, path) == "mine one\ntwo\nthree\nfour\nfive\n"
    person.no_longer_sees('region "Editor" .editor-notice .warning')


@pytest.mark.extended
def test_the_other_version_is_used_and_undo_restores_the_user_s(
    surface: Surface, person: Person, folder: str
) -> None:
    path = f"{folder}/a.txt"
    conflict(surface, person, path)
    person.click('region "Editor" button "Use theirs"')
    wait_for_text(surface, "one\ntwo\nthree\nfour\ntheirs five\n")
    person.no_longer_sees('tablist "Open files" .unsaved')
    person.click('region "Editor" .cm-content')
    person.press("z", holding=Keys.CONTROL)
    wait_for_text(surface, "mine one\ntwo\nthree\nfour\nfive\n")


def test_both_are_merged(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/a.txt"
    conflict(surface, person, path)
    person.click('region "Editor" button "Show differences"')
    surface.wait_for("document.querySelectorAll('#editor-view .cm-deletedChunk').length === 2")
    # At the second place, use theirs.
    surface.wait_for("document.querySelectorAll('#editor-view .choice-reject').length === 2")
    surface.driver.find_elements("css selector", "#editor-view .choice-reject")[1].click()
    surface.wait_for("document.querySelectorAll('#editor-view .cm-deletedChunk').length === 1")
    person.click('region "Editor" button "Save this text"')
    person.sees('region "Editor" [role=status]', "Saved")
    assert read(surface, path) == "mine one\ntwo\nthree\nfour\ntheirs five\n"
    surface.wait_for("document.querySelectorAll('#editor-view .cm-deletedChunk').length === 0")


@pytest.mark.extended
def test_a_conflict_survives_a_reload(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/a.txt"
    edit(surface, person, path, "old\n")
    person.type("mine ")
    surface.javascript("dispatchEvent(new Event('pagehide'))")
    surface.driver.get("about:blank")
    surface.load()
    write(surface, path, "theirs\n")
    surface.reload()
    person.sees('region "Editor" .editor-notice', "a.txt has changed")
    wait_for_text(surface, "mine old\n")
    assert read(surface, path) == "theirs\n"


@pytest.mark.extended
def test_a_deleted_file_can_be_saved_again(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/a.txt"
    edit(surface, person, path, "text\n")
    surface.call("terminal_execute", command=f"rm {path}")
    person.sees('region "Editor" .editor-notice', "a.txt was deleted; its text is still open here.")
    person.click('region "Editor" button "Save again"')
    person.sees('region "Editor" [role=status]', "Saved")
    assert read(surface, path) == "text\n"


# The panel is shown five frames after its text: a busy browser may do that.
SHOWN_LATE = """
const hidden = new CSSStyleSheet();
hidden.replaceSync("#editor { visibility: hidden }");
document.adoptedStyleSheets = [...document.adoptedStyleSheets, hidden];
let left = 5;
const show = () => {
  if (document.querySelector(".cm-content")?.ariaLabel?.startsWith("Text of late.txt") && left-- === 0) {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== hidden);
  } else requestAnimationFrame(show);
};
show();
"""


@pytest.mark.extended
def test_a_file_has_the_focus_also_where_the_panel_is_shown_later(
    surface: Surface, person: Person, folder: str
) -> None:
    surface.javascript(SHOWN_LATE)
    edit(surface, person, f"{folder}/late.txt", "late")


# --- agents open files ---


@pytest.mark.extended
def test_an_agent_opens_files_without_taking_the_focus(surface: Surface, person: Person, folder: str) -> None:
    for name in ("one.needle", "two.needle"):
        write(surface, f"{folder}/{name}", name)
    person.click('region "Python console" textbox "Python code"')
    surface.call("find_and_edit", pattern="*.needle")
    wait_for_text(surface, "one.needle")
    assert tabs(surface) == ["one.needle *", "two.needle"]
    assert person.focus == "console-input"
    surface.reload()
    wait_for_text(surface, "one.needle")
    assert tabs(surface) == ["one.needle *", "two.needle"]


@pytest.mark.extended
def test_go_to_line(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/long.txt"
    write(surface, path, "".join(f"line {n}\n" for n in range(1, 1_001)))
    surface.python(f"from gemini.kernel.kernel import kernel; kernel.opened.open({path!r}, 700)")
    person.sees('region "Editor" .cm-line', "line 700")
    person.sees('region "Editor" footer', "Ln 700, Col 1")


@pytest.mark.extended
def test_the_editor_works_on_a_narrow_page(surface: Surface, person: Person, resize: Resize) -> None:
    surface.call("file_navigate", path="/project")
    resize(360, 720)
    surface.call("find_and_edit", pattern="report.py")
    person.sees('region "Editor" .cm-line', "Count the lines")
    assert surface.javascript("return document.documentElement.scrollWidth") == 360
    person.open_panel("files")
    ActionChains(surface.driver).double_click(person.find("[data-path='/project/README.md']")).perform()
    person.sees('region "Editor" .cm-line', "Your project")


# --- running ---

TESTS = """
def helper():
    return 1

def test_one():
    assert helper() == 1

class TestGroup:
    def test_two(self):
        assert True
"""
BOX = "(([{ top, bottom }]) => [top, bottom])(document.querySelector(arguments[0]).getClientRects())"


@pytest.mark.fortnightly
def test_a_test_runs_below_the_editor(surface: Surface, person: Person, folder: str) -> None:
    person.click('button "More"')
    person.click('region "Panels" [value=reset]')
    edit(surface, person, f"{folder}/test_sums.py", TESTS)
    person.type("# unsaved\n")
    person.sees(".cm-tests", "▶")
    assert surface.javascript(
        "return [...document.querySelectorAll('.cm-tests [title]')].map(({ title }) => title)"
    ) == ["Run test_one", "Run TestGroup::test_two"]
    person.click(".cm-tests [title='Run TestGroup::test_two']")
    # A narrow terminal wraps the command.
    surface.wait_for(
        f"{SCREEN}.replaceAll('\\n', '').includes(arguments[0])", "pytest test_sums.py::TestGroup::test_two"
    )
    assert read(surface, f"{folder}/test_sums.py").startswith("# unsaved")

    editor, terminal = (surface.javascript(f"return {BOX}", part) for part in ("#editor", "[data-front]"))
    assert editor[1] <= terminal[0]

    # A press on the tab, even of the terminal in front, leads to its prompt.
    person.click('region "Editor" .cm-content')
    person.click("[data-tab-panel-id^=term-][aria-selected=true]")
    surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")


@pytest.mark.fortnightly
def test_a_layout_returns_after_a_narrow_window_and_files_run_below_the_editor(
    surface: Surface, person: Person, folder: str, resize: Resize
) -> None:
    person.click('button "More"')
    person.click('region "Panels" [value=reset]')
    edit(surface, person, f"{folder}/a.sh", "echo below\n")
    resize(600, 720)
    resize(1280, 720)
    person.find('region "Editor" .cm-content')
    person.click('region "Editor" button "Run"')
    surface.wait_for(f"{SCREEN}.includes('below')")
    # The command may end before the panels are in place.
    surface.wait_for("document.querySelector('[data-front]').checkVisibility()")
    editor, terminal = (surface.javascript(f"return {BOX}", part) for part in ("#editor", "[data-front]"))
    assert editor[1] <= terminal[0]


@pytest.mark.extended
def test_opening_a_file_while_python_is_busy_says_that_it_waits(
    surface: Surface, person: Person, folder: str, start: Start
) -> None:
    write(surface, f"{folder}/later.txt", "at last")
    surface.call("file_navigate", path=folder)
    file = person.find(f"[data-path='{folder}/later.txt']")
    busy = start("python_run", code="while True: pass")
    ActionChains(surface.driver).double_click(file).perform()
    person.sees('region "Files" [role=status]', "later.txt opens when it has finished")
    busy.abort()
    wait_for_focus(surface, f"{folder}/later.txt")
    person.no_longer_sees("#file-notice.shown")


# --- Python ---

SHAPES = "class Circle:\n    def area(self, digits: int = 2) -> float:\n        return 1.0\n"


def wait_for_state(surface: Surface, text: str) -> None:
    """Wait for a text of the state, which a small panel doesn't show."""
    surface.wait_for("document.querySelector('#editor-state').textContent.includes(arguments[0])", text)


@pytest.mark.extended
def test_python_is_completed_checked_and_renamed(surface: Surface, person: Person, folder: str) -> None:
    write(surface, f"{folder}/pyproject.toml", "")
    write(surface, f"{folder}/shapes.py", SHAPES)
    edit(surface, person, f"{folder}/main.py", "import os\nfrom shapes import Circle\n\n")
    surface.wait_for(
        "[...document.querySelectorAll('#editor-view .cm-lintRange')].some((each) => each.textContent === 'os')"
    )
    wait_for_state(surface, "problems · LF")
    person.press(Keys.END, holding=Keys.CONTROL)
    person.type("Circle().ar")
    surface.wait_for("document.querySelector('.cm-tooltip-autocomplete li')?.textContent.includes('area')")
    person.type("ea(")
    person.sees(".cm-signature", "area(digits: int=2) -> float")
    person.type(")")
    person.no_longer_sees(".cm-signature")
    person.press(Keys.ARROW_LEFT)
    person.press(Keys.ARROW_LEFT)
    person.press(Keys.F2)
    person.sees(".cm-dialog", "New name of area")
    person.press("a", holding=Keys.CONTROL)
    person.type("surface")
    person.press(Keys.ENTER)
    person.sees('region "Editor" [role=status]', "Renamed in 2 files.")
    assert read(surface, f"{folder}/main.py").endswith("Circle().surface()")
    assert read(surface, f"{folder}/shapes.py") == SHAPES.replace("area(", "surface(")
    wait_for_focus(surface, f"{folder}/main.py")
    person.press(Keys.F12)
    wait_for_focus(surface, f"{folder}/shapes.py")
    wait_for_state(surface, "Ln 2")


@pytest.mark.fortnightly
def test_the_gutter_marks_changes_and_saving_may_format(
    surface: Surface, person: Person, folder: str
) -> None:
    write(surface, f"{folder}/a.py", "x = 1\ny = 2\n")
    commands = "git init -q", "git add -A", "git -c user.name=a -c user.email=a@b commit -qm one"
    assert (
        surface.call("terminal_execute", command=f"cd {folder} && {' && '.join(commands)}")["exit_code"] == 0
    )
    edit(surface, person, f"{folder}/a.py")
    person.type("x   =  0\n")
    person.find('region "Editor" .cm-git .cm-git-added')
    surface.javascript("localStorage.setItem('gemini:editor.format_on_save', 'true')")
    person.press("s", holding=Keys.CONTROL)
    person.sees('region "Editor" [role=status]', "Saved a.py.")
    surface.javascript("localStorage.removeItem('gemini:editor.format_on_save')")
    assert read(surface, f"{folder}/a.py") == "x = 0\nx = 1\ny = 2\n"

    # A message stays when the file changes on disk.
    write(surface, f"{folder}/a.py", "z = 3\n")
    surface.wait_for(f"{LINES}.includes('z = 3')")
    person.sees('region "Editor" [role=status]', "Saved a.py.")
