"""Which cases of a large matrix run each time, and which only in the extended tier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


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
