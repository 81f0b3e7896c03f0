"""Companions of two releases share one data folder: neither loses what only the other can read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, NotRequired

import pytest
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from gemini_companion.storage.private_files import write_private
from gemini_companion.storage.private_json import PrivateRows


class OldRow(TypedDict):
    origin: str
    place: Literal["header"]


class NewRow(TypedDict):
    origin: str
    place: Literal["header", "cookie"]
    until: NotRequired[str]


PLAIN: NewRow = {"origin": "https://a.example", "place": "header"}
TIMED: NewRow = {"origin": "https://b.example", "place": "header", "until": "2027"}
COOKIE: NewRow = {"origin": "https://c.example", "place": "cookie"}


@pytest.fixture
def new(tmp_path: Path) -> PrivateRows[NewRow]:
    """The file as a newer release reads it, with three rows."""
    rows = PrivateRows(tmp_path / "rows.json", TypeAdapter(dict[str, NewRow]))
    for name, row in {"plain": PLAIN, "timed": TIMED, "cookie": COOKIE}.items():
        rows.set(name, row)
    return rows


@pytest.fixture
def old(new: PrivateRows[NewRow]) -> PrivateRows[OldRow]:
    """The same file as an older release reads it."""
    return PrivateRows(new.path, TypeAdapter(dict[str, OldRow]))


def test_an_older_release_reads_what_it_knows(old: PrivateRows[OldRow]) -> None:
    assert {name: row["origin"] for name, row in old.read().items()} == {
        "plain": PLAIN["origin"],
        "timed": TIMED["origin"],
    }


def test_what_an_older_release_adds_and_deletes_leaves_the_rest(
    old: PrivateRows[OldRow], new: PrivateRows[NewRow]
) -> None:
    added: OldRow = {"origin": "https://d.example", "place": "header"}
    old.set("added", added)
    assert old.delete("plain")
    assert new.read() == {"timed": TIMED, "cookie": COOKIE, "added": added}


def test_a_list_that_an_older_release_shortens_leaves_what_it_can_not_read(
    old: PrivateRows[OldRow], new: PrivateRows[NewRow]
) -> None:
    rows = old.read()
    del rows["plain"]
    old.replace(rows)
    assert new.read() == {"timed": TIMED, "cookie": COOKIE}


def test_an_older_release_can_delete_what_it_can_not_read(
    old: PrivateRows[OldRow], new: PrivateRows[NewRow]
) -> None:
    assert old.delete("cookie") and not old.delete("cookie")
    assert "cookie" not in new.read()


@pytest.mark.parametrize("content", ["", "{", "[]", "7", json.dumps({"a": 5, "b": ["x"]})])
def test_a_damaged_file_has_no_rows_and_can_be_written(content: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    write_private(path, content)
    rows: PrivateRows[Any] = PrivateRows(path, TypeAdapter(dict[str, OldRow]))
    assert rows.read() == {}
    rows.set("plain", PLAIN)
    assert rows.read() == {"plain": PLAIN}
