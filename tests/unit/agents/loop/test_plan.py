"""The strategy `plan`: each step is one call against the current state, and the result is checked."""

import asyncio
from typing import Any

import pytest

from gemini.agents.runs.runs import Runs
from gemini.errors import InvalidArguments, PlanRefused
from gemini.models.interface.scripted import ScriptedModel, Turn, call, calls, say
from gemini.tools import Registry, declare
from tests.unit.agents.conftest import World, results

YES = call("verdict", done=True, missing="")


def plan(*steps: Any) -> Turn:
    return call("plan", steps=[{"what": step} if isinstance(step, str) else step for step in steps])


async def test_each_step_of_a_plan_becomes_one_call(runs: Runs, world: World) -> None:
    model = ScriptedModel(
        [
            plan("Write a", {"what": "Read it", "tool": "read", "expects": "tea"}),
            call("write", path="a", content="green  TEA"),
            call("read", path="a"),
            call("done", result="a has tea"),
            YES,
        ]
    )
    run = runs.start("Put tea into a", strategy="plan", model=model)
    outcome = await run
    assert (outcome.status, outcome.result) == ("done", "a has tea")
    assert run.plan is not None
    assert [(row["what"], row["status"]) for row in run.plan.rows()] == [
        ("Write a", "done"),
        ("Read it", "done"),
    ]
    assert "Do this step of the plan now" in model.requests[1].messages[-1].text
    assert [tool.name for tool in model.requests[-1].tools] == ["verdict"]


@pytest.mark.parametrize(
    ("step", "turn", "why"),
    [
        ("Read b", call("read", path="b"), "failed"),
        ({"what": "Read a", "expects": "coffee"}, call("read", path="a"), "'coffee' was expected"),
        ("Read a", call("blocked", reason="the door is shut"), "the door is shut"),
        ("Read a", say("I'd rather not"), "No call was made"),
        ("Read a", call("nonsense"), "failed"),
    ],
)
async def test_a_failed_step_is_replanned(runs: Runs, world: World, step: Any, turn: Turn, why: str) -> None:
    world.files["a"] = "tea"
    model = ScriptedModel([plan(step, "Never taken"), turn, call("done", result="Done all the same"), YES])
    run = runs.start("Read a", strategy="plan", model=model)
    assert (await run).status == "done"
    assert why in model.requests[2].messages[-1].text
    assert run.plan is not None
    assert [row["status"] for row in run.plan.rows()] == ["failed", "skipped"]


async def test_a_broken_assumption_is_replanned(registry: Registry, world: World) -> None:
    async def snapshot(_: int) -> tuple[str, str]:
        return "[e1] button Log in", "https://example.org"

    registry.add(declare(group="dom", name="click")(_click))
    model = ScriptedModel(
        [plan({"what": "Send it", "assumes": "Send"}), call("fail", reason="one has to log in first")]
    )
    outcome = await Runs(registry, observer=snapshot).start("Send it", strategy="plan", model=model)
    assert outcome.reason == "one has to log in first"
    assert "assumed that 'Send' is visible" in model.requests[1].messages[-1].text


def _click(ref: str) -> str:
    """Click."""
    return f"clicked {ref}"


async def test_done_is_checked(runs: Runs, world: World) -> None:
    model = ScriptedModel(
        [
            call("done", result="All written"),
            call("verdict", done=False, missing="b was never written"),
            plan("Write b"),
            call("write", path="b", content="x"),
            call("done", result="Now all is written"),
            YES,
        ]
    )
    outcome = await runs.start("Write b", strategy="plan", model=model)
    assert (outcome.result, world.files) == ("Now all is written", {"b": "x"})
    assert "b was never written" in model.requests[2].messages[-1].text


@pytest.mark.parametrize("verdict", [call("verdict", done=False, missing="all"), say("Hm"), call("verdict")])
async def test_repeated_unconfirmed_done_fails_the_run(runs: Runs, verdict: Turn) -> None:
    model = ScriptedModel([call("done", result="Done!"), verdict] * 6)
    outcome = await runs.start("Do it", strategy="plan", model=model)
    assert outcome.status == "failed"
    assert "reported as done 4 times" in (outcome.reason or "")


async def test_a_planner_without_a_plan_fails_the_run(runs: Runs) -> None:
    model = ScriptedModel([say("Let me think"), call("plan", steps=[]), call("plan", steps=[{"when": 1}])])
    outcome = await runs.start("Do it", strategy="plan", model=model)
    assert (outcome.status, outcome.reason) == ("failed", "the planner returned no plan, 3 times in a row")


async def test_a_step_makes_only_one_call(runs: Runs, world: World) -> None:
    both = calls(("write", {"path": "a", "content": "1"}), ("write", {"path": "b", "content": "2"}))
    model = ScriptedModel([plan("Write a"), both, call("done", result="Written"), YES])
    await runs.start("Write a", strategy="plan", model=model)
    assert world.files == {"a": "1"}
    assert [result.failed for result in results(model.requests[2])] == [False, False, True]


async def test_independent_reading_steps_run_in_parallel(runs: Runs) -> None:
    together = asyncio.Barrier(2)

    @declare(effect="read")
    async def fetch(name: str) -> str:
        """Fetch something."""
        await together.wait()
        return f"{name} is here"

    steps = [{"what": f"Fetch {name}", "independent": True, "expects": "is here"} for name in "ab"]
    model = ScriptedModel(
        [plan(*steps), call("fetch", name="a"), call("fetch", name="b"), call("done", result="Both"), YES]
    )
    run = runs.start("Fetch both", strategy="plan", model=model, tools=[fetch])
    assert (await run).result == "Both"
    assert [made.result for made in run.steps[1].calls] == ['"a is here"', '"b is here"']


async def test_independent_writing_steps_run_in_order(runs: Runs, world: World) -> None:
    steps = [{"what": f"Write {name}", "independent": True} for name in "ab"]
    writes = [call("write", path=name, content=name) for name in "ab"]
    model = ScriptedModel([plan(*steps), *writes, *writes, call("done", result="Both"), YES])
    assert (await runs.start("Write both", strategy="plan", model=model)).result == "Both"
    assert list(world.files) == ["a", "b"]


async def test_the_user_changes_the_plan_during_the_run(runs: Runs, world: World) -> None:
    model = ScriptedModel(
        [
            plan("Write a", "Write b"),
            call("write", path="a", content="1"),
            call("write", path="c", content="3"),
            call("done", result="Written"),
            YES,
        ]
    )
    run = runs.start("Write", strategy="plan", model=model)

    def edit(event: object) -> None:
        if len(run.steps) == 2 and run.plan and run.plan.waiting[:1] == run.plan.steps[1:2]:
            with pytest.raises(InvalidArguments, match=r"steps\.0\.what"):
                run.edit_plan([{"what": ""}])
            if run.plan.waiting[0].what == "Write b":
                run.edit_plan([{"what": "Write c instead"}])

    run.on_event(edit)
    await run
    assert "Write c instead" in model.requests[2].messages[-1].text
    with pytest.raises(PlanRefused):
        run.edit_plan([])


async def test_editing_the_plan_of_a_run_without_one_raises(runs: Runs) -> None:
    run = runs.start("Go", model=ScriptedModel([say("Gone")]))
    with pytest.raises(PlanRefused, match="has no plan"):
        run.edit_plan([])
    await run
