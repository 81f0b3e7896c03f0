"""With its window closed, the companion opens the page for a due schedule, which runs; questions wait for a user."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.host.policy import HostPolicy
from gemini_companion.serving.app import Companion
from gemini_companion.serving.serve import Options, serving, waking
from gemini_companion.serving.server import Server
from gemini_testing import Surface
from gemini_testing.browser import launch
from tests.browsers import PROC, browsers_of
from tests.companions import CONNECTED
from tests.web.names import WAKING
from tests.web.person import Person

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(not PROC.is_dir(), reason="browsers are found by /proc"),
]
# The clock of this page is late, so that the slot comes when its window is closed.
SCHEDULE = """
import time
import gemini
from gemini.core.clock import Clock

class Late(Clock):
    def wall(self):
        return time.time() - 40

gemini.agents.current().clock = Late()
row = await gemini.schedule("in 1 minute", "Say hello")
row["id"]
"""
SLOTS = "import gemini\n[(slot['status'], slot['reason']) for row in gemini.schedule.all() for slot in row['slots']]"
ASKS = """
import asyncio
import gemini

@gemini.tool(effect="outside")
def send_mail(to: str) -> str:
    "Send a mail."
    return to

asking = asyncio.ensure_future(gemini.registry.call("send_mail", {"to": "ann@example.org"}, caller="agent:clerk"))
"""
REFUSAL = """
try:
    await asking
except gemini.Refused as refused:
    text = str(refused)
text
"""
WITHIN_S = 120


def in_window(companion: Companion, profile: Path, act: Callable[[Surface], Any]) -> Any:
    """Open the surface in the companion's own profile, as its window does, act there and close it."""
    driver = launch(profile=profile)
    try:
        surface = Surface(driver, companion.entrance.address(own=True))
        surface.load()
        surface.wait_for(CONNECTED)
        return act(surface)
    finally:
        driver.quit()


def allow_and_schedule(surface: Surface) -> None:
    person = Person(surface)
    person.open_panel("schedules")
    person.click(WAKING)
    surface.python(SCHEDULE)
    person.sees('region "Schedules" .schedule-list > li', "in 1 minute")
    surface.wait_for("document.querySelector('#schedule-wake').checked")


async def test_a_due_schedule_wakes_the_page_without_its_window(surface_dist: Path, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    options = Options(surface_dist, HostPolicy(), profile=profile)
    async with (
        asyncio.timeout(3 * WITHIN_S),
        serving(Server(0), options) as companion,
        waking(companion, options),
    ):
        await asyncio.to_thread(in_window, companion, profile, allow_and_schedule)
        assert not browsers_of(profile)
        await companion.pages.joined()
        await companion.pages.emptied()
        while browsers_of(profile):
            await asyncio.sleep(0.1)
        [slot] = await asyncio.to_thread(in_window, companion, profile, lambda surface: surface.python(SLOTS))
    # It ran, and there is no model in this profile.
    assert slot[0] == "dead" and "model" in slot[1]


async def test_a_question_waits_in_a_page_that_was_woken(surface_dist: Path, tmp_path: Path) -> None:
    def refused(surface: Surface) -> None:
        surface.python(ASKS)
        assert "nobody" in surface.python(REFUSAL)

    def waits(surface: Surface) -> None:
        surface.python(ASKS)
        Person(surface).sees("[role=alertdialog]", "send_mail")
        assert surface.python("asking.done()") is False

    def visit(address: str, act: Callable[[Surface], None]) -> None:
        driver = launch()
        try:
            surface = Surface(driver, address)
            surface.load()
            surface.wait_for(CONNECTED)
            act(surface)
        finally:
            driver.quit()

    async with serving(Server(0), Options(surface_dist, HostPolicy(), profile=tmp_path)) as companion:
        entrance = companion.entrance
        await asyncio.to_thread(visit, entrance.address(attended=False), refused)
        await asyncio.to_thread(visit, entrance.address(attended=False, own=True), waits)
