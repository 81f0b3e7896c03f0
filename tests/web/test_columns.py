"""The widths of columns, the heights of panels above each other, and labels that aren't cut off."""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.person import Person
from tests.web.test_accessibility import bring_forward, fill, panels
from tests.web.test_editor import edit

pytestmark = pytest.mark.extended


@pytest.fixture(scope="module")
def surface_options() -> dict[str, Any]:
    # The side bar and the agents' place have their least widths, 240 and 320 pixels.
    return {"size": (1220, 720)}


LENGTHS = """
const shown = [...document.querySelectorAll("#dock .panel")].filter((panel) => panel.checkVisibility());
return Object.fromEntries(shown.map((panel) => {
  const { width, height } = panel.getBoundingClientRect();
  return [panel.id || panel.dataset.terminal, [Math.round(width), Math.round(height)]];
}));
"""
# Screen-reader text is 1 pixel wide. A strip of more tabs than fit as icons scrolls; tabs' widths are rounded.
CUT = """
[...document.querySelectorAll(
  "#dock :is(button, label, legend, h2, h3, th, summary, .panel-tab-name, .panel-tab-details, .dv-tabs-container)"
)].filter((label) => label.checkVisibility() && label.clientWidth > 1 && label.scrollWidth > label.clientWidth)
  .filter((label) => !label.matches(".dv-tabs-container") || (label.childElementCount * 28 <= label.clientWidth &&
    label.scrollWidth > label.clientWidth + 2))
  .map((label) => label.textContent.trim() || label.ariaLabel)
"""
# Text that a panel cuts off, in panels of a width. What scrolls, or ends with an ellipsis, isn't cut off.
CUT_AT = f"""
(async ([id, width]) => {{
  const panel = document.getElementById(id);
  panel.style.width = `${{width}}px`;
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  const {{ right }} = panel.getBoundingClientRect();
  const texts = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const scrolls = ({{ overflowX, textOverflow }}) => /auto|scroll/.test(overflowX) || textOverflow === "ellipsis";
  const cut = {CUT}.filter((text) => panel.textContent.includes(text));
  while (texts.nextNode()) {{
    const parent = texts.currentNode.parentElement;
    range.selectNodeContents(texts.currentNode);
    if (!parent.checkVisibility() || range.getBoundingClientRect().right <= right + 1) continue;
    let place = parent;
    while (place !== panel && !scrolls(getComputedStyle(place)) && place.clientWidth !== 1) place = place.parentElement;
    if (place === panel) cut.push(texts.currentNode.textContent.trim());
  }}
  panel.style.width = "";
  return cut;
}})(arguments)
"""
# The least heights that show content: of a page, of lines of code.
CONTENTS = {"browser": ("#browser-view", 100), "editor": ("#editor", 140), "python": ("#console-scroll", 60)}


def reloaded(surface: Surface) -> dict[str, list[int]]:
    surface.reload()
    return surface.javascript(LENGTHS)


def test_columns_keep_their_widths_and_labels_are_whole(surface: Surface, person: Person) -> None:
    surface.wait_for("document.querySelector('[data-terminal] .xterm-screen')")
    first = surface.javascript(LENGTHS)
    assert (first["files"][0], first["activity"][0]) == (pytest.approx(240, abs=1), pytest.approx(320, abs=1))
    assert [reloaded(surface) for _ in range(2)] == [first] * 2

    for panel in ("source-control", "search", "agent", "chat", "editor", "browser"):
        person.open_panel(panel)
    opened = surface.javascript(LENGTHS)
    assert (opened["search"][0], opened["chat"][0]) == (first["files"][0], first["activity"][0])
    assert reloaded(surface)["search"][0] == first["files"][0]
    for panel, (part, least) in CONTENTS.items():
        person.open_panel(panel)
        assert (
            surface.javascript("return document.querySelector(arguments[0]).clientHeight", part) >= least
        ), panel
    person.open_panel("terminals")

    surface.javascript("document.querySelector('[data-tab-panel-id=chat]').focus()")
    person.press(Keys.ARROW_LEFT, holding=Keys.ALT + Keys.SHIFT, times=2)
    narrower = "document.querySelector('#chat').getBoundingClientRect().width < arguments[0]"
    surface.wait_for(narrower, opened["chat"][0] - 40)
    for panel in panels(surface):
        if panel != "terminals":
            bring_forward(person, panel, narrow=False)
            # Tabs fit their names to the room when it has changed.
            surface.wait_for(f"{CUT}.length === 0")

    person.click('button "More"')
    person.click('region "Panels" [value=reset]')
    person.open_workspace()
    again = surface.javascript(LENGTHS)
    assert again.keys() == first.keys()
    assert all(again[panel] == pytest.approx(first[panel], abs=1) for panel in first), again


def test_no_text_is_cut_off_in_a_panel_of_any_width(surface: Surface, person: Person) -> None:
    fill(surface)
    edit(surface, person, "/project/shop/notes.md", "# Notes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    person.click('region "Editor" button "Preview"')
    person.sees('region "Rendered file" h1')
    cut: list[str] = []
    for panel in panels(surface):
        # The panel of terminals shows only if none is open.
        if panel != "terminals":
            bring_forward(person, panel, narrow=False)
            for width in (240, 320, 480):
                found = surface.javascript(f"return await {CUT_AT}", panel, width)
                cut += [f"{panel} at {width}: {text}" for text in found]

    assert cut == []
