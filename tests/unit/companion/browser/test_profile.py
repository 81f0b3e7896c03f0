"""The preferences of the companion's window."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.browser.profile import PREFERENCES, let_sites_store

SITES = "[*.]localhost,http://127.0.0.1"


def read(profile: Path) -> Any:
    return json.loads((profile / PREFERENCES).read_text(encoding="utf-8"))


def exceptions(profile: Path) -> Any:
    return read(profile)["profile"]["content_settings"]["exceptions"]["cookies"]


def test_a_new_profile_lets_sites_store(tmp_path: Path) -> None:
    let_sites_store(tmp_path / "new")
    assert exceptions(tmp_path / "new") == {SITES: {"setting": 1}}


def test_other_preferences_stay(tmp_path: Path) -> None:
    file = tmp_path / PREFERENCES
    file.parent.mkdir()
    before = {
        "profile": {
            "name": "Ada",
            "cookie_controls_mode": 1,
            "content_settings": {"exceptions": {"cookies": {"https://a.example,*": {"setting": 2}}}},
        }
    }
    file.write_text(json.dumps(before))
    let_sites_store(tmp_path)
    assert exceptions(tmp_path) == {"https://a.example,*": {"setting": 2}, SITES: {"setting": 1}}
    assert read(tmp_path)["profile"]["name"] == "Ada"
    assert read(tmp_path)["profile"]["cookie_controls_mode"] == 1


def test_what_the_person_has_blocked_stays(tmp_path: Path) -> None:
    let_sites_store(tmp_path)
    blocked = read(tmp_path)
    blocked["profile"]["content_settings"]["exceptions"]["cookies"][SITES] = {"setting": 2}
    (tmp_path / PREFERENCES).write_text(json.dumps(blocked))
    let_sites_store(tmp_path)
    assert exceptions(tmp_path) == {SITES: {"setting": 2}}


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"profile": 1}', '{"profile": {"content_settings": []}}', "\xff"]
)
def test_unreadable_preferences_stay(tmp_path: Path, content: str) -> None:
    file = tmp_path / PREFERENCES
    file.parent.mkdir()
    file.write_text(content, encoding="latin-1")
    let_sites_store(tmp_path)
    assert file.read_text(encoding="latin-1") == content


def test_a_profile_that_is_no_folder_is_left_to_the_browser(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    let_sites_store(tmp_path / "file")
    assert (tmp_path / "file").read_text() == ""
