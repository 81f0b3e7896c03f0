"""What was started can be stopped, even where it never pauses, and everything else goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.conftest import CopyOfDist, Start
from tests.web.person import Background, Person

# A busy kernel sends nothing by itself, but this leaves the worker at once: the page shows the state of its snapshot.
TELL = (
    "import js, pyodide.ffi; js.postMessage(pyodide.ffi.to_js({'type': 'snapshot', 'state': 'begun'}, "
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
    "a Python sleep": "python3 -c 'import time; time.sleep(60)'",
}
DECLARE = f"""
import gemini

@gemini.tool(effect="read")
def busy() -> int:
    '''Never end.'''
    {TELL}
    while True: pass
"""


@pytest.fixture
def begin(surface: Surface, start: Start) -> Callable[..., Background]:
    """Starts a call, and comes back when its code runs."""
    return lambda tool, **arguments: begun(surface, start, tool, **arguments)


def begun(surface: Surface, start: Start, tool: str, **arguments: Any) -> Background:
    surface.javascript("document.documentElement.dataset.snapshot = ''")
    call = start(tool, **arguments)
    surface.wait_for("document.documentElement.dataset.snapshot === 'begun'")
    return call


def told(command: str) -> str:
    return f'python3 -c "{TELL}"; {command}'


def ran_on(surface: Surface) -> bool:
    """Whether it is still the Python in which `mark` was called."""
    return surface.python("globals().get('marked')") == "before"


def is_replaced(surface: Surface) -> None:
    surface.wait_for("document.documentElement.dataset.kernel !== 'ready'")
    surface.wait_until_ready()


@pytest.fixture(autouse=True)
def _mark(surface: Surface) -> None:
    surface.python("marked = 'before'")


@pytest.mark.parametrize("what", PYTHON)
def test_an_aborted_call_stops_python(surface: Surface, begin: Callable[..., Background], what: str) -> None:
    call = begin("python_run", code=f"{TELL}\n{PYTHON[what]}")
    call.abort()

    assert call.result() == {"aborted": "AbortError"}
    assert ran_on(surface)


@pytest.mark.parametrize("what", SHELL)
def test_an_aborted_call_stops_a_command(
    surface: Surface, begin: Callable[..., Background], terminal: str, what: str
) -> None:
    call = begin("terminal_execute", terminal_id=terminal, command=told(SHELL[what]))
    call.abort()

    after = surface.call("terminal_execute", terminal_id=terminal, command="echo back")
    assert (after["stdout"], after["exit_code"]) == ("back\n", 0)
    assert ran_on(surface)


@pytest.mark.parametrize("what", SHELL)
def test_terminal_interrupt_stops_a_command(
    surface: Surface, begin: Callable[..., Background], terminal: str, what: str
) -> None:
    call = begin("terminal_execute", terminal_id=terminal, command=told(SHELL[what]))
    surface.call("terminal_interrupt", terminal_id=terminal)

    assert call.result()["exit_code"] == 130
    assert ran_on(surface)


@pytest.mark.parametrize("what", SHELL)
def test_a_timeout_stops_a_command(surface: Surface, terminal: str, what: str) -> None:
    done = surface.call("terminal_execute", terminal_id=terminal, command=SHELL[what], timeout_s=0.5)

    assert (done["exit_code"], done["timed_out"]) == (124, True)
    assert ran_on(surface)


def test_a_timeout_that_is_over_at_once_stops_the_command_and_nothing_else(
    surface: Surface, terminal: str
) -> None:
    for _ in range(20):
        done = surface.call("terminal_execute", terminal_id=terminal, command="sleep 60", timeout_s=1e-9)

        assert (done["exit_code"], done["timed_out"]) == (124, True)


def test_ctrl_c_in_one_terminal_leaves_the_others_alone(
    surface: Surface, person: Person, begin: Callable[..., Background], terminal: str
) -> None:
    work = "import time\nend = time.monotonic() + 3\nwhile time.monotonic() < end: pass\n'done'"
    person.sees(f"[data-tab-panel-id={terminal}][aria-selected=true]")
    person.enter_terminal()
    call = begin("python_run", code=f"{TELL}\n{work}")
    person.press("c", holding=Keys.CONTROL)

    assert call.result()["result"] == "done"
    assert ran_on(surface)


def test_a_tool_of_a_script_that_never_ends_is_stopped(
    surface: Surface, begin: Callable[..., Background]
) -> None:
    surface.python(DECLARE)
    surface.wait_for("document.modelContext.getTools().then((all) => all.some((one) => one.name === 'busy'))")
    call = begin("busy")
    call.abort()

    assert ran_on(surface)
    [row] = surface.python("gemini.server.kernel.kernel.snapshot()['calls'][-1:]")
    assert (row["tool"], row["ok"]) == ("busy", False)
    assert '"Cancelled"' in row["result_preview"]
    surface.python("gemini.registry.remove('busy')")


STUBBORN = """
while True:
    try:
        while True: pass
    except KeyboardInterrupt:
        pass
"""


def test_code_that_will_not_stop_costs_its_kernel_and_no_files(
    surface: Surface, begin: Callable[..., Background]
) -> None:
    surface.call("file_write", path="/project/kept.txt", content="kept")
    call = begin("python_run", code=f"{TELL}\n{STUBBORN}")
    call.abort()
    is_replaced(surface)

    assert surface.call("file_read", path="/project/kept.txt")["content"] == "kept"
    assert not ran_on(surface)


def test_without_isolation_a_busy_kernel_is_replaced(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    surface = open_surface(isolated=False, dist=copy_of_dist(without="service_worker.js"))
    surface.call("file_write", path="/project/kept.txt", content="kept")
    call = begun(
        surface,
        lambda tool, **arguments: Background(surface, tool, arguments),
        "python_run",
        code=f"{TELL}\n{PYTHON['a loop']}",
    )
    call.abort()
    is_replaced(surface)

    assert surface.call("file_read", path="/project/kept.txt")["content"] == "kept"
