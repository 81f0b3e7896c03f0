"""A kernel that doesn't answer is noticed: one that is busy is left alone, and one that is stuck is replaced."""

from __future__ import annotations

from gemini_testing import Surface
from tests.web.conftest import Start
from tests.web.person import Person

BUSY = "import time\nend = time.monotonic() + 14\nwhile time.monotonic() < end: pass\n'done'"
# Not even an interrupt reaches JavaScript.
STUCK = "from pyodide.code import run_js\nrun_js('for (;;);')"


def test_who_waits_for_a_busy_kernel_is_told_and_it_goes_on(
    surface: Surface, person: Person, start: Start
) -> None:
    surface.python("marked = 'before'")
    call = start("python_run", code=BUSY)
    person.sees("#failure", "Python is busy")
    assert call.result()["result"] == "done"
    person.no_longer_sees("#failure")
    assert surface.python("marked") == "before"


def test_a_stuck_kernel_is_replaced_although_nobody_stops_it(
    surface: Surface, person: Person, start: Start
) -> None:
    surface.call("file_write", path="/project/kept.txt", content="kept")
    call = start("python_run", code=STUCK)
    person.sees("#failure", "Restart Python")
    error = call.result()["error"]
    assert (error["type"], "stuck" in error["message"]) == ("KernelDied", True)
    assert surface.call("file_read", path="/project/kept.txt")["content"] == "kept"
    person.no_longer_sees("#failure")
