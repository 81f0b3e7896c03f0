"""The shared screen: the page asks, the browser lets the user choose, and agents get pictures until sharing ends.

The test browser chooses a screen by itself, which shows the browser's test picture.
"""

from __future__ import annotations

from gemini_testing import Surface
from tests.web.conftest import Start
from tests.web.person import Person

CAPTURE = """
import gemini
try:
    shot = await gemini.registry.call("screen_capture", {"data": True}, caller="agent:looker")
    value = [shot["surface"], shot["width"] > 100, len(set(shot["data"])) > 20]
except gemini.Refused as error:
    value = error.message
value
"""
STOP = "await gemini.server.kernel.kernel.browser.ask_owner('screen', {'action': 'stop'})"


def test_the_user_shares_a_screen_once_for_all_pictures(
    surface: Surface, person: Person, start: Start
) -> None:
    refused = start("python_run", code=CAPTURE)
    assert "take pictures of your screen" in person.answer_questions(refused, "refuse")[0]
    answer = refused.result()
    assert "the person refused to share a screen" in answer["result"]

    first = start("python_run", code=CAPTURE)
    assert len(person.answer_questions(first, "once")) == 1
    assert first.result()["result"] == ["monitor", True, True]
    # Nothing is asked again until sharing ends.
    assert surface.python(CAPTURE) == ["monitor", True, True]
    surface.python(STOP)
    again = start("python_run", code=CAPTURE)
    assert len(person.answer_questions(again, "refuse")) == 1
