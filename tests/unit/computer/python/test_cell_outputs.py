"""Cells of notebooks run in the console; their outputs have the form of Jupyter's files."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.python import tracebacks
from gemini.computer.python.console import PythonConsole
from gemini.errors import InvalidArguments

PICTURE = """
class Picture:
    def _repr_html_(self): return "<b>picture</b>"
    def _repr_png_(self): return b"\\x89PNG"
    def __repr__(self): return "Picture()"
"""


@pytest.fixture
def console(tmp_path: Path) -> PythonConsole:
    return PythonConsole(str(tmp_path))


async def outputs(console: PythonConsole, code: str) -> list[dict[str, Any]]:
    return (await console.run_cell(code, "note.ipynb#a"))["outputs"]


async def test_text_values_and_the_result_come_in_their_order(console: PythonConsole) -> None:
    code = "print('one\\ntwo')\ndisplay({'a': 1})\nimport sys; print('bad', file=sys.stderr)\n1 + 1"
    count = console.transcript.state()["entries"][-1:]
    assert count == []
    assert await outputs(console, code) == [
        {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
        {"output_type": "display_data", "data": {"text/plain": ["{'a': 1}"]}, "metadata": {}},
        {"output_type": "stream", "name": "stderr", "text": ["bad\n"]},
        {
            "output_type": "execute_result",
            "execution_count": 1,
            "data": {"text/plain": ["2"]},
            "metadata": {},
        },
    ]


async def test_a_value_is_saved_in_all_its_forms(console: PythonConsole) -> None:
    await outputs(console, PICTURE)
    (result,) = await outputs(console, "Picture()")
    assert result["execution_count"] == 2
    assert result["data"] == {
        "text/html": ["<b>picture</b>"],
        "image/png": "iVBORw==",
        "text/plain": ["Picture()"],
    }


async def test_records_are_saved_as_a_table(console: PythonConsole) -> None:
    (result,) = await outputs(console, "[{'name': '<a>'}, {'name': 'b'}]")
    assert result["data"]["text/plain"] == ["[{'name': '<a>'}, {'name': 'b'}]"]
    assert "<tr><td>&lt;a&gt;</td></tr>\n" in result["data"]["text/html"]


async def test_a_chart_is_stored_as_jupyter_stores_it(console: PythonConsole) -> None:
    bar, point = await outputs(
        console,
        "import altair, plotly.graph_objects as go\n"
        "display(go.Figure(go.Bar(y=[1])))\naltair.Chart(altair.Data(values=[])).mark_point()",
    )
    assert bar["data"]["application/vnd.plotly.v1+json"]["data"] == [{"type": "bar", "y": [1]}]
    assert point["data"]["application/vnd.vegalite.v6+json"]["mark"] == {"type": "point"}
    assert "text/plain" in point["data"]


async def test_an_error_ends_the_outputs(console: PythonConsole) -> None:
    printed, error = await outputs(console, "print('before')\ndef f(): return 1 / 0\nf()")
    assert printed["text"] == ["before\n"]
    assert (error["ename"], error["evalue"]) == ("ZeroDivisionError", "division by zero")
    assert error["traceback"][0] == "Traceback (most recent call last):"
    assert error["traceback"][-1] == "ZeroDivisionError: division by zero"


async def test_a_value_whose_form_fails_is_said_and_the_cell_succeeds(console: PythonConsole) -> None:
    (result,) = await outputs(console, "class Bad:\n    def _repr_html_(self): raise ValueError('no')\nBad()")
    assert result["data"] == {"text/plain": ["Bad that can't be shown: ValueError: no"]}


async def test_names_are_shared_and_the_code_is_no_input_of_the_console(console: PythonConsole) -> None:
    await outputs(console, "answer = 42")
    assert (await console.run("answer")).result == 42
    entry, _ = console.transcript.state()["entries"]
    assert entry["cell"] == "note.ipynb#a"
    assert console.transcript.inputs == []


async def test_a_missing_package_is_named(console: PythonConsole) -> None:
    run = await console.run_cell("import numpy_of_another_world", "note.ipynb#a")
    assert run["package"] == "numpy-of-another-world"
    assert run["outputs"][-1]["ename"] == "ModuleNotFoundError"


async def test_a_second_interrupt_leaves_the_error_of_the_first(
    console: PythonConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupt(BaseException):
        """An interrupt that doesn't end the test's event loop, as KeyboardInterrupt would."""

    def interrupted(_: BaseException) -> str:
        raise Interrupt

    # It comes while the traceback of the first is written.
    monkeypatch.setattr(tracebacks, "format_error", interrupted)
    with pytest.raises(Interrupt):
        await console.run_cell("print('before')\nraise KeyboardInterrupt", "note.ipynb#a")
    printed, error = (await console.stopped_cell("note.ipynb#a"))["outputs"]
    assert printed["text"] == ["before\n"] and error["ename"] == "KeyboardInterrupt"


async def test_what_a_stopped_cell_has_shown_remains(console: PythonConsole) -> None:
    printed = asyncio.Event()
    console.namespace["printed"] = printed
    code = "import asyncio\nprint('before')\nprinted.set()\nawait asyncio.sleep(60)"
    task = asyncio.create_task(console.run_cell(code, "note.ipynb#a"))
    await printed.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    printed_text, error = (await console.stopped_cell("note.ipynb#a"))["outputs"]
    assert printed_text["text"] == ["before\n"]
    assert (error["ename"], error["evalue"]) == ("KeyboardInterrupt", "Stopped.")
    with pytest.raises(InvalidArguments):
        await console.stopped_cell("note.ipynb#b")


async def test_a_value_draws_itself_once(console: PythonConsole) -> None:
    code = "drawn = []\nclass Slow:\n    def _repr_html_(self): drawn.append(1); return 'slow'\n"
    await outputs(console, f"{code}display(Slow())\nSlow()")
    assert (await console.run("len(drawn)")).result == 2
