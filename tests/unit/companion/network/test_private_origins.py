"""Origins at private addresses: the user allows each, for the addresses that the question showed."""

from __future__ import annotations

import ipaddress
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gemini_companion.admission import control
from gemini_companion.network import Fetcher, PrivateOrigins, Reach
from gemini_companion.network.addresses import is_of_this_machine
from gemini_companion.network.errors import AddressRefused
from gemini_companion.network.private_origins import FILE, is_private
from gemini_companion.network.targets import parse
from gemini_companion.serving.server import Server, running
from tests.unit.companion.network.conftest import Outcome, Seen, World, outside_of


@pytest.fixture
def private_origins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PrivateOrigins:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    return PrivateOrigins(tmp_path / FILE)


@pytest.fixture
def server(world: World) -> Iterator[tuple[Server, Seen]]:
    """A server of a private network, here on loopback."""
    server, seen = Server(0), Seen()
    with running(server, outside_of(seen)):
        yield server, seen


def at(server: tuple[Server, Seen], host: str = "127.0.0.1", path: str = "/x") -> str:
    return f"http://{host}:{server[0].main.number}{path}"


def fetched(server: tuple[Server, Seen]) -> int:
    """Return how many requests arrived, besides the one that looks for a companion."""
    return sum("/.well-known/" not in line for line in server[1].lines)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "git.company.example", "gitlab", "git.lan"])
def test_the_person_allows_one_origin_until_they_revoke_it(
    world: World, private_origins: PrivateOrigins, server: tuple[Server, Seen], host: str
) -> None:
    world.names.known[host] = [["127.0.0.1"]]
    url = at(server, host)
    assert world.ask(url).body == b"here"
    assert world.person.kinds == ["network", "private-origin"]
    facts = world.person.asked[1]
    origin = url.removesuffix("/x")
    assert facts["origin"] == origin and facts["addresses"] == ["127.0.0.1"] and facts["here"] is True
    assert facts["url"] == url and facts["method"] == "GET"
    # Only the usual question is asked from now on.
    assert world.ask(url).status == 200 and world.person.kinds == ["network", "private-origin", "network"]
    [row] = private_origins.rows()
    assert row["origin"] == origin and row["addresses"] == ["127.0.0.1"]
    assert private_origins.revoke(origin) and not private_origins.revoke(origin)
    world.person.refused = {"private-origin"}
    assert world.ask(url).problem == "ConsentRefused"
    assert fetched(server) == 2


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "app.localhost"])
def test_a_tool_reaches_this_computer_only_where_the_person_has_allowed_it(
    world: World, private_origins: PrivateOrigins, server: tuple[Server, Seen], host: str
) -> None:
    world.names.known[host] = [["127.0.0.1"]]
    url, words = at(server, host), {"tool": "terminal_execute", "caller": "webmcp"}
    assert world.ask(url, words=words).problem == "AddressRefused"
    assert world.person.kinds == [] and server[1].lines == []
    # Without a tool it is the user's own command, as far as the page knows.
    assert world.ask(url).status == 200
    assert world.ask(url, words=words).status == 200
    assert world.person.kinds == ["network", "private-origin", "network"]


def test_a_refusal_sends_nothing(
    world: World, private_origins: PrivateOrigins, server: tuple[Server, Seen]
) -> None:
    world.person.refused = {"private-origin"}
    answer = world.ask(at(server))
    assert answer.problem == "ConsentRefused" and "you refused" in answer.message
    assert server[1].lines == [] and private_origins.rows() == []


def test_no_name_is_looked_up_before_the_person_agrees_to_the_request(
    world: World, server: tuple[Server, Seen]
) -> None:
    world.person.refused = {"network"}
    assert world.ask(at(server, "git.lan")).problem == "ConsentRefused"
    assert world.names.asked == [] and world.person.kinds == ["network"]


def test_another_scheme_port_or_address_needs_another_answer(
    world: World, private_origins: PrivateOrigins, server: tuple[Server, Seen]
) -> None:
    world.names.known["git.lan"] = [["127.0.0.1"]]
    assert world.ask(at(server, "git.lan")).status == 200
    world.person.refused = {"private-origin"}
    assert world.ask(at(server, "git.lan").replace("http:", "https:")).problem == "ConsentRefused"
    assert world.ask(f"http://git.lan:{world.outside.main.number + 1}/").problem == "ConsentRefused"
    assert world.ask(at(server)).problem == "ConsentRefused"
    world.names.known["git.lan"] = [["127.0.0.2"]]
    assert world.ask(at(server, "git.lan")).problem == "ConsentRefused"
    assert fetched(server) == 1


def test_the_address_that_was_allowed_is_the_one_connected_to(
    world: World, server: tuple[Server, Seen]
) -> None:
    # The name leads elsewhere between the question and the connection.
    world.names.known["rebind.example"] = [["10.1.2.3"], ["127.0.0.1"]]
    answer = world.ask(at(server, "rebind.example"))
    assert world.person.asked[1]["addresses"] == ["10.1.2.3"]
    assert answer.problem == "AddressRefused" and server[1].lines == []


@pytest.mark.parametrize(
    "addresses",
    [
        ["169.254.169.254"],
        ["fd00:ec2::254"],
        ["fd20:ce::254"],
        ["100.100.100.200"],
        ["168.63.129.16"],
        ["192.0.0.192"],
        ["fe80::1"],
        ["0.0.0.0"],
        ["::"],
        ["224.0.0.1"],
        ["255.255.255.255"],
        ["::ffff:10.0.0.1"],
        ["64:ff9b::a00:1"],
        ["2002:a00:1::"],
        ["10.0.0.1", "169.254.169.254"],
        ["10.0.0.1", "93.184.216.34"],
    ],
)
def test_some_addresses_are_never_reached(
    world: World, private_origins: PrivateOrigins, addresses: list[str]
) -> None:
    world.names.known["inside.example"] = [addresses]
    assert world.ask("http://inside.example/").problem == "AddressRefused"
    assert world.person.kinds == ["network"] and private_origins.rows() == []
    if len(addresses) == 1:
        literal = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
        assert world.ask(f"http://{literal}/").problem == "AddressRefused"
        assert world.person.kinds == ["network"]


@pytest.mark.parametrize(
    "address", ["10.0.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "127.0.0.1", "::1", "fd12:3456::1"]
)
def test_private_addresses_may_be_allowed(address: str) -> None:
    assert is_private(ipaddress.ip_address(address))


def test_no_companion_is_reached(world: World, private_origins: PrivateOrigins, tmp_path: Path) -> None:
    own = PrivateOrigins(own=[world.door.main.number])
    reach = Reach(world.names, private=own)
    loopback = ipaddress.ip_address("127.0.0.1")
    assert is_of_this_machine(loopback) and own.is_companion(world.door.main.number)
    target = parse(f"http://127.0.0.1:{world.door.main.number}/")
    with pytest.raises(AddressRefused):
        reach.require_possible(target)
    reach.require_possible(replace(target, port=1234))
    # Another companion of this user, which its file names.
    with control.reachable(4321, "key"):
        assert world.ask("http://127.0.0.1:4321/").problem == "AddressRefused"
    assert world.person.kinds == []


def test_a_companion_of_another_user_is_recognized_by_its_report(
    world: World,
    private_origins: PrivateOrigins,
    server: tuple[Server, Seen],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "gemini_companion.network.journey.companion_at", lambda port: {"pid": 1, "started": 0}
    )
    answer = world.ask(at(server))
    assert answer.problem == "AddressRefused" and "is a companion" in answer.message
    assert world.person.kinds == ["network", "private-origin"] and private_origins.rows() == []
    assert fetched(server) == 0


def test_a_redirect_to_a_private_address_asks(world: World, server: tuple[Server, Seen]) -> None:
    world.person.refused = {"private-origin"}
    assert world.ask(f"{world.url}/redirect?to={at(server)}").problem == "ConsentRefused"
    assert world.person.kinds == ["network", "network", "private-origin"] and server[1].lines == []


def test_requests_that_come_together_cause_one_question(
    world: World, private_origins: PrivateOrigins, server: tuple[Server, Seen]
) -> None:
    answers: list[Outcome] = []
    threads = [threading.Thread(target=lambda: answers.append(world.ask(at(server)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status for answer in answers] == [200] * 4
    assert world.person.kinds.count("private-origin") == 1


def test_a_file_that_others_can_read_allows_nothing(private_origins: PrivateOrigins, tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text(
        json.dumps({"http://10.0.0.1": {"addresses": ["10.0.0.1"], "since": 1.0}}), encoding="utf-8"
    )
    file.chmod(0o666)
    assert private_origins.rows() == []


def test_a_proxy_resolves_names_so_nothing_private_is_allowed(private_origins: PrivateOrigins) -> None:
    assert Fetcher(proxy="http://proxy.example:3128").has_proxy
