"""Real servers as programs: starting, calling, questions, changes, restarts and what a hostile one can do."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gemini.errors import GeminiError, Refused, TimedOut
from gemini_companion.mcp_servers import program
from gemini_companion.mcp_servers.errors import McpServerDown, McpServerOff, McpServerProblem, McpToolUnknown
from gemini_companion.mcp_servers.setups import stdio_setup
from tests.unit.companion.keyrings import MemoryKeyring
from tests.unit.companion.mcp_servers.conftest import Bench

Row = dict[str, Any]


async def call(bench: Bench, server: str, tool: str, **arguments: Any) -> Row:
    answer, _ = await bench.agreed("mcp/call", "once", server=server, tool=tool, arguments=arguments)
    return answer


async def test_a_server_starts_after_the_users_answer_once(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py", TOKEN="hunter2hunter2")
    answer, [shown] = await bench.agreed("mcp/tools", "always", server="calc")
    facts = shown["facts"]
    assert shown["kind"] == "mcp-server"
    assert facts["place"].endswith("honest_server.py")
    assert facts["values"] == ["TOKEN"]
    assert facts["changed"] is False
    assert "hunter2" not in str(shown)
    add = next(tool for tool in answer["tools"] if tool["name"] == "add")
    assert add["input"]["properties"]["a"]["type"] == "integer"
    assert add["output"]["properties"]["total"]["type"] == "integer"
    assert answer["instructions"] == "Add before you count."
    # Without a question: it is allowed.
    assert (await bench.ask("mcp/tools", server="calc"))["name"] == "calc"


async def test_a_refused_server_does_not_start(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    with pytest.raises(Refused):
        await bench.agreed("mcp/tools", "refuse", server="calc")
    assert bench.servers.state("calc")["state"] == "off"


async def test_nobody_at_the_page_starts_nothing(tmp_path: Any, keyring: MemoryKeyring) -> None:
    bench = Bench(tmp_path, attended=False)
    await bench.add("calc", "honest_server.py")
    with pytest.raises(Refused):
        await bench.ask("mcp/call", server="calc", tool="add", arguments={"a": 1})


async def test_a_changed_command_line_is_asked_again(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    before = bench.servers.store.get("calc")
    setup, _ = stdio_setup("calc", before.setup.command, [*before.setup.arguments, "--more"], {})
    # As another program would change the file.
    bench.store.change(before, setup=setup)
    _, [shown] = await bench.agreed("mcp/tools", "always", server="calc")
    assert shown["facts"]["changed"] is True
    assert shown["facts"]["place"].endswith("--more")


async def test_structured_answers_text_and_errors(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py", TOKEN="hunter2hunter2")
    await bench.start("calc")
    assert (await call(bench, "calc", "add", a=2, b=3))["structured"] == {"total": 5}
    failed = await call(bench, "calc", "fail")
    assert failed["is_error"] is True
    assert "the shelf is empty" in failed["text"]
    [part] = (await call(bench, "calc", "picture"))["parts"]
    assert (part["kind"], part["mime_type"]) == ("image", "image/png")
    assert (await call(bench, "calc", "variable", name="TOKEN"))["text"] == "hunter2hunter2"
    with pytest.raises(McpToolUnknown, match="has no tool"):
        await bench.ask("mcp/call", server="calc", tool="subtract")
    [part], _ = (await bench.agreed("mcp/read", "once", server="calc", uri="note://today"))[0]["parts"], None
    assert part["text"] == "Buy milk."


async def test_keys_of_the_companion_stay_out(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    assert (await call(bench, "calc", "variable", name="OPENAI_API_KEY"))["text"] == "(none)"


async def test_the_question_about_a_call_names_server_tool_and_arguments(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    _, [shown] = await bench.agreed(
        "mcp/call", "once", server="calc", tool="add", arguments={"a": 7}, words={"caller": "agent"}
    )
    assert shown["kind"] == "mcp-tool"
    assert shown["facts"]["server"] == "calc"
    assert shown["facts"]["tool"] == "add"
    assert '"a": 7' in shown["facts"]["arguments"]
    assert shown["facts"]["version"].startswith("1-")
    assert shown["words"] == {"caller": "agent"}
    with pytest.raises(Refused):
        await bench.agreed("mcp/call", "refuse", server="calc", tool="add", arguments={"a": 7})


async def test_progress_reaches_python(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemini_companion.mcp_servers.access.PROGRESS_EVERY_S", 0)
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    await bench.agreed("mcp/call", "once", server="calc", tool="count", token="call-1")
    progress = [params for method, params in bench.notices if method == "mcp/progress"]
    assert progress[-1] == {"token": "call-1", "done": 3, "total": 3, "message": "at 3"}


async def test_a_servers_question_is_shown_as_its_words(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    asked = asyncio.create_task(bench.ask("mcp/call", server="calc", tool="choose"))
    await bench.person.decide("once")
    shown = await bench.person.decide("once", filled={"values": {"color": "red", "loud": True}})
    assert shown["kind"] == "mcp-question"
    assert shown["facts"]["server"] == "calc"
    assert shown["facts"]["message"] == "Which color?"
    assert [field["name"] for field in shown["facts"]["fields"]] == ["color", "loud"]
    assert (await asked)["text"] == "accept red"
    asked = asyncio.create_task(bench.ask("mcp/call", server="calc", tool="choose"))
    await bench.person.decide("once")
    await bench.person.decide("refuse")
    assert (await asked)["text"] == "decline"


async def test_a_call_ends_at_its_time_limit_and_when_it_is_cancelled(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    with pytest.raises(TimedOut):
        await bench.agreed("mcp/call", "once", server="calc", tool="sleep", timeout_s=1)
    asked = asyncio.create_task(bench.ask("mcp/call", server="calc", tool="sleep"))
    await bench.person.decide("once")
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert (await call(bench, "calc", "add", a=1))["structured"] == {"total": 2}


async def changed(bench: Bench) -> None:
    """Wait for the next notification of a change."""
    happened = asyncio.Event()
    stop = bench.servers.watch(happened.set)
    async with asyncio.timeout(30):
        await happened.wait()
    stop()


async def test_a_list_that_changes_is_read_again(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    await call(bench, "calc", "grow")
    # A call waits for the list, so that it isn't asked about by what the server said before.
    assert (await call(bench, "calc", "shrink"))["text"] == "shrunk"


async def test_a_server_that_ends_says_so_and_starts_again(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    with pytest.raises(McpServerDown, match="ended before it answered"):
        await call(bench, "calc", "end")
    while bench.servers.state("calc")["restarts"] < 1:
        await changed(bench)
    assert bench.pauses == [1.0]
    assert (await call(bench, "calc", "add", a=1))["structured"] == {"total": 2}
    assert bench.servers.state("calc")["restarts"] == 1


async def test_a_server_that_never_starts_is_given_up_with_its_last_words(bench: Bench) -> None:
    await bench.add("dead", "hostile_server.py", "dead")
    with pytest.raises(McpServerDown, match="no licence"):
        await bench.start("dead")
    while bench.servers.state("dead")["state"] != "failed":
        await changed(bench)
    assert bench.pauses == [1, 2, 4, 8]


async def test_no_program_outlives_a_companion_that_ends_meanwhile(bench: Bench) -> None:
    await bench.add("odd", "hostile_server.py", "only-garbage")
    await bench.start("odd")
    with pytest.raises(McpServerProblem):
        await call(bench, "odd", "look")
    # The connection is ending: the program is waited for.
    processes = [each for each in bench.started if each.process is not None]
    await bench.servers.aclose()
    assert [each.process.returncode is not None for each in processes if each.process] == [True]


async def test_a_missing_program_says_so_at_once(bench: Bench) -> None:
    setup, _ = stdio_setup("none", "/no/such/program", [], {})
    await bench.store.add(setup, {}, in_file=False)
    with pytest.raises(McpServerDown, match="can't be started"):
        await bench.start("none")
    assert bench.pauses == []


async def test_a_server_that_is_switched_off_ends(bench: Bench) -> None:
    await bench.add("calc", "honest_server.py")
    await bench.start("calc")
    bench.store.change(bench.store.get("calc"), on=False)
    await bench.servers.end("calc")
    with pytest.raises(McpServerOff):
        await bench.ask("mcp/tools", server="calc")
    assert bench.servers.rows() == []


@pytest.mark.parametrize("way", ["garbage", "twice", "foreign"])
async def test_answers_survive_what_a_server_writes_besides(bench: Bench, way: str) -> None:
    await bench.add("odd", "hostile_server.py", way)
    await bench.start("odd")
    assert (await call(bench, "odd", "look"))["text"] == "seen"
    assert (await call(bench, "odd", "look"))["text"] == "seen"


@pytest.mark.parametrize("way", ["only-garbage", "much", "nonsense"])
async def test_a_broken_answer_fails_its_call(
    bench: Bench, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "LONGEST_LINE", 1_000_000)
    await bench.add("odd", "hostile_server.py", way)
    await bench.start("odd")
    with pytest.raises(McpServerProblem):
        await call(bench, "odd", "look")


async def test_a_call_that_is_never_answered_times_out(bench: Bench) -> None:
    await bench.add("odd", "hostile_server.py", "never")
    await bench.start("odd")
    with pytest.raises(TimedOut):
        await bench.agreed("mcp/call", "once", server="odd", tool="look", timeout_s=1)


async def test_sampling_is_refused(bench: Bench) -> None:
    await bench.add("odd", "hostile_server.py", "samples")
    await bench.start("odd")
    assert "not supported" in (await call(bench, "odd", "look"))["text"]


async def test_a_question_of_an_older_server_is_shown(bench: Bench) -> None:
    await bench.add("odd", "hostile_server.py", "asks")
    await bench.start("odd")
    asked = asyncio.create_task(bench.ask("mcp/call", server="odd", tool="look"))
    await bench.person.decide("once")
    shown = await bench.person.decide("once", filled={"values": {"size": "4"}})
    assert shown["facts"]["fields"][0]["type"] == "whole"
    assert (await asked)["text"] == '{"action": "accept", "content": {"size": 4}}'


async def test_a_list_without_end_ends(bench: Bench) -> None:
    await bench.add("odd", "hostile_server.py", "endless")
    answer = await bench.start("odd")
    assert [tool["name"] for tool in answer["tools"]] == ["look"]


async def test_schemas_that_are_none_cost_only_the_types(bench: Bench) -> None:
    await bench.add("odd", "hostile_server.py", "schemas")
    tools = {tool["name"]: tool for tool in (await bench.start("odd"))["tools"]}
    assert {name for name, tool in tools.items() if tool["problem"] is None} == {"good"}
    assert tools["kind"]["input"] == {"type": "object"}
    assert (await call(bench, "odd", "kind", x=1))["text"] == "seen"


async def test_names_become_functions_without_clashes(bench: Bench) -> None:
    await bench.add("odd", "hostile_server.py", "names")
    answer = await bench.start("odd")
    functions = {tool["name"]: tool["function"] for tool in answer["tools"]}
    assert functions["look_up"] == "look_up"
    assert functions["look-up"] == "look_up_2"
    assert functions["look.up"] == "look_up_3"
    assert functions["class"] == "class_"
    assert functions["1st"] == "tool_1st"
    assert functions["twice"] == "twice"
    assert all(name.isidentifier() and not name.startswith("_") for name in functions.values())
    assert len(set(functions.values())) == len(functions)
    assert len(answer["problems"]) == 4


async def test_two_thousand_tools_are_listed_and_no_more(bench: Bench) -> None:
    await bench.add("odd", "hostile_server.py", "many")
    answer = await bench.start("odd")
    assert len(answer["tools"]) == 2_000
    assert "more than 2,000" in answer["problems"][0]


async def test_values_are_in_the_keyring_and_leave_with_the_server(
    bench: Bench, keyring: MemoryKeyring
) -> None:
    await bench.add("calc", "honest_server.py", TOKEN="hunter2hunter2")
    assert "hunter2" in str(keyring.saved)
    assert "hunter2" not in (bench.folder / "servers.json").read_text()
    await bench.store.remove("calc")
    assert keyring.saved == {}
    with pytest.raises(GeminiError, match="no MCP server"):
        bench.store.get("calc")
