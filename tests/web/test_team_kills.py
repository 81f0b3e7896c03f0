"""A team of five whose page is reloaded and whose Python dies at random: every task ends, and nothing is done twice."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gemini_testing import Surface, ToolCallFailed

pytestmark = pytest.mark.extended

TASKS, KILLS = 29, 8
# The scripts look only at the messages, so that a resumed run goes on where it was.
MODELS = """
import asyncio
import gemini
from gemini.agents import ScriptedModel, call, say
from gemini.agents.model.messages import ToolMessage
AGENTS = ("coder", "researcher", "writer", "analyst")

def orchestrate(request):
    made = [message for message in request.messages if isinstance(message, ToolMessage)]
    added = sum(message.tool == "task_add" for message in made)
    if added < {tasks}:
        brief = f"Part {{added:02}}: write your number into the log, and say that it is done."
        return call("task_add", agent=AGENTS[added % 4], brief=brief, expects="that it is done")
    waited = made[-1].tool == "task_wait" and '"unfinished":[]' in made[-1].text
    return say("All parts are done") if waited else call("task_wait")

def work(request):
    made = [message for message in request.messages if isinstance(message, ToolMessage)]
    [part] = {{text[5:7] for text in (message.text for message in request.messages) if text.startswith("Part ")}}
    if not made:
        return call("terminal_execute", command=f"echo {{part}} >> {folder}/log")
    return say(f"Part {{part}} is done")

def model(wanted, agent):
    return ScriptedModel([orchestrate if agent == "orchestrator" else work] * 500)

gemini.agents.current().selection.find = model
"""
START = "team = gemini.agents.team('Do the parts')\nteam.id"
GO_ON = "team = gemini.agents.resume_team({team!r})\nteam.id"
UNTIL = """
async for _ in team:
    if sum(task.status == "done" for task in team.tasks) >= {done}:
        break
    await asyncio.sleep(0)
[task.status for task in team.tasks].count("done")
"""
END = "outcome = await team\noutcome.status, outcome.result, [[task.status, task.result] for task in team.tasks[1:]]"


def kill(surface: Surface, chance: random.Random) -> None:
    """Reload the page, or let its Python die, and wait until it has started again."""
    if chance.random() < 0.4:
        surface.reload()
        return
    with pytest.raises(ToolCallFailed, match="KernelDied"):
        surface.call("python_run", code="import os; os.abort()")
    surface.wait_until_ready()


@pytest.mark.parametrize("seed", [1, 2])
def test_every_task_ends_once(surface: Surface, folder: str, seed: int) -> None:
    chance = random.Random(seed)
    models = MODELS.format(tasks=TASKS, folder=folder)
    team: Any = surface.python(models + START)
    for number in range(KILLS):
        surface.python(UNTIL.format(done=(number + 1) * TASKS // (KILLS + 2)))
        kill(surface, chance)
        assert surface.python(models + GO_ON.format(team=team)) == team
    status, result, parts = surface.python(END)
    assert (status, result) == ("done", "All parts are done")
    assert parts == [["done", f"Part {number:02} is done"] for number in range(TASKS)]
    # A command that was cut off isn't repeated, so each ran at most once.
    lines = surface.call("file_read", path=f"{folder}/log")["content"].split()
    assert len(lines) == len({*lines}) >= TASKS - KILLS * 3
