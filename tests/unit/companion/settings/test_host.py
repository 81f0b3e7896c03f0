"""Host access in the settings: what was allowed, and what the person of this page agreed to."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini.errors import ProtocolError
from gemini_companion.app import Companion
from gemini_companion.host.policy import HostPolicy
from tests.unit.companion.settings.conftest import ConnectedPage


class TestAllowed:
    @pytest.fixture
    def host(self, tmp_path: Path) -> HostPolicy:
        return HostPolicy(allowed=True, directories=(tmp_path,))

    async def test_grants_and_terminals_are_told_and_taken_back(
        self, page: ConnectedPage, tmp_path: Path
    ) -> None:
        async def told() -> tuple[bool, int]:
            host = (await page.ask("settings/status"))["host"]
            assert (host["allowed"], host["directories"]) == (True, [str(tmp_path)])
            return host["session"], host["terminals"]

        assert await told() == (False, 0)
        await page.ask("host/consent", to="session")
        terminal = (await page.ask("host/open", columns=80, rows=24))["terminal"]
        await page.changed()
        assert await told() == (True, 1)

        await page.ask("host/consent", to="nothing")
        assert await told() == (False, 1)
        with pytest.raises(ProtocolError, match="has not agreed"):
            await page.ask("host/execute", terminal=terminal, command="true")
        await page.ask("host/close", terminal=terminal)
        assert await told() == (False, 0)

    async def test_each_page_has_its_own(self, page: ConnectedPage, companion: Companion) -> None:
        await page.ask("host/consent", to="session")
        async with ConnectedPage().connected(companion) as other:
            assert (await other.ask("settings/status"))["host"]["session"] is False


async def test_nothing_is_allowed_unless_somebody_did(page: ConnectedPage) -> None:
    host = (await page.ask("settings/status"))["host"]
    assert (host["allowed"], host["session"], host["terminals"]) == (False, False, 0)
