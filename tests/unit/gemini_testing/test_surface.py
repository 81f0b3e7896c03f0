"""A page that a program drives: waits outlive the page's reloads."""

from __future__ import annotations

from typing import Any, cast

import pytest
from selenium.common.exceptions import JavascriptException, TimeoutException
from selenium.webdriver import Chrome

from gemini_testing import Surface


class Driver:
    """A driver whose scripts end as `outcomes` says, in turn."""

    def __init__(self, *outcomes: Exception | dict[str, Any]) -> None:
        self._outcomes = list(outcomes)

    def execute_async_script(self, _script: str, *_arguments: Any) -> dict[str, Any]:
        outcome = self._outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def wait(*outcomes: Exception | dict[str, Any]) -> Any:
    return Surface(cast("Chrome", Driver(*outcomes)), "http://127.0.0.1/").wait_for("true")


ANSWER = {"value": {"value": True}}


@pytest.mark.parametrize(
    "error",
    [
        JavascriptException("document unloaded while waiting for result"),
        TimeoutException("script timeout"),
    ],
    ids=["unloaded", "lost"],
)
def test_a_wait_is_repeated_in_the_new_page(error: Exception) -> None:
    assert wait(error, ANSWER) is True


def test_a_page_that_never_answers_ends_a_wait() -> None:
    with pytest.raises(TimeoutException):
        wait(TimeoutException("script timeout"), TimeoutException("script timeout"), ANSWER)


def test_an_error_of_the_condition_ends_a_wait() -> None:
    with pytest.raises(JavascriptException):
        wait(JavascriptException("no such thing"), ANSWER)
