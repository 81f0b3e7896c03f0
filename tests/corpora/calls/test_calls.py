"""Texts that a small model wrote when it should call a tool: each is understood, or answered with what was wrong."""

from pathlib import Path

import pytest

from .cases import FAULTS, Case, faults_of, in_prompt, outcome, read, with_tools

CASES = [case for file in sorted(Path(__file__).parent.glob("*.txt")) for case in read(file)]


def test_there_are_60_faulty_calls_of_all_kinds() -> None:
    faults = {case.text: faults_of(case) for case in CASES}
    faulty = [each for each in faults.values() if each]
    assert len(faulty) >= 60
    assert {fault: sum(fault in each for each in faulty) >= 5 for fault in FAULTS} == dict.fromkeys(
        FAULTS, True
    )


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
async def test_a_text_is_understood_or_answered(case: Case) -> None:
    assert await outcome(case, in_prompt(case.text)) == case.becomes
    assert not case.becomes[0].startswith("ended")
    # A model whose API has tools may quote a call among its prose; then it is informed.
    of_tools = await outcome(case, with_tools(case.text))
    assert not of_tools[0].startswith("ended")
