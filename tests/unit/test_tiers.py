"""The turns of tests in CI's daily runs."""

from __future__ import annotations

import pytest

from builder.testing import PARTS
from tests.tiers import TURNS, has_turn, in_turn

KEYS = [f"tests/web/test_{number}.py" for number in range(100)]


@pytest.mark.parametrize("mark", TURNS)
def test_each_test_has_one_turn_in_its_days(mark: str) -> None:
    days = min(TURNS[mark], PARTS)
    for key in KEYS:
        turns = [day for day in range(PARTS) if has_turn(key, TURNS[mark], f"{day}/{PARTS}")]
        assert [later - turns[0] for later in turns] == list(range(0, PARTS, days))
        assert not has_turn(key, TURNS[mark], "none")


def test_a_day_has_a_part_of_the_tests() -> None:
    numbers = [sum(has_turn(key, 14, f"{day}/{PARTS}") for key in KEYS) for day in range(14)]
    assert sum(numbers) == len(KEYS)
    assert max(numbers) < len(KEYS) / 4


def test_every_fourth_case_always_runs() -> None:
    mark = in_turn(("number", "square"), [(n, n * n) for n in range(8)]).mark
    always = [case for case in mark.args[1] if not getattr(case, "marks", ())]
    assert always == [(0, 0), (4, 16)]
    assert len(mark.args[1]) == 8
