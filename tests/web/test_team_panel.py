"""The Team panel: the user starts a team, sees its agents and tasks, and answers its questions."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.test_schedules_panel import INBOX
from tests.web.test_team import MODELS, START

pytestmark = pytest.mark.fortnightly

TASK = 'region "Team" .team-task'
LEADER = f"{TASK}:first-child"
CODER = 'region "Team" .team-node-button[aria-label^=coder]'
PLAN = """
team = gemini.agents.team("Write about the project", attended=True)
team_id = team.id
async for task in team:
    if any(question.for_user for question in team.questions):
        break
coder = team.tasks[1].id
for agent in ("writer", "analyst"):
    brief = f"The {agent} works on the program that the coder has written."
    await team.add(agent, brief, "a complete text", after=[coder])
[task.id for task in team.tasks]
"""
AFTER = "[sorted(task.after) for task in gemini.agents.teams().get(team_id).tasks[2:]]"


def test_the_panel_starts_a_team_and_answers_its_questions(
    surface: Surface, person: Person, folder: str
) -> None:
    surface.python(MODELS.replace("FOLDER", folder) + "\nteam_id = None")
    person.open_panel("team")
    person.sees('region "Team" .empty', "No team has worked yet")
    assert "Today" not in person.sees("[data-agent=researcher]")
    person.click('region "Team" textbox "Task"')
    person.type("Write hello")
    person.click('region "Team" button "Start team"')
    person.sees('region "Team" .team-task', "orchestrator")
    surface.python("team_id = gemini.agents.teams().unfinished()[0]")
    person.click(f"{LEADER} .team-question input")
    person.type("@analy")
    person.sees(f"{LEADER} .team-question [role=option]", "@analyst")
    person.press(Keys.ENTER)
    person.type("may")
    person.press(Keys.ENTER)
    person.sees('region "Team" .team[data-status=done]')
    assert "All is done" in person.sees(LEADER, "orchestrator")
    person.click(CODER)
    assert "hello.txt" in person.sees(TASK, "coder")
    assert violations(surface, 'region "Team"') == []


HEADINGS = "[...document.querySelectorAll('#inbox-body h3')].map(({ innerText }) => innerText).join()"


def test_the_user_may_answer_what_an_agent_asks_its_leader(
    surface: Surface, person: Person, folder: str
) -> None:
    surface.python(f"{MODELS.replace('FOLDER', folder)}\nteam_id = None\n{START}")
    person.open_panel("inbox")
    led = INBOX.format("led")
    assert "Asked by coder. The orchestrator answers it, or asks you." in person.sees(led, "Shall I?")
    # It isn't among the user's own questions.
    surface.wait_for(f"{HEADINGS} === 'Questions 1,Questions to team leaders 1'")
    person.click(f"{led} summary")
    person.click(f"{led} input[name=text]")
    person.type("Do")
    person.press(Keys.ENTER)
    person.no_longer_sees(led)
    person.click(f"{INBOX.format('questions')} input[name=text]")
    person.type("It may")
    person.press(Keys.ENTER)
    assert surface.python("outcome = await team\noutcome.status, outcome.result") == ["done", "All is done"]
    assert surface.call("file_read", path=f"{folder}/hello.txt")["content"] == "hello"
    person.sees('region "Inbox" .empty', "Nothing waits for you")


def test_edges_change_while_the_team_works(surface: Surface, person: Person, folder: str) -> None:
    _, coder, writer, analyst = surface.python(MODELS.replace("FOLDER", folder) + PLAN)
    person.open_panel("team")
    # By keyboard: from the leader's task to the layer of the coder's, and on to the next.
    person.click('region "Team" .team-node-button[aria-pressed=true]')
    person.press(Keys.ARROW_DOWN, times=2)
    person.press(Keys.ENTER)
    # The choice is drawn a moment later.
    choice = 'region "Team" .team-node-button[aria-pressed=true]:is([aria-label^=w], [aria-label^=a])'
    selected = person.find(choice).get_attribute("aria-label") or ""
    [mine, other] = (writer, analyst) if selected.startswith("writer") else (analyst, writer)
    form = f'region "Team" [data-task={mine}] .team-link'
    person.choose(f"{form} select", other)
    person.click(f"{form} [data-action=link_tasks]")
    cut = f'region "Team" .team-cut[data-from={other}][data-to={mine}]'
    person.find(cut)
    assert sorted([other, coder]) in surface.python(AFTER)
    assert violations(surface, 'region "Team"') == []
    # By pointer, against the new edge.
    person.drag(f'region "Team" [data-node={mine}] .team-port', f'region "Team" [data-node={other}]')
    assert "can't come after" in person.sees('region "Team" [role=alert]')
    person.click(cut)
    person.no_longer_sees(cut)
    person.drag(f'region "Team" [data-node={mine}] .team-port', f'region "Team" [data-node={other}]')
    person.find(f'region "Team" .team-cut[data-from={mine}][data-to={other}]')
    person.no_longer_sees('region "Team" [role=alert]')
    surface.python("gemini.agents.teams().get(team_id).cancel()")


def test_an_agent_is_written_and_changed(surface: Surface, person: Person) -> None:
    person.open_panel("team")
    person.click('button "New agent"')
    person.click('form "New agent" button "Create"')
    person.sees('region "Team" [role=alert]', "name: Small letters")
    person.click('region "Team" button "← Team"')
    person.no_longer_sees('region "Team" [role=alert]')
    person.click('button "New agent"')
    surface.wait_for("document.activeElement.id === 'agent-field-name'")
    person.type("Baker")
    form = 'region "Team" .agent-form'
    person.click(f'{form} button "Create"')
    assert "Small letters" in person.sees(f"{form} .problem")
    assert person.focus == "agent-field-name"
    person.press("a", holding=Keys.CONTROL)
    person.type("baker")
    person.click(f"{form} [name=role]")
    person.type("Bakes bread.")
    person.click(f"{form} [name=tools]")
    person.type("files, web")
    person.click(f"{form} [name='budgets.day.cost']")
    person.type("2")
    person.click(f'{form} button "Create"')
    person.sees('region "Team" [role=status]', "Created.")
    person.click(f'{form} textbox "Prompt"')
    person.type("You bake.")
    person.click(f'{form} button "Save"')
    person.sees('region "Team" [role=status]', "Saved.")
    written = surface.call("file_read", path="/home/user/.agents/baker.md")["content"]
    assert 'budgets: {"day": {"cost": 2' in written and 'tools: ["files", "web"]' in written
    assert written.endswith("You bake.\n")
    assert violations(surface, 'region "Team"') == []
