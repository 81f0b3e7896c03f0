"""Search by meaning on this computer, from the press to a file that is found, by the model itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.person import Person

PRESS = "[data-does^='Search by meaning on this computer']"


READ = "/^All .* read/.test(document.querySelector('#model-embedding-reading')?.textContent ?? '')"
# A shared machine needs a minute for the model.
LOADED_WITHIN_S = 180


@pytest.mark.extended
def test_one_press_finds_files_by_meaning_without_a_provider(
    surface: Surface, person: Person, surface_dist: Path
) -> None:
    if not list(surface_dist.glob("meaning-*")):
        pytest.skip("`python3 build.py meaning` makes the model")
    surface.call(
        "file_write", path="/project/kitchen.md", content="# Kitchen\n\nGreen tea at four o'clock.\n"
    )
    surface.call(
        "file_write", path="/project/net.md", content="The socket is 8080, and the proxy listens there.\n"
    )
    person.press("k", holding=Keys.CONTROL)
    person.type("=which beverage is served in the afternoon")
    person.sees("#omnibar .note", "Search by meaning is off")
    person.press(Keys.ENTER)

    person.click(".model-embedding summary")
    person.click(PRESS)
    surface.wait_for(READ, timeout_s=LOADED_WITHIN_S)

    person.press("k", holding=Keys.CONTROL)
    person.type("=which beverage is served in the afternoon")
    person.press(Keys.ENTER)
    person.sees("#omnibar-list li[aria-selected=true]", "kitchen.md")
    person.press(Keys.ESCAPE)
    person.press(Keys.ESCAPE)

    person.press("f", holding=Keys.CONTROL + Keys.SHIFT)
    person.click("#search-by_meaning")
    person.sees("#search-body", "No text leaves this computer.")
