"""The progress bars of rich in the console, with the package itself."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing.pool import BrowserPool
from tests.attacks.outside import outside_on_loopback
from tests.companions import companion_of, opened_by
from tests.web.person import Person
from tests.web.test_packages import World
from tests.wheels import copied


@pytest.fixture
def world(surface_dist: Path, browsers: BrowserPool) -> Generator[World]:
    with (
        outside_on_loopback() as outside,
        companion_of(surface_dist, network=outside.fetcher()) as companion,
        opened_by(companion, browsers) as surface,
    ):
        yield World(surface, outside, Person(surface))


def test_a_progress_bar_of_rich_is_drawn_in_the_console(world: World) -> None:
    index = world.offer(*map(copied, ("rich", "markdown-it-py", "mdurl", "pygments")))
    installed = world.allowed(f"{index} pip install rich")
    assert installed["exit_code"] == 0, installed
    person = world.person
    if not world.surface.javascript("return document.querySelector('#python').checkVisibility()"):
        person.click("[data-tab-panel-id=python]")
    code = "from rich.progress import track; print(sum(track(range(50), 'Summing')), 'in all')"
    person.find("#console-input").send_keys(code, Keys.ENTER)
    shown = person.sees(".console-entry:last-of-type .console-stdout", "in all")
    assert shown.count("Summing") == 1 and "100%" in shown and "1225 in all" in shown
