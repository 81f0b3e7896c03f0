"""Texts that a small model wrote when it should call a tool: each is understood, or answered with what was wrong."""

from pathlib import Path

import pytest

from .cases import Case, in_prompt, outcome, read, with_tools

CASES = [case for file in sorted(Path(__file__).parent.glob("*.txt")) for case in read(file)]


def test_there_are_cases() -> None:
    """Some models answer in prose; 60 texts at least aren't a call that can be made, and 30 try to be one."""
    made = [case for case in CASES if case.becomes[0].startswith("called")]
    assert len(CASES) - len(made) >= 60
    assert sum(case.how == "begun" for case in CASES) >= 30


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
async def test_a_text_is_understood_or_answered(case: Case) -> None:
    assert await outcome(case, in_prompt(case.text)) == case.becomes
    assert not case.becomes[0].startswith("ended")
    # A model whose API has tools may quote a call among its prose; then it is informed.
    of_tools = await outcome(case, with_tools(case.text))
    assert not of_tools[0].startswith("ended")
