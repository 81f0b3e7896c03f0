"""The tools that a run begins with, and those that its model finds later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gemini.agents.loop.tool_choice import MOST_CHARACTERS, characters
from gemini.agents.record.journal import Journal
from gemini.agents.runs.runs import Runs
from gemini.core.clock import ManualClock
from gemini.kernel.kernel import Kernel
from gemini.models.interface.model import Request
from gemini.models.interface.scripted import ScriptedModel, Turn, call, say
from gemini.storage.database import open_database
from gemini.storage.runs import RunStore
from gemini.tools import Registry, declare
from tests.unit.agents.conftest import results


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """Return a registry with all of the surface's tools."""
    registry = Registry()
    (tmp_path / "project").mkdir()
    Kernel(registry, str(tmp_path / "project"))
    return registry


@pytest.fixture
def runs(registry: Registry) -> Runs:
    return runs_on(registry)


def runs_on(registry: Registry, journal: Journal | None = None) -> Runs:
    runs = Runs(registry, journal)
    runs.clock = ManualClock()
    return runs


def names(request: Request) -> list[str]:
    return [row.name for row in request.tools]


@pytest.mark.parametrize(
    ("task", "has", "lacks"),
    [
        ("Hello", ["terminal_execute", "file_edit", "python_run", "web_search"], "browser_click"),
        (
            "Log in to https://shop.example and order tea",
            ["browser_navigate", "browser_type"],
            "file_restore",
        ),
        ("Drag the first card of the board to the end", ["browser_drag"], "file_restore"),
        ("Fix the failing tests, and commit", ["terminal_execute", "terminal_read"], "browser_click"),
        ("Restore the earlier version of notes.txt", ["file_restore", "file_history"], "browser_click"),
        (
            "Research three libraries and compare them",
            ["web_search", "web_fetch", "file_write"],
            "browser_click",
        ),
        ("Click " * 5_000, ["browser_click"], "file_restore"),
    ],
)
async def test_the_first_request_has_the_tools_that_the_task_needs_and_is_short(
    runs: Runs, task: str, has: list[str], lacks: str
) -> None:
    model = ScriptedModel([say("Done")])
    await runs.start(task, model=model)
    [request] = model.requests
    assert characters(request.tools) <= MOST_CHARACTERS
    assert {*has, "done", "fail", "ask", "tool_find"} <= set(names(request))
    assert lacks not in names(request)


async def test_the_plan_names_all_tools_and_its_steps_get_theirs(runs: Runs) -> None:
    plan = call("plan", steps=[{"what": "See the terminals", "tool": "terminal_list"}])
    model = ScriptedModel(
        [plan, call("terminal_list"), call("done", result="None"), call("verdict", done=True)]
    )
    assert (await runs.start("Hello", model=model, strategy="plan")).status == "done"
    assert "browser_hover" in model.requests[0].messages[-1].text
    assert characters(model.requests[0].tools) <= MOST_CHARACTERS
    assert "terminal_list" in names(model.requests[1]) and "browser_hover" not in names(model.requests[1])


async def test_named_tools_that_fit_are_there_and_no_others(runs: Runs, registry: Registry) -> None:
    model = ScriptedModel([say("Done")])
    await runs.start("Click something", model=model, tools=["files"])
    tools = [tool.declaration for tool in registry if tool.declaration.group == "files"]
    expected = {each.name for each in tools if not each.person_only and each.effect != "spend"}
    assert set(names(model.requests[0])) == {*expected, "done", "fail", "ask", "note"}


async def test_of_many_named_tools_a_run_has_those_it_needs_and_finds_the_others(runs: Runs) -> None:
    def brew(leaves: str) -> str:
        """Make a cup."""
        return leaves

    model = ScriptedModel([call("tool_find", query="hover"), call("terminal_list"), say("Done")])
    named = ["dom", "terminals", "schedules", "schedule_delete", brew]
    await runs.start("Drag the card to the end", model=model, tools=named)
    first, second, _ = (set(names(request)) for request in model.requests)
    assert characters(model.requests[0].tools) <= MOST_CHARACTERS
    assert {"brew", "schedule_delete", "browser_drag", "terminal_execute", "tool_find"} <= first
    assert not {"schedule_create", "file_read"} & first and "browser_hover" in second - first
    found, listed = results(model.requests[2])
    assert "file_read" not in [each["name"] for each in json.loads(found.text)["tools"]]
    assert not listed.failed


async def test_a_run_that_names_every_tool_gets_them_by_need(runs: Runs, registry: Registry) -> None:
    model = ScriptedModel([say("Done")])
    every = [tool.declaration.name for tool in registry if not tool.declaration.person_only]
    await runs.start("Click something", model=model, tools=every)
    assert characters(model.requests[0].tools) <= MOST_CHARACTERS
    assert {"browser_click", "terminal_execute"} <= set(names(model.requests[0]))


async def test_a_found_tool_is_there_from_the_next_request_on(runs: Runs) -> None:
    find = call("tool_find", query="see which terminals there are")
    model = ScriptedModel([find, call("terminal_list"), say("None")])
    assert (await runs.start("Hello", model=model)).status == "done"
    first, second, third = (set(names(request)) for request in model.requests)
    assert "terminal_list" not in first and "terminal_list" in second & third
    found, listed = results(model.requests[2])
    assert "terminal_list" in [each["name"] for each in json.loads(found.text)["tools"]]
    assert not listed.failed


async def test_what_is_not_found_is_listed_by_name(runs: Runs) -> None:
    model = ScriptedModel([call("tool_find", query="xyzzy"), call("tool_find"), say("Done")])
    await runs.start("Hello", model=model)
    nothing, invalid = results(model.requests[2])
    answer = json.loads(nothing.text)
    assert answer["tools"] == [] and "browser_hover" in answer["others"]
    assert invalid.failed and names(model.requests[0]) == names(model.requests[2])


async def test_a_tool_that_the_model_knows_is_called_without_being_found(runs: Runs) -> None:
    model = ScriptedModel([call("terminal_list"), call("browser_fly"), say("None")])
    await runs.start("Hello", model=model)
    listed, unknown = results(model.requests[2])
    assert not listed.failed and "UnknownTool" in unknown.text
    assert "terminal_list" not in names(model.requests[0]) and "terminal_list" in names(model.requests[1])


async def test_a_resumed_run_and_one_that_continues_it_have_the_found_tools(
    registry: Registry, tmp_path: Path
) -> None:
    class Killed(BaseException):
        """Raised when Python is killed."""

    def die(_: Request) -> Turn:
        raise Killed

    journal = RunStore(open_database(tmp_path))
    first = runs_on(registry, journal)
    with pytest.raises(Killed):
        await first.start("Hello", model=ScriptedModel([call("tool_find", query="terminal_list"), die]))
    second = runs_on(registry, journal)
    model = ScriptedModel([say("Done"), say("Done again")])
    resumed = second.resume(second.unfinished()[0], model=model)
    await resumed
    await second.start("And now?", model=model, continues=resumed)
    assert all("terminal_list" in names(request) for request in model.requests)


async def test_a_scripts_tool_is_there_at_once(runs: Runs, registry: Registry) -> None:
    @declare(effect="read")
    def brew(leaves: str) -> str:
        """Make a cup."""
        return leaves

    registry.add(brew)
    model = ScriptedModel([say("Done")])
    await runs.start("Hello", model=model)
    assert "brew" in names(model.requests[0])


async def test_a_switched_off_group_is_not_found(runs: Runs, registry: Registry) -> None:
    registry.groups.switch("terminals", False)
    model: Any = ScriptedModel([call("tool_find", query="terminal_list"), call("terminal_list"), say("Done")])
    await runs.start("Click something", model=model)
    assert not any(name.startswith("terminal") for request in model.requests for name in names(request))
    assert "UnknownTool" in results(model.requests[2])[1].text
