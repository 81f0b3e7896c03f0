"""The tools that MCP clients list: all, or the two of code mode."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gemini_companion.mcp.profile import FILE, Profiles
from gemini_companion.serving.app import Companion
from tests.companions import client_of
from tests.unit.companion.settings.conftest import PATIENCE_S, READS, ConnectedPage

ERAS = ("legacy", "auto")
ALL, CODE = ["look", "call_page_tool"], ["run", "find"]


@pytest.fixture
async def page(companion: Companion) -> Any:
    page = ConnectedPage()
    page.tools = [READS, *({**READS, "name": name, "code": True} for name in CODE)]
    async with page.connected(companion):
        while companion.pages.current is None or companion.pages.current.tools is None:
            await asyncio.sleep(0)
        yield page


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.parametrize("mode", ERAS)
async def test_the_user_chooses_for_all_clients(page: ConnectedPage, companion: Companion, mode: str) -> None:
    async with client_of(companion, mode) as client:
        assert await names(client) == ALL
        assert await page.ask("settings/mcp_tools", tools="code") == {"tools": "code"}
        assert await names(client) == CODE
        assert (await page.ask("settings/status"))["mcp"]["tools"] == "code"
        # The list is shorter, and nothing else: other tools can be called by their names.
        assert (await client.call_tool("look", {})).structured_content == {"seen": "look"}


@pytest.mark.parametrize("mode", ERAS)
async def test_a_client_chooses_for_itself_by_the_address(
    page: ConnectedPage, companion: Companion, mode: Any
) -> None:
    headers = {"Authorization": f"Bearer {companion.token}"}
    for tools, listed in (("code", CODE), ("all", ALL), ("nonsense", ALL)):
        url = f"{companion.mcp_url}?tools={tools}"
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S, trust_env=False) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            assert await names(client) == listed


async def test_a_page_is_notified_of_the_end_of_a_session(page: ConnectedPage, companion: Companion) -> None:
    async with client_of(companion, "legacy") as client:
        await client.call_tool("look", {})
    async with asyncio.timeout(PATIENCE_S):
        assert await page.ended.get() == page.callers[0]


def test_the_choice_is_saved(tmp_path: Path) -> None:
    file = tmp_path / FILE
    assert Profiles(file).chosen == "all"
    Profiles(file).choose("code")
    assert Profiles(file).chosen == "code"
    assert Profiles(file, "all").chosen == "all"
    changed: list[str] = []
    profiles = Profiles(file, "code")
    profiles.on_change(lambda: changed.append(profiles.chosen))
    profiles.choose("all")
    assert changed == ["all"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tools": 5}', '{"tools": ["code"]}'])
def test_a_file_of_another_form_means_all(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert Profiles(tmp_path / FILE).chosen == "all"
