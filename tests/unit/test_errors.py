"""The tree of errors, and how they go over a wire."""

import inspect
import re

import pytest

from gemini import errors
from gemini.errors import FileMissing, FileProblem, GeminiError, TerminalMissing, TerminalProblem

ALL = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, GeminiError) and value is not GeminiError
]


@pytest.mark.parametrize("error", ALL)
def test_each_error_is_drawn_in_the_tree(error: type[GeminiError]) -> None:
    assert re.search(rf"\b{error.__name__}\b", errors.__doc__ or "")


def test_whoever_handles_files_catches_one_class() -> None:
    assert issubclass(FileMissing, FileProblem)
    assert issubclass(TerminalMissing, TerminalProblem)
    assert not issubclass(FileProblem, TerminalProblem)


def test_an_error_has_a_message_a_hint_and_facts() -> None:
    error = FileMissing("/a isn't there", hint="Look with file_list.", data={"path": "/a"})
    assert str(error) == error.message == "/a isn't there"
    assert error.as_json() == {
        "isError": True,
        "error": {
            "type": "FileMissing",
            "message": "/a isn't there",
            "hint": "Look with file_list.",
            "data": {"path": "/a"},
        },
    }


def test_what_is_not_said_is_left_out() -> None:
    assert GeminiError("odd").as_json() == {
        "isError": True,
        "error": {"type": "GeminiError", "message": "odd"},
    }


@pytest.mark.parametrize("facts", [0, [], "", False])
def test_empty_facts_are_facts(facts: object) -> None:
    assert GeminiError("odd", data=facts).as_json()["error"]["data"] == facts
