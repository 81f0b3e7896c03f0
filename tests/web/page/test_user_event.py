"""The page hears of the page script what it hears of @testing-library/user-event, where that makes what a person does.

Where it makes something else, the case says why, and what a person makes is compared in test_trusted_input.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.web.page.acting import act
from tests.web.page.bundling import bundled
from tests.web.page.conftest import OpenPage

# `input` tells the type of the `beforeinput` before it, which user-event leaves out in editable content.
WATCH = """<script>
heard = [];
for (const type of ["pointerover", "pointerenter", "mouseover", "mouseenter", "pointermove", "mousemove", "pointerdown",
    "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "focus", "blur", "focusin",
    "focusout", "keydown", "keypress", "beforeinput", "input", "change", "keyup", "submit", "reset", "invalid"]) {
  addEventListener(type, (event) => {
    const [target] = event.composedPath();
    if (target.nodeType !== 1 || !target.id) return;
    const { key = "", detail } = event;
    const edit = type === "beforeinput" ? `${event.inputType} ${event.data ?? ""}` : "";
    heard.push([type, target.id, key, edit, /click|mouse(down|up)/.test(type) ? detail : ""].join(" ").trim());
  }, true);
}
addEventListener("submit", (event) => event.preventDefault());
</script>"""
FOCUS = "a.focus(); a.type === 'text' && a.setSelectionRange(9, 9); heard.length = 0;"

Heard = list[str]


def as_heard(heard: Heard) -> Heard:
    return heard


def without_keys(heard: Heard) -> Heard:
    return [one for one in heard if not one.startswith("key")]


def without_entering(heard: Heard) -> Heard:
    return [one for one in heard if "enter " not in one]


def until_change(heard: Heard) -> Heard:
    return heard[: heard.index("change a") + 1]


def counted_once(heard: Heard) -> Heard:
    return [one[:-1] + "1" if one.endswith(" 0") else one for one in heard]


def only_changes(heard: Heard) -> Heard:
    return [one for one in heard if one.startswith(("input", "change"))]


def with_line_break(heard: Heard) -> Heard:
    return [*heard[:2], "beforeinput a  insertLineBreak", *heard[2:]]


def without_keypress(heard: Heard) -> Heard:
    return [one for one in heard if not one.startswith("keypress")]


@dataclass(frozen=True)
class Case:
    """What is done to `html` by user-event and by the page script."""

    name: str
    html: str
    user: str
    script: Sequence[tuple[str, dict[str, Any]]]
    # What a person makes of what user-event makes; the case says why.
    person: Callable[[Heard], Heard] = as_heard
    # Done before, by both.
    before: str = ""
    # Whether what the mouse enters is compared, too.
    entering: bool = True

    def __str__(self) -> str:
        return self.name


def key(name: str, html: str, user: str, pressed: str, person: Callable[[Heard], Heard] = as_heard) -> Case:
    """A key on what has the focus."""
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
    # user.clear makes no keys; a person selects the text and deletes it.
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
    # A date is set as a whole, since its parts can't be reached.
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
    # Chromium asks a field before its form is sent,
    key("Enter in a form", FORM, "{Enter}", "Enter", with_line_break),
    # and makes no keypress where Enter follows a link.
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
    # The list that drops down is the browser's own, and the page hears nothing of presses in it.
    Case("choose", LIST, "await user.selectOptions(a, '2')", [("select", A | {"option": "2"})], until_change),
    # Presses of a person have a count wherever they are, and enter the option, too.
    Case(
        "choose of a list",
        LIST.replace("<select", "<select multiple"),
        "await user.selectOptions(a, '1')",
        [("select", A | {"option": "1"})],
        counted_once,
        entering=False,
    ),
    # UI Events enters the outermost element first; user-event ends by leaving, a person's mouse stays.
    Case(
        "choose of an ARIA list",
        "<div role=listbox id=a tabindex=0><div role=option id=x>1</div><div role=option id=y>2</div></div>",
        "await user.selectOptions(a, '2')",
        [("select", A | {"option": "2"})],
        entering=False,
    ),
    # Presses would open the browser's own choice of files.
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
    return bundled(
        'import { userEvent } from "@testing-library/user-event"; globalThis.user = userEvent.setup();'
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_page_hears_what_it_hears_of_user_event(open_page: OpenPage, user_event: str, case: Case) -> None:
    page = open_page(WATCH + case.html + "<script src=/user.js></script>", files={"/user.js": user_event})
    page.run(case.before + case.user)
    expected = case.person(page.run("return heard"))
    page = open_page(WATCH + case.html)
    page.run(case.before)
    for action, options in case.script:
        act(page, action, **options)
    heard = page.run("return heard")
    if not case.entering:
        heard, expected = without_entering(heard), without_entering(expected)
    assert heard == expected
