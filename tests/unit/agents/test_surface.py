"""Agents on the surface itself: its own tools, its database, and its next start."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gemini.kernel.kernel import Kernel
from gemini.models.interface.scripted import ScriptedModel, call, say
from gemini.tools import Registry


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "saved").mkdir()
    (tmp_path / "project").mkdir()
    return tmp_path


def kernel(home: Path) -> Kernel:
    return Kernel(Registry(), str(home / "project"), home / "saved")


async def test_an_agent_works_with_the_surfaces_files(home: Path) -> None:
    running = kernel(home)
    path = str(home / "project/tea.txt")
    model = ScriptedModel(
        [
            call("file_write", path=path, content="green"),
            call("file_read", path=path),
            call("done", result="It is green"),
        ]
    )
    run = running.runs.start("Write tea.txt", model=model, tools=["files"])
    assert (await run).result == "It is green"
    assert Path(path).read_text() == "green"
    assert "green" in run.steps[1].calls[0].result


async def test_a_run_is_found_by_the_next_kernel(home: Path) -> None:
    first = kernel(home)
    run = first.runs.start("Ask", model=ScriptedModel([call("ask", question="Well?")]), attended=True)
    asked = asyncio.Event()
    run.on_event(lambda _: asked.set() if run.question else None)
    await asked.wait()
    first.close()
    second = kernel(home)
    assert second.runs.unfinished() == [run.id]
    outcome = await second.runs.resume(run.id, model=ScriptedModel([say("No answer")]))
    assert outcome.result == "No answer"
    second.close()


async def test_an_agent_with_browser_tools_learns_that_there_is_no_page(home: Path) -> None:
    model = ScriptedModel([say("Nothing to see")])
    await kernel(home).runs.start("Look", model=model, tools=["dom"])
    assert any("can't be read now" in message.text for message in model.requests[0].messages)
