"""The consent dialog for tools that reach outside."""

from __future__ import annotations

import uuid

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.conftest import Resize, Start
from tests.web.names import CLAIM
from tests.web.person import Background, Person
from tests.web.shadow import FOUND

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
# The tool that is declared last.
LISTED = "(async () => (await document.modelContext.getTools()).some(({ name }) => name === 'buy'))()"


def declare(surface: Surface) -> None:
    """Declare the tools, and wait until the page lists them."""
    surface.python(SEND)
    surface.wait_for(LISTED)


@pytest.fixture(autouse=True)
def declared(surface: Surface, person: Person) -> None:
    """Declare the tools in the kernel that runs after `person` has cleared the page."""
    declare(surface)


def sent(surface: Surface) -> list[str]:
    return surface.python("sent")


def test_the_tool_s_annotations_say_that_it_reaches_outside(surface: Surface) -> None:
    hints = {tool["name"]: tool["annotations"]["consequentialHint"] for tool in surface.tools()}

    assert hints["send_mail"] and hints["buy"]
    assert not hints["file_write"]


def test_the_dialog_shows_the_caller_and_the_request(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="eve@example.org", body="<b>bold</b>\u202eevil")

    assert person.sees(f"{CLAIM} strong", "An agent") == "An agent in your browser (WebMCP)"
    assert person.sees(f"{CLAIM} strong.mono") == "send_mail"
    assert "reaches outside" in person.sees(CLAIM)
    arguments = person.sees(CLAIM)
    # Text is shown as text, with its line breaks, under the argument's name.
    assert "to text\neve@example.org" in arguments
    # Neither markup nor invisible characters change the displayed text.
    assert r"<b>bold</b>\u202eevil" in arguments
    assert call.is_running and sent(surface) == []
    person.click('button "Refuse"')


@pytest.mark.fortnightly
def test_the_dialog_works_with_a_screen_reader_and_keyboard(
    surface: Surface, person: Person, start: Start
) -> None:
    call = start("send_mail", to="ann@example.org")
    person.sees("[role=alertdialog]")
    nodes = surface.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    [dialog] = [node for node in nodes if node.get("role", {}).get("value") == "alertdialog"]

    assert dialog["name"]["value"] == "Allow this action?"
    assert "send_mail" in dialog["description"]["value"]
    assert {"name": "modal", "value": {"type": "boolean", "value": True}} in dialog["properties"]
    assert person.focus == "approval-refuse"
    stops = []
    while person.focus not in stops:
        stops.append(person.focus)
        person.press(Keys.TAB)
    assert {"approval-refuse", "approval-once", "approval-always"} <= set(stops)
    person.by_script('button "Allow once"', "focus()")
    person.find('button "Allow once"')
    person.press(Keys.ENTER)

    assert call.result() == "sent to ann@example.org"


@pytest.mark.extended
def test_each_answer_has_a_chord_and_a_digit_alone_answers_nothing(
    surface: Surface, person: Person, start: Start
) -> None:
    before = now(surface)
    call = start("send_mail", to="ann@example.org")
    person.sees("[role=alertdialog]")
    key = {"type": "rawKeyDown", "code": "Digit1", "key": "1", "windowsVirtualKeyCode": 49, "modifiers": 1}
    surface.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {**key, "timestamp": before + 0.49})
    person.sees("[role=alertdialog] [role=status]", "Ignored: the question had just appeared.")
    surface.wait_for("document.querySelector('[role=alertdialog] .answers:not([data-guarded])')")
    # What is typed meanwhile, what a script imitates, and a key that repeats because it is held.
    person.type("1")
    surface.driver.execute_script(
        "document.querySelector('#approval-refuse').dispatchEvent("
        "new KeyboardEvent('keydown', { code: 'Digit1', key: '1', altKey: true, bubbles: true }))"
    )
    surface.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {**key, "autoRepeat": True})
    assert call.is_running and sent(surface) == []
    keys = {"Allow once": "Alt+1", "Always allow": "Alt+5"}
    for button, chord in keys.items():
        assert person.find(f'button "{button}"').get_attribute("aria-keyshortcuts") == chord

    person.press("1", holding=Keys.ALT)
    assert call.result() == "sent to ann@example.org"


@pytest.mark.fortnightly
def test_allow_once_asks_again(surface: Surface, person: Person, start: Start) -> None:
    first = start("send_mail", to="a@example.org")
    person.click('button "Allow once"')
    assert first.result() == "sent to a@example.org"
    person.no_longer_sees("[role=alertdialog]")

    second = start("send_mail", to="b@example.org")
    assert "b@example.org" in person.sees(CLAIM)
    person.click('button "Refuse"')
    assert second.result()["error"]["type"] == "Refused"
    assert sent(surface) == ["a@example.org"]


def test_a_refusal_is_a_typed_error(person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.click('button "Refuse"')
    error = call.result()["error"]

    assert error["type"] == "Refused"
    assert error["message"] == "the user refused send_mail"
    assert error["hint"]


def test_escape_refuses(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.find('button "Refuse"')
    person.press(Keys.ESCAPE)

    assert call.result()["error"]["type"] == "Refused"
    assert sent(surface) == []


@pytest.fixture
def send_letter(surface: Surface) -> str:
    """Declare a tool without grants and return its name."""
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


@pytest.mark.fortnightly
def test_always_allow_covers_this_tool(
    surface: Surface, person: Person, start: Start, send_letter: str
) -> None:
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === arguments[0]))()",
        send_letter,
    )
    first = start(send_letter, to="a@example.org")
    person.click('button "Always allow"')
    assert first.result() == "sent to a@example.org"
    assert surface.call(send_letter, to="b@example.org") == "sent to b@example.org"

    other_tool = start("buy", what="a boat")
    assert "spends money" in person.sees(CLAIM)
    person.click('button "Refuse"')
    assert other_tool.result()["error"]["type"] == "Refused"

    surface.javascript(
        "globalThis.byScript = gemini.callTool(arguments[0], { to: 'c@example.org' })", send_letter
    )
    person.sees(CLAIM, "A script on this page")
    person.click('button "Refuse"')
    assert surface.javascript("return (await byScript).error.type") == "Refused"


def test_a_script_can_not_consent(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.sees("[role=alertdialog]")
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

    # The surface has answered a later call, so it has processed all earlier messages.
    assert sent(surface) == []
    assert call.is_running
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"


@pytest.mark.fortnightly
def test_requests_are_asked_in_order(surface: Surface, person: Person, start: Start) -> None:
    first, second = start("send_mail", to="a@example.org"), start("send_mail", to="b@example.org")
    assert "a@example.org" in person.sees(CLAIM)
    person.sees("[role=alertdialog] [aria-live]", "1 more request is waiting.")
    person.click('button "Refuse"')
    person.sees(CLAIM, "b@example.org")
    person.click('button "Allow once"')

    assert first.result()["error"]["type"] == "Refused"
    assert second.result() == "sent to b@example.org"
    assert sent(surface) == ["b@example.org"]


def test_a_cancelled_call_withdraws_its_question(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.sees("[role=alertdialog]")
    call.abort()

    assert call.result() == {"aborted": "AbortError"}
    person.no_longer_sees("[role=alertdialog]")
    assert sent(surface) == []


def test_invalid_arguments_fail_without_a_question(surface: Surface, person: Person) -> None:
    answer = surface.javascript("return gemini.callTool('send_mail', { too: 'x' })")

    assert answer["error"]["type"] == "InvalidArguments"
    person.no_longer_sees("[role=alertdialog]")


def test_other_calls_continue_while_a_question_waits(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.sees("[role=alertdialog]")

    assert surface.call("terminal_execute", command="echo meanwhile")["output"] == "meanwhile\n"
    person.click('button "Allow once"')
    assert call.result() == "sent to a@example.org"


# --- what doesn't count as an answer ---


def now(surface: Surface) -> float:
    """Return the seconds since the epoch by the clock of the page's events."""
    return surface.javascript("return (performance.timeOrigin + performance.now()) / 1000")


def press_enter_at(surface: Surface, moment: float) -> None:
    """Press and release Enter with the given event timestamp."""
    for kind in ("rawKeyDown", "char", "keyUp"):
        key = {
            "key": "Enter",
            "code": "Enter",
            "windowsVirtualKeyCode": 13,
            "text": "\r",
            "timestamp": moment,
        }
        surface.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": kind, **key})


def test_a_press_counts_half_a_second_after_the_question_appeared(
    surface: Surface, person: Person, start: Start
) -> None:
    before = now(surface)
    call = start("send_mail", to="a@example.org")
    person.sees("[role=alertdialog]")
    after = now(surface)
    assert person.focus == "approval-refuse"
    press_enter_at(surface, before + 0.49)
    person.sees("[role=alertdialog] [role=status]", "Ignored: the question had just appeared.")
    assert call.is_running

    # Presses that follow start the time over.
    for moment in (0.9, 1.3, 1.7):
        press_enter_at(surface, before + moment)
    person.sees("[role=alertdialog] [role=status]", "Ignored: the question had just appeared.")
    assert call.is_running

    press_enter_at(surface, after + 2.21)
    assert call.result()["error"]["type"] == "Refused"


def test_a_press_counts_half_a_second_after_the_window_regained_focus(
    surface: Surface, person: Person, start: Start
) -> None:
    call = start("send_mail", to="a@example.org")
    person.find('button "Refuse"')
    [first] = surface.driver.window_handles
    surface.driver.switch_to.new_window("tab")
    # Whichever of the next steps returns the focus, it isn't before this.
    before = now(surface)
    surface.driver.close()
    surface.driver.switch_to.window(first)
    surface.driver.execute_cdp_cmd("Page.bringToFront", {})
    surface.wait_for("document.hasFocus() && !document.hidden")
    press_enter_at(surface, before + 0.49)

    person.sees("[role=alertdialog] [role=status]", "Ignored")
    assert call.is_running
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"


@pytest.mark.fortnightly
def test_a_held_key_answers_one_question_at_most(surface: Surface, person: Person, start: Start) -> None:
    first, second = start("send_mail", to="a@example.org"), start("send_mail", to="b@example.org")
    person.find('button "Refuse"')
    later = now(surface) + 60
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r", "timestamp": later}
    surface.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", **key})
    person.sees(CLAIM, "b@example.org")
    person.find('button "Refuse"')
    for _ in range(3):
        surface.driver.execute_cdp_cmd(
            "Input.dispatchKeyEvent", {"type": "keyDown", "autoRepeat": True, **key}
        )
    surface.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", **key})

    assert first.result()["error"]["type"] == "Refused"
    assert second.is_running
    person.click('button "Refuse"')
    assert second.result()["error"]["type"] == "Refused"


def test_an_overlay_is_moved_below_the_question(surface: Surface, person: Person, start: Start) -> None:
    call = start("send_mail", to="a@example.org")
    person.find('button "Allow once"')
    surface.javascript(
        """
        const cover = document.createElement("div");
        cover.id = "cover";
        cover.popover = "manual";
        cover.style.cssText = "inset: 0; width: 100%; height: 100%";
        document.body.append(cover);
        cover.showPopover();
        """
    )
    surface.wait_for("document.querySelector('[role=alertdialog] .answers').dataset.guarded === ''")
    person.find('button "Allow once"')
    # Of the two in the top layer, the dialog is painted last. `inert` hides the other one only from hit tests.
    surface.javascript("document.querySelector('#cover').remove()")
    assert call.is_running
    person.click('button "Allow once"')
    assert call.result() == "sent to a@example.org"


def test_no_press_counts_while_the_question_is_covered(
    surface: Surface, person: Person, start: Start
) -> None:
    call = start("send_mail", to="a@example.org")
    person.find('button "Refuse"')
    surface.javascript(
        """
        globalThis.cover = document.body.appendChild(document.createElement("div"));
        const tree = cover.attachShadow({ mode: "closed" });
        tree.innerHTML = "<p popover='manual' style='inset: 0; width: 100%; height: 100%'>Press here to win</p>";
        const again = () => {
          if (!cover.isConnected) return;
          tree.firstChild.hidePopover();
          tree.firstChild.showPopover();
          requestAnimationFrame(again);
        };
        again();
        """
    )
    surface.wait_for("document.querySelector('[role=alertdialog] .answers').dataset.guarded === ''")
    press_enter_at(surface, now(surface) + 60)
    person.sees("[role=alertdialog] [role=status]", "Ignored: something covers this question.")
    assert call.is_running

    surface.javascript("cover.remove()")
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"


# --- several requests ---


@pytest.mark.extended
def test_requests_can_be_viewed_in_any_order(surface: Surface, person: Person, start: Start) -> None:
    calls = [start("send_mail", to=f"{name}@example.org") for name in "abc"]
    person.sees("[role=alertdialog] [aria-live]", "2 more requests are waiting.")
    person.click('list "Waiting requests" li:nth-child(2) button')
    assert "b@example.org" in person.sees(CLAIM, "b@")
    assert "an agent in your browser" in person.sees('list "Waiting requests" li:nth-child(2) [aria-current]')
    person.click('button "Allow once"')
    assert calls[1].result() == "sent to b@example.org"

    assert "a@example.org" in person.sees(CLAIM, "a@")
    for call in (calls[0], calls[2]):
        person.click('button "Refuse"')
        assert call.result()["error"]["type"] == "Refused"


@pytest.mark.extended
def test_the_dialog_shows_the_next_request_when_a_caller_cancels(
    surface: Surface, person: Person, start: Start
) -> None:
    surface.javascript(
        """
        globalThis.controller = new AbortController();
        globalThis.byScript = gemini.callTool("send_mail", { to: "first@example.org" }, controller);
        """
    )
    person.sees(CLAIM, "first@example.org")
    second = start("send_mail", to="second@example.org")
    person.sees("[role=alertdialog] [aria-live]", "1 more request")
    surface.javascript("controller.abort()")

    person.sees(CLAIM, "second@example.org")
    person.no_longer_sees("[role=alertdialog] [aria-live]")
    assert surface.javascript("return (await byScript).error.type") == "Cancelled"
    person.click('button "Allow once"')
    assert second.result() == "sent to second@example.org"
    assert sent(surface) == ["second@example.org"]


# --- how it looks ---

IN_VIEW = f"""
(() => {{
  const {{ top, bottom, left, right }} = {FOUND}(arguments[0])[0].getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}})()
"""


# Keys scroll the description to its end, below which nothing is hidden.
AT_END = """
(() => {
  const words = document.querySelector("[role=alertdialog] figure [role=group]");
  return words.querySelector(".end").getBoundingClientRect().bottom <= words.getBoundingClientRect().bottom + 1;
})()
"""


@pytest.mark.extended
def test_long_arguments_do_not_hide_the_buttons(surface: Surface, person: Person, resize: Resize) -> None:
    text = "\n".join(f"line {number} " + "x" * 200 for number in range(250))
    calls = [Background(surface, "send_mail", {"to": "a", "body": body}) for body in (text, "short")]
    person.sees("[role=alertdialog] [aria-live]", "1 more request")
    person.find('button "Refuse"')
    for size in [(1400, 900), (340, 600), (700, 450)]:
        resize(*size)
        for button in ("Allow once", "Always allow", "Refuse"):
            assert surface.wait_for(IN_VIEW, f'button "{button}"')
        person.by_script(CLAIM, "focus()")
        person.press(Keys.END)
        surface.wait_for(AT_END)
        assert violations(surface, "[role=alertdialog]") == []
    for call in calls:
        person.click('button "Refuse"')
        assert call.result()["error"]["type"] == "Refused"


@pytest.mark.extended
@pytest.mark.parametrize("change", ["remove()", "disabled = true", "hidden = true"])
def test_the_focus_stays_in_its_panel_if_its_element_can_no_longer_have_it(
    surface: Surface, person: Person, start: Start, change: str
) -> None:
    person.open_panel("search")
    person.find('region "Search" textbox "Search"')
    surface.javascript(
        "const leaving = document.createElement('button');"
        "leaving.id = 'leaving';"
        "document.querySelector('#search').append(leaving);"
        "leaving.focus()"
    )
    start("send_mail", to="eve@example.org")
    person.sees("[role=alertdialog]")
    surface.javascript(f"document.querySelector('#leaving').{change}")
    person.click('button "Refuse"')

    person.no_longer_sees("[role=alertdialog]")
    surface.wait_for("document.activeElement.id === 'search-text'")
    surface.javascript("document.querySelector('#leaving')?.remove()")
