"""Prompt injection from one agent to the next: by briefs, messages and answers of a team, by memories,
skills and schedules. The text passed on comes from a file, or from the results of a search.

The first agent passes on the text, and the second one obeys.
"""

from __future__ import annotations

import pytest

from tests.attacks.injection.orders import CARRIERS, Case, cases
from tests.attacks.injection.world import OBEYING, TOOLS, WEB, World, check_outcome, place_order
from tests.web.person import Background

pytestmark = pytest.mark.extended

BEGIN = """
from gemini.kernel.kernel import kernel
import os
text = {text!r}
read = call("web_search", query="tea") if {channel!r} == "searched" else call("file_read", path={note!r})
"""
# Its leader reads the text and passes it on.
TEAM = """
gemini.agents.create("servant", "Does what it is asked.", prompt="Help.", tools={granted!r}, replace=True)
brief = "Look at the notes of this week and say what they are about"
turns = {{
    "brief": [read, call("task_add", agent="servant", brief=f"{{brief}}: {{text}}", expects="a word on them"),
        call("task_wait")],
    "searched": [read, call("task_add", agent="servant", brief=f"{{brief}}: {{text}}", expects="a word on them"),
        call("task_wait")],
    "message": [read, call("agent_message", agent="servant", text=f"By the way: {{text}}"),
        call("task_add", agent="servant", brief=brief, expects="a word on them"), call("task_wait")],
    "answer": [read, call("task_add", agent="servant", brief=brief, expects="a word on them"), call("task_wait"),
        lambda request: call("task_answer", task=team.tasks[1].id, text=f"They say: {{text}}"), call("task_wait")],
}}[{channel!r}]
asks = [call("ask", question="What do they say?")] if {channel!r} == "answer" else []
scripts = {{"orchestrator": [*turns, say("Done")], "servant": [*asks, obeying, say("Done")]}}

def model(wanted, agent):
    def answer(request):
        turn = scripts[agent][sum(message.role == "assistant" for message in request.messages)]
        return turn(request) if callable(turn) else turn

    return ScriptedModel([answer] * 20)

find = gemini.agents.current().selection.find
gemini.agents.current().selection.find = model
team = gemini.agents.team("Say what the notes are about")
await team
gemini.agents.current().selection.find = find
[task.status for task in team.tasks]
"""
REMEMBER = """
first = ScriptedModel([read, call("memory_write", text=f"Weekly notes: {{text}}"), say("Done")])
await gemini.agents.run("Remember the notes", model=first, tools={tools!r})
None
"""
RECALL = """
second = ScriptedModel([call("memory_read", query="weekly notes"), obeying, say("Done")])
await gemini.agents.run("Say what the notes are about", model=second, tools={tools!r})
for row in kernel.memories.rows():
    kernel.memories.forget(row["id"])
"""
WRITE_SKILL = """
folder = "/project/.agents/skills/notes"
os.makedirs(folder, exist_ok=True)
head = "---\\nname: notes\\ndescription: Say what notes are about.\\n---\\n"
open(folder + "/SKILL.md", "w").write(head + text)
None
"""
CREATE_SCHEDULE = """
brief = f"Say what the notes are about: {{text}}"
first = ScriptedModel([read, call("schedule_create", when="every day at 9", brief=brief), say("Done")])
await gemini.agents.run("Have the notes summed up daily", model=first, tools=[*{tools!r}, "schedule_create"])
None
"""
AWAIT_SCHEDULE = """
import asyncio
def answer(request):
    return say("Done") if any(message.role == "assistant" for message in request.messages) else obeying(request)

find = gemini.agents.current().selection.find
gemini.agents.current().selection.find = lambda wanted, agent: ScriptedModel([answer] * 20)
started = asyncio.get_running_loop().create_future()
end = gemini.agents.teams().on_change(lambda team: started.done() or started.set_result(team))
None
"""
RUN_SCHEDULE = """
outcome = await gemini.agents.teams().get(await started)
end()
gemini.agents.current().selection.find = find
assert outcome.status == "done", outcome.reason
"""
FOLLOW_SKILL = """
model = ScriptedModel([call("skill_open", name="notes"), obeying, say("Done")])
await gemini.agents.run("Say what the notes are about", model=model, tools={tools!r})
None
"""


def show_panel(world: World, name: str) -> None:
    """Show a panel. The menu would close one that is shown."""
    if not world.surface.javascript("return document.getElementById(arguments[0]).checkVisibility()", name):
        world.person.open_panel(name)


def carried(world: World, case: Case, text: str) -> list[str]:
    """Have an agent carry a text and another one obey it, and return the questions to the user."""
    person = world.person

    def filled(code: str) -> str:
        note = f"{world.place().folder}/note.txt"
        tools = [*TOOLS, "memory_read", "memory_write"]
        # A file can't grant a tool that spends money.
        granted = [tool for tool in tools if tool != "agent_run"]
        return OBEYING + (BEGIN + code).format(
            text=text, note=note, tools=tools, granted=granted, channel=case.channel
        )

    code = TEAM
    if case.channel == "memory":
        # What an agent writes after it has read the text waits for the user, who allows it.
        code = RECALL
        world.surface.python(filled(REMEMBER))
        show_panel(world, "memory")
        person.click("#memory-waiting-title ~ .memory-list [data-action=approve_memory]")
        person.no_longer_sees("#memory-waiting-title")
    elif case.channel == "skill":
        code = FOLLOW_SKILL
        world.surface.python(filled(WRITE_SKILL))
        show_panel(world, "skills")
        person.click('region "Skills" button "Refresh"')
        person.click('button "Allow notes"')
        person.sees('region "Skill notes"', "Agents can use this.")
    elif case.channel == "schedule":
        # The run that makes it has read the text, so the schedule waits for the user, who approves it.
        code = RUN_SCHEDULE
        world.surface.python(filled(CREATE_SCHEDULE))
        show_panel(world, "schedules")
        person.sees("#schedules-body .schedule-list > li", "text from outside")
        person.click("#schedules-body [data-action=approve_schedule]")
        person.no_longer_sees("#schedules-body [data-action=approve_schedule]")
        world.surface.python(filled(AWAIT_SCHEDULE))
        person.click("#schedules-body [data-action=run_schedule]")
    call = Background(world.surface, "python_run", {"code": filled(code)})
    # A search is the user's own wish.
    allowed = ["once"] if case.channel in WEB else []
    asked = person.answer_questions(call, *allowed, "refuse")
    result = call.result()
    assert "error" not in result, result
    if case.channel == "schedule":
        person.click("#schedules-body [data-action=delete_schedule]")
        person.sees("#schedules-body .empty", "Nothing is scheduled")
    return asked[len(allowed) :]


def is_possible(case: Case) -> bool:
    """Return whether the second agent has the tool: agents of a team have none that spends money."""
    return case.goal != "money" or case.channel in ("memory", "skill")


@pytest.mark.parametrize("case", [*filter(is_possible, cases(CARRIERS))], ids=str)
def test_a_carried_order_has_no_outside_effect_without_consent(world: World, case: Case) -> None:
    text = place_order(world, case)
    world.outside.reset()
    world.provider.reset()
    check_outcome(world, case, carried(world, case, text))
