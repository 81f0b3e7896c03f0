"""Addresses as users type them, and servers' lists of models."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gemini.models.providers.answers import NoList, api_of, base_urls, completed, names_in
from gemini.models.providers.choice import choice_of


def listed(*rows: dict[str, Any]) -> bytes:
    return json.dumps({"data": rows}).encode()


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("localhost:1234/v1", "http://localhost:1234/v1"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("box.local/v1", "http://box.local/v1"),
        (" openrouter.ai/api/v1/ ", "https://openrouter.ai/api/v1"),
        ("http://models.example/v1/models", "http://models.example/v1"),
        ("https://models.example/v1/chat/completions/", "https://models.example/v1"),
        ("[", "["),
    ],
)
def test_an_address_is_completed(typed: str, address: str) -> None:
    assert completed(typed) == address


def test_the_likeliest_base_url_is_first() -> None:
    assert base_urls("http://a.example", "openai") == ["http://a.example/v1", "http://a.example"]
    assert base_urls("http://a.example/api", "openai") == ["http://a.example/api", "http://a.example/api/v1"]
    assert base_urls("http://a.example/v1beta/openai", "openai") == ["http://a.example/v1beta/openai"]
    assert base_urls("https://api.anthropic.com/v1", "anthropic") == ["https://api.anthropic.com"]


def test_the_api_of_an_address_without_a_choice_is_derived_from_it() -> None:
    assert api_of("https://api.anthropic.com") == "anthropic"
    assert choice_of("own", "claude", "api.anthropic.com").api == "anthropic"
    assert choice_of("own", "small", "127.0.0.1:8080").base_url == "http://127.0.0.1:8080/v1"
    assert choice_of("own", "small", "https://anthropic.example", "openai").api == "openai"


def test_models_that_chat_are_listed_the_newest_first() -> None:
    rows = [{"id": "a", "created": 1}, {"id": "whisper-1", "created": 5}, {"id": "b", "created": 2}]
    assert names_in(listed(*rows)) == ["b", "a"]
    # Without dates the server's order stays.
    assert names_in(listed({"id": "z"}, {"id": "a"})) == ["z", "a"]
    assert names_in(listed({"id": "text-embedding"})) == ["text-embedding"]
    assert names_in(listed()) == []


@pytest.mark.parametrize(
    ("content", "is_page"),
    [(b" <!doctype html>", True), (b"{}", False), (b'{"data": 1}', False), (b"no", False)],
)
def test_what_is_no_list_is_refused(content: bytes, is_page: bool) -> None:
    with pytest.raises(NoList) as refused:
        names_in(content)
    assert refused.value.is_page == is_page
