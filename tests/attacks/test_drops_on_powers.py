"""Things dropped on what has power: a question, a terminal of the computer and a chat."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.attacks.dropping import drop
from tests.attacks.test_focus import Typist, open_own
from tests.tiers import sampled
from tests.web.conftest import Start
from tests.web.own_machine import machine, surface_of_module
from tests.web.person import Person
from tests.web.test_chat import answer_with, ended, panel, texts

__all__ = ["machine", "panel", "surface_of_module"]

pytestmark = [pytest.mark.fortnightly, pytest.mark.usefixtures("empty_home")]


@pytest.fixture
def dropped(tmp_path: Path) -> Path:
    """Create a file that is dropped."""
    file = tmp_path / "once; touch run.txt"
    file.write_text("once\n")
    return file


@pytest.mark.parametrize(
    "place", sampled(["#approval-once", "#approval-refuse", "#approval-question", "#approval"])
)
def test_a_drop_on_a_question_answers_nothing(
    surface: Surface, person: Person, start: Start, dropped: Path, place: str
) -> None:
    opening = start("terminal_create", backend="host")
    asked = person.sees("#approval-question", "open a shell")
    for items in (
        ("text/plain", "once\n"),
        ("text/uri-list", "https://attacked.test/"),
        ("text/html", "<b>yes</b>"),
    ):
        drop(surface, place, items)
    drop(surface, place, files=[dropped])
    assert opening.is_running and person.sees("#approval-question") == asked
    # The control: a press on the same dialog answers it.
    person.click("#approval-once")
    surface.call("terminal_close", terminal_id=opening.result()["terminal_id"])


@pytest.mark.parametrize("place", sampled([".xterm-screen", "textarea", ""]))
def test_a_drop_on_a_terminal_of_the_computer_types_nothing(
    surface: Surface, person: Person, machine: Path, dropped: Path, place: str
) -> None:
    """It takes keys, since the user has pressed there."""
    typist = Typist(person, machine, open_own(person))
    typist.press()
    target = f"[data-terminal={typist.own}] {place}".strip()
    line = f"touch {machine}/attack\n"
    drop(surface, target, ("text/plain", line))
    drop(
        surface,
        target,
        ("text/plain", line),
        ("text/html", f"<pre>{line}</pre>"),
        ("text/uri-list", "file:///x"),
    )
    drop(surface, target, files=[dropped])
    typist.controls_now()
    surface.call("terminal_close", terminal_id=typist.own)


def test_a_text_dropped_on_the_chat_is_only_text(
    surface: Surface, panel: Person, folder: str, dropped: Path
) -> None:
    """It mentions a file, names a command and ends with a line break; the user sends it, or doesn't."""
    surface.call("file_write", path=f"{folder}/.env", content="token-of-the-owner")
    surface.call("file_navigate", path=folder)
    answer_with(surface, "Done.")
    before = texts(surface)
    text = f"/run @{folder}/.env now"
    drop(surface, "#chat-input", ("text/plain", f"{text}\n"))
    panel.sees("#chat")
    surface.wait_for("document.querySelector('#chat-input').value.includes('.env now')")
    assert texts(surface) == before
    drop(surface, "#chat-send", ("text/plain", "x\n"))
    drop(surface, "#chat-send", ("text/uri-list", "https://attacked.test/"))
    assert texts(surface) == before and surface.python("len(model.requests)") == 0
    # The control: the user's own key sends it, as text.
    surface.javascript("document.querySelector('#chat-input').focus()")
    panel.press(Keys.ENTER)
    ended(surface, "Done.")
    assert text in texts(surface)[0]
    assert "token-of-the-owner" not in surface.python("repr(model.requests)")
