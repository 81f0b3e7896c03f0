"""The rate of requests to a provider."""

from __future__ import annotations

import pytest

from gemini_companion.models.errors import TooManyRequests
from gemini_companion.models.limits import Throttle


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def admitted(throttle: Throttle) -> bool:
    try:
        with throttle.admitted():
            return True
    except TooManyRequests:
        return False


def test_a_burst_of_a_quarter_minute_is_admitted_and_then_the_configured_rate() -> None:
    clock = Clock()
    throttle = Throttle("test", 60, 10, clock)
    assert [admitted(throttle) for _ in range(17)] == [True] * 15 + [False] * 2
    clock.now += 1
    assert [admitted(throttle), admitted(throttle)] == [True, False]
    clock.now += 3600
    assert [admitted(throttle) for _ in range(16)] == [True] * 15 + [False]


def test_a_refusal_says_when_there_is_room_again() -> None:
    clock = Clock()
    throttle = Throttle("test", 4, 10, clock)
    assert admitted(throttle)
    with pytest.raises(TooManyRequests) as refused, throttle.admitted():
        pass
    assert refused.value.data == {"retry_after_s": 15}
    clock.now += 15
    assert admitted(throttle)


def test_a_failed_request_makes_room_too() -> None:
    throttle = Throttle("test", 600, 1)
    with throttle.admitted():
        assert not admitted(throttle)
    with pytest.raises(ZeroDivisionError), throttle.admitted():
        raise ZeroDivisionError
    assert admitted(throttle)
