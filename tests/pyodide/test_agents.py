"""Agents in the browser's Python: both strategies, time limits and a continued run."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_pyodide import run_in_pyodide

pytestmark = pytest.mark.extended


@run_in_pyodide
async def test_an_agent_uses_the_surfaces_tools(selenium_started: Any) -> None:
    import gemini
    from gemini.agents import ScriptedModel, call

    turns = [
        call("file_write", path="/project/tea.txt", content="green"),
        call("file_read", path="/project/tea.txt"),
        call("done", result="It is green"),
    ]
    run = gemini.agents.run("Write tea.txt", model=ScriptedModel(turns), tools=["files"])
    steps = [step async for step in run]
    assert (await run).result == "It is green"
    assert "green" in steps[1].calls[0].result

    plan = call("plan", steps=[{"what": "Read tea.txt", "expects": "green"}])
    planned = [plan, turns[1], turns[2], call("verdict", done=True, missing="")]
    following = gemini.agents.run(
        "Read it again", strategy="plan", model=ScriptedModel(planned), tools=["files"], continues=run
    )
    assert (await following).status == "done"
    assert following.plan is not None
    assert [row["status"] for row in following.plan.rows()] == ["done"]


@run_in_pyodide
async def test_a_time_limit_or_a_cancel_ends_a_run(selenium_started: Any) -> None:
    import asyncio

    import gemini
    from gemini.agents import ScriptedModel, call

    async def hang() -> None:
        """Take forever."""
        await asyncio.Event().wait()

    model = ScriptedModel([call("hang")])
    outcome = await gemini.agents.run("Wait", model=model, tools=[hang], budget={"minutes": 0.001})
    assert outcome.status == "budget"
    run = gemini.agents.run("Wait", model=ScriptedModel([call("hang")]), tools=[hang])
    run.cancel()
    assert (await run).status == "cancelled"
