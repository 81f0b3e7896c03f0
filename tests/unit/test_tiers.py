"""The turns of tests in CI's daily runs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from builder.testing import PARTS
from tests.tiers import ALL_MARKED, FILES, TURNS, has_turn, in_turn, opens

TESTS = Path(__file__).parents[1]
KEYS = [f"tests/web/test_{number}.py" for number in range(100)]


@pytest.mark.parametrize("mark", TURNS)
def test_each_test_has_one_turn_in_its_days(mark: str) -> None:
    days = min(TURNS[mark], PARTS)
    for key in KEYS:
        turns = [day for day in range(PARTS) if has_turn([(key, TURNS[mark])], f"{day}/{PARTS}")]
        assert [later - turns[0] for later in turns] == list(range(0, PARTS, days))
        assert not has_turn([(key, TURNS[mark])], "none")


@pytest.mark.parametrize("marks", [["fortnightly"], ["extended"], ["fortnightly", "extended"]], ids="-".join)
@pytest.mark.parametrize("every", sorted({1, *FILES.values(), ALL_MARKED}))
def test_a_test_has_its_turn_on_a_day_of_its_file_and_of_its_page(marks: list[str], every: int) -> None:
    for key in KEYS:
        file, page = key[:-4], ("page", TURNS[marks[0]])
        chosen = [page, (key, TURNS[marks[-1]])][-len(marks) :]
        turns = [day for day in range(PARTS) if has_turn(chosen, f"{day}/{PARTS}", file=file, every=every)]
        assert all(opens(file, every, f"{day}/{PARTS}") for day in turns)
        assert len(marks) == 1 or all(
            has_turn([page], f"{day}/{PARTS}", file=file, every=every) for day in turns
        )
        # Around the end of all days, too.
        gaps = [later - turn for turn, later in pairwise([*turns, turns[0] + PARTS])]
        assert max(gaps) <= TURNS[marks[-1]] and max(gaps) <= PARTS


def test_a_file_that_takes_turns_runs_once_in_its_days() -> None:
    for file, every in FILES.items():
        turns = [day for day in range(PARTS) if opens(file, every, f"{day}/{PARTS}")]
        assert [later - turns[0] for later in turns] == list(range(0, PARTS, every))
        assert opens(file, every, "all")


def test_the_files_that_take_turns_exist() -> None:
    assert [file for file in FILES if not (TESTS / file).is_file()] == []


def test_the_days_have_equally_many_of_the_files() -> None:
    numbers = [sum(opens(*each, f"{day}/{PARTS}") for each in FILES.items()) for day in range(PARTS)]
    assert max(numbers) - min(numbers) <= len(set(FILES.values()))


def test_a_day_has_a_part_of_the_tests() -> None:
    numbers = [sum(has_turn([(key, 14)], f"{day}/{PARTS}") for key in KEYS) for day in range(14)]
    assert sum(numbers) == len(KEYS)
    assert max(numbers) < len(KEYS) / 4


def test_every_fourth_case_always_runs() -> None:
    mark = in_turn(("number", "square"), [(n, n * n) for n in range(8)]).mark
    always = [case for case in mark.args[1] if not getattr(case, "marks", ())]
    assert always == [(0, 0), (4, 16)]
    assert len(mark.args[1]) == 8
