"""Python tries to bring the user's typing into a terminal of the user's computer, without a press there.

Each attack ends with its control: the same line, typed after a press in that terminal, runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.host.policy import HostPolicy
from gemini_testing import Surface, ToolCallFailed
from gemini_testing.errors import PythonFailed
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.tiers import sampled
from tests.web.conftest import Resize, Start
from tests.web.console import focus_console
from tests.web.person import Person
from tests.web.test_host_terminals import wait_until

pytestmark = pytest.mark.usefixtures("empty_home")

ENTER = ".own-enter"
DRAWN = "[...document.querySelectorAll('[data-terminal]')]"
OWNS = "[...document.querySelectorAll('.terminal.own')]"
# A press on a button that is seen counts.
ARMED = """[...document.querySelectorAll(".own-enter")].filter((button) => button.checkVisibility())
  .every((button) => button.ariaDisabled === null)"""
TYPES = "document.activeElement.matches('.terminal.own textarea')"
IN_OWN = "document.activeElement.closest('.terminal.own') !== null"
IDS_OF_OWNS = f"return {OWNS}.map(({{ dataset }}) => dataset.terminal)"
# A terminal of the computer shares its group with none of the page.
APART = """!document.querySelector(`.dv-groupview:has([data-terminal=${arguments[0]}])`)
  ?.querySelector("[data-terminal]:not(.own)")"""
# The page shows the terminals that Python has, and which is in front. Those behind others aren't drawn.
SETTLED = """(async () => {
  const rows = await gemini.callTool("terminal_list", {});
  const drawn = [...document.querySelectorAll("[data-terminal]")];
  const focused = rows.find((row) => row.focused)?.id;
  return rows.every(({ id }) => document.querySelector(`[data-tab-panel-id=${id}]`) !== null)
    && drawn.every(({ dataset }) => rows.some(({ id }) => id === dataset.terminal))
    && drawn.every(({ dataset, attributes }) => ("data-front" in attributes) === (dataset.terminal === focused));
})()"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the folder that the companion allows."""
    return tmp_path_factory.mktemp("machine")


@pytest.fixture(scope="module")
def surface_of_module(surface_dist: Path, machine: Path, browsers: BrowserPool) -> Iterator[Surface]:
    policy = HostPolicy(allowed=True, directories=(machine,))
    with companion_of(surface_dist, policy) as companion, opened_by(companion, browsers) as surface:
        yield surface


def open_own(person: Person) -> str:
    """Open a terminal of the computer as the user does, and return its id once it has its place."""
    before = person.surface.javascript(IDS_OF_OWNS)
    person.press("k", holding=Keys.CONTROL)
    person.type(">new terminal on this")
    person.sees("#omnibar [role=option][aria-selected=true]", "New terminal on this computer")
    person.press(Keys.ENTER)
    new = f"{OWNS}.map(({{ dataset }}) => dataset.terminal).find((id) => !arguments[0].includes(id))"
    own = person.surface.wait_for(new, before)
    person.surface.wait_for(SETTLED)
    person.surface.wait_for(APART, own)
    return own


@pytest.fixture
def own(surface: Surface, person: Person) -> str:
    """Return the id of a new terminal of the computer, the only one."""
    return open_own(person)


@pytest.fixture(autouse=True)
def tidy(surface: Surface, machine: Path) -> Iterator[None]:
    """Close the tabs and terminals of a test, and open one of the page."""
    yield
    surface.python(TIDY)
    surface.wait_for(SETTLED)
    for file in machine.iterdir():
        file.unlink()


TIDY = """
import gemini
from gemini.kernel.kernel import kernel
for tab in list(gemini.browser.tabs):
    if tab != "page":
        await gemini.browser.close(tab)
for name in list(kernel.terminals.terminals):
    await kernel.terminals.close(name)
kernel.terminals.create()
None
"""


class Typist:
    """The user, who types a line that must not run on the computer, and then one that must."""

    def __init__(self, person: Person, machine: Path, own: str) -> None:
        self.person = person
        self.machine = machine
        self.own = own

    def types_on(self) -> None:
        """Type the line at once, and again when a press on the terminal's button would count."""
        assert not (self.machine / "attack").exists()
        for _ in range(2):
            self.person.type(f"touch {self.machine}/attack\n")
            self.person.surface.wait_for(ARMED)
        self.person.type(f"touch {self.machine}/attack\n")

    def controls(self) -> None:
        """Type the line after a press in the terminal: it runs, and the other line hasn't."""
        self.press()
        self.controls_now()

    def controls_now(self) -> None:
        """Type the line in the terminal, which takes keys already."""
        self.person.type(f" touch {self.machine}/control\n")
        control = self.machine / "control"
        wait_until(control.exists)
        control.unlink()
        assert not (self.machine / "attack").exists()

    def press(self) -> None:
        """Press in the terminal, once that counts."""
        surface = self.person.surface
        button = f"[data-terminal={self.own}] {ENTER}"
        if not surface.javascript(f"return document.querySelector({button!r})?.checkVisibility()"):
            self.person.click(f"[data-tab-panel-id={self.own}]")
        self.person.click(button)
        surface.wait_for(TYPES)


@pytest.fixture
def typist(person: Person, machine: Path, own: str) -> Typist:
    return Typist(person, machine, own)


KERNEL = "from gemini.kernel.kernel import kernel\nterminals = kernel.terminals\n"
CODE = {
    "code closes it": "await terminals.close(PAGE)",
    "code closes it and focuses the own one": "await terminals.close(PAGE)\nterminals.focus(OWN)",
    "code focuses the own one and closes it": "terminals.focus(OWN)\nawait terminals.close(PAGE)",
    "code focuses the own one": "terminals.focus(OWN)",
    "code focuses the own one over and over": (
        "for _ in range(50):\n    terminals.focus(PAGE)\n    terminals.focus(OWN)"
    ),
    "code closes all others": (
        "for name in list(terminals.terminals):\n    if name != OWN:\n        await terminals.close(name)"
    ),
    "code draws an error into the own one, and closes it": (
        "import gemini\ngemini.terminals[OWN]._draw('\\x1b[2J\\x1b[Hcrash: press Enter')\nawait terminals.close(PAGE)"
    ),
    "code closes it after it has opened another": "terminals.create()\nawait terminals.close(PAGE)",
    "code opens one that floats over it": (
        "terminals.create(x=40, y=40)\nterminals.focus(OWN)\nawait terminals.close(PAGE)"
    ),
    "code opens and closes": (
        "made = terminals.create()\nawait terminals.close(made.term_id)\nawait terminals.close(PAGE)"
    ),
    "code ends its shell": "await terminals.terminals[PAGE].typed('exit\\r')",
    "code opens a tab": "await gemini.browser.open('about:blank')\nterminals.focus(OWN)",
    "code closes it while a tab opens": "await gemini.browser.open('about:blank')\nawait terminals.close(PAGE)",
}
TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "terminal_close": ("terminal_close", {"terminal_id": "PAGE"}),
    "terminal_focus": ("terminal_focus", {"terminal_id": "OWN"}),
    "terminal_create": ("terminal_create", {}),
    "terminal_create, floating": ("terminal_create", {"x": 40, "y": 40}),
    "run_in_new_terminal": ("run_in_new_terminal", {"command": "true"}),
    "browser_tabs": ("browser_tabs", {"action": "open", "url": "about:blank"}),
    "find_and_edit": ("find_and_edit", {"pattern": "README.md"}),
    "file_navigate": ("file_navigate", {"path": "/project"}),
}


@pytest.mark.parametrize("way", sampled(CODE, every=13))
def test_keys_typed_in_a_terminal_of_the_page_stay_out_of_the_computer_s(
    surface: Surface, own: str, shell: Person, terminal: str, typist: Typist, way: str
) -> None:
    code = CODE[way].replace("PAGE", repr(terminal)).replace("OWN", repr(own))
    surface.python(f"import gemini\n{KERNEL}{code}\nNone")
    surface.wait_for(SETTLED)

    typist.types_on()
    typist.controls()


@pytest.mark.extended
@pytest.mark.parametrize("way", TOOLS)
def test_no_tool_brings_them_there(
    surface: Surface, own: str, shell: Person, terminal: str, typist: Typist, way: str
) -> None:
    tool, given = TOOLS[way]
    names = {"PAGE": terminal, "OWN": own}
    surface.call(tool, **{name: names.get(value, value) for name, value in given.items()})
    surface.wait_for(SETTLED)

    typist.types_on()
    typist.controls()


# --- answers of Python that come late, or name another terminal ---

HOLD = """
import asyncio
from gemini.computer.terminal.terminal import MapTerminal
may_answer, ready = asyncio.Event(), MapTerminal.ready
async def late(self):
    await may_answer.wait()
    await ready(self)
MapTerminal.ready = late
"""
RELEASE = "may_answer.set()\nMapTerminal.ready = ready"


@pytest.mark.extended
def test_a_terminal_that_comes_late_leaves_the_keyboard_where_it_is_by_then(
    surface: Surface, shell: Person, terminal: str, machine: Path
) -> None:
    surface.python(HOLD)
    drawn = surface.javascript(f"return {DRAWN}.length")
    shell.press("k", holding=Keys.CONTROL)
    shell.type(">new terminal on this")
    shell.sees("#omnibar [role=option][aria-selected=true]", "New terminal on this computer")
    shell.press(Keys.ENTER)
    surface.wait_for(f"{DRAWN}.length > arguments[0]", drawn)
    shell.click(f"[data-tab-panel-id={terminal}]")
    shell.enter_terminal()
    surface.python(RELEASE)
    own = surface.wait_for(f"{OWNS}[0]?.dataset.terminal")

    typist = Typist(shell, machine, own)
    typist.types_on()
    assert not surface.javascript(f"return {IN_OWN}")
    typist.controls()


@pytest.mark.extended
def test_an_answer_can_not_name_the_computer_s_terminal_as_a_new_one(
    surface: Surface, own: str, shell: Person, typist: Typist
) -> None:
    surface.python(
        f"{KERNEL}create = terminals.create\nterminals.create = lambda *_, **__: terminals.terminals[{own!r}]"
    )
    try:
        shell.press("k", holding=Keys.CONTROL)
        shell.type(">new terminal")
        shell.sees("#omnibar [role=option][aria-selected=true]", "New terminal")
        shell.press(Keys.ENTER)
        surface.wait_for("!document.querySelector('#omnibar-list').checkVisibility()")

        typist.types_on()
        typist.controls()
    finally:
        surface.python("terminals.create = create")


@pytest.mark.extended
def test_another_terminal_of_the_same_name_takes_no_keys_for_the_computer(
    surface: Surface, person: Person, machine: Path
) -> None:
    own = open_own(person)
    typist = Typist(person, machine, own)
    typist.controls()
    surface.python(
        f"{KERNEL}await terminals.close({own!r})\n"
        f"terminals.create_from(None, {int(own.split('-')[1])}, 'shell')\nNone"
    )
    person.sees(f"[data-tab-panel-id={own}]")
    surface.wait_for(SETTLED)

    for _ in range(2):
        person.type(f"touch {machine}/attack\n")
    surface.wait_for(f"document.querySelector('[data-terminal={own}] .own-enter') === null")
    person.click(f"[data-tab-panel-id={own}]")
    person.enter_terminal()
    person.type(f"touch {machine}/attack; echo no\n")
    person.reads("cannot touch")
    assert not (machine / "attack").exists()
    Typist(person, machine, open_own(person)).controls()


# --- the user is in the terminal of the computer, and the focus goes away and comes back ---


@pytest.mark.extended
def test_a_question_that_python_withdraws_returns_no_keys(
    surface: Surface, typist: Typist, start: Start
) -> None:
    typist.press()
    # Without a name, an agent's command runs in a separate terminal.
    call = start("terminal_execute", terminal_id=typist.own, command=f"touch {typist.machine}/asked")
    typist.person.sees("#approval-question", "touch")
    call.abort()
    typist.person.no_longer_sees("#approval")
    # The button has the focus, and the next keys are no press of it.

    typist.types_on()
    typist.controls()


@pytest.mark.extended
def test_a_closed_terminal_of_the_computer_hands_its_keys_to_no_other_one(
    surface: Surface, person: Person, machine: Path, own: str
) -> None:
    """Neither to the other one of the computer, nor to one of the page."""
    second = Typist(person, machine, open_own(person))
    second.press()
    surface.python(f"{KERNEL}await terminals.close({second.own!r})\nterminals.focus({own!r})")
    surface.wait_for(SETTLED)

    first = Typist(person, machine, own)
    first.types_on()
    assert surface.javascript("return document.activeElement === document.body")
    first.controls()


@pytest.mark.extended
def test_a_window_that_gets_the_focus_back_needs_a_press(surface: Surface, typist: Typist) -> None:
    typist.press()
    surface.javascript(LEAVE)
    surface.driver.switch_to.window(surface.driver.current_window_handle)
    surface.wait_for(f"document.activeElement.matches({ENTER!r})")

    typist.types_on()
    surface.wait_for(ARMED)
    # The user's own press on the button where they left off.
    typist.person.press(Keys.ENTER)
    surface.wait_for(TYPES)
    typist.controls_now()


# What a window receives when the system's focus goes to another one, such as the companion's browser.
LEAVE = "window.dispatchEvent(new FocusEvent('blur'))"


@pytest.mark.extended
@pytest.mark.parametrize("width", [1400, 600])
def test_layouts_that_bring_it_to_the_front_bring_no_keys(
    surface: Surface, own: str, resize: Resize, shell: Person, terminal: str, typist: Typist, width: int
) -> None:
    resize(width)
    shell.click(f"[data-tab-panel-id={terminal}]")
    shell.enter_terminal()
    if width == 1400:
        shell.press("k", holding=Keys.CONTROL)
        shell.type(">reset layout")
        shell.sees("#omnibar [role=option][aria-selected=true]", "Reset layout")
        shell.press(Keys.ENTER)
    surface.call("terminal_focus", terminal_id=own)
    surface.call("terminal_close", terminal_id=terminal)
    surface.wait_for(SETTLED)

    typist.types_on()
    typist.controls()


@pytest.mark.extended
def test_restarting_python_hands_no_keys_on(surface: Surface, own: str, shell: Person, machine: Path) -> None:
    with pytest.raises((PythonFailed, ToolCallFailed)):
        surface.python("import os; os.abort()")
    surface.wait_for("document.documentElement.dataset.kernel !== 'ready'")
    shell.type(f"touch {machine}/attack\n" * 2)
    surface.wait_until_ready()
    surface.wait_for(SETTLED)
    shell.type(f"touch {machine}/attack\n" * 2)

    Typist(shell, machine, open_own(shell)).controls()


# --- whatever has moved the focus there, keys don't count before a press ---

FORCED = """
const area = document.querySelector(".terminal.own textarea");
area.disabled = false;
area.focus();
return document.activeElement === area;
"""
IN_BUTTON = """
const button = document.querySelector(".own-enter");
button.focus();
return document.activeElement === button;
"""


@pytest.mark.extended
@pytest.mark.parametrize("script", [FORCED, IN_BUTTON], ids=["screen", "button"])
def test_keys_after_a_focus_without_a_press_do_not_count(
    surface: Surface, typist: Typist, script: str
) -> None:
    assert surface.javascript(script)

    typist.types_on()
    typist.controls()


@pytest.mark.extended
@pytest.mark.parametrize("way", ["paste", "insertText", "imeSetComposition"])
def test_neither_do_pasted_and_composed_texts(surface: Surface, typist: Typist, way: str) -> None:
    line = f"touch {typist.machine}/attack\n"
    typist.person.copy(line)
    assert surface.javascript(FORCED)
    if way == "paste":
        typist.person.paste()
    elif way == "insertText":
        surface.driver.execute_cdp_cmd("Input.insertText", {"text": line})
    else:
        given = {"text": line.strip(), "selectionStart": 0, "selectionEnd": 0}
        surface.driver.execute_cdp_cmd("Input.imeSetComposition", given)
        surface.driver.execute_cdp_cmd("Input.insertText", {"text": line.strip()})
    typist.person.press(Keys.ENTER)

    typist.controls()
    # The same text counts after a press.
    typist.press()
    typist.person.copy(f"touch {typist.machine}/pasted\n")
    typist.press()
    typist.person.paste()
    typist.person.press(Keys.ENTER)
    wait_until((typist.machine / "pasted").exists)


@pytest.mark.extended
@pytest.mark.parametrize("button", ["right", "middle"])
def test_presses_that_paste_or_open_a_menu_do_not_count(
    surface: Surface, typist: Typist, button: str
) -> None:
    place = surface.javascript(
        "const { left, top } = document.querySelector('.terminal.own .xterm-screen').getBoundingClientRect();"
        "return { x: left + 40, y: top + 40 }"
    )
    surface.wait_for(ARMED)
    for kind in ("mousePressed", "mouseReleased"):
        given = {"type": kind, "button": button, "clickCount": 1, **place}
        surface.driver.execute_cdp_cmd("Input.dispatchMouseEvent", given)
    typist.person.press(Keys.ESCAPE)

    typist.types_on()
    typist.controls()


@pytest.mark.extended
def test_a_script_s_press_does_not_count(surface: Surface, typist: Typist) -> None:
    surface.javascript(
        """const button = document.querySelector(".own-enter");
        for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
          button.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, detail: 0 }));
        }
        for (const type of ["keydown", "keyup"]) {
          button.dispatchEvent(new KeyboardEvent(type, { key: "Enter", bubbles: true }));
        }
        button.click();"""
    )

    typist.types_on()
    typist.controls()


# --- where it stands ---


@pytest.mark.extended
def test_it_shares_a_group_with_no_other_panel(
    surface: Surface, own: str, shell: Person, terminal: str
) -> None:
    apart = f"!document.querySelector('.dv-groupview:has([data-terminal={own}])').contains(arguments[0])"
    others = "document.querySelector(`[data-tab-panel-id=${arguments[0]}]`)"
    surface.wait_for(apart.replace("arguments[0]", others), terminal)
    # Also where the user drops one, the two stand apart again.
    shell.drag(f"[data-tab-panel-id={terminal}]", f"[data-tab-panel-id={own}]")
    surface.wait_for(apart.replace("arguments[0]", others), terminal)
    assert shell.sees(f"[data-terminal={own}] .own-bar", "Your computer")
    assert shell.sees(f"[data-tab-panel-id={own}] .panel-tab-own", "") is not None


def test_it_closes_and_opens_with_the_other_terminals(
    surface: Surface, own: str, person: Person, typist: Typist
) -> None:
    person.sees(f"[data-terminal={own}] .own-bar", "Your computer")
    person.click('button "Terminal"')
    person.no_longer_sees(f"[data-terminal={own}] .own-bar")
    person.click('button "Terminal"')
    person.sees(f"[data-terminal={own}] .own-bar", "Your computer")

    typist.types_on()
    typist.controls()


@pytest.mark.extended
def test_the_keyboard_alone_reaches_it(surface: Surface, own: str, person: Person, machine: Path) -> None:
    focus_console(person)
    for _ in range(30):
        person.press(Keys.F6)
        if surface.javascript(f"return document.activeElement.matches({ENTER!r})"):
            break
    surface.wait_for(ARMED)
    person.press(Keys.ENTER)
    surface.wait_for(TYPES)
    Typist(person, machine, own).controls_now()
