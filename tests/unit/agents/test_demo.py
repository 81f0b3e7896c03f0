"""The scripted examples of the start page: their words follow from the tools' answers."""

from __future__ import annotations

import pytest

from gemini.agents import demo_examples
from gemini.agents.demo_examples import TASKS, play
from gemini.models.interface.messages import ToolMessage


def answers(*texts: str) -> list[ToolMessage]:
    return [ToolMessage(tool="terminal_execute", call_id="1", text=text) for text in texts]


def said(example: str, *texts: str) -> dict[str, object]:
    turn = play(TASKS[example], answers(*texts))  # pyright: ignore[reportArgumentType]
    [(_, arguments)] = turn.calls
    assert isinstance(arguments, dict)
    return arguments


def test_each_error_is_named() -> None:
    report = '{"output": "error at 09:00: the disk is full\\nerror at 10:00: the quantity is missing\\n"}'
    result = str(said("errors", report, "grep's output")["result"])
    assert "2 errors" in result and "the disk is full** (09:00): my script doesn't know" in result
    assert "should be refused with 400" in result


@pytest.mark.parametrize("output", ["", "python: can't open file 'report.py'"])
def test_without_errors_it_says_so(output: str) -> None:
    assert "reports no error" in str(said("errors", output)["result"])


def test_the_chart_has_the_counted_lines() -> None:
    counts = "      6 INFO\\n      3 ERROR"
    drawn = str(said("chart", counts)["content"])
    assert drawn.count("<rect") == 2 and 'width="320"' in drawn and 'width="160"' in drawn
    assert "9 lines are INFO (6)" in str(said("chart", counts, "written", "opened")["result"])
    assert "no lines with a level" in str(said("chart", "cut: app.log: No such file")["result"])


def test_the_page_has_the_same_tasks() -> None:
    assert set(demo_examples.PLAYS) == set(TASKS.values())
