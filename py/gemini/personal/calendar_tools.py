"""The tools that read and change the user's calendar and contacts. They import them with the first call."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from gemini.errors import InvalidArguments
from gemini.pages.web.asking import Ask, ask_web
from gemini.personal.calendar_room import CalendarRoom
from gemini.personal.rows import ContactRow, EventRow, ReminderRow, SyncedRow
from gemini.tools import Effect, declare

Scope = Literal["this", "following", "all"]
Minutes = list[Annotated[int, Field(ge=-525_600, le=525_600)]]


class Read(TypedDict):
    """Events, each time of recurring ones, and the reminders that aren't done."""

    events: list[EventRow]
    reminders: list[ReminderRow]


class Found(TypedDict):
    """The contacts, by name. `total` counts those that were left out, too."""

    contacts: list[ContactRow]
    total: int


class Changed(TypedDict):
    """A change: the UID, and the event, reminder or contact before and after it."""

    uid: str
    before: NotRequired[dict[str, Any]]
    after: NotRequired[dict[str, Any]]


class CalendarTools(CalendarRoom):
    """The tools for the user's calendar and contacts."""

    @declare(effect=Effect.READ, untrusted=True)
    async def personal_calendar(
        self,
        start: str | None = None,
        end: str | None = None,
        query: str | None = None,
        zone: str = "",
        path: str | None = None,
    ) -> Read:
        """List the user's events between two times, or those that have all words of a query; and open reminders.

        Args:
            start: ISO 8601, such as 2026-11-30.
            end: Exclusive.
            query: Words, instead of times.
            zone: Of the answer, such as Europe/Berlin; the user's by default.
            path: Another iCalendar file.
        """
        from gemini.personal import calendars

        file = path or self._calendar or calendars.CALENDAR
        reminders = await calendars.reminders(file)
        if query is not None:
            return {"events": await calendars.find_events(query, file, count=50), "reminders": reminders}
        if start is None or end is None:
            raise InvalidArguments("pass start and end, or query")
        return {
            "events": await calendars.events(start, end, file, zone=zone or self._zone()),
            "reminders": reminders,
        }

    @declare(effect=Effect.WRITE, untrusted=True)
    async def personal_calendar_change(
        self,
        action: Literal["add", "change", "remove"],
        kind: Literal["event", "reminder"] = "event",
        uid: str | None = None,
        occurrence: str | None = None,
        scope: Scope = "all",
        title: str | None = None,
        start: str | None = None,
        end: str | None = None,
        place: str | None = None,
        notes: str | None = None,
        repeats: str | None = None,
        alarms: Minutes | None = None,
        zone: str = "",
        done: bool | None = None,
        path: str | None = None,
    ) -> Changed:
        """Add, change or remove an event or reminder; what isn't passed stays. The answer shows it before and after.

        Args:
            uid: As personal_calendar lists it.
            occurrence: The listed one, for scope this or following.
            scope: Of a recurring event.
            start: ISO 8601; a date for whole days; when a reminder is due.
            end: Exclusive.
            repeats: RRULE, such as FREQ=WEEKLY;COUNT=4.
            alarms: Minutes before.
            zone: Of times without one; the user's by default.
            done: Of a reminder.
            path: Another iCalendar file.
        """
        from gemini.personal import calendars

        file = path or self._calendar or calendars.CALENDAR
        given = {"title": title, "notes": notes, "alarms": alarms}
        if kind == "event":
            given |= {"start": start, "end": end, "place": place, "repeats": repeats}
        else:
            given |= {"due": start, "done": done}
        fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if action == "add":
            return await self._add(kind, fields, zone or self._zone(), file)
        if uid is None:
            raise InvalidArguments(f"to {action}, pass the uid", hint="personal_calendar lists it.")
        before = await _row(kind, uid, file)
        if action == "remove":
            await calendars.remove(uid, file, occurrence=occurrence, scope=scope)
            return {"uid": uid, "before": before}
        if kind == "reminder":
            await calendars.change_reminder(uid, **fields, zone=zone, path=file)
            return {"uid": uid, "before": before, "after": await _row(kind, uid, file)}
        changed = await calendars.change_event(
            uid, occurrence=occurrence, scope=scope, **fields, zone=zone, path=file
        )
        return {"uid": changed, "before": before, "after": await _after(changed, occurrence, scope, file)}

    async def _add(self, kind: str, fields: dict[str, Any], zone: str, file: str) -> Changed:
        from gemini.personal import calendars

        title = fields.pop("title", "")
        if not title or (kind == "event" and "start" not in fields):
            raise InvalidArguments("to add, pass a title, and the start of an event")
        if kind == "event":
            uid = await calendars.add_event(title, fields.pop("start"), **fields, zone=zone, path=file)
        else:
            fields.pop("done", None)
            uid = await calendars.add_reminder(title, **fields, zone=zone, path=file)
        return {"uid": uid, "after": await _row(kind, uid, file)}

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def personal_sync(self, name: str = "") -> list[SyncedRow]:
        """Exchange changes with the user's servers of calendars and contacts; the user is asked. Rows have the files.

        Args:
            name: Of one calendar or address book.
        """
        return await synchronize(self._ask, name)

    @declare(effect=Effect.READ, untrusted=True)
    async def personal_contacts(
        self, query: str = "", count: Annotated[int, Field(ge=1, le=500)] = 50, path: str | None = None
    ) -> Found:
        """List the user's contacts that have all words of a query in any field.

        Args:
            count: The most contacts.
            path: Another vCard file.
        """
        from gemini.personal import contacts

        found = await contacts.contacts(query, path or self._cards or contacts.CONTACTS)
        return {"contacts": found[:count], "total": len(found)}

    @declare(effect=Effect.WRITE, untrusted=True)
    async def personal_contacts_change(
        self,
        action: Literal["add", "change", "remove"],
        uid: str | None = None,
        name: str | None = None,
        emails: list[str] | None = None,
        phones: list[str] | None = None,
        organization: str | None = None,
        birthday: str | None = None,
        notes: str | None = None,
        path: str | None = None,
    ) -> Changed:
        """Add, change or remove a contact; what isn't passed stays. The answer shows it before and after.

        Args:
            uid: As personal_contacts lists it.
            emails: All of them.
            phones: All of them.
            birthday: ISO 8601.
            path: Another vCard file.
        """
        from gemini.personal import contacts

        file = path or self._cards or contacts.CONTACTS
        given = {"emails": emails, "phones": phones, "organization": organization} | {
            "birthday": birthday,
            "notes": notes,
        }
        fields: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        if action == "add":
            added = await contacts.add_contact(name or "", **fields, path=file)
            return {"uid": added, "after": {**await contacts.contact(added, file)}}
        if uid is None:
            raise InvalidArguments(f"to {action}, pass the uid", hint="personal_contacts lists it.")
        before: dict[str, Any] = {**await contacts.contact(uid, file)}
        if action == "remove":
            await contacts.remove_contact(uid, file)
            return {"uid": uid, "before": before}
        changed = await contacts.change_contact(uid, name=name, **fields, path=file)
        return {"uid": changed, "before": before, "after": {**await contacts.contact(changed, file)}}


async def synchronize(ask: Ask, name: str = "") -> list[SyncedRow]:
    """Exchange changes with the servers that the user has added.

    Args:
        ask: Sends the companion a request.
        name: The name of one calendar or address book; all by default.

    Raises:
        InvalidArguments: There is none, or none of this name.
        WebProblem: The companion or a server can't be reached.
        Refused: The user refused.
    """
    from gemini.personal.packages import load_calendars
    from gemini.personal.sync import Sync

    await load_calendars()

    async def asked(method: str, **params: Any) -> Any:
        return await ask_web(ask, method, **params)

    found = (await asked("dav/collections"))["collections"]
    chosen = [each for each in found if not name or each["name"] == name]
    if not chosen:
        names = ", ".join(each["name"] for each in found) or "none"
        raise InvalidArguments("there is nothing to synchronize", hint=f"The user's servers have: {names}.")
    return [await Sync(asked, each).run() for each in chosen]


async def _row(kind: str, uid: str, file: str) -> dict[str, Any]:
    from gemini.personal import calendars

    if kind == "event":
        return {**await calendars.event(uid, file)}
    rows = await calendars.reminders(file, done=True)
    found = next((row for row in rows if row["uid"] == uid), None)
    if found is None:
        raise InvalidArguments(
            f"{file} has no reminder with the UID {uid[:80]!r}", hint="List the reminders."
        )
    return {**found}


async def _after(uid: str, occurrence: str | None, scope: Scope, file: str) -> dict[str, Any]:
    """Return the event after a change, or the time of it that was changed."""
    from gemini.personal import calendars

    if scope != "this" or occurrence is None:
        return {**await calendars.event(uid, file)}
    return {**await calendars.time_of_event(uid, occurrence, file)}
