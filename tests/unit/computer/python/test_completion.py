"""Code completion."""

import os
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from gemini.computer.python.completion import MAX_CANDIDATES, Completions, complete


class Gate:
    """A class that counts the reads of its property."""

    __slots__ = ("inner", "place")
    reads = 0

    def __init__(self) -> None:
        self.inner = SimpleNamespace(leaf="text")

    @property
    def computed(self) -> str:
        type(self).reads += 1
        return "text"

    def open(self, wide: bool = False, *, by: str = "hand") -> None: ...

    @classmethod
    def make(cls, count: int) -> None: ...

    @staticmethod
    def plain(first: int) -> None: ...


NAMES: dict[str, Any] = {
    "gate": Gate(),
    "Gate": Gate,
    "os": os,
    "table": {"alpha": 1, "a'b": 2, 7: 3},
    "nested": SimpleNamespace(deep=SimpleNamespace(value=[1])),
    "_hidden": 1,
}


def at_end(code: str) -> Completions:
    return complete(code, len(code), NAMES)


def texts(code: str) -> list[str]:
    return [candidate.text for candidate in at_end(code).candidates]


@pytest.mark.parametrize(
    ("code", "some"),
    [
        ("gat", ["gate"]),
        ("x = gat", ["gate"]),
        ("prin", ["print"]),
        ("whi", ["while"]),
        ("_hid", ["_hidden"]),
        ("gate.", ["computed", "inner", "make", "open", "place", "plain"]),
        ("gate.op", ["open"]),
        ("print(gate.inner.l", ["leaf"]),
        ("nested.deep.v", ["value"]),
        ("nested.deep.value.app", ["append"]),
        ("os.path.jo", ["join"]),
        ("Gate.mak", ["make"]),
        ("import o", ["os"]),
        ("import sys, jso", ["json"]),
        ("from colle", ["collections"]),
        ("import xml.et", ["xml.etree"]),
        ("from os import getc", ["getcwd"]),
        ("from os import sep, getc", ["getcwd"]),
        ("table['al", ["'alpha'"]),
        ("table[", ["'alpha'", "7"]),
        ('table["al', ['"alpha"']),
        ("gate.open(w", ["wide=", "while", "with"]),
        ("gate.open(True, b", ["by="]),
        ("Gate.plain(fi", ["first="]),
        ("if True:\n    ga", ["gate"]),
        ("%ti", ["%time", "%timeit"]),
        ("%", ["%cd", "%%bash"]),
        ("%%ba", ["%%bash"]),
        ("x = 1\n    %pw", ["%pwd"]),
    ],
)
def test_completions(code: str, some: list[str]) -> None:
    assert set(some) <= set(texts(code))


@pytest.mark.parametrize(
    "code",
    [
        "",
        "1.",
        "'text'.up",
        "gate.computed.up",
        "gate.nothing.",
        "nothing.",
        "f().x",
        "print('gat",
        "a[0].",
        "2gat",
        "x %ti",
        "x = 1\n%%ba",
    ],
)
def test_no_completions_for_unknown_values(code: str) -> None:
    found = texts(code)
    assert "upper" not in found
    if code not in ("", "print('gat"):
        assert found == []


def test_completion_runs_no_code_of_the_program() -> None:
    Gate.reads = 0
    assert "computed" in texts("gate.")
    assert texts("gate.computed.") == []
    assert Gate.reads == 0


def test_private_names_need_a_typed_underscore() -> None:
    assert not [name for name in texts("gate.") if name.startswith("_")]
    assert "__slots__" in texts("gate.__sl")


def test_candidates_have_kinds_and_signatures() -> None:
    found = {candidate.text: candidate for candidate in at_end("gate.").candidates}
    assert found["open"].kind == "function"
    assert found["open"].signature == "(wide=False, *, by='hand')"
    assert found["computed"].kind == "property"
    assert found["computed"].signature is None
    kinds = {candidate.text: candidate.kind for candidate in at_end("").candidates}
    assert (kinds["gate"], kinds["Gate"], kinds["os"]) == ("value", "class", "module")


def test_the_enclosing_call_has_a_signature() -> None:
    assert at_end("gate.open(").call == "gate.open(wide=False, *, by='hand')"
    assert at_end("gate.open(print(1), '(', ").call == "gate.open(wide=False, *, by='hand')"
    assert at_end("Gate.make(").call == "Gate.make(cls, count)"
    assert at_end("(").call is None
    assert at_end("gate.open()").call is None
    assert at_end("if (").call is None


def test_completion_in_the_middle_of_code() -> None:
    found = complete("x = gat + 1", 7, NAMES)
    assert (found.start, [candidate.text for candidate in found.candidates]) == (4, ["gate"])
    # Positions count characters, whatever they take in memory.
    assert complete("'🐍'; gat", 8, NAMES).start == 5


def test_a_complete_name_is_not_a_candidate() -> None:
    assert texts("gate") == []


def test_the_number_of_candidates_is_limited() -> None:
    many = {f"name_{number}": number for number in range(5_000)}
    assert len(complete("name_", 5, many).candidates) == MAX_CANDIDATES


def test_completion_imports_nothing() -> None:
    sys.modules.pop("wsgiref", None)
    assert "wsgiref" in texts("import wsg")
    assert texts("from wsgiref import ") == []
    assert "wsgiref" not in sys.modules


def test_a_module_s_exceptions_come_last() -> None:
    import json

    names = [one.text for one in complete("json.", 5, {"json": json}).candidates]
    assert names[-1] == "JSONDecodeError" and names.index("JSONDecoder") < names.index("loads")


def test_the_names_of_the_package_begin_with_the_most_used() -> None:
    import gemini

    names = [one.text for one in complete("gemini.", 7, {"gemini": gemini}).candidates]
    assert names[:3] == ["terminals", "active_terminal", "create_terminal"]
    assert (
        names.index("tool")
        < names.index("Audio")
        < names.index("AgentFileBroken")
        < names.index("WebProblem")
    )
