"""Valid and invalid calls, single and concurrent, from WebMCP to Python and back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gemini_testing import Surface, ToolCallFailed
from tests.web.conftest import Start

pytestmark = pytest.mark.fortnightly

PARTS = """
import asyncio, dataclasses, typing

@gemini.tool(effect="read")
def echo(number: int) -> int:
    "Give a number back."
    return number

@gemini.tool(effect="read")
async def echo_later(number: int) -> int:
    "Give a number back after others had their turn."
    await asyncio.sleep(0)
    return number

@gemini.tool
def order(items: list[dict[typing.Literal["name", "count"], str | int]]) -> int:
    "Order items."
    return len(items)

@gemini.tool
def divide(by: int) -> float:
    "Divide."
    return 1 / by

@gemini.tool
def leave() -> None:
    "End the program."
    raise SystemExit(3)

@gemini.tool
def give(what: str) -> typing.Any:
    "Give some value."
    return eval(what)

@gemini.tool
def measure(text: str) -> int:
    "Count characters."
    return len(text)

@gemini.tool
async def never() -> None:
    "Never return."
    never_events.append("started")
    try:
        await asyncio.Event().wait()
    finally:
        never_events.append("ended")

never_events = []
"""


@pytest.fixture(scope="module", autouse=True)
def declared(surface_of_module: Surface) -> None:
    surface_of_module.python(PARTS)


def failure(surface: Surface, tool: str, /, **arguments: Any) -> ToolCallFailed:
    with pytest.raises(ToolCallFailed) as failed:
        surface.call(tool, **arguments)
    return failed.value


def test_the_answer_is_the_value_as_json_text(surface: Surface) -> None:
    assert surface.call_raw("echo", number=5) == "5"
    assert json.loads(surface.call_raw("give", what="{'a': [1, None, True, 'ü']}")) == {
        "a": [1, None, True, "ü"]
    }
    assert surface.call_raw("give", what="None") == "null"
    assert surface.call_raw("give", what="''") == '""'


def test_a_missing_argument_is_named(surface: Surface) -> None:
    failed = failure(surface, "file_read")

    assert failed.type == "InvalidArguments"
    assert failed.data == [{"path": "path", "problem": "is required"}]
    assert failed.hint and "file_read takes path, max_bytes, offset" in failed.hint


def test_an_argument_of_the_wrong_type_is_named_with_its_value(surface: Surface) -> None:
    failed = failure(surface, "terminal_create", x="left")

    assert failed.type == "InvalidArguments"
    assert failed.data[0]["path"] == "x"
    assert failed.data[0]["given"] == '"left"'


def test_an_unknown_argument_is_named_with_the_valid_ones(surface: Surface) -> None:
    failed = failure(surface, "file_list", path="/", pathh="/")

    assert failed.type == "InvalidArguments"
    assert failed.data == [
        {"path": "pathh", "problem": "is not an argument; did you mean 'path'?", "allowed": ["path"]}
    ]


def test_a_value_outside_of_a_choice_reports_the_choice(surface: Surface) -> None:
    failed = failure(surface, "browser_tabs", action="hide")

    assert failed.type == "InvalidArguments"
    assert all(f"'{action}'" in failed.message for action in ("list", "open", "close"))


def test_an_unknown_backend_reports_those_there_are(surface: Surface) -> None:
    failed = failure(surface, "terminal_create", backend="dos")

    assert failed.type == "CapabilityMissing"
    assert all(backend in str(failed.hint) for backend in ("shell", "linux", "host"))


def test_a_number_out_of_range_reports_the_range(surface: Surface) -> None:
    failed = failure(surface, "terminal_execute", command="true", timeout_s=0)

    assert failed.type == "InvalidArguments"
    assert "timeout_s" in failed.message and "greater than 0" in failed.message


def test_a_problem_inside_an_argument_has_its_path(surface: Surface) -> None:
    failed = failure(surface, "order", items=[{"name": "pear"}, {"colour": "green"}])

    assert failed.type == "InvalidArguments"
    assert "items[1]" in failed.message


@pytest.mark.parametrize("arguments", ["text", 5, [1]])
def test_arguments_that_are_not_an_object_are_refused(surface: Surface, arguments: Any) -> None:
    answer = surface.javascript("return gemini.callTool('echo', arguments[0])", arguments)

    assert answer["error"]["type"] == "InvalidArguments"


def test_an_unknown_tool_reports_the_existing_ones(surface: Surface) -> None:
    answer = surface.javascript("return gemini.callTool('fire_list', {})")

    assert answer["isError"]
    assert answer["error"]["type"] == "UnknownTool"
    assert "fire_list" in answer["error"]["message"]
    assert "file_list" in answer["error"]["hint"]


def test_an_error_in_a_tool_differs_from_an_invalid_call(surface: Surface) -> None:
    failed = failure(surface, "divide", by=0)

    assert failed.type == "ToolFailed"
    assert failed.message == "divide raised ZeroDivisionError: division by zero"
    assert "return 1 / by" in failed.data["traceback"]


def test_a_tool_that_exits_ends_only_its_call(surface: Surface) -> None:
    assert failure(surface, "leave").type == "ToolFailed"
    assert surface.call("echo", number=1) == 1


@pytest.mark.parametrize("what", ["object()", "echo", "(lambda: (a := [], a.append(a), a)[-1])()"])
def test_a_value_that_json_cannot_represent_is_an_error(surface: Surface, what: str) -> None:
    assert failure(surface, "give", what=what).type == "UnserialisableResult"


@pytest.mark.parametrize(
    ("what", "encoded"),
    [
        ("b'\\xff\\x00'", "/wA="),
        ("float('nan')", "NaN"),
        ("{'a', }", ["a"]),
        ("__import__('pathlib').Path('/a')", "/a"),
        ("dataclasses.make_dataclass('Point', ['x'])(1)", {"x": 1}),
        ("2**53 - 1", 2**53 - 1),
    ],
)
def test_python_values_become_json(surface: Surface, what: str, encoded: Any) -> None:
    assert json.loads(surface.call_raw("give", what=what)) == encoded


def test_a_lone_surrogate_passes_both_ways(surface: Surface) -> None:
    code = surface.javascript(
        """
        const tool = (await document.modelContext.getTools()).find(({ name }) => name === "give");
        const text = await document.modelContext.executeTool(tool, { what: String.raw`'\\ud83d'` });
        return JSON.parse(text).charCodeAt(0);
        """
    )
    assert code == 0xD83D
    length = surface.javascript("return gemini.callTool('measure', { text: String.fromCharCode(0xd83d) })")
    assert length == 1


def test_an_argument_of_ten_megabytes_arrives(surface: Surface) -> None:
    size = 10 * 1024 * 1024
    answer = surface.javascript(
        """
        const tool = (await document.modelContext.getTools()).find(({ name }) => name === "file_write");
        const input = { path: "/project/large.txt", content: "0123456789abcdef".repeat(arguments[0] / 16) };
        return JSON.parse(await document.modelContext.executeTool(tool, input));
        """,
        size,
    )

    assert answer == {"size": size}
    end = surface.call("file_read", path="/project/large.txt", offset=size - 20)
    assert end["content"] == "cdef0123456789abcdef"
    surface.python("import os; os.remove('/project/large.txt')")


@pytest.mark.extended
@pytest.mark.parametrize("tool", ["echo", "echo_later"])
def test_a_thousand_concurrent_calls_are_all_answered(surface: Surface, tool: str) -> None:
    answers = surface.javascript(
        """
        const [name] = arguments;
        const tool = (await document.modelContext.getTools()).find((tool) => tool.name === name);
        const calls = Array.from({ length: 1000 }, (_, number) => document.modelContext.executeTool(tool, { number }));
        return Promise.all(calls);
        """,
        tool,
    )

    assert answers == [str(number) for number in range(1000)]


def test_a_long_answer_is_cut_and_the_rest_can_be_read(surface: Surface) -> None:
    text = "".join(f"line {number} ü\n" for number in range(8_000))
    surface.call("file_write", path="/project/long.txt", content=text)
    raw = surface.call_raw("file_read", path="/project/long.txt")
    answer = json.loads(raw)

    assert len(raw) <= 20_000
    assert text.startswith(answer["content"][:10_000])
    assert "more characters" in answer["content"]
    assert answer["cut"]["total_chars"] > len(text)

    whole, offset = "", 0
    while True:
        part = surface.call("file_read", path=answer["cut"]["full_result"], offset=offset, max_bytes=12_000)
        whole += part["content"]
        if not part["truncated"]:
            break
        offset = part["next_offset"]
    assert json.loads(whole)["content"] == text


def test_a_long_list_is_cut_and_reports_its_length(surface: Surface) -> None:
    answer = surface.call("give", what="['item %d' % n for n in range(10_000)]")

    assert answer["value"][0] == "item 0"
    assert "more items" in answer["value"][-1]
    assert answer["cut"]["full_result"].startswith("/tmp/results/give-")


def test_an_aborted_call_cancels_its_task_in_python(surface: Surface, start: Start) -> None:
    surface.python("never_events.clear()")
    call = start("never")
    assert surface.call("give", what="never_events") == ["started"]

    call.abort()

    assert call.result() == {"aborted": "AbortError"}
    surface.wait_for("gemini.python('never_events').then(([, end]) => end === 'ended')")


def test_an_aborted_call_cancels_an_await_of_the_console(surface: Surface, start: Start) -> None:
    surface.python("fate, begun = asyncio.Future(), asyncio.Event()")
    code = """
begun.set()
try:
    await asyncio.sleep(60)
except asyncio.CancelledError:
    fate.set_result("cancelled")
    raise
"""
    call = start("python_run", code=code)
    surface.python("await asyncio.wait_for(begun.wait(), 30)")

    call.abort()

    assert call.result() == {"aborted": "AbortError"}
    assert surface.python("await asyncio.wait_for(fate, 30)") == "cancelled"


def test_a_signal_that_is_already_aborted_makes_no_call(surface: Surface) -> None:
    surface.python("never_events.clear()")
    outcome = surface.javascript(
        """
        const [tool] = (await document.modelContext.getTools()).filter(({ name }) => name === "never");
        return document.modelContext.executeTool(tool, {}, { signal: AbortSignal.abort() }).catch(({ name }) => name);
        """
    )

    assert outcome == "AbortError"
    assert surface.call("give", what="never_events") == []


def test_a_call_that_never_returns_blocks_no_other(surface: Surface, start: Start) -> None:
    calls = [start("never") for _ in range(3)]

    assert surface.call("echo", number=7) == 7
    assert surface.call("terminal_execute", command="echo free")["output"] == "free\n"
    assert all(call.is_running for call in calls)
    for call in calls:
        call.abort()
