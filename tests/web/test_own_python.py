"""An agent whose file says `python: own` has an interpreter in its own worker."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gemini_testing import Surface
from tests.tiers import sampled
from tests.web.person import Person

SETUP = """
import asyncio, json, time
import gemini
from gemini.agents import ScriptedModel, call, say
from gemini.errors import GeminiError
from gemini.computer.python import own
from gemini.computer.python.owners import own_python
from gemini.tools import registry

async def as_agent(tool, owner="loner", **arguments):
    own_python.set(owner)
    return json.loads(await registry.call_json(tool, arguments, caller=f"agent:{owner}"))
"""
Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def page(surface_of_module: Surface) -> Surface:
    surface_of_module.python(SETUP)
    return surface_of_module


@pytest.fixture(scope="module")
def ask(page: Surface) -> Ask:
    """Call a tool as an agent with its own Python."""

    def ask(tool: str, owner: str = "loner", **arguments: Any) -> Any:
        given = f"**json.loads({json.dumps(arguments)!r})"
        return page.python(f"await asyncio.create_task(as_agent({tool!r}, {owner!r}, {given}))")

    return ask


@pytest.mark.extended
def test_the_agents_file_says_so(page: Surface) -> None:
    code = """
gemini.agents.create("hermit", "Works alone.", tools=["terminals"], python="own")
gemini.agents.current().model = ScriptedModel([
    call("python_run", code="secret = 6 * 7; import sys; secret"),
    call("terminal_execute", command="python3 -c 'import sys; print(sys.modules.keys() >= {\\"json\\"})'"),
    say("Done"),
])
outcome = await gemini.agents.team("Calculate", agent="hermit")
gemini.agents.current().model = None
outcome.status, "secret" in globals(), [row["agent"] for row in own.current().rows()]
"""
    assert page.python(code) == ["done", False, ["hermit"]]
    assert page.python("await asyncio.create_task(as_agent('python_run', 'hermit', code='secret'))") == {
        "result": 42,
        "stdout": "",
        "stderr": "",
    }


def test_names_and_modules_are_the_agents_own(page: Surface, ask: Ask) -> None:
    page.python("import json; json.mark = 'shared'; mine = 1")
    assert (
        ask("python_run", code="mine = 2; import json; json.mark = 'own'; print('hi'); mine")["stdout"]
        == "hi\n"
    )
    assert ask("python_run", code="mine, json.mark, 'gemini' in globals()")["result"] == [2, "own", False]
    assert page.python("mine, json.mark") == [1, "shared"]
    failed = ask("python_run", code="print('before'); 1/0")["error"]
    assert failed["type"] == "PythonError" and failed["message"] == "ZeroDivisionError: division by zero"
    assert failed["data"]["stdout"] == "before\n" and "<console-" in failed["data"]["traceback"]


FILES = """
import os, pathlib, shutil, stat, tempfile, mmap, sqlite3, zipfile
def work(folder):
    root = pathlib.Path(folder)
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    seen = []
    a = root / "a.txt"
    a.write_text("one\\ntwo\\n")
    with open(a, "a") as file:
        file.write("three\\n")
    seen.append(a.read_text())
    with open(a, "r+b") as file:
        file.seek(4); file.write(b"TWO"); file.seek(0, 2); seen.append(file.tell()); file.truncate(8)
    seen.append(a.read_bytes().decode())
    try:
        open(a, "x")
    except OSError as error:
        seen.append(type(error).__name__)
    for wrong in (
        lambda: open(root / "none"), lambda: os.listdir(a), lambda: os.rmdir(root), lambda: open(root).read()
    ):
        try:
            wrong()
        except OSError as error:
            seen.append(f"{type(error).__name__} {error.strerror}")
    (root / "sub/deep").mkdir(parents=True)
    os.rename(a, root / "sub/b.txt")
    os.symlink("b.txt", root / "sub/link")
    seen.append([os.readlink(root / "sub/link"), (root / "sub/link").read_text(), (root / "sub/link").is_symlink()])
    os.chmod(root / "sub/b.txt", 0o600)
    os.utime(root / "sub/b.txt", (1_000, 2_000))
    status = os.stat(root / "sub/b.txt")
    seen.append([stat.filemode(status.st_mode), status.st_mtime, status.st_size])
    seen.append(sorted(str(path.relative_to(root)) for path in root.rglob("*")))
    shutil.copytree(root / "sub", root / "copy", symlinks=True)
    os.replace(root / "sub/b.txt", "/tmp/moved.txt")
    seen.append([os.path.exists("/tmp/moved.txt"), sorted(os.listdir(root / "sub"))])
    shutil.rmtree(root / "copy")
    seen.append(os.path.exists(root / "copy"))
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x" * 300_000); file.flush(); seen.append(os.path.getsize(file.name))
    with zipfile.ZipFile(root / "z.zip", "w") as archive:
        archive.writestr("in.txt", "inside")
    seen.append(zipfile.ZipFile(root / "z.zip").read("in.txt").decode())
    with sqlite3.connect(root / "d.db") as database:
        database.execute("create table t (x)")
        database.executemany("insert into t values (?)", [(n,) for n in range(1000)])
    seen.append(sqlite3.connect(root / "d.db").execute("select sum(x) from t").fetchone())
    (root / "m").write_bytes(b"mapped file")
    with open(root / "m", "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        seen.append(mapped[:6].decode()); mapped[0:1] = b"M"; mapped.flush()
    seen.append((root / "m").read_text())
    os.chdir(root); seen.append(os.getcwd() == str(root)); os.chdir("/project")
    (root / "ünï 集.txt").write_text("ü"); seen.append(sorted(os.listdir(root)))
    return seen
work("/project/FOLDER")
"""


def test_files_are_the_same_and_behave_the_same(page: Surface, ask: Ask) -> None:
    answer = ask("python_run", code=FILES.replace("FOLDER", "files_own"))
    assert "result" in answer, answer["error"]["data"]["traceback"]
    assert answer["result"] == page.python(FILES.replace("FOLDER", "files_shared"))
    assert page.python("open('/project/files_own/sub/deep/../../m').read()") == "Mapped file"
    page.call("file_write", path="/project/files_own/new.txt", content="written by a tool")
    assert (
        ask("python_run", code="open('/project/files_own/new.txt').read()")["result"] == "written by a tool"
    )
    page.call("file_write", path="/project/helper_of_own.py", content="answer = 1")
    assert ask("python_run", code="import helper_of_own; helper_of_own.answer")["result"] == 1


LINES: dict[str, str] = {
    "echo hi | python3 -c 'import sys; print(sys.argv, sys.stdin.read().strip())' 1 2": "['-c', '1', '2'] hi\n",
    "cd /tmp; X=y python3 -c 'import os; print(os.getcwd(), os.environ[\"X\"])'": "/tmp y\n",
    "python3 -c 'import sys; sys.exit(3)'; echo $?": "3\n",
    "python3 -c 'print(1/0)' 2>&1 | tail -1": "ZeroDivisionError: division by zero\n",
    "seq 3 | python3 -c 'import sys; [print(int(line) * 2) for line in sys.stdin]'": "2\n4\n6\n",
    "python3 -c 'import itertools; [print(n) for n in itertools.count()]' 2>/dev/null | head -2": "0\n1\n",
    "timeout 0.5 python3 -c 'while True: pass'; echo $?": "124\n",
    "python3 -c 'import subprocess; subprocess.run([\"ls\"])' 2>&1 | grep -o 'an agent.*execute'": (
        "an agent's own Python starts no programs. Use the tool terminal_execute\n"
    ),
    "printf '#!/usr/bin/env python3\\nprint(__name__)' > /tmp/p; chmod +x /tmp/p; /tmp/p": "__main__\n",
}


@pytest.mark.parametrize("line", sampled(LINES))
def test_a_program_runs_in_it(ask: Ask, line: str) -> None:
    ran = ask("terminal_execute", command=line, streams=True)
    assert ran["stdout"] == LINES[line], ran["stderr"]


SPIN = "spinning = asyncio.create_task(as_agent('python_run', code={code!r})); await asyncio.sleep(1)"


def test_others_go_on_beside_one_that_spins_and_a_stop_ends_it_alone(page: Surface, ask: Ask) -> None:
    ask("python_run", code="saved = 1")
    page.python(SPIN.format(code="while True: pass"))
    began = "began = time.perf_counter(); "
    assert page.python(f"{began} sum(range(1000)), time.perf_counter() - began < 1") == [499500, True]
    assert page.call("terminal_execute", command="echo on")["output"] == "on\n"
    assert ask("python_run", owner="another", code="6 * 7")["result"] == 42
    assert page.python("spinning.cancel(); await asyncio.wait([spinning]); spinning.cancelled()") is True
    assert ask("python_run", code="saved")["result"] == 1
    page.python(SPIN.format(code="import time; time.sleep(60)"))
    assert page.python("spinning.cancel(); await asyncio.wait([spinning]); spinning.cancelled()") is True
    assert ask("python_run", code="saved")["result"] == 1


@pytest.mark.extended
def test_code_that_does_not_stop_is_ended_and_the_next_call_starts_again(page: Surface, ask: Ask) -> None:
    ask("python_run", code="saved = 1")
    stubborn = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    page.python(SPIN.format(code=stubborn))
    assert page.python("spinning.cancel(); await asyncio.wait([spinning]); spinning.cancelled()") is True
    assert ask("python_run", code="'saved' in globals()")["result"] is False


def test_memory_has_a_limit(page: Surface, ask: Ask) -> None:
    before = page.python("import pyodide_js; pyodide_js._module.HEAP8.length")
    failed = ask("python_run", code="saved = 1; hold = [bytearray(1 << 26) for _ in range(40)]")["error"]
    assert failed["message"].startswith("MemoryError")
    assert ask("python_run", code="saved")["result"] == 1
    [row] = [row for row in page.python("own.current().rows()") if row["agent"] == "loner"]
    assert 1 << 25 < row["memory"] <= 1 << 30
    # The shared Python's own work grows it a little.
    assert page.python("pyodide_js._module.HEAP8.length") < before + (1 << 27)


PIECE = 1 << 20
WRITES = f"""
with open("/project/pieces.bin", "wb", buffering=0) as file:
    for _ in range(10_000):
        file.write(b"x" * {PIECE}); file.seek(0)
"""


def test_one_that_dies_while_it_writes_leaves_whole_writes_and_an_error(page: Surface, ask: Ask) -> None:
    ended = """
await asyncio.sleep(0.5)
own.current().end("loner")
(await spinning)["error"]["type"], __import__("os").path.getsize("/project/pieces.bin")
"""
    page.python(SPIN.format(code=WRITES))
    assert page.python(ended) == ["InterpreterEnded", PIECE]
    page.python(SPIN.format(code="import js; js.self.close()"))
    assert page.python("(await spinning)['error']['type']") == "InterpreterEnded"
    assert ask("python_run", code="1 + 1")["result"] == 2
    killed = ask(
        "terminal_execute", command="python3 -c 'import js; js.self.close(); input()'; echo $?", streams=True
    )
    assert killed["stdout"] == "137\n" and "has ended" in killed["stderr"]


REQUEST = "import urllib.request; urllib.request.urlopen('https://example.com').status"


def test_the_kernels_policy_holds_inside(page: Surface, ask: Ask) -> None:
    page.python(SPIN.format(code=REQUEST))
    # The door asks the user, as for the kernel's requests.
    Person(page).click('button "Refuse"')
    assert "the user refused" in page.python("(await spinning)['error']['message']")
    code = """
import asyncio, js
from pyodide.ffi import create_proxy
blocked = []
note = create_proxy(lambda event: blocked.append(event.effectiveDirective))
js.self.addEventListener("securitypolicyviolation", note)
try:
    js.Worker.new("data:text/javascript,1")
except Exception:
    pass
try:
    await js.eval("(a) => import(a)")("https://example.com/a.js")
except Exception:
    pass
await asyncio.sleep(0.2)
sorted(set(blocked)), [hasattr(js, name) for name in ("document", "parent", "opener", "frames")]
"""
    blocked, reach = ask("python_run", code=code)["result"]
    assert "worker-src" in blocked and reach == [False] * 4
    refused = ask("python_run", code="import gemini; gemini.terminals")["error"]
    assert "NotStarted" in refused["message"]
