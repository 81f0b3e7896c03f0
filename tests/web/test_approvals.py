"""A tool that reaches outside asks the person first, who sees what it is about."""

from __future__ import annotations

import uuid

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.conftest import Start
from tests.web.person import Person

SEND = """
sent = []

@gemini.tool(effect="outside")
def send_mail(to: str, body: str = "") -> str:
    "Send a mail."
    sent.append(to)
    return f"sent to {to}"

@gemini.tool(effect="spend")
def buy(what: str) -> str:
    "Buy something."
    sent.append(what)
    return f"bought {what}"
"""


@pytest.fixture(autouse=True)
def declared(surface: Surface, person: Person) -> None:
    """The tools, in the kernel that is there once `person` has cleared the page."""
    surface.python(SEND)
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === 'buy'))()"
    )


def sent(surface: Surface) -> list[str]:
    return surface.python("sent")


def test_the_tool_tells_agents_that_it_has_consequences(surface: Surface) -> None:
    hints = {tool["name"]: tool["annotations"]["consequentialHint"] for tool in surface.tools()}

    assert hints["send_mail"] and hints["buy"]
    assert not hints["file_write"]


def test_the_dialog_shows_who_asks_for_what(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="eve@example.org", body="<b>bold</b>\u202eevil")

    assert person.sees("#approval-who") == "An agent in your browser (WebMCP)"
    assert person.sees("#approval-tool") == "send_mail"
    assert "reaches outside" in person.sees("#approval-effect")
    arguments = person.sees("#approval-arguments")
    assert '"to": "eve@example.org"' in arguments
    # Neither markup nor invisible characters get to decide what the person reads.
    assert r"<b>bold</b>\u202eevil" in arguments
    assert call.is_running and sent(surface) == []
    person.click("#approval-refuse")


def test_the_dialog_can_be_used_without_eyes_and_mouse(
    surface: Surface, person: Person, start: Start
) -> None:
    call = start("send_mail", to="ann@example.org")
    person.sees("#approval")
    told = surface.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    [dialog] = [node for node in told if node.get("role", {}).get("value") == "alertdialog"]

    assert dialog["name"]["value"] == "Your consent is needed"
    assert "send_mail" in dialog["description"]["value"]
    assert {"name": "modal", "value": {"type": "boolean", "value": True}} in dialog["properties"]
    assert person.focus == "approval-refuse"
    stops = []
    while person.focus not in stops:
        stops.append(person.focus)
        person.press(Keys.TAB)
    assert {"approval-refuse", "approval-once", "approval-always"} <= set(stops)
    surface.driver.execute_script("document.querySelector('#approval-once').focus()")
    person.press(Keys.ENTER)

    assert call.result() == "sent to ann@example.org"


def test_allowing_once_is_asked_again(surface: Surface, person: Person, start: Start) -> None:
    first = start("send_mail", to="a@example.org")
    person.click("#approval-once")
    assert first.result() == "sent to a@example.org"
    person.no_longer_sees("#approval")

    second = start("send_mail", to="b@example.org")
    assert "b@example.org" in person.sees("#approval-arguments")
    person.click("#approval-refuse")
    assert second.result()["error"]["type"] == "Refused"
    assert sent(surface) == ["a@example.org"]


def test_a_refusal_is_an_error_that_says_so(person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.click("#approval-refuse")
    error = call.result()["error"]

    assert error["type"] == "Refused"
    assert error["message"] == "the person refused send_mail"
    assert error["hint"]


def test_escape_refuses(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.sees("#approval")
    person.press(Keys.ESCAPE)

    assert call.result()["error"]["type"] == "Refused"
    assert sent(surface) == []


@pytest.fixture
def send_letter(surface: Surface) -> str:
    """The name of a tool that nobody was ever asked about."""
    name = f"send_letter_{uuid.uuid4().hex[:8]}"
    surface.python(
        f"""
@gemini.tool(effect="outside")
def {name}(to: str) -> str:
    "Send a letter."
    return f"sent to {{to}}"
"""
    )
    return name


def test_allowing_always_holds_for_this_tool_and_this_caller(
    surface: Surface, person: Person, start: Start, send_letter: str
) -> None:
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === arguments[0]))()",
        send_letter,
    )
    first = start(send_letter, to="a@example.org")
    person.click("#approval-always")
    assert first.result() == "sent to a@example.org"
    assert surface.call(send_letter, to="b@example.org") == "sent to b@example.org"

    other_tool = start("buy", what="a boat")
    assert "spends money" in person.sees("#approval-effect")
    person.click("#approval-refuse")
    assert other_tool.result()["error"]["type"] == "Refused"

    surface.javascript(
        "globalThis.byScript = gemini.callTool(arguments[0], { to: 'c@example.org' })", send_letter
    )
    person.sees("#approval-who", "A script on this page")
    person.click("#approval-refuse")
    assert surface.javascript("return (await byScript).error.type") == "Refused"


def test_a_script_can_not_consent(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.sees("#approval")
    surface.javascript(
        """
        for (const id of ["approval-once", "approval-always"]) {
          const button = document.getElementById(id);
          button.click();
          button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
          button.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        }
        """
    )

    # The surface has answered a later call, so it has heard all that was said before.
    assert sent(surface) == []
    assert call.is_running
    person.click("#approval-refuse")
    assert call.result()["error"]["type"] == "Refused"


def test_requests_are_asked_one_after_the_other(surface: Surface, person: Person, start: Start) -> None:
    first, second = start("send_mail", to="a@example.org"), start("send_mail", to="b@example.org")
    assert "a@example.org" in person.sees("#approval-arguments")
    person.sees("#approval-queue", "1 more request waits after this one.")
    person.click("#approval-refuse")
    person.sees("#approval-arguments", "b@example.org")
    person.click("#approval-once")

    assert first.result()["error"]["type"] == "Refused"
    assert second.result() == "sent to b@example.org"
    assert sent(surface) == ["b@example.org"]


def test_a_call_that_is_given_up_takes_its_question_with_it(
    surface: Surface, person: Person, start: Start
) -> None:
    call = start("send_mail", to="a@example.org")
    person.sees("#approval")
    call.abort()

    assert call.result() == {"aborted": "AbortError"}
    person.no_longer_sees("#approval")
    assert sent(surface) == []


def test_wrong_arguments_are_not_asked_about(surface: Surface, person: Person) -> None:
    answer = surface.javascript("return gemini.callTool('send_mail', { too: 'x' })")

    assert answer["error"]["type"] == "InvalidArguments"
    person.no_longer_sees("#approval")


def test_other_calls_go_on_while_the_person_thinks(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.sees("#approval")

    assert surface.call("terminal_execute", command="echo meanwhile")["stdout"] == "meanwhile\n"
    person.click("#approval-once")
    assert call.result() == "sent to a@example.org"
