"""The line in the companion's terminal about a page of another release."""

from __future__ import annotations

import pytest

from gemini_companion.pages.releases import different_release


@pytest.mark.parametrize(
    ("page", "companion"), [("0.1.0", "0.1.0"), ("0.2.0", "0"), (None, "0"), ("0.1.0rc1", "0.1.0rc1")]
)
def test_nothing_is_said_about_one_release(page: str | None, companion: str) -> None:
    assert different_release(page, companion) is None


@pytest.mark.parametrize(("page", "companion"), [("0.9.0", "0.10.0"), ("1.0rc1", "1.0"), (None, "0.1.0")])
def test_an_older_page_is_to_be_reloaded(page: str | None, companion: str) -> None:
    assert "Reload the page" in str(different_release(page, companion))


@pytest.mark.parametrize(("page", "companion"), [("0.10.0", "0.9.0"), ("1.0", "1.0rc1")])
def test_an_older_companion_is_to_be_updated(page: str, companion: str) -> None:
    said = str(different_release(page, companion))
    assert f"A page of release {page} " in said
    assert "Update the companion: pip install --upgrade 'control-surface[companion]'" in said


@pytest.mark.parametrize("page", ["\x1b[2J", "9" * 100, "1\nServing", 5, ["1"]])
def test_a_pages_word_for_its_release_isnt_trusted(page: object) -> None:
    said = str(different_release(page, "0.1.0"))
    assert said.startswith("A page of an unknown release has connected")
