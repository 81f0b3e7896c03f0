"""The tree of errors and their JSON."""

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
def test_each_error_is_in_the_tree(error: type[GeminiError]) -> None:
    assert re.search(rf"\b{error.__name__}\b", errors.__doc__ or "")


def test_file_errors_have_one_base_class() -> None:
    assert issubclass(FileMissing, FileProblem)
    assert issubclass(TerminalMissing, TerminalProblem)
    assert not issubclass(FileProblem, TerminalProblem)


def test_an_error_has_a_message_a_hint_and_data() -> None:
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


def test_missing_fields_are_omitted() -> None:
    assert GeminiError("odd").as_json() == {
        "isError": True,
        "error": {"type": "GeminiError", "message": "odd"},
    }


@pytest.mark.parametrize("data", [0, [], "", False])
def test_falsy_data_is_included(data: object) -> None:
    assert GeminiError("odd", data=data).as_json()["error"]["data"] == data
