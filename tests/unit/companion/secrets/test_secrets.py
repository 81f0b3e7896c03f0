"""Saving secrets: what is refused, what the lists show, and placeholders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from keyring import get_keyring, set_keyring
from keyring.backends.fail import Keyring as NoKeyring

from gemini.errors import InvalidArguments
from gemini_companion.network import secret_origin
from gemini_companion.secrets import SecretProblem, Secrets, Visit
from gemini_companion.secrets.access import SecretAccess
from gemini_companion.secrets.placeholders import Visits
from gemini_companion.settings.secrets import SecretSettings
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring

VALUE = "tok-aB3dE5gH7jK9mN1pQ3"
ORIGIN = "https://api.example.com"


@pytest.fixture
def keyring() -> Iterator[MemoryKeyring]:
    with memory_keyring() as memory:
        yield memory


@pytest.fixture
def secrets(tmp_path: Path, keyring: MemoryKeyring) -> Secrets:
    return Secrets(tmp_path, secret_origin)


def save(secrets: Secrets, **changed: Any) -> None:
    given: dict[str, Any] = {
        "name": "github",
        "origins": [ORIGIN],
        "places": ["header"],
        "value": VALUE,
        **changed,
    }
    asyncio.run(secrets.save(**given))


def test_values_are_in_the_keyring_alone(secrets: Secrets, keyring: MemoryKeyring, tmp_path: Path) -> None:
    save(secrets)
    assert keyring.saved == {("control-surface", "secret/github"): VALUE}
    assert VALUE not in "".join(each.read_text() for each in tmp_path.iterdir())
    assert secrets.get("github").row() == {"name": "github", "origins": [ORIGIN], "places": ["header"]}
    assert asyncio.run(secrets.delete("github")) is True
    assert keyring.saved == {} and secrets.all() == []


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"value": "aB3dE5g"}, "8 to 1024"),
        ({"value": "aaaaaaaaaaaaaaaa"}, "different"),
        ({"value": "a" * 1020 + "bcdef"}, "8 to 1024"),
        ({"value": "two\nlines of it"}, "one line"),
        ({"value": "schlüssel-wort"}, "ASCII"),
        ({"value": " leading-space"}, "space"),
        ({"value": "cs-secret-"}, "looks like"),
        ({"name": "GitHub"}, "lowercase"),
        ({"name": "a" * 41}, "40"),
        ({"name": "../x"}, "lowercase"),
        ({"places": []}, "where"),
        ({"origins": []}, "origin"),
        ({"origins": ["http://api.example.com"]}, "not encrypted"),
        ({"origins": ["https://a:b@api.example.com"]}, "no origin"),
        ({"origins": ["https://*.example.com"]}, "no origin"),
        ({"origins": ["file:///etc"]}, "no origin"),
        ({"value": None, "name": "other"}, "no secret"),
    ],
)
def test_what_cannot_be_sent_or_found_is_refused(
    secrets: Secrets, changed: dict[str, Any], word: str
) -> None:
    with pytest.raises(SecretProblem, match=word) as problem:
        save(secrets, **changed)
    assert VALUE not in str(problem.value)
    assert secrets.all() == []


def test_origins_have_one_spelling(secrets: Secrets) -> None:
    save(secrets, origins=["API.example.com", "https://api.example.com:443/a/b", "http://127.0.0.1:8080/"])
    assert secrets.get("github").origins == (ORIGIN, "http://127.0.0.1:8080")


def test_a_change_of_origins_needs_no_value_and_returns_none(secrets: Secrets) -> None:
    save(secrets)
    handlers = SecretSettings(secrets).handlers()

    async def change() -> Any:
        await handlers["settings/save_secret"](
            {"name": "github", "origins": ["https://b.example"], "places": ["query"]}
        )
        return await handlers["settings/secrets"]({})

    status = asyncio.run(change())
    assert status["secrets"] == [{"name": "github", "origins": ["https://b.example"], "places": ["query"]}]
    assert status["places"] == ["header", "query", "body", "git", "mcp", "host"]
    assert VALUE not in str(status)
    assert asyncio.run(secrets.release("github", "https://b.example", "query")) == VALUE
    with pytest.raises(InvalidArguments) as problem:
        handlers["settings/save_secret"]({"name": 1, "origins": [], "places": [], "value": VALUE})
    assert VALUE not in str(problem.value)


def test_a_value_is_released_for_its_origin_and_place_alone(secrets: Secrets) -> None:
    save(secrets)
    for origin, place in (("https://b.example", "header"), (ORIGIN, "query"), (ORIGIN, "mcp")):
        with pytest.raises(SecretProblem, match="isn't for"):
            asyncio.run(secrets.release("github", origin, place))  # type: ignore[arg-type]  # pyright: ignore
    with pytest.raises(SecretProblem, match="MCP"):
        asyncio.run(secrets.for_server("github", "files"))
    save(secrets, places=["mcp"], origins=[])
    assert asyncio.run(secrets.masks()) == []
    assert asyncio.run(secrets.for_server("github", "files")) == VALUE
    # From now on every answer is searched.
    assert len(asyncio.run(secrets.masks())) == 1


def test_without_a_keyring_a_file_of_the_user_stores_it_if_they_agree(tmp_path: Path) -> None:
    before = get_keyring()
    set_keyring(NoKeyring())
    try:
        secrets = Secrets(tmp_path)
        with pytest.raises(SecretProblem, match="no keyring"):
            save(secrets)
        save(secrets, in_file=True)
        assert secrets.path.stat().st_mode & 0o077 == 0
        assert asyncio.run(Secrets(tmp_path).release("github", ORIGIN, "header")) == VALUE
    finally:
        set_keyring(before)


def test_placeholders_are_of_one_visit(secrets: Secrets) -> None:
    save(secrets)
    access, one, other = SecretAccess(secrets, Visits()), Visit(), Visit()
    text = one.placeholder("github")
    assert one.name(text) == "github" and one.placeholder("github") == text
    assert other.name(text) is None and other.placeholder("github") != text
    (row,) = asyncio.run(_rows(access, Visit()))
    assert row["placeholder"].startswith("cs-secret-github-") and VALUE not in str(row)


async def _rows(access: SecretAccess, connection: Visit) -> Any:
    return (await access.handlers(connection)["secrets/list"]({}))["secrets"]
