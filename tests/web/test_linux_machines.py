"""Linux machines in the page: saved and continued after a reload, copied, paused, deleted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.linux_page import require_machine
from tests.web.person import Person

pytestmark = pytest.mark.extended(together="linux")
# The longest call of a test, and the calls that wait for one thing on a slow computer.
CALL_S = 45
CALLS = 8
HELPERS = f"""
import asyncio, pathlib
async def ends(task):
    done, _ = await asyncio.wait({{task}}, timeout={CALL_S})
    return bool(done) and (task.result(), True)[1]
async def comes(condition):
    try:
        async with asyncio.timeout({CALL_S}):
            while not condition():
                await asyncio.sleep(0.05)
        return True
    except TimeoutError:
        return False
def counted(name):
    path = pathlib.Path('/project', name)
    return int(path.read_text().strip() or 0) if path.exists() else 0
"""
# A shell loop as a user types it. It counts in a file whose name it reads each time, so that copies count apart.
LOOP = "typed=blue; n=0; while :; do n=$((n+1)); read mark </etc/mark; echo $n >/project/$mark; sleep 0.05; done\r"


@pytest.fixture(autouse=True, scope="module")
def image(surface_dist: Path) -> None:
    require_machine(surface_dist)


@pytest.fixture
def linux(surface: Surface) -> Iterator[str]:
    """Open a Linux terminal and return its id; delete all machines afterwards."""
    surface.python(HELPERS)
    opened = surface.python("terminal = gemini.create_terminal(backend='linux')\nterminal.term_id")
    does(surface, "terminal.ready()")
    yield opened
    surface.python("for each in await gemini.linux.list():\n    await gemini.linux.throw_away(each.name)")


def does(surface: Surface, code: str) -> None:
    """Await an expression, for longer than a call may take."""
    surface.python(f"task = asyncio.ensure_future({code})")
    assert any(surface.python("await ends(task)") for _ in range(CALLS)), code


def sees(surface: Surface, condition: str) -> None:
    assert any(surface.python(f"await comes(lambda: {condition})") for _ in range(CALLS)), condition


def reload(surface: Surface, terminal: str) -> None:
    surface.reload()
    surface.python(HELPERS)
    does(surface, f"gemini.terminals[{terminal!r}].ready()")


def run(surface: Surface, terminal: str, command: str) -> str:
    done = surface.call("terminal_execute", terminal_id=terminal, command=command, timeout_s=CALL_S)
    assert done["exit_code"] == 0, done
    return str(done["output"])


def count(surface: Surface, terminal: str, mark: str) -> None:
    """Let a loop count in a file, and wait for its first numbers."""
    run(surface, terminal, f"echo {mark} >/etc/mark")
    surface.call("terminal_input", terminal_id=terminal, text=LOOP)
    sees(surface, f"counted({mark!r}) > 2")


def goes_on(surface: Surface, mark: str) -> None:
    surface.python(f"before = counted({mark!r})")
    sees(surface, f"counted({mark!r}) > before")


def problem(surface: Surface, code: str) -> dict[str, Any]:
    """Return the error that an expression raises."""
    script = f"try:\n    await {code}\nexcept gemini.GeminiError as error:\n    raised = error.as_json()['error']\n"
    return dict(surface.python(f"raised = None\n{script}raised"))


def test_a_saved_machine_continues_after_a_reload_with_its_processes_and_files(
    surface: Surface, linux: str
) -> None:
    run(surface, linux, "word=violet; cd /tmp; echo noted >/tmp/note; exec 3>/project/open.txt; echo one >&3")
    count(surface, linux, "first")
    does(surface, "gemini.linux.save()")
    before = surface.python("counted('first')")
    reload(surface, linux)
    assert run(surface, linux, "echo two >&3; cat /tmp/note; echo $word $PWD") == "noted\nviolet /tmp\n"
    assert surface.python("open('/project/open.txt').read()") == "one\ntwo\n"
    sees(surface, f"counted('first') > {before}")
    surface.call("terminal_input", terminal_id=linux, text="\x03")
    surface.call("terminal_input", terminal_id=linux, text="echo $typed$((6*7))\r")
    sees(surface, f"'blue42' in ' '.join(gemini.terminals[{linux!r}].lines)")


def test_a_fork_goes_on_apart_with_terminals_of_its_own(surface: Surface, linux: str) -> None:
    run(surface, linux, "word=violet; mkdir -p /root/here")
    count(surface, linux, "first")
    does(surface, "gemini.linux.fork('work')")
    [copy] = surface.python("task.result().terminals")
    assert run(surface, copy, "echo second >/etc/mark; echo $word; word=green; ls /root") == "violet\nhere\n"
    sees(surface, "counted('second') > 2")
    goes_on(surface, "first")
    goes_on(surface, "second")
    assert run(surface, linux, "echo $word; cat /etc/mark; rmdir /root/here") == "violet\nfirst\n"
    assert run(surface, copy, "echo $word; ls /root") == "green\nhere\n"

    assert problem(surface, "gemini.linux.fork('work')")["type"] == "MachineExists"
    limited = problem(surface, "gemini.linux.fork('third')")
    assert (limited["type"], limited["data"]["limit"]) == ("MachineLimit", 2)
    assert "gemini.linux.limit" in limited["hint"]
    surface.python("await gemini.linux.throw_away('work')")
    assert surface.python("[each.name for each in await gemini.linux.list()]") == ["main"]
    assert copy not in [row["id"] for row in surface.call("terminal_list")]
    assert (
        problem(surface, "gemini.create_terminal(backend='linux:work').ready()")["type"] == "MachineMissing"
    )


def test_a_paused_machine_uses_no_processor_and_resumes(surface: Surface, linux: str) -> None:
    count(surface, linux, "first")
    surface.python("await gemini.linux.pause()")
    assert surface.python("[each.state for each in await gemini.linux.list()]") == ["paused"]
    paused = surface.python("before = counted('first')\nawait asyncio.sleep(1)\n(before, counted('first'))")
    assert paused[0] == paused[1]
    refused = problem(surface, f"gemini.terminals[{linux!r}].execute('true')")
    assert (refused["type"], refused["data"]) == ("MachinePaused", {"machine": "main"})
    surface.python("await gemini.linux.resume()")
    goes_on(surface, "first")


def test_a_state_older_than_the_disk_is_restored_on_request_with_its_disk(
    surface: Surface, linux: str
) -> None:
    run(surface, linux, "word=violet; echo old >/root/file; sync")
    does(surface, "gemini.linux.save()")
    run(surface, linux, "word=green; echo new >/root/file; sync")
    reload(surface, linux)
    assert run(surface, linux, "cat /root/file") == "new\n"
    sees(surface, f"'older than its disk' in ' '.join(gemini.terminals[{linux!r}].lines)")
    does(surface, "gemini.linux.restore()")
    assert run(surface, linux, "echo $word; cat /root/file") == "violet\nold\n"
    does(surface, "gemini.linux.reset()")
    assert problem(surface, "gemini.linux.restore()")["type"] == "MachineUnsaved"
    assert run(surface, linux, "cat /root/file 2>/dev/null || echo none") == "none\n"


def test_the_panel_shows_machines_and_changes_them(person: Person, linux: str) -> None:
    person.open_panel("machines")
    person.sees('[data-machine="main"]', "running")
    person.sees('[data-machine="main"] table', "bash -l")
    person.click('[data-machine="main"] [data-change="pause"]')
    person.sees('[data-machine="main"]', "paused")
    person.click('[data-machine="main"] [data-change="resume"]')
    person.sees('[data-machine="main"]', "running")
    person.click('[data-machine="main"] [data-change="throw_away"]')
    person.click('[data-machine="main"] [data-confirm]')
    person.sees("#machines-body", "No machines yet")
