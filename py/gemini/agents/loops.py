"""Noticing that a run goes in circles: the same done and the same seen, over and over, in cycles of one to six steps.

What is seen counts as much as what is done, so that turning pages and waiting for something that gets on are no
circles. What differs by itself (times of day, durations) counts as the same. Where the numbers in what is done drift
while nothing else that is seen does, that is a circle, too.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from gemini.core.encoding import encode

MAX_PERIOD = 6
MIN_REPEATS = 3
# A wait that the model chose: what it waits for may take longer than three looks.
MIN_WAIT_S = 1.0
MIN_PATIENT_REPEATS = 10
# So many steps without a circle, and what was said about one is forgotten.
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
    """A circle.

    Attributes:
        period: How many steps it has.
        times: How often it was gone round.
        tools: What is called in it.
        level: 1 where the model is to be told, 2 where it is to be helped, 3 where the run is to stop.
    """

    period: int
    times: int
    tools: tuple[str, ...]
    level: int


@dataclass(frozen=True)
class _StepKeys:
    exact: str
    drifting: str
    tools: tuple[str, ...]
    patient: bool


class LoopDetector:
    """Told of each step; says when they repeat."""

    def __init__(self) -> None:
        self._steps: list[_StepKeys] = []
        self._level = 0
        self._last_found = 0

    def add_step(
        self, calls: Iterable[tuple[str, dict[str, Any]]], seen: Iterable[str], waited_s: float = 0.0
    ) -> Loop | None:
        """Note a step; the circle that it closes, if it does.

        Args:
            calls: The tools called, with their arguments.
            seen: The results, and what is shown afterwards.
            waited_s: How long the calls took.
        """
        wanted = list(calls)
        self._steps.append(_steps(wanted, list(seen), waited_s))
        if len(self._steps) - self._last_found > FORGIVEN_AFTER_STEPS:
            self._level = 0
        found = self._find_cycle()
        if found is None:
            return None
        period, times = found
        # After each word there is one more round to mend it.
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
        return None

    def _count_repeats(self, keys: list[str], period: int) -> int:
        """How often the last `period` keys stand at the end, one after the other."""
        last, times = keys[-period:], 0
        while len(last) == period and keys[-period * (times + 1) : len(keys) - period * times] == last:
            times += 1
        return times


def _steps(calls: list[tuple[str, dict[str, Any]]], seen: list[str], waited_s: float) -> _StepKeys:
    shown = _digest(_normalize(text, calls) for text in seen)
    exact = _digest([*(encode([tool, arguments]) for tool, arguments in calls), shown])
    drifting = _digest([*(encode([tool, _without_numbers(arguments)]) for tool, arguments in calls), shown])
    return _StepKeys(exact, drifting, tuple(tool for tool, _ in calls), waited_s >= MIN_WAIT_S)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _normalize(text: str, calls: list[tuple[str, dict[str, Any]]]) -> str:
    """What is seen, without what differs each time: times, and the echo of what was asked."""
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
    """Arguments whose numbers don't count."""
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
