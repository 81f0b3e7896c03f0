"""The addresses that the door reaches: none of this machine or the networks around it, in any spelling."""

from __future__ import annotations

import ipaddress
import socket

import pytest

from gemini_companion.network import Reach
from gemini_companion.network.addresses import is_of_this_machine, is_public
from gemini_companion.network.errors import AddressRefused
from gemini_companion.network.targets import parse, redirected
from tests.tiers import in_turn
from tests.unit.companion.network.conftest import World

PRIVATE = [
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1",
    "169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "168.63.129.16", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::ffff:7f00:1", "::ffff:808:808", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1",
    "ff02::1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2001:db8::1", "2001:0:4136:e378::1",
    "2002:7f00:1::1", "2002:a00:1::", "3fff::1", "5f00::1", "100::1", "4000::1",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "1.1.1.1", "151.101.0.223", "2606:4700::1111", "2a04:4e42::223", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_recognized(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_recognized(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def test_this_machines_own_addresses_are_recognized() -> None:
    assert is_of_this_machine(ipaddress.ip_address("127.0.0.1"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # No packet is sent.
        probe.connect(("192.0.2.1", 9))
        own = probe.getsockname()[0]
    assert is_of_this_machine(ipaddress.ip_address(own))
    assert not is_of_this_machine(ipaddress.ip_address("8.8.8.8"))


@pytest.mark.parametrize(
    "url",
    [
        "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://017700000001/", "http://127.1/",
        "http://0177.0.0.1/", "http://127.0.0.01/", "http://127.0.0.1./", "http://1/", "http://a.0x7f/", "http://a.1/",
        "http://[::ffff:127.0.0.1]:80/", "http://[::1%25lo]/", "http://[fe80::1%eth0]/", "http://[::1/", "http://::1/",
        "http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://a.localhost/", "http://printer/",
        "http://printer.local/", "http://router.lan/", "http://metadata.google.internal/", "http://x.home.arpa/",
        "http://user@a.example/", "http://a.example:b@127.0.0.1/", "http://a.example\\@127.0.0.1/",
        "http://a.example#@127.0.0.1/", "http://a.example/#x", "http:/a.example/", "http:a.example/", "//a.example/",
        "http://a.example", "http://a.example:80/", "https://a.example:443/", "http://a.example:0/",
        "http://a.example:99999/", "http://a.example:22/", "http://a.example:6667/", "http://a.example:+80/",
        "http://a..example/", "http://-a.example/", "http://a.example-/", "http://a%2eexample/", "http://A.example/",
        "http://ａ.example/", "http://127。0。0。1/", "http://①.example/", "ftp://a.example/", "file:///etc/passwd",
        "data:,x", "blob:http://a.example/x", "javascript:1", "ws://a.example/", "http://a.example/ x",
        "http://a.example/\r\nHost:b", "http://a.example/\u00e9", "http://a.example/" + "a" * 9000,
        "http://" + "a" * 64 + ".example/", "http://" + "a." * 130 + "example/", "",
    ],
)  # fmt: skip
def test_unusual_spellings_are_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        parse(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://pypi.org/simple/a/", "http://a.example:8080/x?y=1&z=%20", "https://a_b.example/~x/(1);v=2",
        "http://8.8.8.8/", "http://[2606:4700::1111]:81/", "https://xn--bcher-kva.example/",
        "https://a.example/@x?q=[1]|{2}^`'",
    ],
)  # fmt: skip
def test_usual_urls_are_accepted_unchanged(url: str) -> None:
    target = parse(url)
    assert target.origin + target.target == url


@in_turn("address", [each for each in PRIVATE if "." in each])
def test_a_private_ipv4_address_is_refused_without_a_question(world: World, address: str) -> None:
    assert world.ask(f"http://{address}/").problem == "AddressRefused"
    assert world.person.asked == []


@in_turn("address", [each for each in PRIVATE if ":" in each])
def test_a_private_ipv6_address_is_refused_without_a_question(world: World, address: str) -> None:
    assert world.ask(f"http://[{address}]/").problem == "AddressRefused"
    assert world.person.asked == []


@in_turn("address", PRIVATE)
def test_a_name_that_leads_to_a_private_address_is_refused(world: World, address: str) -> None:
    world.names.known["evil.test"] = [[address]]
    outcome = world.ask("http://evil.test:8000/")
    assert outcome.problem == "AddressRefused"
    assert "evil.test" in outcome.message


def test_a_private_address_among_public_ones_is_refused(world: World) -> None:
    world.names.known["evil.test"] = [["8.8.8.8", "10.0.0.1"]]
    assert world.ask("http://evil.test/").problem == "AddressRefused"


def test_another_port_of_this_machine_is_refused_by_name_and_by_address(world: World) -> None:
    port = world.door.main.number
    assert world.ask(f"http://127.0.0.1:{port}/").problem == "AddressRefused"
    assert world.ask(f"http://outside.test:{port}/").problem == "AddressRefused"


def test_a_redirect_to_a_private_address_is_refused(world: World) -> None:
    for place in (
        "http://127.0.0.1:1/",
        "http://[::1]/",
        "http://localhost/",
        "http://2130706433/",
        "file:///etc/passwd",
    ):
        assert world.ask(f"{world.url}/redirect?to={place}").problem == "AddressRefused", place
    assert len(world.person.asked) == 5


def test_a_redirect_to_a_name_of_a_private_address_is_refused(world: World) -> None:
    world.names.known["evil.test"] = [["10.0.0.1"]]
    assert world.ask(f"{world.url}/redirect?to=http://evil.test/").problem == "AddressRefused"


def test_a_rebound_name_is_looked_up_once_for_each_connection(world: World) -> None:
    # The first answer passes, and the connection must not ask for a second one.
    world.names.known["rebinding.test"] = [["127.0.0.1"], ["10.0.0.1"]]
    port = world.outside.main.number
    assert world.ask(f"http://rebinding.test:{port}/").body == b"here"
    assert world.names.asked.count("rebinding.test") == 1


def test_a_name_is_looked_up_only_after_the_persons_answer(world: World) -> None:
    world.person.refuses = True
    world.ask("http://stolen-data.evil.test/")
    assert world.names.asked == []


async def test_an_address_needs_no_resolver() -> None:
    assert [str(each) for each in await Reach().addresses("8.8.8.8", 80)] == ["8.8.8.8"]


def test_redirects_may_have_unusual_spellings() -> None:
    assert redirected("https://a.example/x/y", "../z?q=é#f").url == "https://a.example/z?q=%C3%A9"
    assert redirected("https://a.example/", "//B.Example:443").url == "https://b.example/"
    with pytest.raises(AddressRefused):
        redirected("https://a.example/", "javascript:alert(1)")
