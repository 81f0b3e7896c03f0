"""The heartbeat: a busy kernel is reported, and a stuck one is replaced."""

from __future__ import annotations

import pytest

from gemini_testing import Surface
from tests.web.conftest import Start
from tests.web.person import Person

pytestmark = pytest.mark.extended

BUSY = "import time\nend = time.monotonic() + 14\nwhile time.monotonic() < end: pass\n'done'"
# Not even an interrupt stops JavaScript.
STUCK = "from pyodide.code import run_js\nrun_js('for (;;);')"


def test_a_busy_kernel_is_reported_and_continues(surface: Surface, person: Person, start: Start) -> None:
    surface.python("marked = 'before'")
    call = start("python_run", code=BUSY)
    person.sees("[role=alert].failure", "Python is busy")
    assert call.result()["result"] == "done"
    person.no_longer_sees("[role=alert].failure")
    assert surface.python("marked") == "before"


def test_a_load_of_the_surfaces_own_is_not_called_busy(
    surface: Surface, person: Person, start: Start
) -> None:
    surface.javascript(
        "window.shown = 0; new MutationObserver(() => { shown += !document.querySelector('#failure').hidden; })"
        ".observe(document.querySelector('#failure'), { attributes: true })"
    )
    lines = BUSY.splitlines()
    code = "from gemini.core import ffi\nwith ffi.own_load():\n    " + "\n    ".join(lines)
    assert start("python_run", code=code).result()["stderr"] == ""
    assert surface.javascript("return shown") == 0
    # The next code that never pauses is the user's again.
    call = start("python_run", code=BUSY)
    person.sees("[role=alert].failure", "Python is busy")
    call.result()
    person.no_longer_sees("[role=alert].failure")


def test_a_stuck_kernel_is_replaced_automatically(surface: Surface, person: Person, start: Start) -> None:
    surface.call("file_write", path="/project/saved.txt", content="saved")
    call = start("python_run", code=STUCK)
    person.sees("[role=alert].failure", "Restart Python")
    error = call.result()["error"]
    assert (error["type"], "stuck" in error["message"]) == ("KernelDied", True)
    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"
    person.no_longer_sees("[role=alert].failure")
