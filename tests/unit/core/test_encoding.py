"""Values as JSON text, and cut to what somebody reads."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemini.core.encoding import encode, fit, shorten

TEXT = st.text(st.characters(), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**200), 2**200) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=10), inner, max_size=6),
    max_leaves=30,
)


@given(JSON)
def test_what_is_json_comes_back_the_same(value: Any) -> None:
    text = encode(value)
    assert "\n" not in text
    read = json.loads(text)
    assert read == value or math.inf in _numbers(value) or -math.inf in _numbers(value)


def _numbers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [number for inner in value.values() for number in _numbers(inner)]
    if isinstance(value, list):
        return [number for inner in value for number in _numbers(inner)]
    return [value]


@given(JSON)
def test_what_fits_stays_as_it_is(value: Any) -> None:
    assert fit(value, 10**6) == value or math.inf in map(abs, filter(_is_float, _numbers(value)))


def _is_float(value: Any) -> bool:
    return isinstance(value, float)


@given(JSON, st.integers(0, 500))
def test_what_is_cut_is_json_and_not_much_longer_than_asked(value: Any, most: int) -> None:
    text = json.dumps(fit(value, most), ensure_ascii=False)
    # Each of at most six members on thirty leaves may add its note; numbers are never cut.
    assert len(text) <= 8 * most + 4_000


@pytest.mark.parametrize(
    ("value", "most", "cut"),
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
def test_cuts_say_what_is_gone(value: Any, most: int, cut: Any) -> None:
    assert fit(value, most) == cut


@pytest.mark.parametrize("most", [10, 1_000])
@pytest.mark.parametrize(
    "value", ["x" * 100_000, ["x" * 100] * 1_000, {"a": ["x"] * 10_000}, "\x00" * 10_000, object()]
)
def test_a_shortened_value_is_one_short_line(value: Any, most: int) -> None:
    line = shorten(value, most)
    assert "\n" not in line
    assert len(line) <= 6 * most + 40


def test_short_values_are_shown_as_json() -> None:
    assert shorten("a\n", 10) == '"a\\n"'
    assert shorten([1, None], 10) == "[1,null]"
    assert shorten("abc", 2) == '"ab\\u2026 (3 characters)"'
