"""Admission of pages: codes that work once, keys that return, and attacks by other processes."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from builder import commands
from gemini.errors import GeminiError
from gemini_companion import named_command
from gemini_companion.admission import admission, control, known_browsers, one_time_codes
from gemini_companion.admission.admission import Visitor
from gemini_companion.admission.extension import ORIGIN as EXTENSION
from gemini_companion.admission.guard import SUBPROTOCOL
from gemini_companion.admission.known_browsers import Browsers
from gemini_companion.admission.one_time_codes import LaunchFile
from gemini_companion.errors import FolderUnusable, NotRunning
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server, running
from gemini_companion.storage import private_files
from tests.companions import Browser, page_token, server_to_reopen
from tests.tiers import in_turn
from tests.unit.companion.surface import small_surface

FOREIGN = "http://127.0.0.1:1"
has_modes = pytest.mark.skipif(os.name == "nt", reason="Windows has access lists instead of modes")


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    server = Server(0)
    companion = Companion(small_surface(tmp_path / "dist"), server)
    with running(server, companion.app(), **companion.other_apps()):
        yield companion


async def status(companion: Companion, token: str, origin: str | None = None) -> int:
    """Return the status of a WebSocket with that token, 101 if it is admitted."""
    url = companion.url.replace("http", "ws") + "page"
    protocols: Any = [SUBPROTOCOL, f"token.{token}"]
    named: Any = origin or companion.url.rstrip("/")
    try:
        async with connect(url, origin=named, subprotocols=protocols, proxy=None):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def test_a_code_admits_one_page_once(companion: Companion) -> None:
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


async def test_the_token_of_mcp_clients_admits_no_page(companion: Companion) -> None:
    assert await status(companion, companion.token) == 401
    answer = await Browser(companion).post("address", {}, Authorization=f"Bearer {companion.token}")
    assert answer.status_code == 401


async def test_codes_and_tokens_expire(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    late = companion.entrance.address(within_s=-1)
    assert (await Browser(companion).open(late)).status_code == 403
    monkeypatch.setattr(admission, "WITHIN_S", -1.0)
    assert await status(companion, await page_token(companion)) == 401


@in_turn("origin", [FOREIGN, "null", "https://example.com", ""], ids=["port", "null", "site", "none"])
async def test_pages_of_other_origins_can_not_use_a_code(companion: Companion, origin: str) -> None:
    browser, address = Browser(companion), companion.entrance.address()
    browser.origin = origin
    assert (await browser.open(address)).status_code in (400, 403)
    browser.origin = companion.url.rstrip("/")
    assert (await browser.open(address)).status_code == 200


async def test_a_foreign_host_name_is_refused(companion: Companion) -> None:
    answer = await Browser(companion).post("challenge", {}, Host="evil.example:80")
    assert answer.status_code == 421


async def test_an_admitted_browser_returns_without_a_code(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open()
    answer = await browser.log_in_with_key()
    assert answer.json()["attended"] is True
    assert await status(companion, answer.json()["token"]) == 101


async def test_a_woken_browser_that_returns_is_still_the_companions_own(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open(companion.entrance.address(attended=False, own=True))
    # Its connection was lost, or its page was reloaded. Its questions still wait for a user.
    assert (await browser.log_in_with_key()).json()["waits"] is True


async def test_an_unknown_browser_does_not(companion: Companion) -> None:
    assert (await Browser(companion).log_in_with_key()).status_code == 403


async def test_a_challenge_can_be_answered_once(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open()
    challenge = await browser.challenge()
    body = {"key": browser.key, "challenge": challenge, "signature": browser.sign(challenge)}
    assert (await browser.post("return", body)).status_code == 200
    assert (await browser.post("return", body)).status_code == 409


@in_turn("challenge", ["", "x", "1-2-3", "999999999-00-00", "nan-0-0"])
async def test_a_forged_challenge_is_refused(companion: Companion, challenge: str) -> None:
    browser = Browser(companion)
    await browser.open()
    body = {"key": browser.key, "challenge": challenge, "signature": browser.sign(challenge)}
    assert (await browser.post("return", body)).status_code == 409


async def test_a_signature_for_another_server_is_refused(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open()
    challenge = await browser.challenge()
    for signature in (browser.sign(challenge, FOREIGN), Browser(companion).sign(challenge), "", "A" * 86):
        body = {"key": browser.key, "challenge": challenge, "signature": signature}
        assert (await browser.post("return", body)).status_code == 403


async def test_a_key_is_valid_only_at_the_origin_where_it_was_added(companion: Companion) -> None:
    browser = Browser(companion)
    await browser.open()
    browser.origin = browser.origin.replace("127.0.0.1", "localhost")
    assert (await browser.log_in_with_key()).status_code == 403


async def test_the_code_decides_whether_a_page_is_attended(companion: Companion) -> None:
    browser = Browser(companion)
    answer = await browser.open(companion.entrance.address(attended=False))
    assert answer.json()["attended"] is False
    # The page that the companion opened is reloaded.
    assert (await browser.log_in_with_key()).json()["attended"] is False
    assert (await browser.open()).json()["attended"] is True
    assert (await browser.log_in_with_key()).json()["attended"] is True


@in_turn(
    "body",
    [{}, [], {"code": 1, "key": "x"}, {"code": "x" * 5000, "key": "x"}, {"code": "x", "key": "x", "attended": True}],
)  # fmt: skip
async def test_an_invalid_request_is_refused(companion: Companion, body: object) -> None:
    assert (await Browser(companion).post("open", body)).status_code == 400


async def test_an_invalid_key_is_refused(companion: Companion) -> None:
    for key in ("", "A" * 87, "!" * 87, "BA"):
        browser = Browser(companion)
        browser.key = key
        assert (await browser.open()).status_code == 400


@pytest.mark.fortnightly
async def test_a_flood_of_challenges_keeps_nobody_out(companion: Companion) -> None:
    browser, stranger = Browser(companion), Browser(companion)
    await browser.open()
    mine = await browser.challenge()
    await asyncio.gather(*(stranger.log_in_with_key() for _ in range(10)))
    body = {"key": browser.key, "challenge": mine, "signature": browser.sign(mine)}
    assert (await browser.post("return", body)).status_code == 200


class TestAfterARestart:
    """The companion restarts on the same port."""

    @pytest.fixture
    def browsers_file(self, tmp_path: Path) -> Path:
        return tmp_path / "data/browsers.json"

    async def restart(
        self,
        folder: Path,
        browsers_file: Path,
        browser: Browser | None = None,
        attended: bool = True,
        own: bool = False,
    ) -> tuple[Browser, int]:
        """Restart; return a browser with the status that it gets there. A new one presents a code."""
        server = Server(self.port) if self.port else server_to_reopen()
        self.port = server.main.number
        companion = Companion(small_surface(folder), server, browsers=Browsers(browsers_file))
        async with server.serving(companion.app()):
            if browser is not None:
                answer = await browser.log_in_with_key()
                self.visitor = companion.entrance.admit(answer.json().get("token", ""))
                return browser, answer.status_code
            browser = Browser(companion)
            address = companion.entrance.address(attended=attended, own=own)
            return browser, (await browser.open(address)).status_code

    port = 0
    visitor: Visitor | None = None

    @pytest.mark.parametrize("own", [True, False])
    async def test_the_window_stays_the_companions_own(
        self, tmp_path: Path, browsers_file: Path, own: bool
    ) -> None:
        browser, _ = await self.restart(tmp_path, browsers_file, own=own)
        await self.restart(tmp_path, browsers_file, browser)
        assert self.visitor is not None and self.visitor.own is own

    async def test_a_browser_returns(self, tmp_path: Path, browsers_file: Path) -> None:
        browser, _ = await self.restart(tmp_path, browsers_file)
        assert await self.restart(tmp_path, browsers_file, browser) == (browser, 200)

    async def test_the_companions_own_browser_does_not(self, tmp_path: Path, browsers_file: Path) -> None:
        browser, _ = await self.restart(tmp_path, browsers_file, attended=False)
        assert not browsers_file.exists()
        assert await self.restart(tmp_path, browsers_file, browser) == (browser, 403)

    async def test_a_forgotten_or_old_browser_does_not(
        self, tmp_path: Path, browsers_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        browser, _ = await self.restart(tmp_path, browsers_file)
        with monkeypatch.context() as patch:
            patch.setattr(known_browsers, "FORGOTTEN_AFTER_S", -1.0)
            assert (await self.restart(tmp_path, browsers_file, browser))[1] == 403
        assert Browsers(browsers_file).forget() == 1
        assert (await self.restart(tmp_path, browsers_file, browser))[1] == 403

    @has_modes
    async def test_a_browser_that_another_user_could_have_added_does_not(
        self, tmp_path: Path, browsers_file: Path
    ) -> None:
        browser, _ = await self.restart(tmp_path, browsers_file)
        browsers_file.chmod(0o620)
        assert (await self.restart(tmp_path, browsers_file, browser))[1] == 403

    @pytest.mark.parametrize("text", ["", "[]", "{", '{"browsers": [{}]}', '{"browsers": 1}'])
    async def test_a_broken_file_counts_as_empty(
        self, tmp_path: Path, browsers_file: Path, text: str
    ) -> None:
        private_files.write_private(browsers_file, text)
        _, answer = await self.restart(tmp_path, browsers_file)
        assert answer == 200 and len(json.loads(browsers_file.read_text())["browsers"]) == 1

    async def test_the_file_has_only_public_keys_of_the_latest_browsers(
        self, companion: Companion, browsers_file: Path
    ) -> None:
        known = Browsers(browsers_file)
        keys = [Browser(companion).key for _ in range(known_browsers.MAX_BROWSERS + 3)]
        for key in keys:
            known.add(key, "http://127.0.0.1:8765", attended=True)
        rows = json.loads(browsers_file.read_text())["browsers"]
        assert {row["key"] for row in rows} == set(keys[3:])
        assert stat.S_IMODE(browsers_file.stat().st_mode) == 0o600 or os.name == "nt"

    async def test_forgetting_affects_a_running_companion(self, tmp_path: Path, browsers_file: Path) -> None:
        server = Server(0)
        companion = Companion(small_surface(tmp_path), server, browsers=Browsers(browsers_file))
        async with server.serving(companion.app()):
            browser = Browser(companion)
            await browser.open()
            Browsers(browsers_file).forget()
            assert (await browser.log_in_with_key()).status_code == 403


class TestLaunchFiles:
    """The files that Chromium is started with."""

    async def test_the_file_leads_to_the_surface_and_is_deleted_after_use(
        self, companion: Companion, tmp_path: Path
    ) -> None:
        file = LaunchFile(tmp_path / "run")
        address = companion.entrance.address(file=file)
        file.write_redirect(address)
        code = address.partition("=")[2]
        assert address in file.path.read_text() and code not in file.url
        assert (await Browser(companion).open(address)).status_code == 200
        assert not file.path.exists()

    async def test_it_is_deleted_after_a_minute(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
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

    def test_files_of_a_killed_companion_are_deleted(self, tmp_path: Path) -> None:
        left, other = tmp_path / "open-abc.html", tmp_path / "notes.html"
        for each in (left, other):
            each.write_text("")
            os.utime(each, (0, 0))
        LaunchFile(tmp_path)
        assert not left.exists() and other.exists()

    def test_a_folder_that_can_not_be_created_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(GeminiError, match="can't be used"):
            LaunchFile(tmp_path / "file/run")


async def test_the_extension_enters_with_a_code_and_uses_only_models_with_their_token(
    companion: Companion,
) -> None:
    browser, stranger = Browser(companion), Browser(companion)
    browser.origin, stranger.origin = EXTENSION, f"{EXTENSION}x"
    assert (await stranger.open()).status_code == 403
    assert (await browser.post("open", {"code": "x", "key": browser.key})).status_code == 403
    answer = await browser.open()
    assert answer.headers["access-control-allow-origin"] == EXTENSION
    assert await status(companion, answer.json()["token"], EXTENSION) == 101
    assert await status(companion, "x", EXTENSION) == 401
    for path in ("../mcp", "../tools.json"):
        assert (await browser.post(path, {})).status_code == 403
    models = "../models/openai/chat/completions"
    assert (await browser.post(models, {})).status_code == 401
    assert (await stranger.post(models, {})).status_code == 403


async def test_only_the_extensions_browser_learns_what_it_may_send_to_models(companion: Companion) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    async with httpx2.AsyncClient(base_url=companion.url, trust_env=False) as http:

        async def allowed(path: str, origin: str) -> tuple[int, str | None]:
            answer = await http.options(path, headers={"Origin": origin, **asked})
            return answer.status_code, answer.headers.get("access-control-allow-headers")

        assert await allowed("models/openai/models", EXTENSION) == (204, "authorization")
        assert await allowed("models/openai/models", f"{EXTENSION}x") == (403, None)
        assert await allowed("mcp", EXTENSION) == (403, None)


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

    async def test_a_source_tree_prints_one_by_the_command_that_messages_name(
        self,
        companion: Companion,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        port = companion.url.split(":")[2].strip("/")
        with control.reachable(int(port), companion.entrance.key):
            assert await asyncio.to_thread(commands.main, ["url", "--port", port]) == 0
            address = capsys.readouterr().out.strip()
        assert (await Browser(companion).open(address)).status_code == 200
        used = (await Browser(companion).open(address)).json()["message"]
        assert used.endswith("Run python3 build.py url for a new one.")
        assert commands.main(["url", "--port", port]) == 1
        assert capsys.readouterr().err == (
            f"No companion of yours is running on port {port}. "
            "Start one with python3 build.py serve, or name its port with --port.\n"
        )

    def test_an_installed_package_names_its_own_command(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(named_command, "BUILD", tmp_path / "build.py")
        assert named_command.named_command("url", "--port", "8911") == "control-surface url --port 8911"

    async def test_other_users_get_none(self, companion: Companion) -> None:
        for header in ({}, {"Authorization": "Bearer x"}):
            answer = await Browser(companion).post("address", {}, **header)
            assert answer.status_code == 401 and "companion=" not in answer.text
