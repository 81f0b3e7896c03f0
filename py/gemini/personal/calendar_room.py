"""The dependencies that the tools for calendars and contacts share with their panel."""

from collections.abc import Callable

from gemini.pages.web.asking import Ask


class CalendarRoom:
    """The user's time zone and files, and their companion.

    Args:
        zone: Returns the name of the user's time zone.
        ask: Sends the companion a request.
        calendar: The file of the calendar; by default the user's.
        cards: The file of the contacts; by default the user's.
    """

    def __init__(
        self, zone: Callable[[], str], ask: Ask, calendar: str | None = None, cards: str | None = None
    ) -> None:
        self._zone = zone
        self._ask = ask
        self._calendar = calendar
        self._cards = cards
