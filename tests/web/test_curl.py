"""`curl` and `wget` in the page: their requests pass the network door, which asks the user."""

from __future__ import annotations

import ipaddress
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.network import Fetcher, Reach
from gemini_companion.network.targets import Address
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.http_server import HOST, TEXT, Server, http_server
from tests.web.conftest import end_refusals
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended

# Tools' requests to loopback are refused, so the server has a name of the network.
NAME = "server.example"
ASKED = "document.querySelector('[role=alertdialog] [data-id]')?.checkVisibility()"
OVER = "'outcome' in calls[arguments[0]]"


@dataclass
class World:
    surface: Surface
    server: Server
    person: Person

    @property
    def url(self) -> str:
        return f"http://{NAME}:{self.server.server_port}"

    def start(self, command: str) -> Background:
        """Start a command, and wait until it is over or the user is asked."""
        call = Background(
            self.surface, "terminal_execute", {"command": command, "timeout_s": 60, "streams": True}
        )
        self.surface.wait_for(f"{OVER} || {ASKED}", call.id)
        return call

    def allowed(self, command: str) -> dict[str, Any]:
        """Run a command, and allow each of its requests once."""
        call = self.start(command)
        self.person.answer_questions(call, "once")
        return call.result()


@pytest.fixture(scope="module")
def world(surface_dist: Path, browsers: BrowserPool) -> Generator[World]:
    async def resolve(host: str, port: int) -> Sequence[Address]:
        return [ipaddress.ip_address(HOST)] if host == NAME else []

    with http_server() as server:
        # Port 1 refuses connections.
        fetcher = Fetcher(Reach(resolve, also={(HOST, server.server_port), (HOST, 1)}))
        with (
            companion_of(surface_dist, network=fetcher) as companion,
            opened_by(companion, browsers) as surface,
        ):
            yield World(surface, server, Person(surface))


def test_curl_sends_nothing_before_the_person_agrees(world: World) -> None:
    call = world.start(f"curl -sS {world.url}/text")
    assert f"{world.url}/text" in world.person.asked()
    assert not world.server.seen["/text"]
    world.person.click('button "Refuse"')
    refused = call.result()
    assert (refused["exit_code"], refused["stdout"]) == (7, ""), refused
    assert "curl: (7)" in refused["stderr"] and "refused" in refused["stderr"]
    assert not world.server.seen["/text"]
    end_refusals(world.surface)
    assert world.allowed(f"curl -s {world.url}/text")["stdout"] == TEXT.decode()


def test_curl_shows_headers_redirects_and_errors_of_the_server(world: World) -> None:
    head = world.allowed(f"curl -sI {world.url}/text")["stdout"]
    assert head.splitlines() == [
        "HTTP/1.1 200 OK", "Content-Type: text/plain", f"Content-Length: {len(TEXT)}", "X-Served: yes", "",
    ]  # fmt: skip
    moved = world.allowed(
        f"curl -s -o /dev/null -w '%{{http_code}} %{{redirect_url}}' {world.url}/redirect/1"
    )
    assert moved["stdout"] == f"302 {world.url}/echo/end"
    followed = world.allowed(f"curl -sL -w '%{{num_redirects}}' -u user:secret {world.url}/redirect/1")
    assert '"authorization": "Basic dXNlcjpzZWNyZXQ="' in followed["stdout"], followed
    assert '"agent": "curl"' in followed["stdout"] and followed["stdout"].endswith("}\n1")
    failed = world.allowed(f"curl -sSf {world.url}/status/404 || echo code $?")
    assert failed["stdout"] == "code 22\n" and "curl: (22)" in failed["stderr"]
    assert world.allowed(f"curl -s http://{NAME}:1/")["exit_code"] == 7


PIECES = """
from pyodide.code import run_js
from gemini.core.ffi.requests import Arriving
write = "for (const size of [0, 2, 0, 3]) to.enqueue(new Uint8Array(size)); to.close()"
got = Arriving(run_js(f"new Response(new ReadableStream({{ start(to) {{ {write} }} }}))"), lambda: None)
sizes = []
while piece := await got.piece():
    sizes.append(len(piece))
sizes
"""


def test_answers_without_a_body_and_with_empty_pieces_are_read_to_their_end(world: World) -> None:
    empty = world.allowed(f"curl -sS -w '%{{http_code}}' {world.url}/status/204")
    assert (empty["exit_code"], empty["stdout"]) == (0, "204"), empty
    assert world.surface.python(PIECES) == [2, 3]


def test_curl_posts_json_and_wget_saves_files(world: World) -> None:
    sent = world.allowed(f"""curl -s --json '{{"a":1}}' {world.url}/echo | jq -r '.method, .body'""")
    assert sent["stdout"] == 'POST\n{"a":1}\n', sent
    saved = world.allowed(
        f"mkdir -p /project/saved && cd /project/saved && wget -q {world.url}/text && cat text"
    )
    assert (saved["exit_code"], saved["stdout"]) == (0, TEXT.decode()), saved
    assert world.allowed(f"wget -q {world.url}/status/404")["exit_code"] == 8


def test_curl_reaches_no_private_address_without_the_user(world: World) -> None:
    for address in ("http://127.0.0.1/", "http://localhost/", "http://169.254.169.254/latest/"):
        done = world.start(f"curl -sS {address}").result()
        assert done["exit_code"] == 7 and done["stdout"] == "", done
    call = world.start("curl -sS http://192.168.0.1/")
    request, private = world.person.answer_questions(call, "once", "refuse")
    assert "read from http://192.168.0.1" in request
    assert "leads into your private network" in private
    done = call.result()
    assert done["exit_code"] == 7 and "the user refused" in done["stderr"], done
