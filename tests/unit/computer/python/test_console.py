"""The Python console as an agent uses it."""

import asyncio
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.python.console import MAX_OUTPUT, MAX_REPR, PythonConsole
from gemini.errors import PythonError
from gemini_userland.invocation import Output


@pytest.fixture
def console(tmp_path: Path) -> PythonConsole:
    return PythonConsole(str(tmp_path))


VALUES = [
    ("1 + 1", 2),
    ("x = 5\nx", 5),
    ("x = 5", None),
    ("", None),
    ("# nothing", None),
    ("None", None),
    ("'text'", "text"),
    ("'a docstring'\n3", 3),
    ("[1, (2.5, None), {'a': True}]", [1, [2.5, None], {"a": True}]),
    ("{1, 2}", "{1, 2}"),
    ("b'\\xff'", "b'\\xff'"),
    ("float('nan')", "nan"),
    ("10 ** 30", 10**30),
    ("import pathlib\npathlib.PurePosixPath('/x')", "PurePosixPath('/x')"),
    ("loop = []\nloop.append(loop)\nloop", "[[...]]"),
    ("'\\ud800'", "\ud800"),
    ("import asyncio\nawait asyncio.sleep(0, 'late')", "late"),
    ("async def double(n): return 2 * n\n[await double(n) for n in range(3)]", [0, 2, 4]),
    ("async with __import__('asyncio').timeout(5) as t: pass\nt.expired()", False),
    ("def f():\n    return 1\nf()", 1),
    ("from __future__ import annotations\n1", 1),
    ("__name__", "__main__"),
    ("import __main__\nvars(__main__) is globals()", True),
    ("import gemini\ngemini.__name__", "gemini"),
    ("gemini.__name__", "gemini"),
]


@pytest.mark.parametrize(("code", "value"), VALUES)
async def test_the_last_expression_is_the_result(code: str, value: Any, console: PythonConsole) -> None:
    assert (await console.run(code)).result == value


async def test_names_persist_across_calls(console: PythonConsole) -> None:
    await console.run("import math\nradius = 2\ndef area(): return math.floor(math.pi * radius ** 2)")
    assert (await console.run("area()")).result == 12
    assert (await console.run("_ + 1")).result == 13
    await console.run("None")
    assert (await console.run("_")).result == 13


@pytest.mark.parametrize("turns", range(12))
async def test_no_code_begins_after_its_call_was_cancelled(console: PythonConsole, turns: int) -> None:
    """An endless loop would receive no further message: the page has been answered that the stop has arrived."""
    console.namespace["cancelled"] = cancelled = [False]
    console.namespace["begun"] = begun = []
    call = asyncio.ensure_future(console.run("begun.append(cancelled[0])"))
    for _ in range(turns):
        await asyncio.sleep(0)
    cancelled[0] = True
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    assert begun in ([], [False])


async def test_overlapping_calls_have_separate_output(console: PythonConsole) -> None:
    both = await asyncio.gather(
        *(
            console.run(f"import asyncio, sys\nfor _ in range(3):\n    print({n}); await asyncio.sleep(0)")
            for n in range(2)
        ),
        console.run("import sys\nprint('!', end='', file=sys.stderr)"),
    )
    assert [(result.stdout, result.stderr) for result in both] == [
        ("0\n" * 3, ""),
        ("1\n" * 3, ""),
        ("", "!"),
    ]


async def test_output_is_available_while_code_runs(console: PythonConsole) -> None:
    seen: list[bytes] = []
    running = asyncio.create_task(
        console.evaluate("import asyncio\nprint('first')\nawait asyncio.Event().wait()", Output(seen.append))
    )
    while not seen:
        await asyncio.sleep(0)
    assert b"".join(seen) == b"first\n"
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_evaluate_returns_the_value_itself(console: PythonConsole) -> None:
    assert await console.evaluate("{1, 2}") == {1, 2}
    function = await console.evaluate("n = 4\nlambda: n")
    assert function() == 4


async def test_directory_and_environment_persist_in_the_console_only(
    console: PythonConsole, tmp_path: Path
) -> None:
    outside = os.getcwd(), dict(os.environ)
    await console.run("import os\nos.mkdir('sub')\nos.chdir('sub')\nos.environ['MINE'] = 'yes'")
    result = await console.run("os.getcwd(), os.environ['MINE']")
    assert result.result == [str(tmp_path / "sub"), "yes"]
    assert (os.getcwd(), dict(os.environ)) == outside


async def test_classes_of_the_console_can_be_pickled(console: PythonConsole) -> None:
    code = "import dataclasses, pickle\n@dataclasses.dataclass\nclass Point:\n    x: 'int'\n"
    assert (await console.run(code + "pickle.loads(pickle.dumps(Point(3))).x")).result == 3
    with pytest.raises(PythonError, match="PicklingError|AttributeError"):
        await console.run("pickle.dumps(lambda: 1)")
    assert pickle.loads(await console.evaluate("pickle.dumps([1])")) == [1]


ERRORS = [
    ("1 / 0", "ZeroDivisionError: division by zero", "1 / 0"),
    ("def f(:", "SyntaxError: invalid syntax", "def f(:"),
    ("x = 'a\0'", "SyntaxError: source code string cannot contain null bytes", ""),
    ("'\ud800", "UnicodeEncodeError", ""),
    ("raise SystemExit(3)", "SystemExit: 3", "raise SystemExit(3)"),
    ("exit()", "SystemExit", "exit()"),
    ("raise KeyboardInterrupt", "KeyboardInterrupt", "raise KeyboardInterrupt"),
    ("import asyncio; raise asyncio.CancelledError", "asyncio.exceptions.CancelledError", "raise asyncio"),
    ("undefined", "NameError: name 'undefined' is not defined", "undefined"),
    ("import missing_module", "ModuleNotFoundError: No module named 'missing_module'", "import missing"),
    ("class R:\n    def __repr__(self): raise KeyError('no')\nR()", "KeyError: 'no'", "raise KeyError"),
    ("async with 3: pass", "TypeError", "async with 3"),
    ("import os; os._exit(1)", "gemini.computer.python.program.HardExit: 1", "os._exit(1)"),
    (
        "raise ExceptionGroup('all', [ValueError(1)])",
        "ExceptionGroup: all (1 sub-exception)",
        "ValueError: 1",
    ),
    ("(" * 10_000, "", ""),
]


@pytest.mark.parametrize(("code", "message", "quoted"), ERRORS)
async def test_a_traceback_has_only_frames_of_user_code(
    code: str, message: str, quoted: str, console: PythonConsole
) -> None:
    with pytest.raises(PythonError) as raised:
        await console.run(code)
    assert raised.value.message.startswith(message)
    assert quoted in raised.value.data["traceback"]
    assert "/gemini/computer/terminal/" not in raised.value.data["traceback"]
    assert (await console.run("'still there'")).result == "still there"


async def test_an_error_has_the_output_before_it(console: PythonConsole) -> None:
    with pytest.raises(PythonError) as raised:
        await console.run("import sys\nprint('before')\nprint('too', file=sys.stderr)\n1 / 0")
    assert raised.value.data["stdout"] == "before\n"
    assert raised.value.data["stderr"] == "too\n"


async def test_a_traceback_quotes_code_of_earlier_calls(console: PythonConsole) -> None:
    await console.run("def inner():\n    raise ValueError('deep')  # marked")
    with pytest.raises(PythonError) as raised:
        await console.run("inner()")
    assert "# marked" in raised.value.data["traceback"]


async def test_long_results_are_cut_with_a_note(console: PythonConsole) -> None:
    result = (await console.run("set(range(100_000))")).result
    assert result.startswith("{0, 1, 2")
    assert result.endswith("more characters]")
    assert len(result) < MAX_REPR + 100
    output = (await console.run("print('x' * 3_000_000)")).stdout
    assert output.endswith("[cut: 2,000,001 more characters]")
    assert len(output) < MAX_OUTPUT + 100


async def test_a_cancelled_call_ends_at_its_await(console: PythonConsole) -> None:
    code = (
        "import asyncio, os\nstate = 'waiting'\n"
        "try: await asyncio.Event().wait()\nfinally: state = 'ended in ' + os.getcwd()"
    )
    running = asyncio.create_task(console.run(code))
    while console.namespace.get("state") != "waiting":
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await console.run("state == 'ended in ' + os.getcwd()")).result is True


async def test_tasks_outlive_the_call_that_started_them(console: PythonConsole) -> None:
    await console.run("import asyncio\nasync def work():\n    await asyncio.sleep(0)\n    return 'done'")
    await console.run("task = asyncio.create_task(work())")
    assert (await console.run("await task")).result == "done"


async def test_input_raises_end_of_file(console: PythonConsole) -> None:
    with pytest.raises(PythonError, match="EOFError"):
        await console.run("input('? ')")


async def test_ten_megabytes_of_code_run(console: PythonConsole) -> None:
    assert (await console.run("text = '" + "x" * 10_000_000 + "'\nlen(text)")).result == 10_000_000


async def test_displayed_values_are_among_the_output(console: PythonConsole) -> None:
    code = "print('a')\ndisplay([{'n': 1}], 'text')\nprint('b')"
    await console.run(code, typed=True)
    output: list[Any] = [*console.transcript.state()["entries"][-1]["output"]]
    assert [part["stream"] for part in output] == ["stdout", "value", "value", "stdout"]
    assert [part["display"]["kind"] for part in output[1:3]] == ["table", "text"]
    # An agent gets text.
    assert (await console.run(code)).stdout == "a\n[{'n': 1}]\n'text'\nb\n"
    assert len(console.transcript.state()["entries"][-1]["output"]) == 5
    await console.run("print('x' * 200_000)\ndisplay(1)\nprint('y')", typed=True)
    assert [part["stream"] for part in console.transcript.state()["entries"][-1]["output"]] == [
        "stdout",
        "value",
    ]
