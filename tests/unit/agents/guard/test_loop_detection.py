"""Loops are found within three cycles, by calls and results together; honest work is not affected."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from gemini.agents.guard.loop_detection import Loop, LoopDetector
from gemini.agents.runs.runs import Runs
from gemini.models.interface.scripted import ScriptedModel, call, say
from tests.unit.agents.conftest import World

READING = {"read", "find", "screen", "text", "tabs"}
# A step: tool, arguments, result, and duration.
Step = tuple[str, dict[str, Any], str, float]


def step(tool: str, seen: str = "ok", took_s: float = 0.0, **arguments: Any) -> Step:
    return tool, arguments, seen, took_s


def first_loop(trace: list[Step]) -> tuple[int, Loop] | None:
    """Return the number of steps until a loop is found, and the loop."""
    watch = LoopDetector()
    for number, (tool, arguments, seen, took_s) in enumerate(trace, start=1):
        reads, failed = tool in READING, "FAILED" in seen
        if loop := watch.add_step([(tool, arguments)], [seen], took_s, reads=reads, failed=failed):
            return number, loop
    return None


def cycle(period: int) -> list[Step]:
    return [step(f"tool_{place}", f"seen {place}", ref=f"e{place}") for place in range(period)]


HONEST_START = [step("read", "a file", path="a"), step("click", "a page", ref="e1")]


@pytest.mark.parametrize("period", range(1, 11))
@pytest.mark.parametrize("start", [[], HONEST_START])
def test_a_loop_is_found_within_three_cycles(period: int, start: list[Step]) -> None:
    found = first_loop([*start, *cycle(period) * 4])
    assert found is not None
    number, loop = found
    assert number <= len(start) + 3 * period
    assert loop.period == period and set(loop.tools) == {f"tool_{place}" for place in range(period)}


DRIFTING = {
    "coordinates": [step("click", "a page", x=100 + n, y=200 - n) for n in range(9)],
    "amounts": [step("scroll", '{"scroll_y":900}', amount=300 + 10 * n) for n in range(9)],
    "spaces and case": [step("find", "nothing", text=text) for text in ["Foo bar", "foo  bar", " foo bar "]],
    "numbers in a command": [step("execute", "error: busy", command=f"sleep {n} && make") for n in range(9)],
    "a clock on the page": [step("click", f"It is 12:0{n}:17. Error.", ref="e1") for n in range(9)],
    "durations": [step("execute", f'{{"output":"failed in 0.{n}3 s"}}', command="make") for n in range(9)],
    "two that alternate": [
        one for n in range(9) for one in (step("scroll", "a", amount=n), step("scroll", "b", amount=-n))
    ],
    "a refusal that echoes": [step("go", f"no page {n:02}", page=f"{n:02}") for n in [7, 7, 7]],
}


@pytest.mark.parametrize("name", DRIFTING)
def test_drifting_without_progress_is_a_loop(name: str) -> None:
    found = first_loop(DRIFTING[name])
    assert found is not None
    assert found[0] <= 3 * found[1].period


STUCK = {
    "searching in other words": [step("find", "nothing", text=f"{word} of it") for word in "abcdefghij"],
    "edits that don't mend the failure": [
        one
        for word in "abcdef"
        for one in (step("edit", "1 replaced", old=word, new=word.upper()), step("execute", "FAILED test_a"))
    ],
}


@pytest.mark.parametrize("name", STUCK)
def test_what_is_tried_again_and_again_in_vain_is_a_loop(name: str) -> None:
    found = first_loop(STUCK[name])
    assert found is not None and found[0] == len(STUCK[name])


def pages(count: int) -> list[Step]:
    return [step("click", f"Results {10 * n + 1} to {10 * n + 10}: …", ref="e7") for n in range(count)]


HONEST: dict[str, list[Step]] = {
    "paging by the same button": pages(25),
    "paging and reading alternately": [
        one for n, page in enumerate(pages(12)) for one in (page, step("text", f"Article {n}"))
    ],
    "reading a file in parts": [step("read", f"part {n}", path="log", offset=1000 * n) for n in range(15)],
    "polling a build by its percents": [
        step("screen", f"building: {n} %", terminal="t1") for n in range(0, 60, 4)
    ],
    "polling patiently for what doesn't change yet": [
        *[step("wait", "not there", 10.0, text="Ready") for _ in range(8)],
        step("wait", "there", 2.0, text="Ready"),
    ],
    "polling with waits between": [
        *[
            one
            for _ in range(7)
            for one in (step("wait", "waited", 5.0, seconds=5), step("screen", "…", 1.5))
        ],
        step("screen", "done"),
    ],
    "many files of the same kind": [step("read", f"def f{n}(): …", path=f"src/m{n}.py") for n in range(12)],
    "many files that are all empty": [step("read", '""', path=path) for path in "abcdefgh"],
    "ticking boxes": [step("click", f"{n} of 9 chosen", ref=f"e{n}") for n in range(9)],
    "the same button, with new pages": [step("click", f"question {n}: …", ref="next") for n in range(10)],
    "filling in a form": [
        step("type", f"{field} has the focus", ref=field, text=value)
        for field, value in zip(
            "abcdef", ["Ann", "Lee", "1 Main St", "Springfield", "12345", "US"], strict=True
        )
    ],
    "edit and test, each time another failure": [
        one
        for n in range(6)
        for one in (step("edit", "1 replaced", old=f"x{n}", new=f"y{n}"), step("execute", f"FAILED test_{n}"))
    ],
    "edit and test, the same failure, other edits": [
        one
        for word in ("timeout", "retries", "encoding", "path")
        for one in (step("edit", "1 replaced", old=word, new=word.upper()), step("execute", "FAILED test_a"))
    ],
    "a retry that helps at the second time": [
        step("execute", "network down", command="pip install x"),
        step("execute", "network down", command="pip install x"),
        step("execute", "installed", command="pip install x"),
    ],
    "scrolling to the end": [step("scroll", f'{{"scroll_y":{600 * n}}}', amount=600) for n in range(12)],
    "searching for several words": [
        step("find", "nothing", text=word) for word in ("tea", "cup", "pot", "kettle")
    ],
    "trying missing paths": [step("read", "missing", path=path) for path in ("a", "etc/a", "src/a", "A")],
    "undoing step by step": [step("key", f"{9 - n} items", key="Control+z") for n in range(8)],
    "looking at tabs in turn": [step("tabs", f"tab t{n}: page {n}", tab=f"t{n}") for n in range(8)],
    "the same cycle twice, then other steps": [
        *cycle(3) * 2,
        step("read", "x", path="x"),
        *cycle(2) * 2,
        step("done"),
    ],
    "a tail that grows": [
        step("execute", "\n".join(map(str, range(n))), command="tail log") for n in range(9)
    ],
    "a game that moves": [
        step("key", f"player at {x},{y}", key="ArrowRight") for x, y in itertools.product(range(4), range(3))
    ],
    "a calculator": [step("click", f"display {'9' * n}", ref="nine") for n in range(1, 9)],
    "sorting by the columns": [
        step("click", f"sorted by {name}", ref=name) for name in ("name", "size", "date")
    ]
    * 2,
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_is_not_a_loop(name: str) -> None:
    assert first_loop(HONEST[name]) is None


def test_there_are_at_least_twenty_honest_traces() -> None:
    assert len(HONEST) >= 20


async def test_the_model_is_warned_then_loses_tools_then_is_stopped(runs: Runs, world: World) -> None:
    model = ScriptedModel([call("read", path="missing")] * 12)
    outcome = await runs.start("Read", model=model)
    assert outcome.status == "failed"
    assert "stuck in a loop: read" in (outcome.reason or "")
    assert len(model.requests) == 5
    warnings = [message.text for message in model.requests[3].messages]
    assert any("You have done the same thing 3 times now" in text for text in warnings)
    assert "read" not in {tool.name for tool in model.requests[4].tools}


async def test_a_model_that_leaves_the_loop_continues(runs: Runs, world: World) -> None:
    world.files["a"] = "tea"
    wrong = call("read", path="missing")
    model = ScriptedModel([wrong, wrong, wrong, call("read", path="a"), say("Tea")])
    run = runs.start("Read", model=model)
    assert (await run).status == "done"
    assert [bool(step.notes) for step in run.steps] == [False, False, True, False, False]
