"""Tokens of origin trials in the page."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from builder.origin_trials import payload, tokens, with_tokens
from builder.problems import BuildProblem
from builder.project import Project

CONTENT = {"origin": "https://surface.example:443", "feature": "WebMCP", "expiry": 1_800_000_000}


def token(content: Any = CONTENT, *, version: int = 3, length: int = 0) -> str:
    """Return a token with a signature of zeros; `length` is added to the length that it names."""
    text = json.dumps(content).encode()
    return base64.b64encode(bytes([version]) + bytes(64) + (len(text) + length).to_bytes(4) + text).decode()


def test_the_page_has_each_token_before_its_scripts(tmp_path: Path) -> None:
    listed = [token(), token({**CONTENT, "origin": "https://other.example:443"})]
    settings = f"[tool.gemini]\norigin-trial-tokens = {json.dumps(listed)}\n"
    (tmp_path / "pyproject.toml").write_text(settings)
    assert tokens(Project(tmp_path)) == listed

    own = (Path(__file__).parents[3] / "index.html").read_text(encoding="utf-8")
    page = with_tokens(own, listed)
    places = [page.index(f'<meta http-equiv="origin-trial" content="{each}">') for each in listed]
    assert places == sorted(places) and places[-1] < page.index("<script")
    assert with_tokens(own, []) == own


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (7, "isn't text"),
        ("not base64!", "isn't base64"),
        ("AAAA", "isn't an origin-trial token"),
        (token(version=9), "isn't an origin-trial token"),
        (token(length=3), "is cut"),
        (token()[:-8], "is cut"),
        (token({"origin": "https://surface.example:443"}), "doesn't name"),
        (token([]), "doesn't name"),
    ],
)
def test_a_wrong_token_stops_the_build(wrong: object, said: str) -> None:
    with pytest.raises(BuildProblem, match=said):
        payload(wrong)


def test_a_token_says_what_it_is_for() -> None:
    assert payload(token()) == CONTENT
