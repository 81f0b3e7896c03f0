"""Programs that start programs: `subprocess`, `os.system`, `asyncio.create_subprocess_exec`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from gemini_testing import Surface
from tests.web.person import Background, Person

pytestmark = pytest.mark.fortnightly

PROBES = Path(__file__).parent / "programs" / "probes.py"
# What CPython 3.11 printed on Debian 12.
EXPECTED = json.loads(PROBES.with_name("expected.json").read_text())
# What differs, and why: none.
DIFFERENT: set[str] = set()


def test_the_expected_outcomes_are_cpython_s() -> None:
    # A shell starts background jobs with SIGINT ignored, and their children inherit that.
    listen = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    ran = subprocess.run(
        [sys.executable, PROBES], capture_output=True, text=True, check=True, preexec_fn=listen
    )
    assert json.loads(ran.stdout) == EXPECTED


def test_a_script_starts_programs_as_in_cpython(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/probes.py", content=PROBES.read_text())
    ran = surface.call("terminal_execute", command=f"python {folder}/probes.py", timeout_s=60, streams=True)
    outcomes = json.loads(ran["stdout"])
    different = {name: outcomes[name] for name in EXPECTED if outcomes[name] != EXPECTED[name]}
    print(json.dumps(different, indent=1), ran["stderr"])
    assert set(different) == DIFFERENT


def test_the_console_starts_programs(surface: Surface) -> None:
    ran = surface.call(
        "python_run",
        code="import subprocess\n"
        "subprocess.run('echo out; echo err >&2; python3 -c \"print(1)\"', shell=True)\n"
        "child = subprocess.Popen(['cat'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\n"
        "subprocess.getoutput('pwd')",
    )
    assert (ran["stdout"], ran["stderr"], ran["result"]) == ("out\n1\n", "err\n", "/project")
    assert surface.python("child.communicate('in a later call')[0]") == "in a later call"


def test_a_time_limit_ends_children(surface: Surface, folder: str) -> None:
    code = f"import subprocess; subprocess.run('sleep 30; touch {folder}/late', shell=True)"
    ran = surface.call("terminal_execute", command=f'python -c "{code}"', timeout_s=1)
    assert ran["timed_out"] and "KeyboardInterrupt" in ran["output"]
    # The page's own frames aren't shown.
    assert "gemini" not in ran["output"]
    left = surface.call("terminal_execute", command=f"jobs; ls {folder}; kill -0 $! 2>/dev/null; pgrep sleep")
    assert "late" not in left["output"]


def test_a_killed_job_ends_its_children(surface: Surface, folder: str) -> None:
    code = (
        "import subprocess, sys; child = subprocess.Popen(['sleep', '30']); "
        f"open('{folder}/pid', 'w').write(str(child.pid)); child.wait()"
    )
    command = (
        f'python -c "{code}" & while [ ! -s {folder}/pid ]; do sleep 0.05; done; kill %1; wait %1; echo $?; '
        f"sleep 0.3; kill -0 $(cat {folder}/pid) 2>/dev/null; echo $?"
    )
    ran = surface.call("terminal_execute", command=command, timeout_s=20)
    assert ran["output"].split() == ["143", "1"], ran


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("os.fork()", "subprocess.run"),
        ("os.execv('/bin/sh', ['sh'])", "subprocess.run"),
        ("multiprocessing.Process(target=print).start()", "asyncio"),
        ("multiprocessing.Pool()", "asyncio"),
        ("threading.Thread(target=print).start()", "asyncio"),
        ("ThreadPoolExecutor().submit(print)", "asyncio"),
        ("pty.spawn('sh')", "subprocess.run"),
        ("subprocess.run(['true'], preexec_fn=print)", "cwd"),
    ],
)
def test_what_a_page_lacks_says_what_to_use(surface: Surface, code: str, hint: str) -> None:
    imports = "import multiprocessing, os, pty, subprocess, threading\nfrom concurrent.futures import *"
    attempt = f"try:\n    {code}\nexcept (OSError, RuntimeError) as error:\n    said = str(error)"
    ran = surface.call("python_run", code=f"{imports}\n{attempt}\nsaid")
    assert hint in ran["result"]


def test_one_process_shares_values_with_itself(surface: Surface) -> None:
    code = (
        "from multiprocessing import Array, Value\nfailed, row = Value('B'), Array('i', [1, 2])\n"
        "with failed.get_lock():\n    failed.value += 3\nrow[1] += 5\n[failed.value, *row]"
    )
    assert surface.call("python_run", code=code)["result"] == [3, 1, 7]


def test_a_program_starts_itself_again(surface: Surface, folder: str) -> None:
    text = (
        "import os, subprocess, sys\nprint(os.environ.get('AGAIN'), sys.orig_argv, flush=True)\n"
        "if 'AGAIN' not in os.environ:\n"
        "    subprocess.run([sys.executable, *sys.orig_argv[1:]], env={**os.environ, 'AGAIN': '1'})\n"
    )
    surface.call("file_write", path=f"{folder}/again.py", content=text)
    ran = surface.call("terminal_execute", command=f"cd {folder} && python -u -m again one")
    assert [line.split()[0] for line in ran["output"].splitlines()] == ["None", "1"]
    assert ran["output"].count("'-u', '-m', 'again', 'one']") == 2


CONTEXT = "from gemini.tools import consent; from gemini.tools.calls import current_call"


@pytest.mark.parametrize(
    "start",
    [
        "subprocess.run([sys.executable, 'child.py'])",
        "os.system('sh -c \"python3 child.py | cat\"')",
        "asyncio.run(asyncio.create_subprocess_shell('python3 child.py'))",
    ],
)
def test_a_child_asks_in_the_name_of_its_parent_s_call(surface: Surface, folder: str, start: str) -> None:
    show = f"{CONTEXT}\nprint(current_call().id, consent.current_request_context(), flush=True)\n"
    parent = f"import asyncio, os, subprocess, sys, time\n{show}{start}\ntime.sleep(0.3)\n"
    for name, text in (("child.py", show), ("parent.py", parent)):
        surface.call("file_write", path=f"{folder}/{name}", content=text)
    ran = surface.call("terminal_execute", command=f"cd {folder} && python parent.py")
    of_parent, of_child = ran["output"].splitlines()
    assert of_parent == of_child and '"tool": "terminal_execute"' in of_child


def test_a_job_s_child_asks_in_the_name_of_the_call_that_started_the_job(
    surface: Surface, folder: str
) -> None:
    show = f"{CONTEXT}; print(current_call().id, flush=True)"
    job = f'(python -c "{show}"; until [ -e go ]; do sleep 0.05; done; python -c "{show}") > ids &'
    surface.call("terminal_execute", command=f"cd {folder}; {job}")
    ran = surface.call("terminal_execute", command="touch go; wait; cat ids", timeout_s=20)
    first, second = ran["output"].split()
    assert first == second


def test_a_child_s_request_to_the_network_is_asked_for(surface: Surface, person: Person) -> None:
    inner = "from pyodide.http import open_url; print(open_url('https://child.example/x').read())"
    code = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {inner!r}]).returncode"
    call = Background(surface, "python_run", {"code": code})
    assert "child.example" in person.asked()
    person.click('button "Refuse"')
    assert call.result()["result"] == 1


DEEP = """
import gc, sys, time

class Deep:
    def __getattr__(self, name):
        # C calls this, so each level has a frame in the memory that stacks share.
        left = int(name[1:])
        return getattr(self, f"x{left - 1}") if left else time.sleep(float(sys.argv[2]))

getattr(Deep(), f"x{sys.argv[1]}")
for _ in range(50):
    gc.collect(1)
print("collected")
"""


@pytest.mark.fortnightly
def test_garbage_is_collected_while_other_programs_wait(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/deep.py", content=DEEP)
    jobs = "python deep.py 20 0.3 & python deep.py 5 0.1 & python deep.py 30 0.2 & python deep.py 2 0.05 &"
    ran = surface.call(
        "terminal_execute", command=f"cd {folder}; for n in 1 2; do {jobs} done; wait", timeout_s=20
    )
    assert ran["output"] == "collected\n" * 8, ran
