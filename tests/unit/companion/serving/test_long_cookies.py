"""Cookies, which other servers on this machine can set, keep nobody out."""

from __future__ import annotations

import contextlib
import re
import socket

import pytest
from websockets.sync.client import connect

from gemini_companion.admission.guard import SUBPROTOCOL
from gemini_companion.serving.connections import Limits
from tests.unit.companion.conftest import Companion, Start

SHORT = Limits(request_s=0.3)
KILOBYTE = 1024
# More than a server reads at once.
TOO_MANY = 700 * KILOBYTE


def cookies(size: int, each: int = 3_900) -> str:
    return "; ".join(f"bomb{number}={'x' * each}" for number in range(size // each))


def answered(client: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and the rest of what arrives until the server closes the connection."""
    head, _, body = client.makefile("rb").read().partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    named = dict(line.lower().split(": ", 1) for line in lines)
    return int(first.split()[1]), named, body


def sent(companion: Companion, line: str, size: int, body: bytes = b"", piece: int = 0) -> socket.socket:
    """Send a request with cookies of a size, in pieces if they have one, and return its connection."""
    client = companion.raw()
    text = (
        f"{line}\r\nHost: {companion.host}\r\nCookie: {cookies(size)}\r\nConnection: close\r\n\r\n".encode()
        + body
    )
    pieces = [text[start : start + piece] for start in range(0, len(text), piece)] if piece else [text]
    for each in pieces:
        client.sendall(each)
    return client


@pytest.mark.parametrize("piece", [0, 1460, 65_536])
@pytest.mark.parametrize("size", [70 * KILOBYTE, 100 * KILOBYTE, 700 * KILOBYTE])
def test_large_pieces_are_answered_or_repeated(companion: Companion, size: int, piece: int) -> None:
    with sent(companion, "GET /examples/?x=1 HTTP/1.1", size, piece=piece) as client:
        status, headers, _ = answered(client)
    # A head that arrives at once is read, however long it is.
    if status == 200:
        assert "clear-site-data" not in headers
    else:
        assert (status, headers["location"]) == (307, "/examples/?x=1")
        assert headers["clear-site-data"] == '"cookies"'


def test_too_many_are_cleared_and_the_request_is_repeated(companion: Companion) -> None:
    with sent(companion, "GET / HTTP/1.1", TOO_MANY, piece=1460) as client:
        status, headers, body = answered(client)
    assert (status, headers["location"], headers["clear-site-data"]) == (307, "/", '"cookies"')
    assert (headers["content-length"], body) == ("0", b"")


def test_what_changes_something_is_not_repeated(companion: Companion) -> None:
    with sent(companion, "POST /mcp HTTP/1.1", TOO_MANY, b"{}", piece=1460) as client:
        status, headers, _ = answered(client)
    assert (status, headers["clear-site-data"]) == (431, '"cookies"')
    assert "location" not in headers


@pytest.mark.parametrize(
    "target", ["//evil.example/", "///evil.example", "http://evil.example/", "/\\evil.example"]
)
def test_a_redirect_stays_here(companion: Companion, target: str) -> None:
    with sent(companion, f"GET {target} HTTP/1.1", TOO_MANY, piece=1460) as client:
        _, headers, _ = answered(client)
    assert re.match(r"/[^/\\]|/$", headers.get("location", "/"))


@pytest.mark.parametrize("size", [1, 20 * KILOBYTE, 50 * KILOBYTE])
def test_fewer_cookies_stay(companion: Companion, size: int) -> None:
    status, headers, _ = companion.ask("/", Cookie=cookies(size, min(size, 3_900)))
    assert status == 200
    assert headers["Clear-Site-Data"] is None


def test_a_long_head_of_something_else_clears_nothing(companion: Companion) -> None:
    with companion.raw() as client, contextlib.suppress(OSError):
        client.sendall(f"GET / HTTP/1.1\r\nHost: {companion.host}\r\nX: {'x' * 60_000}".encode())
        client.sendall(b"x" * 10_000)
        status, headers, _ = answered(client)
        assert status == 400
        assert "clear-site-data" not in headers


def test_a_head_without_an_end_is_cut(start: Start) -> None:
    companion = start(SHORT)
    with companion.raw() as client:
        client.sendall(f"GET / HTTP/1.1\r\nCookie: {cookies(60 * KILOBYTE)}".encode())
        client.sendall(b"; " + cookies(60 * KILOBYTE).encode())
        assert client.makefile("rb").read() == b""


def test_a_head_longer_than_cookies_is_cut(companion: Companion) -> None:
    with companion.raw() as client, contextlib.suppress(ConnectionError):
        client.sendall(b"GET / HTTP/1.1\r\nCookie: a=")
        for _ in range(64):
            client.sendall(b"x" * 65_536)
        assert client.makefile("rb").read() == b""


def test_a_websocket_opens_with_many_cookies(companion: Companion) -> None:
    with connect(
        f"ws://{companion.host}/page",
        origin=companion.origin,  # type: ignore[arg-type]
        subprotocols=[SUBPROTOCOL, f"token.{companion.token}"],  # type: ignore[list-item]
        additional_headers={"Cookie": cookies(40 * KILOBYTE)},
        compression=None,
        proxy=None,
    ) as page:
        page.send("abc")
        assert page.recv() == "3"
    assert "bomb" not in companion.seen.headers[0]
