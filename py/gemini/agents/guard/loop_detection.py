"""Loop detection: notice that a run repeats the same actions with the same results, in cycles of one to ten steps.

Results count as much as actions, so paging and waiting for progress are not loops. Values that differ by themselves,
such as times and durations, are ignored. A cycle in which only the numbers of the arguments change, and no result
does, is a loop, too; so are many reads in a row that differ but all find the same, and a call that fails again and
again in the same way, whatever is tried in between.
"""

import hashlib
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from gemini.core.encoding import encode

MAX_PERIOD = 10
MIN_REPEATS = 3
# Reads in other words that find the same, such as nothing.
MIN_SAME_FINDINGS = 10
# Equal failures of the same call, within this many steps.
MIN_SAME_FAILURES = 6
FAILURE_STEPS = 24
# A step that takes this long is a deliberate wait, which may repeat more often before it counts as a loop.
MIN_WAIT_S = 1.0
MIN_PATIENT_REPEATS = 10
# After this many steps without a loop, warnings start over at level 1.
FORGIVEN_AFTER_STEPS = 12

TIMES = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b"
    r"|\b\d+(?:[.,]\d+)?\s?(?:ms|s|sec|secs|seconds?|minutes?|hours?)\b(?:\s+ago)?"
    r"|(?<=_s\":)\d+(?:\.\d+)?|(?<=_ms\":)\d+(?:\.\d+)?",
    re.IGNORECASE,
)
LONE_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Loop:
    """A detected loop.

    Attributes:
        period: The number of steps in one cycle.
        times: How many times the cycle was repeated.
        tools: The tools called in the cycle.
        level: 1 to warn the model, 2 to withhold the tools, 3 to end the run.
    """

    period: int
    times: int
    tools: tuple[str, ...]
    level: int


@dataclass(frozen=True)
class _StepKeys:
    exact: str
    drifting: str
    found: str
    failed: bool
    tools: tuple[str, ...]
    patient: bool


class LoopDetector:
    """Detects loops in the steps of a run."""

    def __init__(self) -> None:
        self._steps: list[_StepKeys] = []
        self._level = 0
        self._last_found = 0

    def add_step(
        self,
        calls: Iterable[tuple[str, dict[str, Any]]],
        results: Iterable[str],
        waited_s: float = 0.0,
        *,
        reads: bool = False,
        failed: bool = False,
    ) -> Loop | None:
        """Add a step; return the loop that it completes, if any.

        Args:
            calls: The tools called, with their arguments.
            results: The results, and the snapshot afterwards.
            waited_s: The duration of the calls in seconds.
            reads: Whether the calls only read.
            failed: Whether any call failed, or a command ended with an error.
        """
        self._steps.append(_step_keys(list(calls), list(results), waited_s, reads=reads, failed=failed))
        if len(self._steps) - self._last_found > FORGIVEN_AFTER_STEPS:
            self._level = 0
        found = self._find_cycle()
        if found is None:
            return None
        period, times = found
        # After each warning the model has one more cycle to change course.
        if self._level and len(self._steps) - self._last_found < period:
            return None
        self._level = min(3, self._level + 1)
        self._last_found = len(self._steps)
        tools = tuple(dict.fromkeys(tool for step in self._steps[-period:] for tool in step.tools))
        return Loop(period, times, tools, self._level)

    def _find_cycle(self) -> tuple[int, int] | None:
        for period in range(1, MAX_PERIOD + 1):
            for kind in ("exact", "drifting"):
                times = self._count_repeats([getattr(step, kind) for step in self._steps], period)
                patient = all(step.patient for step in self._steps[-period:])
                if times >= (MIN_PATIENT_REPEATS if patient else MIN_REPEATS):
                    return period, times
        return self._find_same_findings() or self._find_same_failures()

    def _find_same_findings(self) -> tuple[int, int] | None:
        last = self._steps[-1]
        same = itertools.takewhile(lambda step: step.found == last.found, reversed(self._steps))
        times = sum(1 for _ in same) if last.found else 0
        return (1, times) if times >= MIN_SAME_FINDINGS else None

    def _find_same_failures(self) -> tuple[int, int] | None:
        last = self._steps[-1]
        if not last.failed:
            return None
        recent = reversed(self._steps[-FAILURE_STEPS:])
        equal = [place for place, step in enumerate(recent) if step.exact == last.exact]
        return (equal[1], len(equal)) if len(equal) >= MIN_SAME_FAILURES else None

    def _count_repeats(self, keys: list[str], period: int) -> int:
        """Count how many times in a row the last `period` keys occur at the end."""
        last, times = keys[-period:], 0
        while len(last) == period and keys[-period * (times + 1) : len(keys) - period * times] == last:
            times += 1
        return times


def _step_keys(
    calls: list[tuple[str, dict[str, Any]]],
    results: list[str],
    waited_s: float,
    *,
    reads: bool,
    failed: bool,
) -> _StepKeys:
    shown = _digest(_normalize(text, calls) for text in results)
    exact = _digest([*(encode([tool, arguments]) for tool, arguments in calls), shown])
    drifting = _digest([*(encode([tool, _without_numbers(arguments)]) for tool, arguments in calls), shown])
    tools = tuple(tool for tool, _ in calls)
    found = _digest([*tools, shown]) if reads and calls else ""
    return _StepKeys(exact, drifting, found, failed, tools, waited_s >= MIN_WAIT_S)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _normalize(text: str, calls: list[tuple[str, dict[str, Any]]]) -> str:
    """Return a result without the parts that vary by themselves: times, and echoes of the arguments."""
    for _, arguments in calls:
        for value in arguments.values():
            if (
                isinstance(value, (str, int, float))
                and not isinstance(value, bool)
                and 2 <= len(str(value)) <= 200
            ):
                text = text.replace(str(value), "·")
    return SPACES.sub(" ", TIMES.sub("·", text))


def _without_numbers(value: Any) -> Any:
    """Return arguments with every number replaced by `#`."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        return "#"
    if isinstance(value, str):
        return SPACES.sub(" ", LONE_NUMBER.sub("#", value)).strip().casefold()
    if isinstance(value, dict):
        return {name: _without_numbers(inner) for name, inner in cast("dict[str, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_without_numbers(inner) for inner in cast("list[Any]", value)]
    return str(value)
