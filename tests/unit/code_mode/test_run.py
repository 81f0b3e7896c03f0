"""`run`: sessions of code, what they answer, and code that goes wrong."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from gemini.code_mode import answer as answers
from gemini.kernel.kernel import Kernel
from gemini.tools import tool
from tests.unit.code_mode.conftest import CLIENT, Run, answer

OTHER = "mcp:cursor “Cursor”"
has_tasks = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="tasks have no get_context() before Python 3.12"
)


async def test_names_last_in_the_session_of_each_client(run: Run) -> None:
    assert await run("total = 40\ntotal + 2") == "42"
    assert await run("total") == "40"
    assert "NameError: name 'total' is not defined" in await run("total", OTHER)


async def test_two_clients_work_at_once(run: Run) -> None:
    code = "import asyncio\nfor n in range(3):\n    x = me * 10 + n\n    await asyncio.sleep(0)\n    print(x)"
    first, second = await asyncio.gather(run(f"me = 1\n{code}"), run(f"me = 2\n{code}", OTHER))
    assert (first.split(), second.split()) == (["10", "11", "12"], ["20", "21", "22"])


async def test_functions_call_tools_as_the_client(kernel: Kernel, run: Run) -> None:
    path = f"{kernel.home}/a.txt"
    assert await run(f"files.write({path!r}, 'tea\\n').size") == "4"
    assert await run(f"(await files.read({path!r})).content") == "tea"
    assert await run(f"files.edit({path!r}, 'tea', new='milk')['replacements']") == "1"
    rows = [row for row in kernel.registry.log.rows() if row["tool"] != "run"]
    assert [row["tool"] for row in rows] == ["file_write", "file_read", "file_edit"]
    assert {row["caller"] for row in rows} == {CLIENT}
    assert rows[0]["arguments"] == {"path": path, "content": "tea\n"}


async def test_the_console_shows_what_ran_and_for_whom(kernel: Kernel, run: Run) -> None:
    await run("print('tea')\n1 + 1")
    [entry] = kernel.console.transcript.state()["entries"]
    assert (entry["caller"], entry["code"], entry["running"]) == (CLIENT, "print('tea')\n1 + 1", False)
    assert entry["output"] == [{"stream": "stdout", "text": "tea\n"}]
    assert entry["display"] == {"kind": "text", "text": "2", "total": 1}


async def test_a_switched_off_group_stays_off(kernel: Kernel, run: Run) -> None:
    kernel.registry.groups.switch("files", False)
    assert "switched off file_list" in await run("files.list('/')")
    kernel.registry.groups.switch("terminals", False)
    assert "switched off run" in await run("1")


async def test_an_error_shows_the_agents_own_lines_and_the_tools_hint(kernel: Kernel, run: Run) -> None:
    path = f"{kernel.home}/a.txt"
    await run(f"files.write({path!r}, 'tea')")
    row = await answer(
        kernel,
        "run",
        code=f"print('before')\ndef change(path):\n    files.edit(path, 'x', 'y')\nchange({path!r})",
    )
    error = row["error"]
    assert error["message"].splitlines() == [
        f"EditMissing: the text to replace is not in {path!r}",
        f"  line 4: change({path!r})",
        "  line 3 in change: files.edit(path, 'x', 'y')",
    ]
    assert error["hint"] == "No line is similar; read the file first."
    assert error["data"] == {"printed": "before"}


PROBLEMS = {
    "1 +": "SyntaxError: invalid syntax\n  line 1: 1 +",
    "1/0": "ZeroDivisionError: division by zero\n  line 1: 1/0",
    "try:\n    1/0\nfinally:\n    raise ValueError('late')": "ValueError: late\n  line 4: raise ValueError('late')",
    "import json\njson.loads('{')": "  line 2: json.loads('{')\n  in json/decoder.py, line ",
    "files.nothing()": "AttributeError: files has no 'nothing'; it has list, navigate, find, read",
    "files.read = 1": "files can't be changed; define read in your own code instead",
    "del files.read": "files can't be changed",
    "files.edit('a')": "missing a required argument: 'old'; it is files.edit(path, old, new)",
    "exit()": "SystemExit",
    "raise ValueError('é' * 1_000_000)": "more characters]\n  line 1: raise ValueError(",
}


@pytest.mark.parametrize("code", PROBLEMS)
async def test_code_that_fails_says_why(code: str, kernel: Kernel) -> None:
    row = await answer(kernel, "run", code=code)
    assert PROBLEMS[code] in row["error"]["message"]


async def test_a_missing_package_is_named_with_the_way_to_install_it(run: Run) -> None:
    assert "%pip install nowhere-zz" in await run("import nowhere_zz")


async def test_a_name_that_hides_a_module_is_named(run: Run) -> None:
    assert "`del files` brings it back" in await run("files = []\nfiles.read('a')")
    assert (await run("del files")).strip() == ""
    assert (await run("files")).startswith("<files: The surface's files. list, navigate")


async def test_code_that_runs_too_long_is_stopped(run: Run) -> None:
    answered = await run("x = 1\nimport asyncio\nawait asyncio.Event().wait()", timeout_s=0.05)
    assert "the code ran for 0.05 s and was stopped" in answered
    assert await run("x") == "1"


async def test_a_cancelled_call_stops_its_code(kernel: Kernel, run: Run) -> None:
    code = "import asyncio\ntry:\n    await asyncio.Event().wait()\nfinally:\n    ended = True"
    task = asyncio.create_task(run(code))
    while not kernel.console.transcript.state()["entries"]:
        await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await run("ended") == "True"


async def test_a_long_output_is_cut_and_a_file_has_all(kernel: Kernel, run: Run) -> None:
    answered = await run("for n in range(200_000): print('line', n)")
    most = answers.MAX_HEAD + answers.MAX_TAIL
    assert most < len(answered) < most + 300
    assert answered.startswith("line 0\n") and answered.endswith("line 199999")
    [path] = kernel.registry.results_folder.iterdir()
    assert str(path) in answered
    assert path.read_text().splitlines() == [f"line {n}" for n in range(200_000)]


async def test_what_one_print_writes_is_cut_too(kernel: Kernel, run: Run) -> None:
    answered = await run("import sys\n_ = sys.stdout.write('é' * 1_000_000)")
    [path] = kernel.registry.results_folder.iterdir()
    assert path.read_text() == "é" * 1_000_000 and len(answered) < 9_000


async def test_printed_lines_are_progress(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "PROGRESS_S", 0)
    reports: list[tuple[float, float | None, str | None]] = []
    await kernel.registry.call_json(
        "run",
        {"code": "for n in range(3): print('at', n)"},
        caller=CLIENT,
        progress=lambda *report: reports.append(report),
    )
    assert reports == [(1, None, "at 0"), (2, None, "at 1"), (3, None, "at 2")]


@has_tasks
async def test_tasks_that_outlive_a_call_are_named_and_their_output_comes_next(run: Run) -> None:
    code = "import asyncio\ndone = asyncio.Event()\nasync def late():\n    print('late')\n    await done.wait()\n"
    assert "tasks that still run: 1" in await run(f"{code}task = asyncio.create_task(late())")
    await asyncio.sleep(0)
    assert await run("1") == "late\n1"
    assert "tasks" not in await run("done.set()\nawait task")


@has_tasks
async def test_tasks_that_a_tool_starts_are_not_the_codes(kernel: Kernel, run: Run) -> None:
    started: list[asyncio.Task[bool]] = []

    @tool
    def begin() -> None:
        """Begin something, as a file that is read has its history saved."""
        started.append(asyncio.get_running_loop().create_task(asyncio.Event().wait()))

    kernel.registry.add(begin)
    assert await run("tools.begin()") == ""
    kernel.code.mode.end(CLIENT)
    assert not started[0].cancelling()
    started[0].cancel()


@has_tasks
async def test_the_end_of_a_session_ends_its_tasks(kernel: Kernel, run: Run) -> None:
    await run(
        "import asyncio\ntask = asyncio.create_task(asyncio.Event().wait())\nimport sys\nsys.left_task = task"
    )
    task = sys.left_task  # type: ignore[attr-defined]
    kernel.code.mode.end(CLIENT)
    await asyncio.wait([task])
    assert task.cancelled()


async def test_a_reload_says_what_was_lost_and_what_is_in_files(
    kernel: Kernel, run: Run, tmp_path: Path
) -> None:
    path = f"{kernel.home}/a.txt"
    saved: dict[str, object] = {}
    kernel.code.mode._save = saved.update  # pyright: ignore[reportPrivateUsage]
    await run(f"rows = [1]\n_hidden = 2\nfiles.write({path!r}, 'tea')")
    assert saved == {CLIENT: {"names": ["rows"], "files": [path]}}
    again = Kernel(type(kernel.registry)(), home=kernel.home)
    again.code.lost = json.loads(json.dumps(saved))
    [block] = (await answer(again, "run", code="1"))["content"]
    assert block["text"] == (
        "[The page was loaded again since your last call. Lost: the names rows, and running tasks. "
        f"Files are as they were, such as those you wrote: {path}.]\n1"
    )
    [block] = (await answer(again, "run", code="1"))["content"]
    assert block["text"] == "1"


@pytest.mark.parametrize("lost", [None, [], {"a": 1}, {"a": {"names": "x", "files": []}}])
async def test_other_saved_rows_are_ignored(lost: object, kernel: Kernel, run: Run) -> None:
    kernel.code.lost = lost
    assert await run("1", "a") == "1"


async def test_pictures_and_charts_are_images(kernel: Kernel) -> None:
    code = (
        "from gemini.tools.content import Image\n"
        "class Chart:\n    def _repr_png_(self): return b'chart'\n"
        "print('before')\ndisplay(Image(b'one'))\nChart()"
    )
    text, one, chart = (await answer(kernel, "run", code=code))["content"]
    assert text == {"type": "text", "text": "before"}
    assert one == {"type": "image", "data": "b25l", "mimeType": "image/png"}
    assert chart["data"] == "Y2hhcnQ="


async def test_a_figure_of_matplotlib_is_an_image(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))
    code = (
        "import matplotlib.pyplot as plt\nfigure, axes = plt.subplots(figsize=(2, 1))\n"
        "axes.plot([1, 2])\nplt.show()\nfigure"
    )
    blocks = (await answer(kernel, "run", code=code))["content"]
    assert [block.get("mimeType") for block in blocks] == ["image/png", "image/png"]


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("a = []\na.append(a)\na", "[[...]]"),
        ("d = {}\nd['d'] = d\nd", "{'d': {...}}"),
        (
            "class Bad:\n    def __repr__(self): raise OSError('no')\nBad()",
            "Bad that can't be shown: OSError: no",
        ),
        ("print('x' * 10_000)", "10,000 characters, 1 lines; the first 4,000 are shown"),
        ("list(range(1_000))", "list of 1,000: [0, 1, 2,"),
        ("terminal.list()", "no rows"),
        ("None", ""),
    ],
)
async def test_values_are_short(code: str, shown: str, run: Run) -> None:
    assert shown in await run(code)


async def test_a_list_of_results_is_a_table(kernel: Kernel, run: Run) -> None:
    for number in range(30):
        (Path(kernel.home) / f"{number:02}.txt").write_text("tea")
    answered = (await run(f"files.list({kernel.home!r})")).splitlines()
    assert answered[0].startswith("30 rows of FileRow: name | type | size")
    assert answered[1].startswith("00.txt | text | 3")
    assert answered[-1] == "[cut: 10 more rows; print(rows[20:40]) has the next]"


async def test_the_oldest_session_ends_when_there_are_many(kernel: Kernel, run: Run) -> None:
    await run("x = 1", "first")
    for number in range(16):
        await run("1", f"client {number}")
    assert "NameError" in await run("x", "first")
