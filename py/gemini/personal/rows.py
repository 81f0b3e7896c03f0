"""Rows of calendars and contacts. Apart from what lists it, which loads on first use."""

from typing_extensions import TypedDict


class EventRow(TypedDict):
    """One time of an event.

    Attributes:
        uid: The name of the event.
        occurrence: The name of this time of a recurring event, in ISO 8601; empty for others.
        title: Its title.
        start: In ISO 8601; a date alone for whole days, without an offset for floating times.
        end: Its end, exclusive.
        zone: The name of its zone in the file; empty for dates and floating times. If the start has no offset, the zone
            is unknown.
        place: Where it takes place.
        notes: Its description.
        repeats: Its RRULE.
        alarms: Minutes before the start at which the user is reminded.
        status: `CONFIRMED`, `TENTATIVE` or `CANCELLED`; empty if it isn't said.
    """

    uid: str
    occurrence: str
    title: str
    start: str
    end: str
    zone: str
    place: str
    notes: str
    repeats: str
    alarms: list[int]
    status: str


class AlarmRow(TypedDict):
    """A time at which an event or a reminder reminds the user. `at` and `start` are in ISO 8601."""

    at: str
    uid: str
    title: str
    start: str


class ReminderRow(TypedDict):
    """A to-do. `due` is in ISO 8601, or empty; `alarms` are minutes before it."""

    uid: str
    title: str
    due: str
    notes: str
    done: bool
    alarms: list[int]


class ContactRow(TypedDict):
    """A contact. Addresses have their parts in one line. A card without a UID is named by a digest of its text."""

    uid: str
    name: str
    emails: list[str]
    phones: list[str]
    addresses: list[str]
    organization: str
    birthday: str
    notes: str


class SyncedRow(TypedDict):
    """The result of a synchronization of a calendar or an address book.

    Attributes:
        name: Its name.
        server: Its server.
        path: The file.
        pulled: How many items came from the server, or went with it.
        pushed: How many were written there.
        conflicts: What happened to items that changed on both sides.
    """

    name: str
    server: str
    path: str
    pulled: int
    pushed: int
    conflicts: list[str]
