"""MCP clients whose tokens outlive the companion, and the command that passes a client on to it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from gemini_companion.admission import control
from gemini_companion.mcp.keys import FILE, Keys
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server
from tests.unit.companion.settings.conftest import ConnectedPage
from tests.unit.companion.surface import small_surface

PACKAGES = Path(__file__).parents[4] / "py"
DESKTOP = "Claude Desktop"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of saved clients."""
    return tmp_path / "data" / "control-surface" / FILE


@asynccontextmanager
async def started(file: Path, tmp_path: Path) -> AsyncGenerator[Companion]:
    """Run a companion that saves tokens."""
    server = Server(0)
    companion = Companion(small_surface(tmp_path / "saved"), server, keys=Keys(file))
    async with server.serving(companion.app(), **companion.other_apps()):
        yield companion


async def status(companion: Companion, token: str) -> int:
    async with httpx2.AsyncClient(trust_env=False) as http:
        headers = {"Authorization": f"Bearer {token}"}
        return (await http.delete(companion.mcp_url, headers=headers)).status_code


async def test_a_saved_token_outlives_the_companion_until_it_is_revoked(file: Path, tmp_path: Path) -> None:
    async with started(file, tmp_path) as first, ConnectedPage().connected(first) as page:
        saved, other = first.keys.of("Cursor"), first.keys.of("VS Code")
        assert (await page.ask("settings/status"))["saved"] == []
        assert not file.exists()
        await page.ask("settings/save_client", client="Cursor")
        [row] = (await page.ask("settings/status"))["saved"]
        assert row["client"] == "Cursor" and row["known"]
        assert saved not in file.read_text()
        assert file.stat().st_mode & 0o777 == 0o600
        assert first.keys.of("Cursor") == saved
    async with started(file, tmp_path) as second, ConnectedPage().connected(second) as page:
        assert await status(second, saved) != 401
        assert await status(second, other) == 401
        assert second.keys.admit(saved) == first.keys.admit(saved)
        [row] = (await page.ask("settings/status"))["saved"]
        assert not row["known"]
        async with started(file, tmp_path) as third:
            assert await status(third, saved) != 401
            assert await page.ask("settings/revoke_client", client="Cursor") == {"revoked": True}
            # Everywhere, and at once.
            assert await status(third, saved) == 401
        assert await status(second, saved) == 401
        assert second.keys.of("Cursor") != saved
        assert (await page.ask("settings/status"))["saved"] == []
        assert await page.ask("settings/revoke_client", client="Cursor") == {"revoked": False}


async def test_revoking_ends_a_token_of_this_run(file: Path, tmp_path: Path) -> None:
    async with started(file, tmp_path) as companion:
        token = companion.keys.of("Cursor")
        assert await status(companion, token) != 401
        companion.keys.revoke("Cursor")
        assert await status(companion, token) == 401


async def test_only_clients_with_a_configuration_are_saved(file: Path, tmp_path: Path) -> None:
    async with started(file, tmp_path) as companion, ConnectedPage().connected(companion) as page:
        with pytest.raises(Exception, match="has no configuration"):
            await page.ask("settings/save_client", client="start-0000")
        assert not file.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
@pytest.mark.parametrize(
    "content", ["{", "[]", '{"cursor": 1}', '{"cursor": {"client": "Cursor", "digest": "t"}}']
)
def test_a_damaged_file_admits_nobody(file: Path, content: str) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(content)
    file.chmod(0o600)
    assert Keys(file).admit("t") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_a_file_that_others_can_read_admits_nobody(file: Path) -> None:
    keys = Keys(file)
    keys.save("Cursor")
    token = keys.of("Cursor")
    assert Keys(file).admit(token) is not None
    file.chmod(0o644)
    assert Keys(file).admit(token) is None


def command(companion: Companion, tmp_path: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "gemini_companion", "connect", DESKTOP, "--port", str(port_of(companion))],
        env={"PYTHONPATH": str(PACKAGES), "XDG_RUNTIME_DIR": str(tmp_path / "run")},
    )


def port_of(companion: Companion) -> int:
    return urlsplit(companion.mcp_url).port or 0


@pytest.fixture(autouse=True)
def runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))


@pytest.mark.fortnightly
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_command_passes_a_saved_client_on_to_the_open_page(
    file: Path, tmp_path: Path, mode: str
) -> None:
    async with started(file, tmp_path) as companion, ConnectedPage().connected(companion) as page:
        await page.ask("settings/save_client", client=DESKTOP)
        with control.reachable(port_of(companion), companion.entrance.key):
            async with Client(stdio_client(command(companion, tmp_path)), mode=mode) as client:  # type: ignore[arg-type]
                assert (await client.call_tool("look", {})).structured_content == {"seen": "look"}
        # The token names the client, for consent.
        assert "claude-desktop" in page.callers[0]


async def test_revoking_a_client_ends_the_tokens_of_its_commands(file: Path, tmp_path: Path) -> None:
    async with started(file, tmp_path) as companion:
        assert companion.keys.lend(DESKTOP) is None
        companion.keys.save(DESKTOP)
        token = companion.keys.lend(DESKTOP)
        assert token is not None and await status(companion, token) != 401
        # By another companion.
        Keys(file).revoke(DESKTOP)
        assert await status(companion, token) == 401


@pytest.mark.parametrize("key", ["", "Bearer", "Bearer x"])
async def test_only_the_owner_s_commands_get_a_token(file: Path, tmp_path: Path, key: str) -> None:
    async with started(file, tmp_path) as companion, httpx2.AsyncClient(trust_env=False) as http:
        companion.keys.save(DESKTOP)
        url = companion.mcp_url.replace("/mcp", "/entrance/token")
        answer = await http.post(url, json={"client": DESKTOP}, headers={"Authorization": key})
        assert answer.status_code == 401 and "token" not in answer.json()


@pytest.mark.fortnightly
async def test_the_command_says_what_is_missing(file: Path, tmp_path: Path) -> None:
    async def run(companion: Companion) -> str:
        given = command(companion, tmp_path)
        process = await asyncio.create_subprocess_exec(
            given.command,
            *given.args,
            env={**os.environ, **(given.env or {})},
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await process.communicate()
        assert process.returncode == 1
        return errors.decode()

    async with started(file, tmp_path) as companion:
        with control.reachable(port_of(companion), companion.entrance.key):
            assert "Claude Desktop may not use this page yet. In the page" in await run(companion)
    assert "No companion of yours is running on port" in await run(companion)
