"""Root of a booted Linux tries to reach hosts without permission: by names and addresses, and around the proxy."""

from __future__ import annotations

import itertools
import re

import pytest

from tests.attacks.linux_booted import Booted
from tests.attacks.linux_guest import (
    ALLOWED,
    BUSYBOX,
    RESOLVED,
    Guest,
    arrived,
    asking,
    check_control,
    check_none_answered,
    requested,
)
from tests.attacks.listener import Listener
from tests.attacks.outside import NAMES, Outside
from tests.web.conftest import end_refusals

pytestmark = pytest.mark.extended(together="linux")

# Targets of requests; a host alone gets the private server's port.
PRIVATE = {
    "numbers": (
        *("127.0.0.1", "127.1", "127.0.1", "0", "0.0.0.0", "0x7f000001", "0x7f.1", "2130706433"),
        *("0177.0.0.1", "017700000001", "127.0.0.1.", "127.000.000.001", "127.255.255.254"),
    ),
    "IPv6": (
        *("[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"),
        *("[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fe80::1]", "[fe80::1%25lo]", "[fd00::1]", "[ff02::1]"),
    ),
    "networks": (
        *("10.0.0.1", "172.16.0.1", "172.31.255.1", "192.168.0.1", "100.64.0.1", "169.254.169.254"),
        *("168.63.129.16", "192.0.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    ),
    "names": (
        *("localhost", "LOCALHOST", "localhost.", "x.localhost", "localhost.localdomain", "printer.local"),
        *("router", "router.lan", "nas.home.arpa", "metadata.google.internal", "intranet.corp", "x.internal"),
    ),
    "escapes": ("127%2e0%2e0%2e1", "%31%32%37.0.0.1", "loc%61lhost", "127.0.0.1%00", "127.0.0.1%09", "127.0.0.1%2f"),
    "URLs": (
        *("http://outside.test@127.0.0.1:{port}/", "http://127.0.0.1:{port}#@outside.test/"),
        *("http://127.0.0.1:{port}\\@outside.test/", "http:127.0.0.1:{port}/", "http:///127.0.0.1:{port}/"),
        *("http:\\\\127.0.0.1:{port}/", "HTTP://127.0.0.1:{port}/", "ftp://127.0.0.1:{port}/", "http://[::1/"),
        *("ws://127.0.0.1:{port}/", "file:///etc/passwd", "//127.0.0.1:{port}/", "/", "127.0.0.1:{port}", "*"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", PRIVATE)
def test_no_spelling_of_a_private_address_is_reached(
    booted: Booted, reachable: Outside, private: Listener, kind: str
) -> None:
    whole = "{}" if kind == "URLs" else "http://{}:{{port}}/x"
    targets = [whole.format(each).format(port=private.server_port) for each in PRIVATE[kind]]
    printed, questions = booted.run(asking(targets), ALLOWED)
    check_none_answered(printed, targets)
    assert arrived(private) == [] and requested(reachable) == [] and questions == []
    check_control(booted, reachable)


def test_no_name_of_a_private_address_is_reached(
    booted: Booted, reachable: Outside, private: Listener
) -> None:
    """Also the name of the allowed server for another port. Who looks a name up sends it, so that is asked first."""
    urls = [f"http://{name}:{private.server_port}/x" for name in RESOLVED]
    printed, questions = booted.run(asking(urls), ALLOWED)
    check_none_answered(printed, urls)
    assert arrived(private) == [] and requested(reachable) == []
    assert len(questions) == len(urls)
    check_control(booted, reachable)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_a_private_address_is_not_followed(
    booted: Booted, reachable: Outside, private: Listener, status: int
) -> None:
    """It is an answer: the program asks for its target, by its own request."""
    reachable.statuses["/away"] = status
    reachable.page_headers["/away"] = {"Location": f"{private.url}/x"}
    printed, questions = booted.run(asking([f"{reachable.named}/away"]), ALLOWED)
    assert f" {status} " in printed and len(questions) == 1, (printed, questions)
    assert requested(reachable) == ["GET /away"] and arrived(private) == []
    target = [f"{private.url}/x"]
    check_none_answered(booted.run(asking(target), ALLOWED)[0], target)
    check_control(booted, reachable)


# Paths that serve the companion, the kernel's origin and pages of sites.
PATHS = ("/", "/page", "/entrance/challenge", "/network", "/models/", "/mcp", "/tools.json", "/%2e%2e/page")


def test_the_companion_is_not_reached(guest: Guest, reachable: Outside) -> None:
    ports = re.findall(r":(\d+)", " ".join(guest.surface.javascript(ORIGINS)))
    assert len(ports) >= 2
    hosts = ("127.0.0.1", "localhost", "site.localhost", "[::1]", NAMES[0])
    # All at once would be cut.
    for port, host in itertools.product(ports, hosts):
        urls = [f"http://{host}:{port}{path}" for path in PATHS]
        printed, questions = guest.run(asking(urls), ALLOWED)
        check_none_answered(printed, urls)
        assert bool(questions) == (host == NAMES[0]) and all(host in each for each in questions)
    urls = [f"http://127.0.0.1:{port}/page" for port in ports]
    printed, _ = guest.run(asking(urls, "Upgrade: websocket", "Connection: Upgrade"), ALLOWED)
    assert not re.search(r" (101|200) ", printed) and printed.count("HTTP/1.1") == len(urls), printed
    check_control(guest, reachable)


ORIGINS = """
const frames = [...document.querySelectorAll("iframe")].map(({ src }) => src);
const addresses = [location.origin, ...frames].filter((each) => each.startsWith("http"));
return [...new Set(addresses.map((each) => new URL(each).origin))];
"""
AROUND = {
    "TCP": "for h in 127.0.0.1 10.0.2.2 192.168.86.1; do timeout 3 bash -c \"echo x >/dev/tcp/$h/{port}\"; done",
    "UDP": "for h in 127.0.0.1 10.0.2.2 192.0.2.1; do bash -c \"echo x >/dev/udp/$h/{udp}\"; done",
    "names": "for h in 127.0.0.1 10.0.2.3; do timeout 5 $busybox nslookup attacked.test $h; done",
    "ICMP": "$busybox ping -c 1 -W 1 192.0.2.1; $busybox ping -c 1 -W 1 10.0.2.2",
    "a forged source": (
        "ip() {{ $busybox ip \"$@\"; }}; ip addr add 10.0.2.15/24 dev lo; ip route add default via 10.0.2.2 dev lo;"
        " for h in 10.0.2.2 192.0.2.1; do timeout 3 bash -c \"echo x >/dev/tcp/$h/{port}; "
        "echo x >/dev/udp/$h/{udp}\"; done;"
        " ip route del default; ip addr del 10.0.2.15/24 dev lo"
    ),
    "a forged address of a card": (
        "$busybox ip link set lo address 52:54:00:12:34:56; $busybox arping -c 1 -w 1 -I lo -s 10.0.2.15 10.0.2.2"
    ),
    "a device of its own": (
        "for kind in dummy veth tun bridge macvlan; do $busybox ip link add x0 type $kind; done;"
        " $busybox udhcpc -n -q -t 1"
    ),
}  # fmt: skip
DEVICES = "ls /sys/class/net; cat /sys/bus/pci/devices/*/class; cat /proc/net/route | wc -l"


@pytest.mark.parametrize("way", AROUND)
def test_no_packet_leaves_beside_the_proxy(
    booted: Booted, reachable: Outside, private: Listener, way: str
) -> None:
    attack = AROUND[way].format(port=private.server_port, udp=private.udp)
    printed, questions = booted.run(f"{BUSYBOX}; {attack}", ALLOWED)
    assert "not found" not in printed and "No such file" not in printed, printed
    assert arrived(private) == [] and requested(reachable) == [] and questions == []
    device, *classes, routes = booted.run(DEVICES)[0].split()
    # A network card's class begins with 02.
    assert device == "lo" and classes and not any(each.startswith("0x02") for each in classes)
    assert routes == "1"
    check_control(booted, reachable)


def test_a_scan_of_the_machine_finds_the_proxy_alone(booted: Booted, reachable: Outside) -> None:
    ports = (
        "1 21 22 23 25 53 80 111 139 443 445 631 2049 3000 3127 3128 3129 5432 6379 8000 8080 8765 8766 9222"
    )
    scan = f"for p in {ports}; do (exec 3<>/dev/tcp/127.0.0.1/$p) 2>/dev/null && echo $p; done"
    assert booted.run(scan)[0].split() == ["3128"]
    check_control(booted, reachable)


def test_a_scan_by_the_proxy_tells_open_ports_from_closed_ones_by_nothing(
    booted: Booted, reachable: Outside, private: Listener
) -> None:
    urls = [f"http://127.0.0.1:{each}/" for each in (private.server_port, 1025, 1026, 8765, 9222)]
    urls += [f"http://{NAMES[0]}:{each}/" for each in (private.server_port, 1025)]
    printed, questions = booted.run(asking(urls), ALLOWED)
    lines = [re.sub(r":\d+", "", line) for line in printed.splitlines()]
    assert len(lines) == len(urls) and set(lines[:5]) == {lines[0]} and lines[5] == lines[6], printed
    assert len(questions) == 2 and arrived(private) == []
    check_control(booted, reachable)


def test_a_flood_of_connections_leaves_page_and_proxy_in_use(guest: Guest, reachable: Outside) -> None:
    hold = "for n in {1..200}; do exec {fd}<>/dev/tcp/127.0.0.1/3128; printf 'GET http://outside.test/ ' >&$fd; done"
    flood = Guest(guest.surface, guest.surface.call("terminal_create", backend="linux")["terminal_id"])
    flood.run(f"({hold}; sleep 60) >/dev/null 2>&1 & sleep 5")
    assert guest.surface.python("1 + 1") == 2
    assert guest.run("echo own")[0] == "own\n"
    guest.surface.call("terminal_close", terminal_id=flood.terminal)
    guest.run(f"{BUSYBOX}; kill $($busybox pgrep -f 'sleep 60'); kill $($busybox pgrep -f fd)")
    check_control(guest, reachable)


def test_a_flood_of_requests_is_asked_about_three_times(guest: Guest, reachable: Outside) -> None:
    """Then the caller is refused for a minute, even for earlier requests."""
    urls = [f"{reachable.named}/flood/{number}" for number in range(20)]
    flood = " & ".join(f"( {asking([url])} )" for url in urls)
    printed, questions = guest.run(f"{{ {flood} & }} 2>/dev/null; wait", "refuse")
    assert 0 < len(questions) <= 3 and requested(reachable) == [], questions
    assert printed.count("HTTP/1.1 403 ") == len(urls), printed
    end_refusals(guest.surface)
    check_control(guest, reachable)
