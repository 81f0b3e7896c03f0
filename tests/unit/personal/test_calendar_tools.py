"""The tools that read and change the calendar and contacts, and the actions of the panel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gemini.errors import GeminiError, InvalidArguments
from gemini.personal.calendar_tools import CalendarTools
from gemini.personal.panel_tools import PanelCalendarTools
from gemini.tools import Registry
from gemini.tools.budgets import DESCRIPTION_BUDGET, PARAMETER_BUDGET
from gemini.tools.declaration import declaration_of
from gemini.tools.tool import Tool
from gemini.tools.writers import PERSON


class World:
    def __init__(self, folder: Path) -> None:
        self.calendar, self.cards = folder / "calendar.ics", folder / "contacts.vcf"
        self.registry = Registry()
        files = (str(self.calendar), str(self.cards))
        self.registry.add_room(CalendarTools(lambda: "Europe/Berlin", self._companion, *files))
        self.registry.add_room(PanelCalendarTools(lambda: "Europe/Berlin", self._companion, *files))

    async def _companion(self, method: str, params: dict[str, Any], problem: type[GeminiError]) -> Any:
        assert method == "dav/collections", params
        return {"collections": []}

    async def call(self, tool: str, **arguments: Any) -> Any:
        return await self.registry.call(f"personal_{tool}", arguments, caller="agent:a")

    async def act(self, tool: str, **arguments: Any) -> Any:
        return await self.registry.call(f"calendar_{tool}", arguments, caller=PERSON)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_an_event_is_added_listed_changed_and_removed(world: World) -> None:
    added = await world.call(
        "calendar_change", action="add", title="Tea", start="2026-11-30T16:00", repeats="FREQ=DAILY;COUNT=3"
    )
    assert added["after"]["start"] == "2026-11-30T16:00:00+01:00"
    read = await world.call("calendar", start="2026-12-01", end="2026-12-02")
    [row] = read["events"]
    changed = await world.call(
        "calendar_change",
        action="change",
        uid=row["uid"],
        occurrence=row["occurrence"],
        scope="this",
        title="Coffee",
    )
    assert (changed["before"]["title"], changed["after"]["title"]) == ("Tea", "Coffee")
    assert changed["after"]["start"] == "2026-12-01T16:00:00+01:00"
    assert [each["title"] for each in (await world.call("calendar", query="coffee"))["events"]] == ["Coffee"]
    removed = await world.call("calendar_change", action="remove", uid=row["uid"])
    assert removed["before"]["title"] == "Tea" and "after" not in removed
    assert (await world.call("calendar", start="2026-11-01", end="2027-01-01"))["events"] == []


async def test_a_reminder_is_added_and_done(world: World) -> None:
    added = await world.call(
        "calendar_change", action="add", kind="reminder", title="Call", start="2026-12-01T09:00", alarms=[10]
    )
    assert added["after"] | {"uid": ""} == {
        "uid": "",
        "title": "Call",
        "due": "2026-12-01T09:00:00+01:00",
        "notes": "",
        "done": False,
        "alarms": [10],
    }
    await world.call("calendar_change", action="change", kind="reminder", uid=added["uid"], done=True)
    assert (await world.call("calendar", query="x"))["reminders"] == []


async def test_contacts_are_changed(world: World) -> None:
    added = await world.call("contacts_change", action="add", name="Ann Lee", emails=["ann@example.org"])
    changed = await world.call("contacts_change", action="change", uid=added["uid"], phones=["+49 30 1"])
    assert changed["after"]["emails"] == ["ann@example.org"] and changed["after"]["phones"] == ["+49 30 1"]
    found = await world.call("contacts", query="ann")
    assert (found["total"], found["contacts"][0]["uid"]) == (1, added["uid"])
    await world.call("contacts_change", action="remove", uid=added["uid"])
    assert (await world.call("contacts"))["total"] == 0


async def test_what_is_missing_is_said(world: World) -> None:
    for tool, arguments, message in (
        ("calendar", {"start": "2026-11-30"}, "start and end, or query"),
        ("calendar_change", {"action": "add", "title": "Tea"}, "the start of an event"),
        ("calendar_change", {"action": "remove"}, "pass the uid"),
        ("calendar_change", {"action": "remove", "uid": "x"}, "nothing with the UID"),
        ("calendar_change", {"action": "remove", "kind": "reminder", "uid": "x"}, "no reminder"),
        ("contacts_change", {"action": "add"}, "needs a name"),
        ("sync", {}, "nothing to synchronize"),
        ("contacts_change", {"action": "change", "uid": "x"}, "no contact"),
    ):
        with pytest.raises(InvalidArguments, match=message):
            await world.call(tool, **arguments)
    assert not world.calendar.exists() and not world.cards.exists()


def test_descriptions_keep_to_the_budget() -> None:
    for member in vars(CalendarTools).values():
        declaration = declaration_of(member)
        if declaration is not None:
            row = Tool(declaration, member).row()
            assert len(row["description"]) <= DESCRIPTION_BUDGET and row["group"] == "personal"
            assert row["annotations"]["untrustedContentHint"] is True
            for schema in row["inputSchema"]["properties"].values():
                assert len(schema.get("description", "")) <= PARAMETER_BUDGET


async def test_the_panel_lists_adds_and_removes(world: World) -> None:
    await world.act("add", title="Tea", start="2026-11-30T16:00", repeats="FREQ=DAILY;COUNT=2")
    week = await world.act("week", start="2026-11-30", end="2026-12-07")
    assert week["zone"] == "Europe/Berlin"
    assert [row["start"] for row in week["events"]] == [
        "2026-11-30T16:00:00+01:00",
        "2026-12-01T16:00:00+01:00",
    ]
    first = week["events"][0]
    await world.act("remove", uid=first["uid"], occurrence=first["occurrence"], scope="this")
    assert len((await world.act("week", start="2026-11-30", end="2026-12-07"))["events"]) == 1
    assert len((await world.act("week", start="", end="", query="tea"))["events"]) == 1
    assert (await world.act("contacts"))["total"] == 0
