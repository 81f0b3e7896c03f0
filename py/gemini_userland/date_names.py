"""The words of `date -d` (GNU coreutils manual, 29)."""

from __future__ import annotations

MONTHS = {
    "january": 1,
    "february": 2,
    "march": 3,
    "april": 4,
    "may": 5,
    "june": 6,
    "july": 7,
    "august": 8,
    "september": 9,
    "sept": 9,
    "october": 10,
    "november": 11,
    "december": 12,
}
DAYS = {
    "sunday": 0,
    "monday": 1,
    "tuesday": 2,
    "tues": 2,
    "wednesday": 3,
    "wednes": 3,
    "thursday": 4,
    "thur": 4,
    "thurs": 4,
    "friday": 5,
    "saturday": 6,
}
# In seconds; months and years count months.
UNITS = {
    "year": 12,
    "month": 1,
    "fortnight": 14 * 86400,
    "week": 7 * 86400,
    "day": 86400,
    "hour": 3600,
    "minute": 60,
    "min": 60,
    "second": 1,
    "sec": 1,
}
ORDINALS = {
    "last": -1,
    "this": 0,
    "next": 1,
    "first": 1,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
}
SHIFTS = {"tomorrow": 1, "yesterday": -1, "today": 0, "now": 0}
_HOURS = {
    **{"gmt": 0, "ut": 0, "utc": 0, "wet": 0, "west": 1, "bst": 1, "art": -3, "brt": -3, "brst": -2},
    **{"nst": -3.5, "ndt": -2.5, "ast": -4, "adt": -3, "clt": -4, "clst": -3, "est": -5, "edt": -4},
    **{"cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8},
    **{"hst": -10, "hast": -10, "hadt": -9, "sst": -12, "wat": 1, "cet": 1, "cest": 2, "met": 1},
    **{"mez": 1, "mest": 2, "mesz": 2, "eet": 2, "eest": 3, "cat": 2, "sast": 2, "eat": 3, "msk": 3},
    **{"msd": 4, "ist": 5.5, "sgt": 8, "kst": 9, "jst": 9, "gst": 10, "nzst": 12, "nzdt": 13},
}
ZONES = {name: int(hours * 3600) for name, hours in _HOURS.items()}
