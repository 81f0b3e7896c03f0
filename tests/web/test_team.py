"""A team in the page: its package loads on first use, and a reload cuts it off and lets it continue."""

from __future__ import annotations

import pytest

from gemini_testing import Surface

MODELS = """
import sys
import gemini
from gemini.agents import ScriptedModel, call, say

brief = "Write the word hello into the file hello.txt of this folder."
turns = {
    "orchestrator": [call("task_add", agent="coder", brief=brief, expects="the path of the file"), call("task_wait"),
        call("ask", question="May the coder?"),
        lambda request: call("task_answer", task=gemini.agents.teams().get(team_id).tasks[1].id, text="Do"),
        call("task_wait"), say("All is done")],
    "coder": [call("ask", question="Shall I?"), call("file_write", path="FOLDER/hello.txt", content="hello"),
        say("Wrote it")],
}

def model(wanted, agent):
    def answer(request):
        turn = turns[agent][sum(message.role == "assistant" for message in request.messages)]
        return turn(request) if callable(turn) else turn

    return ScriptedModel([answer] * 20)

gemini.agents.current().selection.find = model
"""
START = """
loaded = [name for name in sys.modules if name.startswith(("gemini.agents.teamwork.", "ruamel"))
    and name.rpartition(".")[2] not in ("setup", "events", "panel_tools", "agent_panel_tools")]
team = gemini.agents.team("Write hello", attended=True)
team_id = team.id
async for task in team:
    if any(question.for_user for question in team.questions):
        break
loaded, team.id
"""
GO_ON = """
[team_id] = gemini.agents.teams().unfinished()
team = gemini.agents.resume_team(team_id)
async for task in team:
    if team.run_of(team_id) is not None and team.questions:
        break
team.answer(team_id, "It may")
outcome = await team
team_id, outcome.status, outcome.result, outcome.sources["files"]
"""


@pytest.mark.extended
def test_a_team_goes_on_after_a_reload(surface: Surface, folder: str) -> None:
    models = MODELS.replace("FOLDER", folder)
    loaded, team = surface.python(models + START)
    assert loaded == []
    surface.reload()
    found = surface.python(models + GO_ON)
    assert found == [team, "done", "All is done", [f"{folder}/hello.txt"]]
    assert surface.call("file_read", path=f"{folder}/hello.txt")["content"] == "hello"
    assert "coder.md" in surface.call("terminal_execute", command="ls ~/.agents", timeout_s=30)["output"]
