"""The network of Linux in the page: its programs reach servers by the network door, and in no other way."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.http_server import HOST, TEXT, Server, http_server
from tests.web.linux_page import NAME, page_reaching, require_machine
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended(together="linux")


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    with http_server() as server:
        yield server


@pytest.fixture(scope="module")
def surface(surface_dist: Path, browsers: BrowserPool, server: Server) -> Generator[Surface]:
    require_machine(surface_dist)
    with page_reaching(server.server_port, surface_dist, browsers) as surface:
        yield surface


def test_programs_reach_what_the_person_allows(surface: Surface, server: Server) -> None:
    person, url = Person(surface), f"http://{NAME}:{server.server_port}"
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]

    def ran(command: str, *answers: str) -> tuple[dict[str, Any], str]:
        """Run a command and answer its questions; return its result and the questions."""
        call = Background(
            surface, "terminal_execute", {"command": command, "terminal_id": terminal, "streams": True}
        )
        questions = person.answer_questions(call, *answers)
        done = call.result()
        assert len(questions) == len(answers), done
        return done, "".join(questions)

    refused, question = ran(f"wget -O - {url}/text", "refuse")
    assert f"{url}/text" in question and "Python wants to read from" in question
    assert refused["stdout"] == "" and "the user refused" in refused["stderr"], refused
    assert not server.seen["/text"]

    assert ran(f"wget -O - {url}/text", "once")[0]["stdout"] == TEXT.decode()
    # Busybox sends GET to a proxy, whatever it should send.
    post = rf"POST {url}/echo/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\na=b"
    sent, question = ran(f"exec 3<>/dev/tcp/127.0.0.1/3128; printf '{post}' >&3; cat <&3; exec 3>&-", "once")
    assert "Python wants to send data to" in question and "a=b" in sent["stdout"], sent

    secure, question = ran(f"wget -O - https://{NAME}/text", "refuse")
    assert f"https://{NAME}/text" in question and "the user refused" in secure["stderr"], secure
    origin = surface.python("import js\njs.location.origin")
    own, _ = ran(f"env -u no_proxy wget -O - {origin}/x")
    assert "403" in own["stderr"], own
    around, _ = ran("env -u http_proxy wget -O - http://192.0.2.1/")
    assert "unreachable" in around["stderr"], around
    surface.call("terminal_close", terminal_id=terminal)


def test_each_command_names_itself_to_the_proxy(surface: Surface) -> None:
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]

    def lines(command: str) -> list[str]:
        return surface.call("terminal_execute", command=command, terminal_id=terminal)["output"].split()

    [first] = lines("printenv http_proxy; export HTTP_PROXY=http://own:1")
    second = lines("set -eu; printenv http_proxy https_proxy HTTP_PROXY")
    assert second[0] == second[1] and second[2] == "http://own:1", second
    # The shell ends, and another starts.
    assert lines("echo ended; kill -9 $$") == ["ended"]
    third = lines("printenv http_proxy https_proxy HTTP_PROXY")
    assert third[0] == third[1], third
    users = {first, second[0], third[0]}
    assert len(users) == 3 and all("//command-" in user for user in users), users


def test_private_addresses_and_other_names_are_refused(surface: Surface, server: Server) -> None:
    person = Person(surface)
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]

    def failed(command: str) -> str:
        arguments = {"command": command, "terminal_id": terminal, "streams": True}
        call = Background(surface, "terminal_execute", arguments)
        person.answer_questions(call, "once")
        done = call.result()
        assert done["exit_code"] != 0 and done["stdout"] == "", done
        return str(done["stderr"])

    before = server.seen["/text"]
    with http_server() as private:
        port = private.server_port
        for host in (HOST, "2130706433", "localhost", "[::1]", "[::ffff:7f00:1]"):
            assert "403" in failed(f"env -u no_proxy wget -O - http://{host}:{port}/text"), host
        assert "403" in failed(f"env -u no_proxy wget -O - https://{HOST}:{port}/text")
        assert not private.seen
    if surface.call("terminal_execute", command="type curl", terminal_id=terminal)["exit_code"] == 0:
        # The proxy's certificate is for the host of CONNECT.
        elsewhere = f"curl -sS --connect-to other.example:443:{NAME}:443 https://other.example/text"
        assert "no alternative certificate subject name matches" in failed(elsewhere)
    assert server.seen["/text"] == before
    surface.call("terminal_close", terminal_id=terminal)
