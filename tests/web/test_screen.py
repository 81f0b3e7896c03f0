"""The shared screen: the page asks, the browser lets the user choose, and agents get pictures until sharing ends.

The test browser chooses a screen automatically, which shows the browser's test picture.
"""

from __future__ import annotations

import pytest

from gemini_testing import Surface
from tests.web.agent import close_tabs
from tests.web.axe import violations
from tests.web.conftest import Start, end_refusals
from tests.web.person import Person
from tests.web.test_agent_panel import answer, script, start_task

pytestmark = pytest.mark.fortnightly

CAPTURE = """
import gemini
try:
    shot = await gemini.registry.call("screen_capture", {"data": True}, caller="agent:looker")
    value = [shot["surface"], shot["width"] > 100, len(set(shot["data"])) > 20]
except gemini.Refused as error:
    value = error.message
value
"""


def test_the_user_shares_a_screen_once_for_all_pictures(
    surface: Surface, person: Person, start: Start
) -> None:
    refused = start("python_run", code=CAPTURE)
    assert "take pictures of your screen" in person.answer_questions(refused, "refuse")[0]
    assert "the user refused to share a screen" in refused.result()["result"]

    end_refusals(surface)
    first = start("python_run", code=CAPTURE)
    assert len(person.answer_questions(first, "once")) == 1
    assert first.result()["result"] == ["monitor", True, True]
    # Nothing is asked again until sharing ends.
    assert surface.python(CAPTURE) == ["monitor", True, True]
    person.open_panel("screen")
    assert "2 pictures of it, the last" in person.sees('region "Screen" figcaption', "What you share")
    # The picture moves on its own, and captures continue after the panel was closed.
    surface.wait_for(
        "(({ videoWidth, currentTime }) => videoWidth > 100 && currentTime > 0)(document.querySelector('#screen-live'))"
    )
    assert violations(surface, 'region "Screen"') == []
    person.click('region "Screen" button "Stop sharing"')
    person.no_longer_sees('region "Screen" [aria-label="What you share"]')
    again = start("python_run", code=CAPTURE)
    assert len(person.answer_questions(again, "refuse")) == 1


SHOWS = """
gemini.agents.current().model = ScriptedModel([
    call("browser_navigate", url="{folder}/tea.html"),
    call("browser_click", selector="button"),
    call("ask", question="Which tea?"),
    call("done", result="Mint"),
])
"""


def test_the_panel_shows_what_a_run_sees_and_does(surface: Surface, person: Person, folder: str) -> None:
    page = "<!doctype html><title>Tea</title><button onclick='this.textContent = 1'>Order tea</button>"
    surface.call("file_write", path=f"{folder}/tea.html", content=page)
    script(surface, SHOWS, folder=folder)
    start_task(person, "Order tea")
    person.open_panel("screen")
    person.sees('region "Screen"', "It asks: Which tea?")
    person.sees('region "Screen" .screen-steps', "Clicked")
    assert "Order tea" in surface.wait_for("document.querySelector('pre[aria-label=Snapshot]')?.textContent")
    surface.wait_for("document.querySelector('#screen-body img')?.naturalWidth > 0")
    assert violations(surface, 'region "Screen"') == []
    person.open_panel("agent")
    answer(person, "Mint")
    person.open_panel("screen")
    person.sees('region "Screen"', "done")
    close_tabs(surface)
