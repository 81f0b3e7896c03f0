"""Agents as used by other agents and scripts: the tools, and the namespace."""

import asyncio
import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gemini
import gemini.tools
from gemini import agents
from gemini.agents.results import RunResult
from gemini.agents.runs.runs import Runs
from gemini.agents.tools import AgentTools
from gemini.errors import InvalidArguments, RunMissing
from gemini.models.interface.scripted import ScriptedModel, call, calls, say
from gemini.tools import Registry
from tests.unit.agents.conftest import World, results

DOCS = Path(__file__).parents[3] / "docs/agents.md"


@pytest.fixture
def allowed(registry: Registry, runs: Runs) -> Registry:
    """A registry with the agent tools."""

    async def run_team(task: str, leader: str | None, max_steps: int) -> RunResult:
        return {
            "run_id": "run-1",
            "status": "done",
            "result": f"{leader}: {task}",
            "reason": None,
            "steps": max_steps,
        }

    registry.add_room(AgentTools(lambda: runs, run_team))
    return registry


async def test_an_agent_runs_another_agent(allowed: Registry, runs: Runs, world: World) -> None:
    world.files["a"] = "tea"
    runs.model = ScriptedModel([call("read", path="a"), call("done", result="Tea")])
    reports: list[Any] = []
    text = await allowed.call_json(
        "agent_run", {"task": "Read a"}, caller="webmcp", progress=lambda *report: reports.append(report)
    )
    ran = json.loads(text)
    assert ran == {"run_id": ran["run_id"], "status": "done", "result": "Tea", "reason": None, "steps": 2}
    assert reports == [(1, 30, None), (2, 30, None)]
    [row] = await allowed.call("agent_status", {"run_id": ran["run_id"]})
    assert (row["status"], row["steps"], row["tokens"]) == ("done", 2, 240)
    assert row["last_steps"][0]["calls"][0]["tool"] == "read"
    assert [other["run_id"] for other in await allowed.call("agent_status")] == [ran["run_id"]]


async def test_an_agent_for_pages_has_only_the_tools_of_tabs(allowed: Registry, runs: Runs) -> None:
    @gemini.tools.declare(effect="read", group="dom")
    def browser_look() -> str:
        """Look at the page."""
        return "A page"

    allowed.add(browser_look)
    model = runs.model = ScriptedModel([call("browser_look"), say("It is a page")])
    ran = await allowed.call("browser_run_agent", {"task": "See what it is"}, caller="webmcp")
    assert (ran["status"], ran["result"], ran["steps"]) == ("done", "It is a page", 2)
    tools = {tool.name for tool in model.requests[0].tools}
    assert "browser_look" in tools and not {"read", "execute", "agent_run"} & tools


async def test_a_forked_run_starts_from_the_callers_conversation(
    allowed: Registry, runs: Runs, world: World
) -> None:
    world.files["a"] = "The tea costs twelve dollars and seventy cents"
    runs.model = ScriptedModel(
        [
            call("read", path="a"),
            calls(("agent_run", {"task": "Say what it costs", "fork": True}), ("read", {"path": "a"})),
            call("execute", command="echo The tea costs twelve dollars and seventy cents"),
            say("$12.70"),
            say("It costs $12.70"),
        ]
    )
    run = runs.start("Read a", tools=["read", "agent_run", "execute"])
    assert (await run).result == "It costs $12.70"
    _, forked = runs
    first, *_, task = runs.model.requests[2].messages
    assert first == run.messages[0] and task.text == "Say what it costs"
    [read, own, later] = results(runs.model.requests[2])
    assert "seventy cents" in read.text
    assert own.failed and later.failed and "a copy" in own.text
    # Text that the first run has read is known as text from outside.
    assert forked.steps[0].calls[0].origins[0]["origin"] == "read path=a"
    # The original continues without the copy's messages.
    assert "$12.70" in results(runs.model.requests[4])[1].text and len(results(runs.model.requests[4])) == 3


async def test_a_team_starts_from_its_task_alone(allowed: Registry) -> None:
    task: dict[str, Any] = {"task": "Go", "strategy": "team"}
    assert (await allowed.call("agent_run", task))["result"] == "None: Go"
    assert (await allowed.call("agent_run", {**task, "agent": "editor"}))["result"] == "editor: Go"
    with pytest.raises(InvalidArguments):
        await allowed.call("agent_run", {**task, "fork": True})


async def test_a_script_has_no_conversation_to_fork(allowed: Registry, runs: Runs) -> None:
    runs.model = ScriptedModel([])
    answer = json.loads(await allowed.call_json("agent_run", {"task": "Go", "fork": True}, caller="webmcp"))
    assert answer["error"]["type"] == "InvalidArguments"


async def test_tools_that_spend_must_be_named(allowed: Registry, runs: Runs) -> None:
    runs.model = ScriptedModel([say("Fine")])
    await runs.start("Go")
    assert "agent_run" not in {tool.name for tool in runs.model.requests[0].tools}


async def test_the_depth_of_nested_agents_is_limited(runs: Runs) -> None:
    async def dig(task: str) -> str | None:
        """Have another agent dig."""
        return (await runs.start(task, tools=[dig])).result

    runs.model = ScriptedModel([call("dig", task="Deeper")] * 3 + [say("Up")] * 3)
    assert (await runs.start("Dig", tools=[dig])).result == "Up"
    assert "only 3 levels deep" in results(runs.model.requests[3])[0].text


async def test_a_cancelled_call_ends_the_run(allowed: Registry, runs: Runs) -> None:
    began = asyncio.Event()

    def block(_: Any) -> Any:
        began.set()
        return call("ask", question="Well?")

    runs.model = ScriptedModel([block])
    allowed.consent.attended = True
    running = asyncio.create_task(allowed.call("agent_run", {"task": "Ask"}, caller="webmcp"))
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    [run] = runs
    assert (await run).status == "cancelled"


async def test_a_run_is_cancelled_by_its_id(allowed: Registry, runs: Runs) -> None:
    run = runs.start("Wait", model=ScriptedModel([call("ask", question="Well?")]), attended=True)
    assert await allowed.call("agent_cancel", {"run_id": run.id}) == {"success": True}
    assert (await run).status == "cancelled"
    assert await allowed.call("agent_cancel", {"run_id": run.id}) == {"success": False}
    with pytest.raises(RunMissing):
        await allowed.call("agent_cancel", {"run_id": "run-none"})


async def test_without_a_model_the_hint_says_how_to_add_one(allowed: Registry) -> None:
    answer = json.loads(await allowed.call_json("agent_run", {"task": "Go"}, caller="webmcp"))
    assert answer["error"]["type"] == "ModelMissing" and "model=" in answer["error"]["hint"]


@pytest.fixture
def provided(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    runs = Runs(registry)
    monkeypatch.setattr(agents, "_runs", lambda: runs)
    yield runs


async def test_the_example_of_the_documentation_runs(provided: Runs, registry: Registry) -> None:
    @gemini.tools.declare(effect="read", group="files")
    def file_read(path: str) -> str:
        """Read a file."""
        return f"{path} has tea"

    registry.add(file_read)
    [code] = re.findall(r"<!-- example: agents -->\n```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    lines = "\n".join(f"    {line}" for line in code.splitlines())
    scope: dict[str, Any] = {}
    exec(f"async def example():\n{lines}", scope)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        await scope["example"]()
    assert printed.getvalue() == "1 ['file_read']\n2 []\ndone They are about tea.\n"


@pytest.mark.parametrize("name", agents.__all__)
def test_each_public_name_exists(name: str) -> None:
    assert getattr(agents, name) is not None
    assert getattr(gemini.agents, name) is not None
