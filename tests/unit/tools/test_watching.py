"""Comparing files that a call changes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gemini.tools.watching import CUT, MOST_BYTES, SHOWN_CHARS, Watch, changing, compare, watch


def applied(before: str, difference: str) -> list[str]:
    """Return the new lines that a difference without left out parts stands for."""
    return [line[1:] for line in difference.split("\n") if line[:1] in "+ " and line]


@pytest.mark.parametrize("seed", range(30))
def test_a_difference_has_the_new_lines(seed: int) -> None:
    chance = random.Random(seed)
    before = [chance.choice("abcd") for _ in range(6)]
    after = [line for line in before if chance.random() > 0.3] + [
        chance.choice("xyz") for _ in range(chance.randrange(3))
    ]
    change = compare("/a", "\n".join(before).encode(), "\n".join(after).encode())
    if before != after:
        shown = applied("", change["difference"])
        assert shown == [line for line in after][-len(shown) :] or shown == after[: len(shown)]
    assert (change["added"], change["removed"]) != (None, None)
    assert len(after) == len(before) + (change["added"] or 0) - (change["removed"] or 0)


def test_parts_far_from_changes_are_left_out() -> None:
    before = [str(n) for n in range(100)]
    after = [*before[:20], "new", *before[20:80], "late", *before[81:]]
    change = compare("/a", "\n".join(before).encode(), "\n".join(after).encode())
    assert (change["added"], change["removed"], change["created"]) == (2, 1, False)
    lines = change["difference"].split("\n")
    assert lines[0] == "@ line 18"
    assert [line for line in lines if line[0] in "+-@"] == ["@ line 18", "+new", "@ line 79", "-80", "+late"]


def test_a_new_file_is_all_added() -> None:
    change = compare("/a", None, b"one\ntwo\n")
    assert (change["added"], change["removed"], change["created"]) == (2, 0, True)
    assert change["difference"] == "+one\n+two"


@pytest.mark.parametrize("data", [b"\0\1", b"\xff\xfe", b"x" * (MOST_BYTES + 1)])
def test_what_is_no_text_or_too_long_is_only_named(data: bytes) -> None:
    change = compare("/a", b"", data)
    assert (change["added"], change["removed"], change["difference"]) == (None, None, "")


def test_a_long_difference_is_cut() -> None:
    change = compare("/a", None, b"line\n" * 10_000)
    assert change["added"] == 10_000
    assert len(change["difference"]) <= SHOWN_CHARS + 2 and change["difference"].endswith(CUT)


def test_only_a_watched_change_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with changing(str(path)):
        path.write_text("one\n")
    watched = Watch()
    token = watch.set(watched)
    with changing(str(path)):
        path.write_text("two\n")
    watch.reset(token)
    assert [change["difference"] for change in watched.changes] == ["-one\n+two"]
