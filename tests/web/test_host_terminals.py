"""Terminals of the person's computer, through the companion: nothing runs there that they didn't agree to."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Container, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.host.policy import HostPolicy
from gemini_testing import Surface
from gemini_testing.errors import ToolCallFailed
from gemini_testing.surface import PATIENCE_S
from tests.companions import companion_of, opened_by
from tests.web.conftest import Start
from tests.web.person import Person

DIRECT = (
    "from gemini.kernel import kernel\n"
    "await kernel.host.request('host/execute', {'terminal': 1, 'command': 'echo $((6*7)) > stolen'})"
)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the person who started the companion allowed."""
    return tmp_path_factory.mktemp("machine")


@pytest.fixture(scope="module")
def surface_of_module(surface_dist: Path, machine: Path) -> Iterator[Surface]:
    policy = HostPolicy(allowed=True, directories=(machine,))
    with companion_of(surface_dist, policy) as companion, opened_by(companion) as surface:
        yield surface


def test_each_command_of_an_agent_is_shown_first(
    surface: Surface, person: Person, start: Start, machine: Path
) -> None:
    opening = start("terminal_create", backend="host")
    person.sees("#approval", "host")
    person.click("#approval-once")
    terminal = opening.result()["terminal_id"]

    command = "echo out; echo err >&2; pwd > where; exit 3"
    call = start("terminal_execute", command=command, terminal_id=terminal)
    person.sees("#approval-arguments", command)
    assert not (machine / "where").exists()
    person.click("#approval-once")
    answer = call.result()
    assert (answer["stdout"], answer["stderr"], answer["exit_code"]) == ("out\n", "err\n", 3)
    assert (machine / "where").read_text() == f"{machine}\n"

    refused = start("terminal_execute", command="touch never", terminal_id=terminal)
    person.click("#approval-refuse")
    assert refused.result()["error"]["type"] == "Refused"
    assert not (machine / "never").exists()


def test_code_in_the_page_gets_nothing_by_another_way(surface: Surface, machine: Path) -> None:
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("python_run", code=DIRECT)
    assert "has not agreed" in failed.value.message
    assert not (machine / "stolen").exists()


def test_a_person_types_into_their_own_shell(surface: Surface, person: Person, machine: Path) -> None:
    person.press("k", holding=Keys.CONTROL)
    person.type(">new terminal of this")
    person.press(Keys.ENTER)
    person.sees("dialog.question", str(machine))
    person.click("dialog.question button[value=allow]")
    surface.wait_for("document.activeElement.closest('.xterm') !== null")
    person.type("echo $((20+3)) | tee typed\n")
    surface.wait_for(
        "(async () => (await gemini.callTool('terminal_read', {"
        " terminal_id: (await gemini.callTool('terminal_list', {})).find((row) => row.focused).id }))"
        ".text.includes('\\n23'))()"
    )
    assert (machine / "typed").read_text() == "23\n"


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


def test_a_full_screen_program_draws_right_after_a_resize(
    surface: Surface, person: Person, machine: Path
) -> None:
    (machine / "drawer.py").write_text(DRAWER)
    person.type(f"{sys.executable} {machine}/drawer.py\n")
    sizes = {drawn(surface, person)}
    for width, height in ((1000, 700), (1300, 850)):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        surface.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        sizes.add(drawn(surface, person, other_than=sizes))
    assert len(sizes) == 3
    person.press("c", holding=Keys.CONTROL)


def drawn(surface: Surface, person: Person, other_than: Container[tuple[int, int]] = ()) -> tuple[int, int]:
    """The size that the program tells, once its frame goes along all edges of the screen."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        rows = person.screen.split("\n")
        told = re.search(r"(\d+) by (\d+)", "\n".join(rows[:2]))
        if told and (size := (int(told[1]), int(told[2]))) not in other_than:
            edges = len(rows) >= size[1] and rows[0].startswith("┌") and rows[size[1] - 1].startswith("└")
            if edges and all(len(row) == size[0] for row in rows[: size[1]]):
                return size
    pytest.fail(f"the screen shows {person.screen!r}")
