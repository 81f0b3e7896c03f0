"""The identity of an MCP client: its token proves it, not its own name."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp_types import Implementation

from gemini_companion.serving.app import Companion
from tests.companions import Browser, client_of
from tests.unit.companion.settings.conftest import ConnectedPage

ERAS = ("legacy", "auto")


def named(companion: Companion, name: str, token: str | None = None, mode: Any = "auto") -> Any:
    return client_of(companion, mode, token=token, client_info=Implementation(name=name, version="1"))


async def look(*clients: Client) -> None:
    for client in clients:
        assert not (await client.call_tool("look", {})).is_error


@pytest.mark.parametrize("mode", ERAS)
async def test_a_trusted_name_can_not_be_taken_over(
    companion: Companion, page: ConnectedPage, mode: str
) -> None:
    async with (
        named(companion, "Cursor", companion.keys.of("Cursor"), mode) as cursor,
        named(companion, "Cursor", mode=mode) as other,
    ):
        await look(cursor, other)
    right, wrong = page.callers
    assert right == "mcp:cursor “Cursor”"
    assert wrong.startswith("mcp:start-") and wrong.endswith(" “Cursor”")


@pytest.mark.parametrize("name", ["cursor “Cursor”", "mcp:cursor", "x”\n\x1b[2J #2", "", "\u202erosruc"])
async def test_no_name_imitates_another_key(companion: Companion, page: ConnectedPage, name: str) -> None:
    async with named(companion, name) as client:
        await look(client)
    [caller] = page.callers
    assert caller.startswith("mcp:start-")
    assert caller.count("“") == caller.count("”") == 1 and caller.isprintable() and "#" not in caller


async def test_two_clients_of_one_key_and_name_are_distinguished(
    companion: Companion, page: ConnectedPage
) -> None:
    token = companion.keys.of("Cursor")
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(named(companion, "Cursor", token, "legacy")) for _ in range(2)
        ]
        await look(first, second, first)
    assert page.callers == ["mcp:cursor “Cursor”", "mcp:cursor “Cursor” #2", "mcp:cursor “Cursor”"]
    page.callers.clear()
    # Both have closed their sessions.
    async with named(companion, "Cursor", token, "legacy") as third:
        await look(third)
    assert page.callers == ["mcp:cursor “Cursor”"]


async def test_the_settings_show_the_key_of_each_client(companion: Companion, page: ConnectedPage) -> None:
    async with named(companion, "Cursor", companion.keys.of("VS Code")) as client:
        await look(client)
    [row] = (await page.ask("settings/status"))["clients"]
    assert (row["key"], row["name"]) == ("vs-code", "Cursor")


async def test_every_configuration_has_its_own_token(companion: Companion, page: ConnectedPage) -> None:
    rows = (await page.ask("settings/status"))["configurations"]
    tokens = {client: companion.keys.of(client) for client in ("Claude Code", "Cursor", "VS Code")}
    for row in rows:
        assert [client for client, token in tokens.items() if token in row["text"]] == (
            [row["client"]] if row["secret"] else []
        )
        assert companion.token not in row["text"]
    assert len({*tokens.values(), companion.token}) == 4


async def test_a_token_of_another_run_is_refused(companion: Companion, page: ConnectedPage) -> None:
    headers = {"Authorization": f"Bearer {companion.token[:-1]}x"}
    async with httpx2.AsyncClient(trust_env=False) as http:
        assert (await http.post(companion.mcp_url, headers=headers, json={})).status_code == 401


async def test_a_page_can_forget_other_browsers_and_stays_known(
    companion: Companion, page: ConnectedPage
) -> None:
    others = [Browser(companion) for _ in range(2)]
    for each in others:
        await each.open()
    browsers = (await page.ask("settings/status"))["browsers"]
    assert len(browsers["known"]) == 3 and browsers["here"] in [row["id"] for row in browsers["known"]]
    assert await page.ask("settings/forget_browsers") == {"forgotten": 2}
    [left] = (await page.ask("settings/status"))["browsers"]["known"]
    assert left["id"] == browsers["here"]
    assert (await others[0].log_in_with_key()).status_code == 403
