"""Encoding of values as JSON text, and shortening."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemini.core.encoding import encode, facts_first, fit, shorten

TEXT = st.text(st.characters(), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**200), 2**200) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=10), inner, max_size=6),
    max_leaves=30,
)


@given(JSON)
def test_json_values_survive_a_round_trip(value: Any) -> None:
    text = encode(value)
    assert "\n" not in text
    decoded = json.loads(text)
    assert decoded == value or math.inf in _numbers(value) or -math.inf in _numbers(value)


def _numbers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [number for inner in value.values() for number in _numbers(inner)]
    if isinstance(value, list):
        return [number for inner in value for number in _numbers(inner)]
    return [value]


@given(JSON)
def test_values_that_fit_are_unchanged(value: Any) -> None:
    assert fit(value, 10**6) == value or math.inf in map(abs, filter(_is_float, _numbers(value)))


def _is_float(value: Any) -> bool:
    return isinstance(value, float)


@given(JSON, st.integers(0, 500))
def test_truncated_values_are_json_of_about_the_length(value: Any, max_chars: int) -> None:
    text = json.dumps(fit(value, max_chars), ensure_ascii=False)
    # Each of at most six members on thirty leaves may add a note; numbers are never truncated.
    assert len(text) <= 8 * max_chars + 4_000


@pytest.mark.parametrize(
    ("value", "max_chars", "cut"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abcd… [cut: 2 more characters]"),
        (["a", "b", "c"], 0, ["… [cut: 3 more items]"]),
        ({"a": 1, "b": 2}, 5, {"…": "[cut: 2 more members]"}),
        ({"a": 1}, 100, {"a": 1}),
        ((1, 2), 100, [1, 2]),
        (math.nan, 100, "nan"),
        (10**1000, 100, "… [cut: a number of about 996 digits]"),
        (b"ab", 100, "b'ab'"),
        ({1: None}, 100, {"1": None}),
        ([], 0, []),
        ({}, 0, {}),
    ],
)
def test_notes_say_what_was_cut(value: Any, max_chars: int, cut: Any) -> None:
    assert fit(value, max_chars) == cut


@pytest.mark.parametrize("max_chars", [10, 1_000])
@pytest.mark.parametrize(
    "value", ["x" * 100_000, ["x" * 100] * 1_000, {"a": ["x"] * 10_000}, "\x00" * 10_000, object()]
)
def test_a_shortened_value_is_one_short_line(value: Any, max_chars: int) -> None:
    line = shorten(value, max_chars)
    assert "\n" not in line
    assert len(line) <= 6 * max_chars + 40


def test_short_values_are_shown_as_json() -> None:
    assert shorten("a\n", 10) == '"a\\n"'
    assert shorten([1, None], 10) == "[1,null]"
    assert shorten("abc", 2) == '"ab\\u2026 (3 characters)"'


def test_long_content_comes_after_the_facts() -> None:
    text = "x" * 1_000
    row = {
        "content": text,
        "rows": [text],
        "short": [1],
        "size": 9,
        "truncated": True,
        "next": None,
        "none": [],
    }
    assert list(facts_first(row)) == ["short", "size", "truncated", "next", "none", "content", "rows"]
    assert facts_first(row) == row
    assert list(facts_first({"output": "short", "exit_code": 0})) == ["output", "exit_code"]
    assert facts_first([row]) == [row] and facts_first(text) == text
