"""The surface moves to another port: its ports, the way of browsers, MCP clients and commands, and the next start."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2
import pytest
from websockets.asyncio.client import connect

from gemini_companion.admission import control
from gemini_companion.admission.extension import ORIGIN as EXTENSION
from gemini_companion.admission.guard import SUBPROTOCOL
from gemini_companion.errors import NotRunning
from gemini_companion.host.policy import HostPolicy
from gemini_companion.serving.app import Companion
from gemini_companion.serving.chosen_port import DEFAULT_PORT, FILE, Retained, saved_port
from gemini_companion.serving.serve import Options, serve_until
from gemini_companion.serving.server import PortUnavailable, Server
from gemini_companion.storage.folders import data_folder
from tests.companions import Browser, server_to_reopen
from tests.unit.companion.surface import small_surface

STORE = {"gemini:theme": '"dark"', "gemini:grants": "[]"}


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))


def free_port() -> int:
    server = server_to_reopen()
    server.close()
    return server.main.number


async def address_at(port: int, of: int | None = None) -> str:
    """Return a new address of the companion on a port, as soon as its pages have the port `of`, by default the same."""
    while True:
        with suppress(NotRunning):
            address = await asyncio.to_thread(control.new_address, port)
            if urlsplit(address).port == (of or port):
                return address


@asynccontextmanager
async def serving_on(folder: Path, port: int | None) -> AsyncGenerator[None]:
    stop = asyncio.Event()
    options = Options(small_surface(folder / "dist"), HostPolicy())
    running = asyncio.create_task(serve_until(stop, options, port, opens=False))
    try:
        yield
    finally:
        stop.set()
        await running


def browser_at(port: int) -> Browser:
    return Browser(cast("Companion", SimpleNamespace(url=f"http://127.0.0.1:{port}/")))


async def admitted(browser: Browser, port: int) -> dict[str, Any]:
    return (await browser.open(await address_at(port))).json()


async def ask(token: str, at: int, method: str, *, vanishes: bool = False, **params: Any) -> dict[str, Any]:
    """Send one request as a page that is connected with a token, and return the answer, unless the page vanishes."""
    origin: Any = f"http://127.0.0.1:{at}"
    protocols: Any = [SUBPROTOCOL, f"token.{token}"]
    url = f"ws://127.0.0.1:{at}/page"
    async with connect(url, origin=origin, subprotocols=protocols, proxy=None) as page:
        for number, (name, given) in enumerate(
            [("page/hello", {"key": "k", "title": "t", "url": origin}), (method, params)]
        ):
            await page.send(
                json.dumps({"jsonrpc": "2.0", "id": f"page-{number}", "method": name, "params": given})
            )
        async for text in page:
            answer = json.loads(text)
            if answer.get("id") == "page-1":
                if vanishes:
                    page.transport.abort()
                return answer
    raise AssertionError("the companion has closed the connection")


async def follow(browser: Browser, **changed: Any) -> httpx2.Response:
    challenge = await browser.challenge()
    body = {"key": browser.key, "challenge": challenge, "signature": browser.sign(challenge), "store": STORE}
    return await browser.post("follow", body | changed)


async def test_known_browsers_follow_with_what_they_store(tmp_path: Path) -> None:
    old, new = free_port(), free_port()
    browser, stranger = browser_at(old), browser_at(old)
    async with serving_on(tmp_path, old):
        token = (await admitted(browser, old))["token"]
        moved = await ask(token, old, "settings/move_port", port=new)
        assert moved["result"] == {"url": f"http://127.0.0.1:{new}/"}
        await address_at(new)

        assert (await browser.log_in_with_key()).status_code == 410
        assert (await follow(stranger)).status_code == 403
        assert (await follow(browser, signature=browser.sign("another"))).status_code == 403
        assert (await follow(browser, challenge="forged")).status_code == 409
        assert (await follow(browser, store={"a": 1})).status_code == 400
        foreign = await browser.post("follow", {}, Origin="http://127.0.0.1:1")
        assert foreign.status_code == 403

        address = (await follow(browser)).json()["url"]
        assert address.startswith(f"http://127.0.0.1:{new}/#companion=")
        arrived = browser_at(new)
        answer = (await arrived.open(address)).json()
        assert (answer["store"], answer["attended"]) == (STORE, True)
        assert "store" not in (await arrived.log_in_with_key()).json()
        # The name of this computer stays: browsers part storage by it.
        browser.origin = browser.origin.replace("127.0.0.1", "localhost")
        assert (await follow(browser)).status_code == 403
        # The code works once.
        assert (await browser_at(new).open(address)).status_code == 403


async def test_a_page_that_vanishes_while_the_port_moves_can_follow_later(tmp_path: Path) -> None:
    old, new = free_port(), free_port()
    browser = browser_at(old)
    async with serving_on(tmp_path, old):
        token = (await admitted(browser, old))["token"]
        await ask(token, old, "settings/move_port", vanishes=True, port=new)
        await address_at(new)
        assert saved_port()[0] == new

        # One vanishes again, with an address that it never opens.
        first = (await follow(browser)).json()["url"]
        second = (await follow(browser)).json()["url"]
        assert first != second
        answer = (await browser_at(new).open(second)).json()
        assert (answer["store"], answer["attended"]) == (STORE, True)


async def test_the_old_port_says_where_it_went(tmp_path: Path) -> None:
    old, new = free_port(), free_port()
    async with serving_on(tmp_path, old), httpx2.AsyncClient(trust_env=False) as http:
        token = (await admitted(browser_at(old), old))["token"]
        await ask(token, old, "settings/move_port", port=new)
        await address_at(new)
        page = await http.get(f"http://127.0.0.1:{old}/")
        assert f"http://127.0.0.1:{new}/" in page.text
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        client = await http.post(
            f"http://127.0.0.1:{old}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}
        )
        assert client.status_code == 410
        assert f"http://127.0.0.1:{new}/mcp" in client.json()["error"]["message"]
        named = await http.get(f"http://localhost:{old}/")
        assert f"http://localhost:{new}/" in named.text
        # The extension is answer, too, and can't follow automatically: its storage doesn't belong to the port.
        extension = browser_at(old)
        extension.origin = EXTENSION
        answer = await extension.log_in_with_key()
        assert answer.status_code == 410 and f"http://127.0.0.1:{new}/" in answer.json()["message"]
        assert (await follow(extension)).status_code == 400
        # A name that resolves to this machine (DNS rebinding) gets nothing.
        assert (await http.get(f"http://127.0.0.1:{old}/", headers={"Host": "evil.test"})).status_code == 421
        await address_at(old, of=new)
        with pytest.raises(NotRunning, match=f"from port {old} to"):
            await asyncio.to_thread(control.token_of, "Cursor", old)


async def test_the_next_start_has_the_port_and_leads_there(tmp_path: Path) -> None:
    old, new = free_port(), free_port()
    async with serving_on(tmp_path, old):
        token = (await admitted(browser_at(old), old))["token"]
        kernel = old + 100
        await ask(token, old, "settings/move_port", port=new)
        arrived = browser_at(new)
        token = (await admitted(arrived, new))["token"]
        status = (await ask(token, new, "settings/status"))["result"]
        assert (status["mcp"]["port"], status["mcp"]["former"]) == (new, [old])
        assert status["mcp"]["url"] == f"http://127.0.0.1:{new}/mcp"
        assert f":{new}/" in json.dumps(status["configurations"])
    port, retained = saved_port()
    assert (port, retained.kernel, retained.former) == (new, kernel, (old,))
    async with serving_on(tmp_path, None):
        await address_at(old, of=new)
        # It moves back, and the port between them leads there.
        token = (await arrived.log_in_with_key()).json()["token"]
        await ask(token, new, "settings/move_port", port=old)
        token = (await admitted(browser_at(old), old))["token"]
        assert (await ask(token, old, "settings/status"))["result"]["mcp"]["former"] == [new]
    assert saved_port() == (old, Retained(retained.kernel, retained.sites, (new,)))


async def test_ports_that_can_not_be_used_are_refused(tmp_path: Path) -> None:
    port = free_port()
    browser = browser_at(port)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        other = taken.getsockname()[1]
        async with serving_on(tmp_path, port):
            await admitted(browser, port)
            said = {
                0: "isn't a port",
                -1: "isn't a port",
                65_536: "isn't a port",
                port: "one of this companion's own",
                port + 100: "one of this companion's own",
                other: f"Port {other} is in use",
            }
            for wanted, text in said.items():
                token = (await browser.log_in_with_key()).json()["token"]
                error = (await ask(token, port, "settings/move_port", port=wanted))["error"]
                assert text in error["message"], wanted
                if wanted == other and Path("/proc/net/tcp").exists():
                    assert f"(process {os.getpid()})" in error["message"]
            # It still is where it was.
            await address_at(port)
    assert saved_port() == (DEFAULT_PORT, Retained())


def test_the_port_of_another_companion_is_refused_by_name(tmp_path: Path) -> None:
    ours, theirs = server_to_reopen(), server_to_reopen()
    try:
        with pytest.raises(PortUnavailable, match="in use"):
            ours.moved(theirs.main.number)
    finally:
        ours.close()
        theirs.close()


def test_a_port_that_the_system_reserves_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = server_to_reopen()

    def refuse(self: socket.socket, address: Any) -> None:
        raise PermissionError(13, "Permission denied")

    try:
        monkeypatch.setattr(socket.socket, "bind", refuse, raising=False)
        with pytest.raises(PortUnavailable, match="by this user: the system reserves it") as caught:
            ours.moved(80)
        assert "above 1023" in (caught.value.hint or "")
    finally:
        ours.close()


def test_a_former_port_that_another_program_has_is_left_out() -> None:
    theirs, port = server_to_reopen(), free_port()
    try:
        server = Server(port, retained=Retained(former=(theirs.main.number,)))
        assert (server.former, server.first) == ((), theirs.main.number)
        # It is tried again at the next start.
        assert server.retained.former == (theirs.main.number,)
        server.close()
    finally:
        theirs.close()


@pytest.mark.parametrize(
    "text", ["", "[]", '{"port": 1}', '{"port": 0, "kernel": 1, "sites": 2, "former": []}']
)
def test_a_broken_choice_is_ignored(text: str) -> None:
    data_folder().mkdir(parents=True)
    (data_folder() / FILE).write_text(text)
    assert saved_port() == (DEFAULT_PORT, Retained())
