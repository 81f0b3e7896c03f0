"""The progress bars of rich in the console, with the package itself."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing.pool import BrowserPool
from tests.web.console import show_console
from tests.web.packages import World, world_of
from tests.wheels import copied


@pytest.fixture
def world(surface_dist: Path, browsers: BrowserPool) -> Generator[World]:
    with world_of(surface_dist, browsers) as world:
        yield world


def test_a_progress_bar_of_rich_is_drawn_in_the_console(world: World) -> None:
    index = world.offer(*map(copied, ("rich", "markdown-it-py", "mdurl", "pygments")))
    installed = world.allowed(f"{index} pip install rich")
    assert installed["exit_code"] == 0, installed
    person = world.person
    show_console(person)
    code = "from rich.progress import track; print(sum(track(range(50), 'Summing')), 'in all')"
    person.find("#console-input").send_keys(code, Keys.ENTER)
    shown = person.sees(".console-entry:last-of-type .console-stdout", "in all")
    assert shown.count("Summing") == 1 and "100%" in shown and "1225 in all" in shown
