"""The page script dispatches the same events as @testing-library/user-event.

If user-event differs from trusted input, the case says why; test_trusted_input.py compares trusted input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.tiers import sampled
from tests.web.page.acting import act
from tests.web.page.bundling import bundle
from tests.web.page.conftest import OpenPage

# The types of `input` events are ignored, because user-event omits them in editable content.
WATCH = """<script>
events = [];
for (const type of ["pointerover", "pointerenter", "mouseover", "mouseenter", "pointermove", "mousemove", "pointerdown",
    "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "focus", "blur", "focusin",
    "focusout", "keydown", "keypress", "beforeinput", "input", "change", "keyup", "submit", "reset", "invalid"]) {
  addEventListener(type, (event) => {
    const [target] = event.composedPath();
    if (target.nodeType !== 1 || !target.id) return;
    const { key = "", detail } = event;
    const edit = type === "beforeinput" ? `${event.inputType} ${event.data ?? ""}` : "";
    events.push([type, target.id, key, edit, /click|mouse(down|up)/.test(type) ? detail : ""].join(" ").trim());
  }, true);
}
addEventListener("submit", (event) => event.preventDefault());
</script>"""
FOCUS = "a.focus(); a.type === 'text' && a.setSelectionRange(9, 9); events.length = 0;"

Events = list[str]


def unchanged(events: Events) -> Events:
    return events


def without_keys(events: Events) -> Events:
    return [one for one in events if not one.startswith("key")]


def without_entering(events: Events) -> Events:
    return [one for one in events if "enter " not in one]


def until_change(events: Events) -> Events:
    return events[: events.index("change a") + 1]


def counted_once(events: Events) -> Events:
    return [one[:-1] + "1" if one.endswith(" 0") else one for one in events]


def only_changes(events: Events) -> Events:
    return [one for one in events if one.startswith(("input", "change"))]


def with_line_break(events: Events) -> Events:
    return [*events[:2], "beforeinput a  insertLineBreak", *events[2:]]


def without_keypress(events: Events) -> Events:
    return [one for one in events if not one.startswith("keypress")]


@dataclass(frozen=True)
class Case:
    """The same gesture on `html` by user-event and by the page script."""

    name: str
    html: str
    user: str
    script: Sequence[tuple[str, dict[str, Any]]]
    # Converts user-event's events to those of trusted input; the case says why.
    person: Callable[[Events], Events] = unchanged
    # A script that runs before both.
    before: str = ""
    # Whether to compare the events of entering elements.
    entering: bool = True

    def __str__(self) -> str:
        return self.name


def key(
    name: str, html: str, user: str, pressed: str, person: Callable[[Events], Events] = unchanged
) -> Case:
    """Create a case for a key on the focused element."""
    return Case(name, html, f"await user.keyboard({user!r})", [("pressKey", {"key": pressed})], person, FOCUS)


A: dict[str, Any] = {"selector": "#a"}
BUTTON = "<button id=a>Go</button>"
FIELD = "<input id=a type=text>"
FILLED = "<input id=a type=text value=xy>"
TWO = "<input id=b><input id=a type=text><input id=c>"
FORM = "<form id=f><input id=a type=text><button id=b>Send</button></form>"
LIST = "<select id=a><option id=x>1<option id=y>2</select>"
FILE = {"name": "a.txt", "type": "text/plain", "data": "aGk="}

CASES = [
    Case("click", BUTTON, "await user.click(a)", [("click", A)]),
    Case("click a field", FIELD, "await user.click(a)", [("click", A)]),
    Case(
        "click a label",
        "<label id=l for=a>Yes</label><input type=checkbox id=a>",
        "await user.click(l)",
        [("click", {"selector": "#l"})],
    ),
    Case("click twice", BUTTON, "await user.dblClick(a)", [("click", A | {"double": True})]),
    Case(
        "right click",
        BUTTON,
        "await user.pointer([{ target: a }, { keys: '[MouseRight]', target: a }])",
        [("click", A | {"button": "right"})],
    ),
    Case("hover", BUTTON, "await user.hover(a)", [("hover", A)]),
    Case("type", FIELD, "await user.type(a, 'ab 1')", [("type", A | {"text": "ab 1"})]),
    Case("type a capital", FIELD, "await user.type(a, '{Shift>}B{/Shift}')", [("type", A | {"text": "B"})]),
    Case(
        "type lines",
        "<textarea id=a></textarea>",
        "await user.type(a, 'x{Enter}y')",
        [("type", A | {"text": "x\ny"})],
    ),
    Case(
        "type a number",
        "<input id=a type=number>",
        "await user.type(a, '12')",
        [("type", A | {"text": "12"})],
    ),
    Case(
        "type into content",
        "<p id=a contenteditable></p>",
        "await user.type(a, 'hi')",
        [("type", A | {"text": "hi"})],
    ),
    # user.clear presses no keys; users select the text and delete it.
    Case(
        "empty a field",
        FILLED,
        "await user.click(a); a.select(); await user.keyboard('{Backspace}')",
        [("type", A | {"text": ""})],
    ),
    Case(
        "type over a text",
        FILLED,
        "await user.click(a); a.select(); await user.keyboard('new')",
        [("type", A | {"text": "new"})],
    ),
    # A date is set as a whole, because scripts can't reach its parts.
    Case(
        "type a date",
        "<input id=a type=date>",
        "await user.type(a, '2026-11-22')",
        [("type", A | {"text": "2026-11-22"})],
        without_keys,
    ),
    key("Tab", TWO, "{Tab}", "Tab"),
    key("Tab back", TWO, "{Shift>}{Tab}{/Shift}", "Shift+Tab"),
    key("Enter on a button", BUTTON, "{Enter}", "Enter"),
    key("Space on a button", BUTTON, " ", "Space"),
    # Chromium dispatches beforeinput before it submits the form,
    key("Enter in a form", FORM, "{Enter}", "Enter", with_line_break),
    # and no keypress if Enter follows a link.
    key("Enter on a link", "<a id=a href='#x'>Go</a>", "{Enter}", "Enter", without_keypress),
    key("Escape", FILLED, "{Escape}", "Escape"),
    key("an arrow in a text", FILLED, "{ArrowLeft}", "ArrowLeft"),
    key(
        "an arrow among radios",
        "<input type=radio name=r id=a checked><input type=radio name=r id=b>",
        "{ArrowDown}",
        "ArrowDown",
    ),
    key("Backspace", FILLED, "{Backspace}", "Backspace"),
    Case(
        "Delete",
        FILLED,
        "await user.keyboard('{Home}{Delete}')",
        [("pressKey", {"key": name}) for name in ("Home", "Delete")],
        before=FOCUS,
    ),
    key("a chord", FILLED, "{Control>}a{/Control}", "Control+a"),
    # Presses in the native drop-down list dispatch no events.
    Case("choose", LIST, "await user.selectOptions(a, '2')", [("select", A | {"option": "2"})], until_change),
    # Trusted presses always have a count, and also enter the option.
    Case(
        "choose of a list",
        LIST.replace("<select", "<select multiple"),
        "await user.selectOptions(a, '1')",
        [("select", A | {"option": "1"})],
        counted_once,
        entering=False,
    ),
    # By UI Events the outermost element is entered first. user-event leaves at the end, a real mouse stays.
    Case(
        "choose of an ARIA list",
        "<div role=listbox id=a tabindex=0><div role=option id=x>1</div><div role=option id=y>2</div></div>",
        "await user.selectOptions(a, '2')",
        [("select", A | {"option": "2"})],
        entering=False,
    ),
    # A click would open the browser's file dialog.
    Case(
        "upload",
        "<input type=file id=a multiple>",
        "await user.upload(a, [new File(['hi'], 'a.txt'), new File(['hi'], 'b.txt')])",
        [("type", A | {"files": [FILE, FILE | {"name": "b.txt"}]})],
        only_changes,
    ),
]


@pytest.fixture(scope="module")
def user_event() -> str:
    return bundle(
        'import { userEvent } from "@testing-library/user-event"; globalThis.user = userEvent.setup();'
    )


@pytest.mark.parametrize("case", sampled(CASES), ids=str)
def test_events_match_user_event(open_page: OpenPage, user_event: str, case: Case) -> None:
    page = open_page(WATCH + case.html + "<script src=/user.js></script>", files={"/user.js": user_event})
    page.run(case.before + case.user)
    expected = case.person(page.run("return events"))
    page = open_page(WATCH + case.html)
    page.run(case.before)
    for action, options in case.script:
        act(page, action, **options)
    events = page.run("return events")
    if not case.entering:
        events, expected = without_entering(events), without_entering(expected)
    assert events == expected
