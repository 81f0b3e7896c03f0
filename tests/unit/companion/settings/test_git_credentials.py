"""Git credentials in the settings: their servers are listed and deleted, their passwords never come out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gemini.errors import ProtocolError
from gemini_companion.network import Credentials
from gemini_companion.network.credentials import Credential
from gemini_companion.serving.app import Companion
from tests.unit.companion.keyrings import MemoryKeyring
from tests.unit.companion.settings.conftest import ConnectedPage

ONE, OTHER = "https://git.example", "https://git.example:8443"


async def test_saved_ones_are_listed_and_deleted(page: ConnectedPage, secrets: MemoryKeyring) -> None:
    assert (await page.ask("settings/git_credentials"))["credentials"] == []
    for origin in (OTHER, ONE):
        await Credentials().save(origin, Credential("ada", "secret"))
    listed = await page.ask("settings/git_credentials")
    assert listed == {
        "keyring": MemoryKeyring().name,
        "credentials": [{"origin": origin, "user": "ada", "stored": "keyring"} for origin in (ONE, OTHER)],
    }
    assert "secret" not in json.dumps(listed)
    assert await page.ask("settings/delete_git_credential", origin=ONE) == {"deleted": True}
    assert await page.ask("settings/delete_git_credential", origin=ONE) == {"deleted": False}
    assert [each["origin"] for each in (await page.ask("settings/git_credentials"))["credentials"]] == [OTHER]
    await page.ask("settings/delete_git_credential", origin=OTHER)
    assert secrets.saved == {}


async def test_pages_are_notified_of_saved_ones(
    companion: Companion, page: ConnectedPage, secrets: MemoryKeyring
) -> None:
    credentials = companion.outside.credentials
    await credentials.save(ONE, Credential("ada", "secret"))
    assert (await page.changed())["git"] == 1
    await page.ask("settings/delete_git_credential", origin=ONE)
    assert (await page.changed())["git"] == 2


@pytest.mark.parametrize(
    "entered",
    [
        {"user": "a:da", "password": "secret", "keep": True},
        {"user": "", "password": "secret", "keep": True},
        {"user": "ada", "password": "secret\n", "keep": True},
        {"user": "ada", "password": "secret" * 200, "keep": True},
        {"user": "ada", "password": "secret", "keep": "yes"},
        {"user": "ada", "password": "secret", "keep": True, "origin": ONE},
    ],
)
async def test_invalid_entries_are_refused_and_not_repeated(page: ConnectedPage, entered: Any) -> None:
    with pytest.raises(ProtocolError, match="entered") as refused:
        await page.ask("consent/answer", id="1", decision="once", entered=entered)
    assert "secret" not in str(refused.value.data)
