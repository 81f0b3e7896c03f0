"""Root of a booted Linux sends requests that say two things: which of them is asked about and sent."""

from __future__ import annotations

import re

import pytest

from tests.attacks.linux_booted import Booted
from tests.attacks.linux_guest import (
    ALLOWED,
    ANSWERED,
    arrived,
    check_control,
    request,
    requested,
)
from tests.attacks.listener import Listener
from tests.attacks.outside import NAMES, Outside

pytestmark = pytest.mark.extended(together="linux")

FORGED = {
    "a grant": ("X-Gemini-Consent: always", "X-Gemini-Grant: network", "Consented: true"),
    "an origin": ("Origin: {own}", "Referer: {own}/", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: navigate"),
    "a call": ("Proxy-Authorization: Basic Y29tbWFuZC0xOmxpbnV4", "X-Gemini-Run: run-1", "X-Gemini-Caller: you"),
    "a token": ("Authorization: Bearer x", "Cookie: gemini=1", "X-Gemini-Token: x"),
    "a method": ("X-HTTP-Method-Override: GET", "X-HTTP-Method: GET", "X-Method-Override: GET"),
    "a host": ("X-Forwarded-Host: 127.0.0.1", "Forwarded: host=127.0.0.1", "X-Original-URL: /secret"),
}  # fmt: skip


@pytest.mark.parametrize("forged", FORGED)
def test_no_header_allows_a_request(booted: Booted, reachable: Outside, forged: str) -> None:
    headers = [each.format(own="http://127.0.0.1:8765") for each in FORGED[forged]]
    asked = request(f"GET {reachable.named}/own HTTP/1.1", *headers, host="evil.test")
    printed, questions = booted.speak(asked, decisions=["refuse"])
    assert "403" in printed and requested(reachable) == [], printed
    assert len(questions) == 1 and f"{reachable.named}/own" in questions[0], questions
    # The control; the server sees the host that was asked about, and nothing that is the proxy's.
    elsewhere = asked.replace("/own", "/allowed")
    assert ANSWERED in booted.speak(elsewhere, decisions=[ALLOWED])[0]
    assert requested(reachable) == ["GET /allowed"]
    [sent] = reachable.headers
    assert sent["host"] == reachable.named.removeprefix("http://") and "proxy-authorization" not in sent


def test_connect_is_no_tunnel(booted: Booted, reachable: Outside, private: Listener) -> None:
    """Whatever its target is: what follows is TLS with the machine's own program, or nothing."""
    port, named = private.server_port, reachable.named.removeprefix("http://")
    hosts = (f"127.0.0.1:{port}", f"[::1]:{port}", f"{NAMES[0]}:{port}", named)
    others = (f"{NAMES[0]}:25", "127.0.0.1:0", f"127.0.0.1:{port}/x", "x")
    inside = r"GET /x HTTP/1.1\r\nHost: x\r\n\r\n"
    each = (
        "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT %s HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' $target >&3;"
        f" read -r -t 20 line <&3; read -r -t 1 line <&3; printf '{inside}' >&3; timeout 2 cat <&3; exec 3>&-"
    )
    printed, questions = booted.run(f"for target in {' '.join((*hosts, *others))}; do {each}; done", ALLOWED)
    assert "hällo" not in printed and questions == [], printed
    assert arrived(private) == [] and requested(reachable) == []
    check_control(booted, reachable)


HIDDEN = "GET http://second.test:{port}/hidden HTTP/1.1\r\nHost: x\r\n\r\n"
SMUGGLED = {
    "a length": ("Content-Length: {length}", "{hidden}"),
    "chunks": ("Transfer-Encoding: chunked", "{chunked}"),
    "a length and chunks": ("Content-Length: 4\r\nTransfer-Encoding: chunked", "{chunked}"),
    "chunks and a length": ("Transfer-Encoding: chunked\r\nContent-Length: 4", "{chunked}"),
    "an extension": ("Transfer-Encoding: chunked", "{extended}"),
}
REJECTED = {
    "two lengths": ("Content-Length: 0\r\nContent-Length: {length}", "{hidden}"),
    "lengths in one": ("Content-Length: 0, {length}", "{hidden}"),
    "a sign": ("Content-Length: +{length}", "{hidden}"),
    "a blank before the colon": ("Content-Length : {length}", "{hidden}"),
    "an unknown coding": ("Transfer-Encoding: xchunked", "{chunked}"),
    "a coding twice": ("Transfer-Encoding: chunked, chunked", "{chunked}"),
    "a tab": ("Transfer-Encoding:\x0bchunked", "{chunked}"),
    "a bare CR": ("X: a\rTransfer-Encoding: chunked", "{chunked}"),
    "a NUL": ("X: a\0b", ""),
    "a wrong size": ("Transfer-Encoding: chunked", "-1\r\n{hidden}0\r\n\r\n"),
}


def smuggling(reachable: Outside, header: str, body: str) -> str:
    hidden = HIDDEN.format(port=reachable.port)
    size = f"{len(hidden):x}"
    given = {
        "length": len(hidden),
        "hidden": hidden,
        "chunked": f"{size}\r\n{hidden}\r\n0\r\n\r\n",
        "extended": f"{size};x=y\r\n{hidden}\r\n0\r\n\r\n",
    }
    return request(f"POST {reachable.named}/post HTTP/1.1", header.format(**given), body=body.format(**given))


@pytest.mark.parametrize("way", SMUGGLED)
def test_a_request_in_a_body_stays_a_body(booted: Booted, reachable: Outside, way: str) -> None:
    """The one that is asked about is sent, with one length."""
    printed, questions = booted.speak(smuggling(reachable, *SMUGGLED[way]), decisions=[ALLOWED])
    assert ANSWERED in printed and len(questions) == 1, (printed, questions)
    assert requested(reachable) == ["POST /post"]
    assert reachable.bodies == [HIDDEN.format(port=reachable.port).encode()]
    assert "transfer-encoding" not in reachable.headers[0]


@pytest.mark.parametrize("way", REJECTED)
def test_a_request_that_could_be_read_in_two_ways_is_not_sent(
    booted: Booted, reachable: Outside, way: str
) -> None:
    printed, questions = booted.speak(smuggling(reachable, *REJECTED[way]), decisions=[ALLOWED])
    assert re.match(r"HTTP/1\.1 (400|501) ", printed) and questions == [], (printed, questions)
    assert requested(reachable) == []
    check_control(booted, reachable)


def test_a_request_behind_an_allowed_one_is_asked_about(booted: Booted, reachable: Outside) -> None:
    """The host of the second, in the same piece, is its own."""
    first = f"GET {reachable.named}/own HTTP/1.1\r\nHost: x\r\n\r\n"
    pair = (first, request(f"GET {reachable.second}/own HTTP/1.1"))
    printed, questions = booted.speak(*pair, decisions=[ALLOWED, "refuse"])
    assert requested(reachable) == ["GET /own"] and len(questions) == 2, (printed, questions)
    assert printed.count(ANSWERED) == 1 and " 403 " in printed
    assert booted.speak(*pair, decisions=[ALLOWED])[0].count(ANSWERED) == 2


HEADS = {
    "a long header": r"printf 'X: '; head -c 300000 /dev/zero | tr '\0' x",
    "many headers": r"yes $'X: yyyyyyyyyyyyyyyy\r' | head -n 9999",
    "a long target": r"printf 'X: y'",
}


@pytest.mark.parametrize("way", HEADS)
def test_a_huge_head_is_refused(booted: Booted, reachable: Outside, way: str) -> None:
    path = "$(head -c 200000 /dev/zero | tr '\\0' p)" if way == "a long target" else "own"
    start = f"printf 'GET {reachable.named}/%s HTTP/1.1\\r\\nHost: x\\r\\n' \"{path}\""
    command = f"exec 3<>/dev/tcp/127.0.0.1/3128; {{ {start}; {HEADS[way]}; printf '\\r\\n\\r\\n'; }} >&3"
    printed, questions = booted.run(
        f"trap '' PIPE; ({command}; timeout {60} head -n 1 <&3) 2>/dev/null", ALLOWED
    )
    assert re.match(r"HTTP/1\.1 4\d\d ", printed) and questions == [], (printed[:200], questions)
    assert requested(reachable) == []
    check_control(booted, reachable)


def posting(reachable: Outside, megabytes: int) -> str:
    """Return a command that sends a body without asking for the answer's rest, and prints its first line."""
    length = megabytes << 20
    head = f"POST {reachable.named}/post HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nContent-Length: {length}"
    body = f"head -c {length} /dev/zero"
    send = f"{{ printf '{head}\\r\\n\\r\\n'; {body}; }} >&3"
    return f"(exec 3<>/dev/tcp/127.0.0.1/3128; {send}; head -n 1 <&3) 2>/dev/null"


def test_a_huge_body_is_refused(booted: Booted, reachable: Outside) -> None:
    printed, questions = booted.run(posting(reachable, 66), ALLOWED)
    assert printed.startswith("HTTP/1.1 413 ") and questions == [], (printed, questions)
    assert requested(reachable) == []
    printed, questions = booted.run(posting(reachable, 1), ALLOWED)
    assert printed.startswith("HTTP/1.1 200 ") and len(questions) == 1, (printed, questions)
    assert [len(each) for each in reachable.bodies] == [1 << 20]
