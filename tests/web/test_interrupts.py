"""Interrupts: running code can be stopped, even if it never pauses, and everything else continues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.tiers import in_turn, sampled
from tests.web.conftest import CopyOfDist, Start
from tests.web.person import Background, Person

# A busy kernel sends no other messages, but this one leaves the worker at once: the page shows the snapshot's state.
ANNOUNCE = (
    "import js, pyodide.ffi; js.postMessage(pyodide.ffi.to_js({'type': 'snapshot', 'state': 'started'}, "
    "dict_converter=js.Object.fromEntries))"
)
PYTHON = {
    "a loop": "while True: pass",
    "a loop in a function": "def f():\n    while True: sum(range(100))\nf()",
    "a sleep": "import time; time.sleep(60)",
    "an await": "import asyncio; await asyncio.sleep(60)",
    "a blocked asyncio.run": "import asyncio; asyncio.run(asyncio.sleep(60))",
}
SHELL = {
    "a shell loop": "while :; do :; done",
    "a Python loop": "python3 -c 'while True: pass'",
    "a sleep": "sleep 60",
    "a pipeline": "yes | while read -r line; do :; done",
    "a loop that prints": "while :; do echo busy; done",
    "an awk loop": "awk 'BEGIN { while (1) n++ }'",
    "a jq loop": "jq -n '1 | until(. < 0; . + 1)'",
    "a sed loop": "echo a | sed ':a; ba'",
    "a Python sleep": "python3 -c 'import time; time.sleep(60)'",
}
DECLARE = f"""
import gemini

@gemini.tool(effect="read")
def busy() -> int:
    '''Never end.'''
    {ANNOUNCE}
    while True: pass
"""


RAISED = """
import asyncio.base_events, asyncio.tasks, pyodide.webloop
from gemini.core import interrupts

def raised_in(function):
    namespace = {}
    exec(compile("import sys; frame = sys._getframe()", function.__code__.co_filename, "exec"), namespace)
    before = interrupts.may_interrupt.set(lambda frame: True), interrupts.reason.set(lambda: KeyboardInterrupt)
    try:
        interrupts.on_interrupt(2, namespace["frame"])
    except KeyboardInterrupt:
        return True
    finally:
        interrupts.may_interrupt.reset(before[0])
        interrupts.reason.reset(before[1])
    return False

[raised_in(each) for each in (
    pyodide.webloop.WebLoop.call_soon, asyncio.base_events.BaseEventLoop.create_task, asyncio.tasks.wait_for, raised_in
)]
"""


def test_the_event_loop_s_code_is_never_interrupted(surface: Surface) -> None:
    """Interrupted there, a task that waits would never wake."""
    assert surface.python(RAISED) == [False, False, False, True]


@pytest.fixture
def start_and_wait(surface: Surface, start: Start) -> Callable[..., Background]:
    """Return a function that starts a call and waits until its code runs."""
    return lambda tool, **arguments: _start_and_wait(surface, start, tool, **arguments)


def _start_and_wait(surface: Surface, start: Start, tool: str, **arguments: Any) -> Background:
    surface.javascript("document.documentElement.dataset.snapshot = ''")
    call = start(tool, **arguments)
    surface.wait_for("document.documentElement.dataset.snapshot === 'started'")
    return call


def announcing(command: str) -> str:
    return f'python3 -c "{ANNOUNCE}"; {command}'


def is_same_python(surface: Surface) -> bool:
    """Return whether Python hasn't been replaced since the test started."""
    return surface.python("globals().get('marked')") == "before"


def wait_for_new_kernel(surface: Surface) -> None:
    surface.wait_for("document.documentElement.dataset.kernel !== 'ready'")
    surface.wait_until_ready()


@pytest.fixture(autouse=True)
def _mark(surface: Surface) -> None:
    surface.python("marked = 'before'")


@in_turn("what", PYTHON, every=3)
def test_an_aborted_call_stops_python(
    surface: Surface, start_and_wait: Callable[..., Background], what: str
) -> None:
    call = start_and_wait("python_run", code=f"{ANNOUNCE}\n{PYTHON[what]}")
    call.abort()

    assert call.result() == {"aborted": "AbortError"}
    assert is_same_python(surface)


@in_turn("what", SHELL, every=3)
def test_an_aborted_call_stops_a_command(
    surface: Surface, start_and_wait: Callable[..., Background], terminal: str, what: str
) -> None:
    call = start_and_wait("terminal_execute", terminal_id=terminal, command=announcing(SHELL[what]))
    call.abort()

    after = surface.call("terminal_execute", terminal_id=terminal, command="echo back")
    assert (after["output"], after["exit_code"]) == ("back\n", 0)
    assert is_same_python(surface)


@pytest.mark.parametrize("what", sampled(SHELL))
def test_terminal_interrupt_stops_a_command(
    surface: Surface, start_and_wait: Callable[..., Background], terminal: str, what: str
) -> None:
    call = start_and_wait("terminal_execute", terminal_id=terminal, command=announcing(SHELL[what]))
    surface.call("terminal_interrupt", terminal_id=terminal)

    assert call.result()["exit_code"] == 130
    assert is_same_python(surface)


@pytest.mark.parametrize("what", sampled(SHELL))
def test_a_timeout_stops_a_command(surface: Surface, terminal: str, what: str) -> None:
    done = surface.call("terminal_execute", terminal_id=terminal, command=SHELL[what], timeout_s=0.5)

    assert (done["exit_code"], done["timed_out"]) == (124, True)
    assert is_same_python(surface)


@pytest.mark.extended
def test_an_immediate_timeout_stops_only_the_command(surface: Surface, terminal: str) -> None:
    for _ in range(20):
        done = surface.call("terminal_execute", terminal_id=terminal, command="sleep 60", timeout_s=1e-9)

        assert (done["exit_code"], done["timed_out"]) == (124, True)


@pytest.mark.fortnightly
def test_ctrl_c_affects_only_its_terminal(
    surface: Surface, person: Person, start_and_wait: Callable[..., Background], terminal: str
) -> None:
    work = "import time\nend = time.monotonic() + 3\nwhile time.monotonic() < end: pass\n'done'"
    person.sees(f"[data-tab-panel-id={terminal}][aria-selected=true]")
    person.enter_terminal()
    call = start_and_wait("python_run", code=f"{ANNOUNCE}\n{work}")
    person.press("c", holding=Keys.CONTROL)

    assert call.result()["result"] == "done"
    assert is_same_python(surface)


@pytest.mark.extended
def test_ctrl_c_ends_a_command_that_has_not_started_yet(
    surface: Surface, person: Person, start_and_wait: Callable[..., Background], terminal: str
) -> None:
    number = terminal.removeprefix("term-")
    until_pressed = (
        f"import gemini_host\nwhile not gemini_host.interrupts.isTerminalInterrupted({number}): pass"
    )
    person.sees(f"[data-tab-panel-id={terminal}][aria-selected=true]")
    person.enter_terminal()
    for _ in ("without a shell", "with a shell"):
        call = start_and_wait("python_run", code=f"{ANNOUNCE}\n{until_pressed}")
        person.type("python3 -c 'while True: pass'\n")
        person.press("c", holding=Keys.CONTROL)
        assert "result" in call.result()

        after = surface.call("terminal_execute", terminal_id=terminal, command="echo back", timeout_s=30)
        assert (after["output"], after["exit_code"]) == ("back\n", 0)
    assert is_same_python(surface)


@pytest.mark.extended
def test_a_script_s_endless_tool_is_stopped(
    surface: Surface, start_and_wait: Callable[..., Background]
) -> None:
    surface.python(DECLARE)
    surface.wait_for("document.modelContext.getTools().then((all) => all.some((one) => one.name === 'busy'))")
    call = start_and_wait("busy")
    call.abort()

    assert is_same_python(surface)
    [row] = surface.python("gemini.kernel.kernel.kernel.snapshot()['calls'][-1:]")
    assert (row["tool"], row["ok"]) == ("busy", False)
    assert '"Cancelled"' in row["result_preview"]
    surface.python("gemini.registry.remove('busy')")


# The second interrupt may come while the first one is handled.
STUBBORN = """
while True:
    try:
        while True:
            try:
                while True: pass
            except KeyboardInterrupt:
                pass
    except KeyboardInterrupt:
        pass
"""


@pytest.mark.extended
def test_code_that_can_not_be_stopped_costs_its_kernel_but_no_files(
    surface: Surface, start_and_wait: Callable[..., Background]
) -> None:
    surface.call("file_write", path="/project/saved.txt", content="saved")
    call = start_and_wait("python_run", code=f"{ANNOUNCE}\n{STUBBORN}")
    call.abort()
    wait_for_new_kernel(surface)

    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"
    assert not is_same_python(surface)


@pytest.mark.extended
def test_without_isolation_a_busy_kernel_is_replaced(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    surface = open_surface(isolated=False, dist=copy_of_dist(without="service_worker.js"))
    surface.call("file_write", path="/project/saved.txt", content="saved")
    call = _start_and_wait(
        surface,
        lambda tool, **arguments: Background(surface, tool, arguments),
        "python_run",
        code=f"{ANNOUNCE}\n{PYTHON['a loop']}",
    )
    call.abort()
    wait_for_new_kernel(surface)

    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"
