"""Terminals of the user's computer, through the companion: nothing runs there without consent."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Container
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.surface import WAIT_TIMEOUT_S
from tests.web.conftest import Start
from tests.web.own_machine import machine, surface_of_module
from tests.web.person import Person

__all__ = ["machine", "surface_of_module"]

pytestmark = [pytest.mark.extended, pytest.mark.usefixtures("empty_home")]
DIRECT = (
    "from gemini.kernel.kernel import kernel\n"
    "await kernel.host.request('host/execute', {'terminal': 1, 'command': 'echo $((6*7)) > stolen'})"
)


def test_each_command_of_an_agent_needs_consent(
    surface: Surface, person: Person, start: Start, machine: Path
) -> None:
    opening = start("terminal_create", backend="host")
    person.asked("open a shell on your computer")
    person.click('button "Allow once"')
    terminal = opening.result()["terminal_id"]

    command = "echo out; echo err >&2; pwd > where; exit 3"
    call = start("terminal_execute", command=command, terminal_id=terminal, streams=True)
    person.asked(command)
    person.asked(str(machine))
    assert not (machine / "where").exists()
    person.click('button "Allow once"')
    answer = call.result()
    assert (answer["stdout"], answer["stderr"], answer["exit_code"]) == ("out\n", "err\n", 3)
    assert (machine / "where").read_text() == f"{machine}\n"

    refused = start("terminal_execute", command="touch never", terminal_id=terminal)
    person.asked("touch never")
    person.click('button "Refuse"')
    assert refused.result()["error"]["type"] == "Refused"
    assert not (machine / "never").exists()


def test_a_program_s_grant_covers_it_and_can_be_revoked(
    surface: Surface, person: Person, start: Start, machine: Path
) -> None:
    granting = start("terminal_execute", command="ls -a")
    person.asked("Program")
    person.click('button "Allow this program"')
    assert granting.result()["exit_code"] == 0
    assert surface.call("terminal_execute", command="ls where")["output"] == "where\n"
    person.open_panel("settings")
    person.sees('list "What agents may do on this computer"', str(machine))
    person.click('region "This computer" button[data-does="Revoke all on this computer"]')
    person.sees('region "This computer"', "No permissions")
    again = start("terminal_execute", command="ls where")
    person.click('button "Refuse"')
    assert again.result()["error"]["type"] == "Refused"


def test_code_in_the_page_needs_consent_whatever_it_claims(
    surface: Surface, person: Person, start: Start, machine: Path
) -> None:
    call = start("python_run", code=DIRECT)
    person.asked("echo $((6*7)) > stolen")
    person.click('button "Refuse"')
    assert "the user refused" in call.result()["error"]["message"]
    assert not (machine / "stolen").exists()


OWN = "(await gemini.callTool('terminal_list', {})).find((row) => row.focused).id"


def test_a_user_types_into_their_own_shell_without_questions_and_python_can_not(
    surface: Surface, person: Person, start: Start, machine: Path
) -> None:
    person.press("k", holding=Keys.CONTROL)
    person.type(">new terminal on this")
    person.press(Keys.ENTER)
    enter(surface, person)
    person.type("echo $((20+3)) | tee typed\n")
    surface.wait_for(
        f"(async () => (await gemini.callTool('terminal_read', {{ terminal_id: {OWN} }})).text.includes('\\n23'))()"
    )
    assert (machine / "typed").read_text() == "23\n"
    assert not surface.javascript("return document.querySelector('[role=alertdialog]').open")

    terminal = surface.wait_for(f"(async () => {OWN})()")
    call = start("terminal_input", terminal_id=terminal, text="touch by-python\n")
    person.asked("touch by-python")
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"
    # The question had the focus, so keys need a press again. The screen takes no focus before.
    enter(surface, person)
    surface.driver.execute_script(SYNTHETIC)
    # xterm itself answers a query for the cursor position, which isn't a key of the user.
    drawing = "import gemini\nt = gemini.terminals['{}']\nt._draw('\\x1b[6n' * 3 + '\\x1bP$qm\\x1b\\\\')"
    surface.call("python_run", code=drawing.format(terminal))
    person.type("echo 'on''ly' me > me\n")
    wait_until(lambda: (machine / "me").exists() and (machine / "me").read_text())
    assert (machine / "me").read_text() == "only me\n"
    assert not (machine / "by-python").exists() and not (machine / "synthetic").exists()


def enter(surface: Surface, person: Person) -> None:
    """Let keys go to the user's computer: a separate press, whenever the focus has come there."""
    surface.wait_for(
        "document.activeElement.matches('.terminal.own .own-enter') && document.activeElement.ariaDisabled === null"
    )
    person.press(Keys.ENTER)
    surface.wait_for("document.activeElement.matches('.terminal.own textarea')")


SYNTHETIC = """
const area = document.querySelector(".terminal[data-front] textarea") ?? document.activeElement;
for (const key of [..."touch synthetic", "Enter"]) {
  const made = { key, bubbles: true, cancelable: true, keyCode: key === "Enter" ? 13 : key.charCodeAt(0) };
  for (const type of ["keydown", "keypress", "keyup"]) area.dispatchEvent(new KeyboardEvent(type, made));
  area.dispatchEvent(new InputEvent("input", { data: key, inputType: "insertText", bubbles: true, composed: true }));
}
"""


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + WAIT_TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


DRAWER = """
import curses
def main(screen):
    while True:
        rows, columns = screen.getmaxyx()
        screen.erase()
        screen.border()
        screen.addstr(1, 2, f"{columns} by {rows}")
        screen.refresh()
        screen.getch()
curses.wrapper(main)
"""


def test_a_full_screen_program_redraws_correctly_after_a_resize(
    surface: Surface, person: Person, machine: Path
) -> None:
    (machine / "drawer.py").write_text(DRAWER)
    person.type(f"{sys.executable} {machine}/drawer.py\n")
    sizes = {drawn_size(surface, person)}
    for width, height in ((1000, 700), (1300, 850)):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        surface.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        sizes.add(drawn_size(surface, person, other_than=sizes))
    assert len(sizes) == 3
    person.press("c", holding=Keys.CONTROL)


def drawn_size(
    surface: Surface, person: Person, other_than: Container[tuple[int, int]] = ()
) -> tuple[int, int]:
    """Wait until the program's frame fits the screen, and return its reported size."""
    deadline = time.monotonic() + WAIT_TIMEOUT_S
    while time.monotonic() < deadline:
        rows = person.screen.split("\n")
        match = re.search(r"(\d+) by (\d+)", "\n".join(rows[:2]))
        if match and (size := (int(match[1]), int(match[2]))) not in other_than:
            edges = len(rows) >= size[1] and rows[0].startswith("┌") and rows[size[1] - 1].startswith("└")
            if edges and all(len(row) == size[0] for row in rows[: size[1]]):
                return size
    pytest.fail(f"the screen shows {person.screen!r}")


def test_the_question_names_the_secret_that_a_command_gets(
    surface: Surface, person: Person, start: Start
) -> None:
    value = "tok-aB3dE5gH7jK9mN1pQ3"
    person.open_panel("settings")
    for field, text in (("name", "github"), ("value", value)):
        person.find(f'form "Add a secret" [name={field}]').send_keys(text)
    # Headers are chosen at first.
    for place in ("header", "host"):
        person.click(f'form "Add a secret" [value="{place}"]')
    person.click('form "Add a secret" [type=submit]')
    person.sees('[data-secret="github"]', "commands")
    terminal = start("terminal_create", backend="host")
    person.answer_questions(terminal, "once")
    call = start(
        "terminal_execute",
        command="TOKEN=secret:github printenv TOKEN",
        terminal_id=terminal.result()["terminal_id"],
    )
    question = person.asked("printenv TOKEN")
    assert "github" in question and "TOKEN" in question and value not in question
    person.click('button "Allow once"')
    assert value not in str(call.result())
