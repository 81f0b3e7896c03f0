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
