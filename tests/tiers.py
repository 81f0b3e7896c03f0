"""Which tests run each time, and which take turns in CI's daily runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any
from zlib import crc32

import pytest

# After how many daily runs at most a test with this mark has had its turn; the first mark counts.
TURNS = {"extended": sys.maxsize, "fortnightly": 14}


def has_turn(key: str, days: int, wanted: str) -> bool:
    """Return whether tests with a mark run today.

    Args:
        key: The tests' common key, the same on every machine.
        days: After how many days at most they run again.
        wanted: `PART/PARTS`, the number of the day and of the days after which all have run, or `none`.
    """
    if wanted == "none":
        return False
    part, parts = map(int, wanted.split("/"))
    turns = min(parts, days)
    return crc32(key.encode()) % turns == part % turns


def _values(case: Any) -> tuple[Any, ...]:
    return case if type(case) is tuple else (case,)


def sampled(
    cases: Iterable[Any], *, every: int = 4, others: pytest.MarkDecorator = pytest.mark.extended
) -> list[Any]:
    """Mark all cases but every fourth, or another share, `extended`.

    Args:
        cases: The parameters of the tests, in an order in which neighbours are alike.
        every: The distance of the cases that always run.
        others: The mark of the other cases.
    """
    return [
        case if number % every == 0 else pytest.param(*_values(case), marks=others)
        for number, case in enumerate(cases)
    ]


def in_turn(names: str | tuple[str, ...], cases: Iterable[Any], *, every: int = 4, **options: Any) -> Any:
    """Parametrize a test whose cases take turns: every fourth, or another share, always runs, the others fortnightly.

    Args:
        names: The names of the parameters.
        cases: Their values, as for `sampled`.
        every: The distance of the cases that always run.
        **options: Options of `pytest.mark.parametrize`.
    """
    marked = sampled(cases, every=every, others=pytest.mark.fortnightly)
    return pytest.mark.parametrize(names, marked, **options)
