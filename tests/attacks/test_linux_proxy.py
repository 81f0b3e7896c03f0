"""Whatever Linux programs send to the proxy, requests pass the network door one by one."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from gemini.computer.shell.linux_network import PROGRAM_OF_LINUX, MachineNetwork
from gemini.tools.calls import Call, serving
from tests.unit.computer.shell.test_linux_proxy import (
    CREDIT,
    DATA,
    HEADER,
    OPEN,
    PATIENCE_S,
    READY,
    WINDOW,
    Machine,
    World,
    proxy_of,
    request,
)

ENDS = "Connection: close"


@asynccontextmanager
async def world() -> AsyncGenerator[World]:
    made = World(Machine())
    async with proxy_of(made.machine, made):
        yield made


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"GET http://a.example/ HTTP/1.1\nHost: x\nX : y\n\n", id="blank before a colon"),
        pytest.param(request("GET http://a.example/ HTTP/1.1", "Content-Length: 1", "Content-Length: 2"), id="lengths"),
        pytest.param(request("POST http://a.example/ HTTP/1.1", "Content-Length: +1", body="x"), id="signed length"),
        pytest.param(request("POST http://a.example/ HTTP/1.1", "Transfer-Encoding: gzip, chunked"), id="coding"),
        pytest.param(request("POST http://a.example/ HTTP/1.1", "Transfer-Encoding: chunked", body="Z\r\n"), id="size"),
        pytest.param(request("GET http://a.example/\x00 HTTP/1.1"), id="NUL in a URL"),
        pytest.param(request("GET http://a.example/\rX: y HTTP/1.1"), id="CR in a URL"),
        pytest.param(request("GET http://a.example/ HTTP/1.1", "X: a\x00b"), id="NUL in a header"),
        pytest.param(b"GET http://a.example/ HTTP/1.1\r\n\r\n", id="no Host"),
        pytest.param(request("TRACE http://a.example/ HTTP/1.1"), id="TRACE"),
        pytest.param(request("track http://a.example/ HTTP/1.1"), id="track"),
        pytest.param(request("get http://a.example/ HTTP/1.1", "Content-Length: 1", body="x"), id="get with a body"),
        pytest.param(request("GET file:///etc/passwd HTTP/1.1"), id="file"),
        pytest.param(request("GET //a.example/ HTTP/1.1"), id="no scheme"),
        pytest.param(request("GET http://own.example@a.example/ HTTP/1.1"), id="a user like a host"),
        pytest.param(request("CONNECT a.example:443@b.example:443 HTTP/1.1"), id="CONNECT with a user"),
        pytest.param(request("CONNECT a.example:0 HTTP/1.1"), id="port 0"),
        pytest.param(request("CONNECT a.example:443/x HTTP/1.1"), id="CONNECT with a path"),
        pytest.param(request("CONNECT a.example:443", "X: y"), id="HTTP/0.9"),
    ],
)  # fmt: skip
async def test_a_request_that_could_be_read_in_two_ways_is_not_sent(data: bytes) -> None:
    async with world() as attacked:
        got = await attacked.says(data)
        assert got.startswith(("HTTP/1.1 400 ", "HTTP/1.1 501 ")), got
        assert attacked.sent == [] and attacked.machine.secured == {}


async def test_what_is_smuggled_in_a_body_stays_a_body() -> None:
    hidden = "GET http://b.example/ HTTP/1.1\r\nHost: x\r\n\r\n"
    async with world() as attacked:
        # RFC 9112, 6.1: the coding overrides the length, and the connection ends after the answer.
        chunked = f"{len(hidden):x}\r\n{hidden}\r\n0\r\n\r\n"
        for line, body in (
            (f"Content-Length: {len(hidden)}", hidden),
            ("Transfer-Encoding: chunked", chunked),
        ):
            await attacked.says(request("POST http://a.example/ HTTP/1.1", line, ENDS, body=body))
        both = ("Content-Length: 4", "Transfer-Encoding: chunked", ENDS)
        await attacked.says(request("POST http://a.example/ HTTP/1.1", *both, body=chunked))
        assert [(each.url, each.body) for each in attacked.sent] == [
            ("http://a.example/", hidden.encode())
        ] * 3
        assert {name for each in attacked.sent for name, _ in each.headers} == set()


async def test_requests_in_one_piece_pass_the_door_one_by_one() -> None:
    async with world() as attacked:
        pipelined = request("GET http://a.example/ HTTP/1.1") + request(
            "GET http://b.example/ HTTP/1.1", ENDS
        )
        await attacked.says(pipelined)
        assert [each.url for each in attacked.sent] == ["http://a.example/", "http://b.example/"]


async def test_neither_host_nor_server_name_changes_where_a_request_goes() -> None:
    async with world() as attacked:
        await attacked.says(b"GET http://a.example/ HTTP/1.1\r\nHost: b.example\r\nConnection: close\r\n\r\n")
        number = attacked.connect(request("CONNECT a.example:8443 HTTP/1.1"))
        await attacked.machine.until(lambda: number in attacked.machine.secured)
        # The certificate is for this name only, whatever name the program's TLS asks for.
        assert attacked.machine.secured[number] == "a.example"
        inside = (
            b"GET //b.example/@c.example HTTP/1.1\r\nHost: b.example\r\nX-Forwarded-Host: b.example\r\n\r\n"
        )
        attacked.machine.frame(number, DATA, inside)
        await attacked.machine.until(lambda: b"hello" in attacked.machine.received[number])
        assert [each.url for each in attacked.sent] == [
            "http://a.example/",
            "https://a.example:8443//b.example/@c.example",
        ]
        assert [each.headers for each in attacked.sent] == [(), (("x-forwarded-host", "b.example"),)]


@pytest.mark.parametrize(
    "line", ["CONNECT b.example:443 HTTP/1.1", "CONNECT / HTTP/1.1", "OPTIONS * HTTP/1.1"]
)
async def test_there_is_no_tunnel_in_a_tunnel(line: str) -> None:
    async with world() as attacked:
        number = attacked.connect(request("CONNECT a.example:443 HTTP/1.1"))
        await attacked.machine.until(lambda: number in attacked.machine.secured)
        attacked.machine.frame(number, DATA, request(line))
        await attacked.machine.until(lambda: number in attacked.machine.ended)
        assert attacked.sent == [] and attacked.machine.secured == {number: "a.example"}


@pytest.mark.parametrize(
    "change", [str.upper, lambda _: "terminal-3", lambda _: "", lambda user: f"{user}\n<b>you</b>"]
)
async def test_an_invented_user_has_no_call_and_is_not_shown(change: Callable[[str], str]) -> None:
    network = MachineNetwork(Machine())
    call = Call(7, "terminal_execute", "agent", "write", {}, run="run-1")
    with serving(call), network.command(3) as user:
        found = network.call_of(change(user))
    assert (found.tool, found.caller, found.run) == (PROGRAM_OF_LINUX, "", None)


async def test_no_other_command_of_a_terminal_speaks_for_a_program() -> None:
    network = MachineNetwork(Machine())
    first, second = (
        Call(each, "terminal_execute", "agent", "write", {}, run=f"run-{each}") for each in (1, 2)
    )
    with serving(first), network.command(3) as ended:
        pass
    with serving(second), network.command(3) as running:
        assert network.call_of(running).run == "run-2"
        assert network.call_of(ended).run is None


def frame(number: int, kind: int, payload: bytes = b"", length: int | None = None) -> bytes:
    return HEADER.pack(len(payload) if length is None else length, number, kind) + payload


@pytest.mark.parametrize(
    "forged",
    [
        pytest.param(frame(0, READY, b"\x01\x02"), id="ready twice"),
        pytest.param(frame(1, OPEN), id="a number in use"),
        pytest.param(b"".join(frame(number, OPEN) for number in range(2, 90)), id="many connections"),
        pytest.param(frame(1, DATA, length=0xFFFF_FFFF), id="four gigabytes"),
        pytest.param(frame(1, DATA, b"x" * 16_384) * (WINDOW // 16_384 + 1), id="more than the window"),
        pytest.param(frame(1, CREDIT, b"\x01"), id="a short credit"),
        pytest.param(frame(1, CREDIT, b"\xff\xff\xff\x7f"), id="credit for nothing"),
    ],
)
async def test_forged_frames_end_the_network_and_cost_no_memory(forged: bytes) -> None:
    class Forging(Machine):
        closed = False

        async def receive(self) -> bytes:
            return forged if self.opened else await self.first()

        async def first(self) -> bytes:
            self.opened = True
            return frame(0, READY, b"\x38\x0c") + frame(1, OPEN)

        opened = False

        def close(self) -> None:
            self.closed = True

    machine = Forging()
    network = MachineNetwork(machine)
    async with asyncio.timeout(PATIENCE_S):
        network.start()
        await network.prepared()
        while not machine.closed:
            await asyncio.sleep(0)


async def test_a_header_for_the_proxy_never_reaches_a_server() -> None:
    user = base64.b64encode(b"commands-3:linux").decode()
    async with world() as attacked:
        await attacked.says(
            request(
                "GET http://a.example/ HTTP/1.1",
                f"PROXY-Authorization: Basic {user}",
                "Proxy-Connection: x",
                ENDS,
            )
        )
        assert attacked.sent[0].headers == ()
