"""The search engine in the settings: its key goes in, and never comes out."""

from __future__ import annotations

import json
from typing import Any

import keyring
import keyring.backends.fail
import pytest

from gemini.errors import ProtocolError
from tests.unit.companion.keyrings import MemoryKeyring
from tests.unit.companion.settings.conftest import ConnectedPage

KEY = "tea-0123456789"


async def engine(page: ConnectedPage, name: str) -> Any:
    [row] = [each for each in (await page.ask("settings/search"))["engines"] if each["name"] == name]
    return row


async def test_an_engine_is_chosen_and_its_key_set_and_deleted(
    page: ConnectedPage, secrets: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    assert (await page.ask("settings/search"))["engine"] == "duckduckgo"
    assert await page.ask("settings/choose_search", engine="brave") == {}
    assert await page.ask("settings/set_search_key", engine="brave", key=KEY) == {}
    status = await page.ask("settings/search")
    assert (status["engine"], (await engine(page, "brave"))["key_from"]) == ("brave", "keyring")
    assert KEY not in json.dumps(status) and list(secrets.saved.values()) == [KEY]
    # The keys of models are others.
    assert all(row["key_from"] is None for row in (await page.ask("settings/providers"))["providers"])
    assert await page.ask("settings/delete_search_key", engine="brave") == {"deleted": True}
    assert (await engine(page, "brave"))["key_from"] is None


async def test_without_a_keyring_the_person_agrees_to_a_file(page: ConnectedPage) -> None:
    keyring.set_keyring(keyring.backends.fail.Keyring())
    with pytest.raises(ProtocolError, match="no keyring"):
        await page.ask("settings/set_search_key", engine="tavily", key=KEY)
    await page.ask("settings/set_search_key", engine="tavily", key=KEY, in_file=True)
    assert (await engine(page, "tavily"))["key_from"] == "file"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("choose_search", {"engine": "bing"}),
        ("choose_search", {"engine": "searxng", "address": "http://a:b@c.example"}),
        ("set_search_key", {"engine": "brave", "key": f"two words {KEY}"}),
        ("set_search_key", {"engine": "brave", "key": [KEY]}),
    ],
)
async def test_wrong_ones_are_refused_and_not_repeated(
    page: ConnectedPage, method: str, params: dict[str, Any]
) -> None:
    with pytest.raises(ProtocolError) as refused:
        await page.ask(f"settings/{method}", **params)
    assert KEY not in str(refused.value.data)


async def test_python_asks_for_a_page_and_the_person_decides(page: ConnectedPage) -> None:
    page.decisions = ["refuse"]
    with pytest.raises(ProtocolError) as refused:
        await page.ask("web/fetch", url="https://tea.example/", words={"tool": "web_fetch"})
    assert refused.value.data["data"]["type"] == "Refused"
    [question] = page.questions
    assert question["kind"] == "network" and question["facts"]["origin"] == "https://tea.example"
    assert question["words"] == {"tool": "web_fetch"}
