"""Times in words, as `date -d` reads them (GNU coreutils manual, 29 "Date input formats")."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

from gemini_userland.date_names import DAYS, MONTHS, ORDINALS, SHIFTS, UNITS, ZONES

_TOKEN = re.compile(
    r"\s+|\([^()]*\)|(?P<number>(?P<sign>[-+]\s*)?(?P<whole>\d+)(?:[.,](?P<part>\d+))?)|(?P<word>[a-z][a-z.]*)|(?P<other>.)",
    re.DOTALL,
)
_SHORT = 3
_NANO = 10**9


class Token(NamedTuple):
    """A piece of a description.

    Attributes:
        kind: `unsigned`, `signed`, `decimal` or `signed decimal` for numbers, `month`, `day`, `ordinal`, `unit`,
            `shift`, `zone`, `dst`, `meridian`, `ago`, `hence`, `t`, or the character itself.
        value: The number, or the meaning of the word.
        digits: The number of digits.
        part: The nine digits of a fraction, as nanoseconds.
    """

    kind: str
    value: int = 0
    digits: int = 0
    part: int = 0
    text: str = ""


class Description:
    """A time described in words.

    Args:
        text: The description, as for `date -d`.

    Attributes:
        nanoseconds: After `resolve`, the nanoseconds that its microseconds lack, 0 to 999.
    """

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._seen = dict.fromkeys(("time", "date", "day", "zone"), 0)
        self._year: tuple[int, int] | None = None
        self._month = self._day = 0
        self._clock: tuple[int, int, int] = (0, 0, 0)
        self._part = 0
        self._weekday = (0, 0)
        self._zone: int | None = None
        self._moves = dict.fromkeys(("month", "day", "second", "nanosecond"), 0)
        self._moved = False
        self.nanoseconds = 0

    def resolve(self, now: datetime, extra: int = 0) -> datetime:
        """Return the described time, relative to `now` and so many nanoseconds.

        Raises:
            ValueError: The text has no meaning.
            OverflowError: The time is too early or too late.
        """
        if self._next("@"):
            return self._timestamp(now)
        while self._at < len(self._tokens):
            if not (self._take_date() or self._take_time() or self._take_relative() or self._take_rest()):
                raise ValueError(self._tokens[self._at].text)
        if max(self._seen.values()) > 1:
            raise ValueError("more than one time, date, weekday or zone")
        return self._combine(now, extra)

    def _kinds(self, *kinds: str) -> list[Token] | None:
        """Take tokens of these kinds, or none."""
        found = self._tokens[self._at : self._at + len(kinds)]
        if len(found) < len(kinds) or any(one.kind != kind for one, kind in zip(found, kinds, strict=True)):
            return None
        self._at += len(kinds)
        return found

    def _next(self, kind: str) -> Token | None:
        found = self._kinds(kind)
        return found[0] if found else None

    def _timestamp(self, now: datetime) -> datetime:
        kinds = ("signed", "unsigned", "decimal", "signed decimal")
        number = next((found for kind in kinds if (found := self._next(kind))), None)
        if number is None or self._at < len(self._tokens):
            raise ValueError("a timestamp is the only word")
        negative = number.kind == "signed decimal" and number.text.startswith("-")
        total = number.value * _NANO + (-number.part if negative else number.part)
        return self._moment(total, now)

    def _moment(self, nanoseconds: int, now: datetime) -> datetime:
        microseconds, self.nanoseconds = divmod(nanoseconds, 1000)
        epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 `UTC` is a name of `date` only
        return (epoch + timedelta(microseconds=microseconds)).astimezone(now.tzinfo)

    # --- dates ---

    def _take_date(self) -> bool:
        if found := self._kinds("unsigned", "/", "unsigned", "/", "unsigned"):
            one, other, last = found[0], found[2], found[4]
            fields = (one, other, last) if one.digits >= 4 else (last, one, other)
            return self._set_date(*fields)
        if found := self._kinds("unsigned", "/", "unsigned"):
            return self._set_date(None, found[0], found[2])
        if found := self._kinds("unsigned", "signed", "signed"):
            return self._set_date(found[0], found[1], found[2], negative=True)
        if found := self._kinds("unsigned", "month", "signed"):
            return self._set_date(found[2], found[1], found[0], negative=True)
        if found := self._kinds("month", "signed", "signed"):
            return self._set_date(found[2], found[0], found[1], negative=True)
        if found := self._kinds("month", "unsigned", ",", "unsigned"):
            return self._set_date(found[3], found[0], found[1])
        if self._tokens[self._at + 2 : self._at + 3] and self._tokens[self._at + 2].kind == ":":
            return False
        if found := self._kinds("month", "unsigned"):
            return self._set_date(None, found[0], found[1])
        if found := self._kinds("unsigned", "month", "unsigned"):
            return self._set_date(found[2], found[1], found[0])
        found = self._kinds("unsigned", "month")
        return bool(found) and self._set_date(None, found[1], found[0])

    def _set_date(self, year: Token | None, month: Token, day: Token, *, negative: bool = False) -> bool:
        self._seen["date"] += 1
        if year is not None:
            self._year = abs(year.value), year.digits
        self._month, self._day = abs(month.value), abs(day.value)
        if negative and (month.value > 0 and month.kind == "signed"):
            raise ValueError("a sign")
        return True

    # --- times of day ---

    def _take_time(self) -> bool:
        start = self._at
        self._next("t") if self._seen["date"] and self._at and self._tokens[self._at].kind == "t" else None
        if found := self._kinds("unsigned", "meridian"):
            return self._set_clock((found[0].value, 0, 0), meridian=found[1])
        if found := self._kinds("unsigned", ":", "unsigned"):
            return self._after_minutes(found[0].value, found[2].value)
        if found := self._kinds("unsigned", ":", "decimal"):
            self._at = start
            return False
        if self._at > start:
            # An hour alone after T.
            if number := self._next("unsigned"):
                return self._set_clock((number.value, 0, 0)) and self._take_offset()
            self._at = start
        return False

    def _after_minutes(self, hour: int, minute: int) -> bool:
        second = part = 0
        if found := self._kinds(":", "unsigned") or self._kinds(":", "decimal"):
            second, part = found[1].value, found[1].part
        meridian = self._next("meridian")
        self._set_clock((hour, minute, second), meridian=meridian, part=part)
        return meridian is not None or self._take_offset()

    def _set_clock(
        self, clock: tuple[int, int, int], *, meridian: Token | None = None, part: int = 0
    ) -> bool:
        hour, minute, second = clock
        if meridian is not None:
            if not 1 <= hour <= 12:
                raise ValueError("hour")
            hour = hour % 12 + 12 * meridian.value
        self._seen["time"] += 1
        self._clock, self._part = (hour, minute, second), part
        return True

    def _take_offset(self) -> bool:
        """Take an offset from UTC, such as +02:00, after a time."""
        if number := self._next("signed"):
            self._set_zone(self._offset(number))
        return True

    def _offset(self, number: Token) -> int:
        """Return an offset in seconds, whose minutes may follow."""
        sign = -1 if number.text.startswith("-") else 1
        amount = abs(number.value)
        if minutes := self._kinds(":", "unsigned"):
            total = amount * 60 + minutes[1].value
        else:
            total = amount * 60 if number.digits <= 2 else amount // 100 * 60 + amount % 100
        if total > 24 * 60:
            raise ValueError("zone")
        return sign * total * 60

    def _set_zone(self, seconds: int) -> None:
        self._seen["zone"] += 1
        self._zone = seconds

    # --- relative times and others ---

    def _take_relative(self) -> bool:
        amount, part = 1, 0
        start = self._at
        for kind in ("ordinal", "unsigned", "signed", "decimal", "signed decimal"):
            if number := self._next(kind):
                amount, part = number.value, number.part * (-1 if number.text.startswith("-") else 1)
                break
        unit = self._next("unit")
        if unit is None or (part and unit.text not in ("second", "sec")):
            self._at = start
            shift = self._next("shift")
            if shift is None:
                return False
            self._moves["day"] += shift.value
            self._moved = True
            return True
        sign = -1 if self._next("ago") else 1
        self._next("hence")
        kind = "month" if unit.text in ("month", "year") else "day" if unit.value % 86400 == 0 else "second"
        size = unit.value // 86400 if kind == "day" else unit.value
        self._moves[kind] += sign * amount * size
        self._moves["nanosecond"] += sign * part
        self._moved = True
        return True

    def _take_rest(self) -> bool:
        if found := self._kinds("ordinal", "day") or self._kinds("unsigned", "day"):
            return self._set_weekday(found[1].value, found[0].value)
        if day := self._next("day"):
            return self._set_weekday(day.value, 0)
        if zone := self._next("zone"):
            seconds = zone.value
            if self._next("dst"):
                seconds += 3600
            elif (number := self._peek("signed")) and not self._peek("unit", 1):
                self._at += 1
                seconds += self._offset(number)
            self._set_zone(seconds)
            return True
        if self._next("t"):
            self._set_zone(-7 * 3600)
            return True
        number = self._next("unsigned")
        return number is not None and self._set_number(number)

    def _peek(self, kind: str, ahead: int = 0) -> Token | None:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) and self._tokens[at].kind == kind else None

    def _set_weekday(self, day: int, ordinal: int) -> bool:
        self._next(",")
        self._seen["day"] += 1
        self._weekday = day, ordinal
        return True

    def _set_number(self, number: Token) -> bool:
        """Take a number alone for a year, a date such as 20240131, or a time such as 1730."""
        value, digits = number.value, number.digits
        if (
            self._seen["date"]
            and self._year is None
            and not self._moved
            and (self._seen["time"] or digits > 2)
        ):
            self._year = value, digits
        elif digits > 4:
            self._seen["date"] += 1
            self._year = value // 10000, digits - 4
            self._month, self._day = value // 100 % 100, value % 100
        else:
            self._set_clock((value, 0, 0) if digits <= 2 else (value // 100, value % 100, 0))
        return True

    # --- the result ---

    def _combine(self, now: datetime, extra: int) -> datetime:
        # What isn't said is as it is here now, also if the time is one of another zone.
        zone = now.tzinfo if self._zone is None else timezone(timedelta(seconds=self._zone))
        year, month, day = now.year, now.month, now.day
        if self._seen["date"]:
            if self._year is not None:
                value, digits = self._year
                year = value + (2000 if value < 69 else 1900) if digits <= 2 else value
            month, day = self._month, self._day
        if self._seen["time"]:
            clock, part = self._clock, self._part
        elif self._moved and not (self._seen["date"] or self._seen["day"]):
            clock, part = (now.hour, now.minute, now.second), now.microsecond * 1000 + extra
        else:
            clock, part = (0, 0, 0), 0
        when = datetime(year, month, day, *clock)  # noqa: DTZ001 the zone follows
        if self._seen["day"] and not self._seen["date"]:
            wanted, ordinal = self._weekday
            today = (when.weekday() + 1) % 7
            when += timedelta((wanted - today) % 7 + 7 * (ordinal - (ordinal > 0 and today != wanted)))
        total = when.year * 12 + when.month - 1 + self._moves["month"]
        # A day that the month lacks overflows into the next.
        when = when.replace(year=total // 12, month=total % 12 + 1, day=1) + timedelta(
            days=when.day - 1 + self._moves["day"]
        )
        placed = when.replace(tzinfo=zone)
        seconds = round(placed.replace(microsecond=0).timestamp()) + self._moves["second"]
        return self._moment(seconds * _NANO + part + self._moves["nanosecond"], now)


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text.lower()):
        if match["number"]:
            found.append(_number(match))
        elif match["word"]:
            found.append(_word(match["word"]))
        elif match["other"] and match["other"] not in "-+":
            # A sign without a number has no meaning.
            found.append(Token(match["other"], text=match["other"]))
    return found


def _number(match: re.Match[str]) -> Token:
    value = int(match["whole"]) * (-1 if (match["sign"] or "").startswith("-") else 1)
    kind = "signed" if match["sign"] else "unsigned"
    if match["part"]:
        kind = "signed decimal" if match["sign"] else "decimal"
    part = int((match["part"] or "0").ljust(9, "0")[:9])
    return Token(kind, value, len(match["whole"]), part, match["number"])


_WORDS = {
    **{word: Token("ordinal", value, text=word) for word, value in ORDINALS.items()},
    **{word: Token("shift", value, text=word) for word, value in SHIFTS.items()},
    **{word: Token("zone", value, text=word) for word, value in ZONES.items()},
    **{word: Token("unit", value, text=word) for word, value in UNITS.items()},
    **{word: Token("meridian", int(word[0] == "p"), text=word) for word in ("am", "a.m.", "pm", "p.m.")},
    **{word: Token(word, text=word) for word in ("dst", "ago", "hence", "t")},
}


def _word(word: str) -> Token:
    short = word.rstrip(".") if len(word.rstrip(".")) == _SHORT else word
    for kind, table in (("month", MONTHS), ("day", DAYS)):
        for name, value in table.items():
            if short == name or (len(short) == _SHORT and name.startswith(short)):
                return Token(kind, value, text=word)
    for spelled in (word, word.removesuffix("s"), word.replace(".", "")):
        if spelled in _WORDS:
            return _WORDS[spelled]
    if len(word) == 1 and word != "j":
        return Token("zone", _military(word), text=word)
    raise ValueError(word)


def _military(letter: str) -> int:
    """Return the offset in seconds of a zone that is named by a letter (RFC 822, 5)."""
    at = ord(letter) - ord("a")
    hours = 0 if letter == "z" else at + 1 - (letter > "j") if letter <= "m" else -(at - 12)
    return hours * 3600
