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
    person.sees("#failure", "Python is busy")
    assert call.result()["result"] == "done"
    person.no_longer_sees("#failure")
    assert surface.python("marked") == "before"


def test_a_stuck_kernel_is_replaced_automatically(surface: Surface, person: Person, start: Start) -> None:
    surface.call("file_write", path="/project/saved.txt", content="saved")
    call = start("python_run", code=STUCK)
    person.sees("#failure", "Restart Python")
    error = call.result()["error"]
    assert (error["type"], "stuck" in error["message"]) == ("KernelDied", True)
    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"
    person.no_longer_sees("#failure")
