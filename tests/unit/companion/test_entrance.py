"""How pages are let in: codes that work once, keys that come back, and what others of the machine try."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from gemini.errors import GeminiError
from gemini_companion import browsers, control, entrance, one_time_codes, private
from gemini_companion.app import Companion
from gemini_companion.browsers import Browsers
from gemini_companion.errors import FolderUnusable, NotRunning
from gemini_companion.guard import SUBPROTOCOL
from gemini_companion.one_time_codes import LaunchFile
from gemini_companion.server import Server, running
from tests.companions import Browser, page_token
from tests.unit.companion.surface import small_surface

FOREIGN = "http://127.0.0.1:1"
has_modes = pytest.mark.skipif(os.name == "nt", reason="Windows has access lists instead of modes")


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    server = Server(0)
    companion = Companion(small_surface(tmp_path / "dist"), server)
    with running(server, companion.app(), **companion.beside()):
        yield companion


async def status(companion: Companion, token: str, origin: str | None = None) -> int:
    """What a WebSocket with that token is answered: 101 if it is let in."""
    url = companion.url.replace("http", "ws") + "page"
    protocols: Any = [SUBPROTOCOL, f"token.{token}"]
    named: Any = origin or companion.url.rstrip("/")
    try:
        async with connect(url, origin=named, subprotocols=protocols, proxy=None):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def test_a_code_lets_one_page_in_once(companion: Companion) -> None:
    address = companion.entrance.address()
    assert address.startswith(f"{companion.url}#companion=") and companion.token not in address
    browser, thief = Browser(companion), Browser(companion)
    answer = await browser.open(address)
    assert answer.status_code == 200 and answer.json()["attended"] is True
    assert answer.headers["cache-control"] == "no-store" and "set-cookie" not in answer.headers
    assert await status(companion, answer.json()["token"]) == 101
    assert (await thief.open(address)).status_code == 403
    assert (await browser.open(address)).status_code == 403


async def test_a_token_opens_one_websocket_and_nothing_else(companion: Companion) -> None:
    token = await page_token(companion)
    assert (await Browser(companion).post("../mcp", {}, Authorization=f"Bearer {token}")).status_code == 401
    assert await status(companion, token) == 101
    assert await status(companion, token) == 401


async def test_the_token_of_mcp_clients_makes_nobody_a_page(companion: Companion) -> None:
    assert await status(companion, companion.token) == 401
    answer = await Browser(companion).post("address", {}, Authorization=f"Bearer {companion.token}")
    assert answer.status_code == 401


async def test_codes_and_tokens_end_by_themselves(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = companion.entrance.address(within_s=-1)
    assert (await Browser(companion).open(late)).status_code == 403
    monkeypatch.setattr(entrance, "WITHIN_S", -1.0)
    assert await status(companion, await page_token(companion)) == 401


@pytest.mark.parametrize(
    "origin", [FOREIGN, "null", "https://example.com", ""], ids=["port", "null", "site", "none"]
)
async def test_pages_of_other_origins_use_no_code(companion: Companion, origin: str) -> None:
    browser, address = Browser(companion), companion.entrance.address()
    browser.origin = origin
    assert (await browser.open(address)).status_code in (400, 403)
    browser.origin = companion.url.rstrip("/")
    assert (await browser.open(address)).status_code == 200


async def test_a_foreign_host_name_leads_nowhere(companion: Companion) -> None:
    answer = await Browser(companion).post("challenge", {}, Host="evil.example:80")
    assert answer.status_code == 421


async def test_a_browser_that_was_let_in_comes_back_without_a_code(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open()
    answer = await browser.log_in_with_key()
    assert answer.json()["attended"] is True
    assert await status(companion, answer.json()["token"]) == 101


async def test_a_stranger_does_not(companion: Companion) -> None:
    assert (await Browser(companion).log_in_with_key()).status_code == 403


async def test_an_answer_to_a_challenge_is_worth_something_once(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open()
    challenge = await browser.challenge()
    told = {"key": browser.key, "challenge": challenge, "signature": browser.sign(challenge)}
    assert (await browser.post("return", told)).status_code == 200
    assert (await browser.post("return", told)).status_code == 409


@pytest.mark.parametrize("challenge", ["", "x", "1-2-3", "999999999-00-00", "nan-0-0"])
async def test_a_challenge_of_ones_own_making_is_none(companion: Companion, challenge: str) -> None:
    browser = Browser(companion)
    await browser.open()
    told = {"key": browser.key, "challenge": challenge, "signature": browser.sign(challenge)}
    assert (await browser.post("return", told)).status_code == 409


async def test_a_signature_for_another_server_is_worth_nothing_here(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open()
    challenge = await browser.challenge()
    for signature in (browser.sign(challenge, FOREIGN), Browser(companion).sign(challenge), "", "A" * 86):
        told = {"key": browser.key, "challenge": challenge, "signature": signature}
        assert (await browser.post("return", told)).status_code == 403


async def test_a_key_counts_at_the_origin_where_it_was_learned(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open()
    browser.origin = browser.origin.replace("127.0.0.1", "localhost")
    assert (await browser.log_in_with_key()).status_code == 403


async def test_whether_somebody_is_there_is_said_by_the_code(companion: Companion) -> None:
    browser = Browser(companion)
    answer = await browser.open(companion.entrance.address(attended=False))
    assert answer.json()["attended"] is False
    # The page that the companion opened is loaded anew.
    assert (await browser.log_in_with_key()).json()["attended"] is False
    assert (await browser.open()).json()["attended"] is True
    assert (await browser.log_in_with_key()).json()["attended"] is True


@pytest.mark.parametrize(
    "told",
    [{}, [], {"code": 1, "key": "x"}, {"code": "x" * 5000, "key": "x"}, {"code": "x", "key": "x", "attended": True}],
)  # fmt: skip
async def test_what_is_no_opening_is_refused(companion: Companion, told: object) -> None:
    assert (await Browser(companion).post("open", told)).status_code == 400


async def test_a_key_that_is_none_is_refused(companion: Companion) -> None:
    for key in ("", "A" * 87, "!" * 87, "BA"):
        browser = Browser(companion)
        browser.key = key
        assert (await browser.open()).status_code == 400


async def test_who_floods_challenges_keeps_nobody_out(companion: Companion) -> None:
    browser, stranger = Browser(companion), Browser(companion)
    await browser.open()
    mine = await browser.challenge()
    await asyncio.gather(*(stranger.log_in_with_key() for _ in range(10)))
    told = {"key": browser.key, "challenge": mine, "signature": browser.sign(mine)}
    assert (await browser.post("return", told)).status_code == 200


class TestAfterARestart:
    """The companion starts again, on the same port."""

    @pytest.fixture
    def kept(self, tmp_path: Path) -> Path:
        return tmp_path / "data/browsers.json"

    async def again(
        self, folder: Path, kept: Path, browser: Browser | None = None, attended: bool = True
    ) -> tuple[Browser, int]:
        """A start, and what a browser is answered there; a new one brings a code."""
        server = Server(self.port)
        self.port = server.main.number
        companion = Companion(small_surface(folder), server, browsers=Browsers(kept))
        async with server.serving(companion.app()):
            if browser is not None:
                return browser, (await browser.log_in_with_key()).status_code
            browser = Browser(companion)
            return browser, (await browser.open(companion.entrance.address(attended=attended))).status_code

    port = 0

    async def test_a_browser_comes_back(self, tmp_path: Path, kept: Path) -> None:
        browser, _ = await self.again(tmp_path, kept)
        assert await self.again(tmp_path, kept, browser) == (browser, 200)

    async def test_the_companion_s_own_does_not(self, tmp_path: Path, kept: Path) -> None:
        browser, _ = await self.again(tmp_path, kept, attended=False)
        assert not kept.exists()
        assert await self.again(tmp_path, kept, browser) == (browser, 403)

    async def test_nor_does_one_that_was_forgotten_or_is_old(
        self, tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        browser, _ = await self.again(tmp_path, kept)
        with monkeypatch.context() as patch:
            patch.setattr(browsers, "FORGOTTEN_AFTER_S", -1.0)
            assert (await self.again(tmp_path, kept, browser))[1] == 403
        assert Browsers(kept).forget() == 1
        assert (await self.again(tmp_path, kept, browser))[1] == 403

    @has_modes
    async def test_nor_one_that_another_user_could_have_written(self, tmp_path: Path, kept: Path) -> None:
        browser, _ = await self.again(tmp_path, kept)
        kept.chmod(0o620)
        assert (await self.again(tmp_path, kept, browser))[1] == 403

    @pytest.mark.parametrize("text", ["", "[]", "{", '{"browsers": [{}]}', '{"browsers": 1}'])
    async def test_a_broken_file_is_an_empty_one(self, tmp_path: Path, kept: Path, text: str) -> None:
        private.write_private(kept, text)
        _, answer = await self.again(tmp_path, kept)
        assert answer == 200 and len(json.loads(kept.read_text())["browsers"]) == 1

    async def test_the_file_has_public_keys_of_the_last_ones_and_no_more(
        self, companion: Companion, kept: Path
    ) -> None:
        known = Browsers(kept)
        keys = [Browser(companion).key for _ in range(browsers.MOST + 3)]
        for key in keys:
            known.add(key, "http://127.0.0.1:8765", attended=True)
        rows = json.loads(kept.read_text())["browsers"]
        assert {row["key"] for row in rows} == set(keys[3:])
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600 or os.name == "nt"

    async def test_forgetting_counts_for_a_companion_that_runs(self, tmp_path: Path, kept: Path) -> None:
        server = Server(0)
        companion = Companion(small_surface(tmp_path), server, browsers=Browsers(kept))
        async with server.serving(companion.app()):
            browser = Browser(companion)
            await browser.open()
            Browsers(kept).forget()
            assert (await browser.log_in_with_key()).status_code == 403


class TestOpeningFiles:
    """What Chromium is started with."""

    async def test_the_file_leads_to_the_surface_and_is_gone_when_it_was_used(
        self, companion: Companion, tmp_path: Path
    ) -> None:
        file = LaunchFile(tmp_path / "run")
        address = companion.entrance.address(file=file)
        file.write_redirect(address)
        code = address.partition("=")[2]
        assert address in file.path.read_text() and code not in file.url
        assert (await Browser(companion).open(address)).status_code == 200
        assert not file.path.exists()

    async def test_it_is_gone_after_a_minute(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(one_time_codes, "AT_ONCE_S", 0.0)
        file = LaunchFile(tmp_path / "run")
        file.write_redirect("http://127.0.0.1:1/#companion=x")
        async with asyncio.timeout(30):
            while file.path.exists():
                await asyncio.sleep(0)

    @has_modes
    async def test_no_other_user_reads_it(self, tmp_path: Path) -> None:
        folder = tmp_path / "run"
        folder.mkdir(mode=0o777)
        file = LaunchFile(folder)
        before = os.umask(0)
        try:
            file.write_redirect("http://127.0.0.1:1/#companion=x")
        finally:
            os.umask(before)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(file.path.stat().st_mode) == 0o600

    @has_modes
    def test_a_folder_of_another_user_is_not_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
        with pytest.raises(FolderUnusable, match="another user"):
            LaunchFile(tmp_path)

    def test_what_a_killed_companion_left_is_removed(self, tmp_path: Path) -> None:
        left, other = tmp_path / "open-abc.html", tmp_path / "notes.html"
        for each in (left, other):
            each.write_text("")
            os.utime(each, (0, 0))
        LaunchFile(tmp_path)
        assert not left.exists() and other.exists()

    def test_a_folder_that_cannot_be_made_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(GeminiError, match="can't be used"):
            LaunchFile(tmp_path / "file/run")


class TestAnAddressOnRequest:
    """`control-surface url`."""

    async def test_the_same_user_gets_one(
        self, companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        port = int(companion.url.split(":")[2].strip("/"))
        with control.reachable(port, companion.entrance.key):
            [file] = (tmp_path / "control-surface").iterdir()
            assert stat.S_IMODE(file.stat().st_mode) == 0o600 or os.name == "nt"
            address = await asyncio.to_thread(control.new_address, port)
        assert (await Browser(companion).open(address)).status_code == 200
        with pytest.raises(NotRunning):
            control.new_address(port)

    async def test_others_get_none(self, companion: Companion) -> None:
        for header in ({}, {"Authorization": "Bearer x"}):
            answer = await Browser(companion).post("address", {}, **header)
            assert answer.status_code == 401 and "companion=" not in answer.text
