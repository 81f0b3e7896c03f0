"""The Team panel: the user starts a team, sees its agents and tasks, and answers its questions."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.test_team import MODELS

TASK = "#team .team-task:first-child"
CODER = "#team .team-task:nth-child(2)"


def test_the_panel_starts_a_team_and_answers_its_questions(
    surface: Surface, person: Person, folder: str
) -> None:
    surface.python(MODELS.replace("FOLDER", folder) + "\nteam_id = None")
    person.open_panel("team")
    person.sees("#team-body .empty", "No team has worked yet")
    person.sees("[data-agent=researcher]", "Nothing spent today")
    person.click("#team-task")
    person.type("Write hello")
    person.click("#team [data-action=start_team]")
    person.sees("#team .team-task", "orchestrator")
    surface.python("team_id = gemini.agents.teams().unfinished()[0]")
    person.click(f"{TASK} .team-question input")
    person.type("It may")
    person.press(Keys.ENTER)
    surface.wait_for("document.querySelector('#team .team')?.dataset.status === 'done'")
    person.click(f"{TASK} summary")
    assert "All is done" in person.sees(TASK, "orchestrator")
    assert "hello.txt" in surface.wait_for(f"document.querySelector(`{CODER}`).textContent")
    assert violations(surface, "#team") == []
