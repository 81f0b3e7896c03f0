"""Host access in the settings: the allowed access, and the grants by the user of this page."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini.errors import ProtocolError
from gemini_companion.host.policy import HostPolicy
from gemini_companion.serving.app import Companion
from tests.unit.companion.settings.conftest import ConnectedPage


class TestAllowed:
    @pytest.fixture
    def host(self, tmp_path: Path) -> HostPolicy:
        return HostPolicy(allowed=True, directories=(tmp_path,))

    async def test_grants_and_terminals_are_listed_and_revoked(
        self, page: ConnectedPage, tmp_path: Path
    ) -> None:
        async def state() -> tuple[list[str], int]:
            host = (await page.ask("settings/status"))["host"]
            assert (host["allowed"], host["directories"]) == (True, [str(tmp_path)])
            return [grant["action"] for grant in host["grants"]], host["terminals"]

        assert await state() == ([], 0)
        page.decisions.append("hour")
        terminal = (await page.ask("host/open", columns=80, rows=24))["terminal"]
        await page.changed()
        assert await state() == (["open"], 1)

        await page.ask("host/revoke")
        assert await state() == ([], 1)
        page.decisions.append("refuse")
        with pytest.raises(ProtocolError, match="the user refused"):
            await page.ask("host/execute", terminal=terminal, command="true")
        await page.ask("host/close", terminal=terminal)
        assert await state() == ([], 0)

    async def test_each_page_has_its_own_grants(self, page: ConnectedPage, companion: Companion) -> None:
        page.decisions.append("hour")
        await page.ask("host/open", columns=80, rows=24)
        async with ConnectedPage().connected(companion) as other:
            assert (await other.ask("settings/status"))["host"]["grants"] == []

    async def test_a_page_without_a_person_is_refused(self, companion: Companion) -> None:
        async with ConnectedPage().connected(companion, attended=False) as page:
            with pytest.raises(ProtocolError, match="nobody is at the page"):
                await page.ask("host/open")


async def test_nothing_is_allowed_by_default(page: ConnectedPage) -> None:
    host = (await page.ask("settings/status"))["host"]
    assert (host["allowed"], host["grants"], host["terminals"]) == (False, [], 0)
