"""The rules by which a message continues a finished run.

The rules were written with the first 20 pairs of each kind. Of pairs that they met for the first time they decided 39
of 40, then, after a change, 14 of 20, and after another 15 of 20. Each miss was a follow-up that began
a new run. One pair is left to a model.
"""

import pytest

from gemini.agents.continuing.rules import guess
from tests.unit.agents.continuing.pairs import FOLLOW_UPS, NEW_TASKS

LEFT_TO_A_MODEL = {"What were the open questions?"}


@pytest.mark.parametrize(("task", "message"), FOLLOW_UPS)
def test_a_follow_up_continues_the_run(task: str, message: str) -> None:
    guessed = guess(message, [task])
    assert guessed.continues is (message not in LEFT_TO_A_MODEL), guessed
    assert guessed.sure or guessed.why


@pytest.mark.parametrize(("task", "message"), NEW_TASKS)
def test_a_new_task_starts_a_new_run(task: str, message: str) -> None:
    guessed = guess(message, [task])
    assert not guessed.continues, guessed


def test_all_tasks_of_a_conversation_count() -> None:
    assert guess("Open the report", ["Write a report about bees", "Add a picture"]).continues
    assert not guess("Open a report on wasps", ["Count the files", "Add a picture"]).continues


@pytest.mark.parametrize(
    "message", ["", "?", "   ", "的翻译", "((((", "it " * 5_000, "a" * 50_000, "\0\ud800"]
)
def test_any_text_is_decided_quickly(message: str) -> None:
    guess(message, ["Write a report about bees"])
