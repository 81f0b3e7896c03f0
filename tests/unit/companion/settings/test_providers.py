"""Providers in the settings: keys go in, and never come out."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import keyring
import keyring.backends.fail
import pytest

from gemini.errors import ProtocolError
from tests.unit.companion.keyrings import MemoryKeyring
from tests.unit.companion.models.upstreams import KEY, FakeProvider
from tests.unit.companion.settings.conftest import ConnectedPage


async def row(page: ConnectedPage) -> Any:
    [row] = [each for each in (await page.ask("settings/providers"))["providers"] if each["name"] == "test"]
    return row


async def test_a_key_is_set_used_and_deleted(
    page: ConnectedPage, provider: FakeProvider, secrets: MemoryKeyring, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert (await row(page))["has_key"] is False
    with pytest.raises(ProtocolError) as missing:
        await page.ask("settings/look_up", provider="test")
    assert missing.value.data["data"]["type"] == "KeyMissing"

    assert await page.ask("settings/set_key", provider="test", key=KEY) == {}
    assert secrets.saved == {("control-surface", "test"): KEY}
    configured = await row(page)
    assert (configured["has_key"], configured["key_from"]) == (True, "keyring")
    assert KEY not in json.dumps(configured)
    tested = await page.ask("settings/look_up", provider="test")
    assert tested["models"] == ["small", "large"] and tested["duration_ms"] > 0
    assert provider.seen[-1].headers["authorization"] == f"Bearer {KEY}"

    assert await page.ask("settings/delete_key", provider="test") == {"deleted": True}
    assert (await row(page))["has_key"] is False
    assert await page.ask("settings/delete_key", provider="test") == {"deleted": False}
    assert KEY not in caplog.text


async def test_a_refused_key_is_reported_without_it(page: ConnectedPage, provider: FakeProvider) -> None:
    await page.ask("settings/set_key", provider="test", key=KEY)
    provider.says(f"the key {KEY} is wrong".encode(), 401)
    with pytest.raises(ProtocolError) as refused:
        await page.ask("settings/look_up", provider="test")
    assert refused.value.data["data"]["type"] == "KeyRefused"
    assert KEY not in str(refused.value.data)


@pytest.mark.parametrize("params", [{"key": f"two words {KEY}"}, {"key": KEY, "more": 1}, {"key": [KEY]}])
async def test_an_invalid_key_is_refused_and_not_repeated(page: ConnectedPage, params: Any) -> None:
    with pytest.raises(ProtocolError) as refused:
        await page.ask("settings/set_key", provider="test", **params)
    assert KEY not in str(refused.value.data)


async def test_without_a_keyring_the_error_says_what_to_do(page: ConnectedPage) -> None:
    assert (await page.ask("settings/providers"))["keyring"] is not None
    keyring.set_keyring(keyring.backends.fail.Keyring())
    assert (await page.ask("settings/providers"))["keyring"] is None
    with pytest.raises(ProtocolError, match="no keyring") as refused:
        await page.ask("settings/set_key", provider="test", key=KEY)
    assert "TEST_API_KEY" in refused.value.data["data"]["hint"]
    # The user agrees to a file.
    assert await page.ask("settings/set_key", provider="test", key=KEY, in_file=True) == {}
    assert (await row(page))["key_from"] == "file"
    assert KEY in Path((await page.ask("settings/providers"))["file"]).read_text()
    assert await page.ask("settings/delete_key", provider="test") == {"deleted": True}


async def test_an_unknown_provider_is_reported(page: ConnectedPage) -> None:
    for method in ("settings/look_up", "settings/delete_key", "settings/remove_server"):
        with pytest.raises(ProtocolError, match="No provider 'nobody'"):
            await page.ask(method, provider="nobody")


async def test_a_server_is_found_tried_and_added(page: ConnectedPage, provider: FakeProvider) -> None:
    url = (await row(page))["base_url"]
    typed = {"address": f"{url}/v1"}
    found = await page.ask("settings/look_up", **typed)
    assert (found["provider"], found["base_url"], found["api"]) == (None, f"{url}/v1", "openai")
    assert found["models"] == ["small", "large"] and found["duration_ms"] > 0
    provider.says(b'{"choices": [{"message": {"content": "ready"}}]}')
    tried = await page.ask("settings/try_model", **typed, model="small")
    assert tried["text"] == "ready" and tried["duration_ms"] > 0
    added = await page.ask("settings/add_server", address=f"{url}/v1", api="openai")
    assert (await page.ask("models/access"))["providers"][-1]["name"] == added["provider"]
    assert await page.ask("settings/remove_server", **added) == {"removed": True}


async def test_a_server_for_embeddings_is_found(page: ConnectedPage, provider: FakeProvider) -> None:
    url = (await row(page))["base_url"]
    provider.says(b'{"data": [{"id": "vectors", "embedding": [0.5, 0.1]}]}')
    found = await page.ask("settings/look_up_embeddings", address=url)
    assert found.pop("duration_ms") > 0
    assert found == {"provider": None, "base_url": f"{url}/v1", "models": ["vectors"], "embeds": True}


async def test_servers_of_this_machine_that_answer_are_listed(
    page: ConnectedPage, provider: FakeProvider
) -> None:
    await page.ask("settings/set_key", provider="test", key=KEY)
    servers = (await page.ask("settings/local_models"))["servers"]
    assert {
        "provider": "test",
        "base_url": (await row(page))["base_url"],
        "models": ["small", "large"],
    } in servers
    provider.says(b"", 500)
    assert "test" not in [each["provider"] for each in (await page.ask("settings/local_models"))["servers"]]


async def test_a_provider_or_an_address_is_needed(page: ConnectedPage) -> None:
    for params in ({}, {"provider": "test", "address": "a.example"}):
        with pytest.raises(ProtocolError, match="either a provider or an address"):
            await page.ask("settings/look_up", **params)
