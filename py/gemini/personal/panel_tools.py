"""The actions of the Calendar panel. They go through the registry as all tools do, but only the user can call them."""

from typing import Literal

from typing_extensions import TypedDict

from gemini.personal.calendar_room import CalendarRoom
from gemini.personal.calendar_tools import synchronize
from gemini.personal.rows import ContactRow, EventRow, ReminderRow, SyncedRow
from gemini.tools import Effect, declare

MOST_CONTACTS = 100


class Week(TypedDict):
    """Events between two times in the user's zone, and the reminders that aren't done."""

    events: list[EventRow]
    reminders: list[ReminderRow]
    zone: str


class Cards(TypedDict):
    """The first contacts that were found, and the number of all."""

    contacts: list[ContactRow]
    total: int


class Synced(TypedDict):
    """The outcome of a synchronization for each calendar and address book."""

    collections: list[SyncedRow]


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class PanelCalendarTools(CalendarRoom):
    """The actions of the Calendar panel."""

    @property
    def _file(self) -> str:
        from gemini.personal import calendars

        return self._calendar or calendars.CALENDAR

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_week")
    async def calendar_week(self, start: str, end: str, query: str = "") -> Week:
        """List events between two days, or those with all words of a query, and open reminders."""
        from gemini.personal import calendars

        zone = self._zone()
        if query.strip():
            rows = await calendars.find_events(query, self._file, count=50)
        else:
            rows = await calendars.events(start, end, self._file, zone=zone)
        return {"events": rows, "reminders": await calendars.reminders(self._file), "zone": zone}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_contacts")
    async def calendar_contacts(self, query: str = "") -> Cards:
        """List contacts."""
        from gemini.personal import contacts

        found = await contacts.contacts(query, self._cards or contacts.CONTACTS)
        return {"contacts": found[:MOST_CONTACTS], "total": len(found)}

    @declare(person_only=True, action="add_event")
    async def calendar_add(self, title: str, start: str, end: str | None = None, repeats: str = "") -> Done:
        """Add an event, in the user's zone."""
        from gemini.personal import calendars

        await calendars.add_event(title, start, end, repeats=repeats, zone=self._zone(), path=self._file)
        return {"success": True}

    @declare(person_only=True, action="remove_event")
    async def calendar_remove(
        self, uid: str, occurrence: str | None = None, scope: Literal["this", "following", "all"] = "all"
    ) -> Done:
        """Remove an event, or times of it."""
        from gemini.personal import calendars

        await calendars.remove(uid, self._file, occurrence=occurrence, scope=scope)
        return {"success": True}

    @declare(person_only=True, action="complete_reminder")
    async def calendar_complete(self, uid: str) -> Done:
        """Mark a reminder as done."""
        from gemini.personal import calendars

        await calendars.complete(uid, self._file)
        return {"success": True}

    @declare(effect=Effect.OUTSIDE, untrusted=True, person_only=True, action="sync_calendars")
    async def calendar_sync(self) -> Synced:
        """Exchange changes with the user's servers."""
        return {"collections": await synchronize(self._ask)}
