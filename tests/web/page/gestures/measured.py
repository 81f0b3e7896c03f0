"""Gestures that depend on the size of text: double-clicks on words, and Page Up and Down."""

from __future__ import annotations

from collections.abc import Iterator

from selenium.webdriver.common.keys import Keys

from tests.web.page import square_font
from tests.web.page.gestures.keys import key
from tests.web.page.trusted import Case

EM_PX = 20
# Padding on one side moves the middle of the text, where the click goes.
WORDS = "one two three"
# The distance from the middle of the last letter of "two", in characters to the right.
PLACES = {
    "on a word of several": 0.0,
    "in a word": -1.25,
    "past the middle of a last letter": 0.25,
    "on a space": 0.75,
    "past the middle of a space": 1.25,
    "on a first letter": 1.75,
}
TEXTS = {
    "punctuation": "it's a (fine) day",
    "a number": "about 3.14 metres",
    "parts of a word": "on<b>e t</b>wo <i>thr</i>ee",
    "more spaces than are shown": "one   two\n   three",
    "lines": "alpha beta<br>gamma delta<br>epsilon",
    "a box in the text": "al<span style='display: inline-block'>pha</span>bet soup",
}


def _double(name: str, html: str) -> Case:
    return Case(
        f"double {name}",
        square_font.style(line=1.25, size_px=EM_PX) + html,
        lambda by: by.chain.double_click(by.find("#a")).perform(),
        [("click", {"selector": "#a", "double": True})],
    )


def _padding(characters: float) -> str:
    side = "right" if characters > 0 else "left"
    return f"padding-{side}: {2 * abs(characters) * EM_PX}px"


def _doubles() -> Iterator[Case]:
    for place, characters in PLACES.items():
        shape = f"width: fit-content; {_padding(characters)}"
        yield _double(place, f"<p id=a style='{shape}'>{WORDS}</p>")
        suffix = "" if place == "on a word of several" else f", {place}"
        yield _double(f"in editable{suffix}", f"<div id=a contenteditable style='{shape}'>{WORDS}</div>")
        width = f"width: {len(WORDS) * EM_PX}px; box-sizing: content-box; {_padding(characters)}"
        yield _double(f"in a field, {place}", f"<input id=a value='{WORDS}' style='{width}'>")
        area = f"<textarea id=a rows=3 style='{width}'>first line\n{WORDS}\nlast</textarea>"
        yield _double(f"in an area, {place}", area)
    for name, text in TEXTS.items():
        for characters in (-2.25, -1.75, 0.25, 1.75):
            shape = f"width: fit-content; {_padding(characters)}"
            yield _double(f"in {name}, {characters} from the middle", f"<p id=a style='{shape}'>{text}</p>")


def _pages() -> Iterator[Case]:
    lines = [str(line) for line in range(20)]
    down = ((Keys.HOME, "Control+Home"), (Keys.PAGE_DOWN, "PageDown"), ("x", "x"))
    up = ((Keys.END, "Control+End"), (Keys.PAGE_UP, "PageUp"), ("x", "x"))
    twice = (*down[:2], *down[1:])
    for suffix, line, style in (
        ("", 1.25, ""),
        (", low lines", 1.0, ""),
        (", high lines", 1.6, ""),
        (", lines as styled", 1.25, "line-height: 1.7"),
        (", lines higher than it", 1.25, "line-height: 60px; height: 50px"),
    ):
        font = square_font.style(line=line)
        area = f"{font}<textarea id=a rows=5 style='{style}'>" + "\n".join(lines) + "</textarea>"
        yield key(f"PageDown in an area{suffix}", area, "#a", *down)
        yield key(f"PageUp in an area{suffix}", area, "#a", *up)
        text = "<br>".join(lines)
        box = f"{font}<div id=a contenteditable style='height: 130px; overflow: auto; {style}'>{text}</div>"
        yield key(f"PageDown in editable{suffix}", box, "#a", *down)
        yield key(f"PageUp in editable{suffix}", box, "#a", *up)
    font = square_font.style(line=1.25)
    short = f"{font}<textarea id=a rows=5>one\ntwo</textarea>"
    yield key("PageDown past the end", short, "#a", *twice)
    wrapped = f"{font}<textarea id=a rows=4 cols=8>{'word ' * 30}</textarea>"
    yield key("PageDown in wrapped lines", wrapped, "#a", *twice)
    field = f"{font}<input id=a value='one two'>"
    yield key("PageDown in a field", field, "#a", *down)
    extended = ((Keys.HOME, "Control+Home"), (Keys.PAGE_DOWN, "Shift+PageDown"))
    long = f"{font}<textarea id=a rows=5>" + "\n".join(lines) + "</textarea>"
    yield key("PageDown with Shift", long, "#a", *extended)


MEASURED = [*_doubles(), *_pages()]
