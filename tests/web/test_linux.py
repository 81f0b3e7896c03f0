"""Linux in the page: terminals, programs and the files that it shares with the surface."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.conftest import CopyOfDist
from tests.web.linux_page import require_machine

pytestmark = pytest.mark.extended(together="linux")
PATIENCE_S = 30
# Its clock is set by a message, which takes a moment.
LAG_S = 0.1
SEES = f"""
import asyncio, os
async def sees(terminal_id, text):
    terminal = gemini.terminal_manager.terminals[terminal_id]
    try:
        async with asyncio.timeout({PATIENCE_S}):
            while text not in "\\n".join(terminal.lines):
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError("\\n".join(terminal.lines)) from None
"""


@pytest.fixture(autouse=True, scope="module")
def image(surface_dist: Path) -> None:
    require_machine(surface_dist)


@pytest.fixture
def linux(surface: Surface) -> Iterator[str]:
    """Open a Linux terminal and return its id."""
    surface.python(SEES)
    opened: str = surface.call("terminal_create", backend="linux")["terminal_id"]
    yield opened
    surface.call("terminal_close", terminal_id=opened)


def run(surface: Surface, command: str, terminal: str) -> str:
    done = surface.call("terminal_execute", command=command, terminal_id=terminal, streams=True)
    assert (done["stderr"], done["exit_code"]) == ("", 0), done
    return str(done["stdout"])


def type_and_see(surface: Surface, terminal: str, keys: str, text: str) -> None:
    surface.call("terminal_input", terminal_id=terminal, text=keys)
    surface.python(f"await sees({terminal!r}, {text!r})")


def test_the_clock_agrees_with_that_of_the_page(surface: Surface, linux: str) -> None:
    # The page sets the times of files in /project, and `make` compares them with its own.
    command = "cd /project; : >new; now=$EPOCHREALTIME; stat -c %.6Y new; echo $now; rm new"
    answer = surface.call("terminal_execute", terminal_id=linux, command=command)
    made_s, now_s = map(float, answer["output"].split())
    assert now_s > made_s - LAG_S


def test_a_person_types_into_a_terminal_with_job_control(surface: Surface, linux: str) -> None:
    type_and_see(surface, linux, "echo $((6*7)) žluť; tty\r", "echo $((6*7)) žluť; tty\n42 žluť\n/dev/pts/")
    # Its output shows that it runs: before, keys would reach the shell.
    type_and_see(surface, linux, "echo runs $((6*7)); cat\r", "\nruns 42")
    type_and_see(surface, linux, "hello\r", "hello\nhello")
    type_and_see(surface, linux, "\x1a", "Stopped")
    type_and_see(surface, linux, "fg\r", "fg\ncat")
    type_and_see(surface, linux, "again\r", "again\nagain")
    type_and_see(surface, linux, "\x03", "^C")
    type_and_see(surface, linux, "echo code $?\r", "code 130")
    surface.python(f"gemini.terminal_manager.terminals[{linux!r}].resize(91, 33)")
    type_and_see(surface, linux, "stty size\r", "33 91")


def test_a_size_that_changes_while_the_terminal_opens_counts(surface: Surface) -> None:
    surface.python(SEES)
    opened = surface.python(
        "terminal = gemini.create_terminal(backend='linux')\n"
        "opening = asyncio.ensure_future(terminal.ready())\n"
        "await asyncio.sleep(0)\n"
        "terminal.resize(71, 19)\n"
        "await opening\n"
        "terminal.term_id"
    )
    # The page's view has its own size, too.
    resized = "while [ \"$(stty size)\" = '24 80' ]; do sleep 0.1; done; echo resized $((6*7))\r"
    type_and_see(surface, opened, resized, "resized 42")
    surface.call("terminal_close", terminal_id=opened)


def test_files_are_the_surface_s_own_both_ways(surface: Surface, linux: str) -> None:
    surface.call("file_write", path="/project/both/from-page.txt", content="page\n")
    made = run(
        surface,
        "cd both; cat from-page.txt; echo linux > new; chmod 750 new; ln -s new link; mv new moved",
        linux,
    )
    assert made == "page\n"
    assert surface.python("oct(os.stat('/project/both/moved').st_mode)") == "0o100750"
    assert surface.python("open('/project/both/moved').read()") == "linux\n"
    assert surface.python("os.readlink('/project/both/link')") == "new"
    surface.python("open('/project/both/moved', 'a').write('more\\n')")
    assert run(surface, "cat moved; rm -r /project/both", linux) == "linux\nmore\n"
    assert surface.python("os.path.exists('/project/both')") is False


def test_the_machine_reaches_no_other_file_of_the_surface(surface: Surface, linux: str) -> None:
    surface.python("os.symlink('/home/user', '/project/out')")
    seen = run(
        surface,
        "ls /project/../home; ls /project/out/ 2>&1; echo x > /project/out 2>/dev/null; echo $?",
        linux,
    )
    assert "MANUAL.md" not in seen
    # The link is followed in the machine, which has no such folder.
    assert surface.python("os.path.islink('/project/out')") is True
    run(surface, "rm /project/out", linux)


def test_a_loop_of_files_and_a_large_one_are_whole(surface: Surface, linux: str) -> None:
    script = (
        "mkdir many; for i in $(seq 200); do echo $i > many/$i; done; cat many/* | wc -l; "
        "seq 200000 | tee many/big | md5sum; md5sum < many/big; rm -r many"
    )
    lines = run(surface, script, linux).splitlines()
    assert lines[0] == "200"
    assert lines[1] == lines[2]


def test_a_program_that_a_signal_ends_leaves_no_complaint(surface: Surface, linux: str) -> None:
    assert run(surface, "yes | head -n 1; (kill -TERM $BASHPID); echo $?", linux) == "y\n143\n"


def test_traces_and_traps_of_a_shell_see_its_commands_alone(surface: Surface, linux: str) -> None:
    def ran(command: str) -> tuple[str, str, int]:
        done = surface.call("terminal_execute", command=command, terminal_id=linux, streams=True)
        return done["stdout"], done["stderr"], done["exit_code"]

    assert ran("set -x") == ("", "", 0)
    assert ran("false") == ("", "+ eval false\n++ false\n", 1)
    assert ran("echo $?; set +x")[:2] == ("1\n", "+ eval 'echo $?; set +x'\n++ echo 1\n++ set +x\n")
    assert ran("trap 'echo before' DEBUG") == ("", "", 0)
    assert ran("echo a; trap - DEBUG")[0] == "before\nbefore\na\nbefore\n"
    # After some syntax errors bash takes the next brace for the name of a program.
    assert ran("echo ${")[2] == 2
    assert ran("echo $?; trap 'echo failed' ERR; set -- 'a b' c") == ("2\n", "", 0)
    assert ran('echo "$1"') == ("a b\n", "", 0)
    surface.reload()
    shown, errors, code = ran('declare -F; trap -p; echo "$1"')
    assert "__end" in shown and shown.endswith("trap -- 'echo failed' ERR\na b\n"), shown
    assert (errors, code) == ("", 0)


def test_options_of_the_shell_outlast_a_reload(surface: Surface) -> None:
    opened = surface.call("terminal_create", backend="linux")["terminal_id"]
    run(
        surface,
        "set -o nounset; shopt -s extglob nullglob; shopt -u progcomp; f() { echo ${1/+(a)/b}; }",
        opened,
    )
    # It starts when the state of the command before it is printed.
    run(surface, "true", opened)
    surface.reload()
    options = run(surface, "f aaac; set -o | grep nounset; shopt extglob nullglob progcomp || true", opened)
    assert options.split() == ["bc", "nounset", "on", "extglob", "on", "nullglob", "on", "progcomp", "off"]
    surface.call("terminal_close", terminal_id=opened)


def test_the_status_line_has_the_machine_s_memory(surface: Surface, linux: str) -> None:
    surface.wait_for("/Linux \\d{3} MB/.test(document.querySelector('#status-memory').innerText)")


def test_machines_have_their_own_random_numbers_and_the_right_time(surface: Surface, linux: str) -> None:
    assert (
        abs(int(run(surface, "date +%s", linux)) - surface.python("__import__('time').time()")) < PATIENCE_S
    )
    first = run(surface, "head -c 16 /dev/urandom | base64", linux)
    surface.reload()
    again = surface.call("terminal_create", backend="linux")["terminal_id"]
    assert run(surface, "head -c 16 /dev/urandom | base64", again) != first


def test_without_isolation_files_come_by_messages(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    surface = open_surface(isolated=False, dist=copy_of_dist(without="service_worker.js"))
    assert not surface.javascript("return crossOriginIsolated")
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]
    surface.call("file_write", path="/project/from-page.txt", content="page\n")
    script = "cd /project; cat from-page.txt; seq 20000 | tee big | md5sum; md5sum <big; echo linux >new; sleep 0.1"
    lines = run(surface, script, terminal).splitlines()
    assert lines[0] == "page" and lines[1] == lines[2]
    assert surface.python("open('/project/new').read()") == "linux\n"
    ended = surface.call("terminal_execute", command="sleep 1234", terminal_id=terminal, timeout_s=1)
    assert ended["exit_code"] == 124
