"""Removal of a key from a provider's answers."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemini_companion.models.keys import Key
from gemini_companion.models.scrubbing import REMOVED, Scrubber

KEYS = st.from_regex(r"\A[\x21\x23-\x5b\x5d-\x7e]{8,40}\Z").filter(lambda key: key not in REMOVED)


def split(content: bytes, places: list[int]) -> list[bytes]:
    ends = sorted(place % (len(content) + 1) for place in places)
    return [content[a:b] for a, b in zip([0, *ends], [*ends, len(content)], strict=True)]


def scrubbed(key: str, chunks: list[bytes]) -> list[bytes]:
    scrubber = Scrubber(Key(key, "environment", "a test"))
    return [*map(scrubber.feed, chunks), scrubber.finish()]


@pytest.mark.fortnightly
@given(
    KEYS,
    st.lists(st.one_of(st.none(), st.text(alphabet="ab\n {}é", max_size=60)), max_size=8),
    st.lists(st.integers(0, 2000), max_size=12),
)
def test_a_key_never_passes_and_all_else_does(key: str, parts: list[str | None], places: list[int]) -> None:
    # None stands for the key; line breaks around it keep it from matching together with its neighbours.
    given = "".join(f"\n{key}\n" if part is None else part for part in parts)
    passed = b"".join(scrubbed(key, split(given.encode(), places)))
    assert key.encode() not in passed
    assert passed.decode() == given.replace(key, REMOVED)


@pytest.mark.parametrize("place", range(0, 40))
@pytest.mark.parametrize(
    "written", [str, lambda key: quote(key, safe=""), lambda key: key.replace("/", "\\/")]
)
def test_a_key_is_found_as_urls_and_json_write_it(written, place: int) -> None:
    key = "sk-ab/cd+ef=/0123456789"
    content = f'{{"a": "{written(key)}"}}'.encode()
    assert b"".join(scrubbed(key, [content[:place], content[place:]])).decode() == f'{{"a": "{REMOVED}"}}'


@given(KEYS, st.integers(1, 39), st.integers(0, 5))
def test_neither_delay_nor_length_reveals_a_part_of_a_key(key: str, length: int, before: int) -> None:
    guess = key[: min(length, len(key) - 1)]
    wrong = "".join(chr((ord(each) - 0x21 + 1) % 94 + 0x21) for each in guess)
    for ending in ("", "\n", '"}'):
        lengths = [
            [len(chunk) for chunk in scrubbed(key, [b"x" * before + text.encode() + ending.encode(), b" y"])]
            for text in (guess, wrong)
        ]
        assert lengths[0] == lengths[1]


@given(KEYS, st.text(alphabet="abc: ", max_size=200))
def test_a_whole_line_passes_at_once(key: str, line: str) -> None:
    event = f"data: {line}\n\n".encode()
    assert scrubbed(key, [event])[0] == event.replace(key.encode(), REMOVED.encode())


def test_without_a_key_everything_passes_at_once() -> None:
    scrubber = Scrubber(None)
    assert (scrubber.feed(b"sk-"), scrubber.finish(), scrubber.text("sk-")) == (b"sk-", b"", "sk-")
