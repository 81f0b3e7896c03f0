"""One process on its ports of loopback, with limits, that stops cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from gemini_companion.admission.guard import SUBPROTOCOL
from gemini_companion.admission.identity import WELL_KNOWN
from gemini_companion.serving.connections import Limits
from gemini_companion.serving.server import TO_KERNEL, PortUnavailable, Server, StartFailed, running
from tests.companions import server_to_reopen
from tests.unit.companion.conftest import MEGABYTE, Companion, Start

SHORT = Limits(request_s=0.3, ping_s=0.3)
PACKAGES = Path(__file__).parents[4] / "py"


def page(companion: Companion, **options: Any) -> ClientConnection:
    return connect(
        f"ws://{companion.host}/page",
        origin=companion.origin,  # type: ignore[arg-type]
        subprotocols=[SUBPROTOCOL, f"token.{companion.token}"],  # type: ignore[list-item]
        compression=None,
        proxy=None,
        **options,
    )


def ended(client: socket.socket) -> bytes:
    """Return what arrives until the server ends the connection, which it must within the socket's timeout."""
    received = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(65536):
            received += piece
    return received


def send_lines(companion: Companion, *lines: str) -> socket.socket:
    client = companion.raw()
    client.sendall("\r\n".join([*lines, ""]).encode())
    return client


def frame(head: bytes, payload: bytes = b"") -> bytes:
    """A client's frame, masked with zeros: https://www.rfc-editor.org/rfc/rfc6455#section-5.2."""
    return head + bytes(4) + payload


def handshaken(companion: Companion) -> socket.socket:
    client = send_lines(
        companion, "GET /page HTTP/1.1", f"Host: {companion.host}", f"Origin: {companion.origin}",
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Sec-WebSocket-Protocol: {SUBPROTOCOL}, token.{companion.token}", "",
    )  # fmt: skip
    received = b""
    while not received.endswith(b"\r\n\r\n"):
        received += client.recv(1)
    assert b" 101 " in received
    # The server doesn't repeat the token's subprotocol.
    assert companion.token.encode() not in received
    return client


def test_it_is_on_loopback_only(companion: Companion) -> None:
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    [address] = [
        row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{companion.server.main.number:04X}")
    ]
    assert address.startswith("0100007F")


def test_small_answers_leave_at_once() -> None:
    # asyncio sets TCP_NODELAY only on what such a socket accepts. Otherwise a second answer on a connection would wait
    # some 40 ms for the first one's acknowledgement.
    server = Server(0)
    with contextlib.closing(server):
        assert {server.main.socket.proto, server.sites.socket.proto} == {socket.IPPROTO_TCP}


def test_it_reports_its_identity(companion: Companion) -> None:
    status, headers, body = companion.ask(WELL_KNOWN)
    info = json.loads(body)
    assert (status, info["name"], info["pid"]) == (200, "control-surface", os.getpid())
    assert time.time() - 60 < info["started"] <= time.time()
    assert set(info) == {"name", "version", "pid", "started"}
    assert companion.ask(WELL_KNOWN, Host="evil.example")[0] == 421
    assert headers["Cache-Control"] == "no-store"


def test_a_second_start_names_the_ports_owner(companion: Companion) -> None:
    with pytest.raises(PortUnavailable) as problem:
        Server(companion.server.main.number)
    assert f"another control-surface (process {os.getpid()}, since " in problem.value.message
    assert problem.value.hint is not None and "--port" in problem.value.hint


@pytest.fixture
def stranger() -> Iterator[tuple[int, int]]:
    """The port and the process id of another program, which answers nothing."""
    code = (
        "import socket, sys; listening = socket.create_server(('127.0.0.1', 0));"
        "print(listening.getsockname()[1], flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        yield int(process.stdout.readline()), process.pid
        process.stdin.close()


def test_a_port_of_another_program_is_reported(stranger: tuple[int, int]) -> None:
    port, pid = stranger
    with pytest.raises(PortUnavailable) as problem:
        Server(port)
    assert re.fullmatch(rf"Port {port} is in use by \S+ \(process {pid}\)\.", problem.value.message)
    assert problem.value.data == {"port": port}
    with pytest.raises(PortUnavailable, match="99999 isn't a port number"):
        Server(99999)


def test_sites_and_kernel_have_their_own_ports_and_applications() -> None:
    async def surface(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse(scope["type"])(scope, receive, send)

    async def sites(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("sites")(scope, receive, send)

    async def kernel(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("kernel")(scope, receive, send)

    server = Server(0)
    assert len({server.main.number, server.sites.number, server.kernel.number}) == 3
    with running(server, surface, kernel=kernel, sites=sites) as url:
        assert url == f"http://127.0.0.1:{server.main.number}/"
        for port, body in ((server.main, "http"), (server.sites, "sites"), (server.kernel, "kernel")):
            with socket.create_connection(("127.0.0.1", port.number)) as client:
                client.sendall(
                    f"GET / HTTP/1.1\r\nHost: {port.hosts[0]}\r\nConnection: close\r\n\r\n".encode()
                )
                assert ended(client).endswith(body.encode())


def test_the_kernels_port_follows_from_the_surfaces_as_files_belong_to_it() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        with pytest.raises(PortUnavailable, match=f"Port {number} is in use"):
            Server(number - TO_KERNEL)


def test_files_of_a_folder_are_served(companion: Companion) -> None:
    status, headers, body = companion.ask("/large.wasm")
    assert (status, headers["Content-Type"], len(body)) == (200, "application/wasm", 3 * MEGABYTE)
    assert companion.ask("/large.wasm", If_None_Match=headers["ETag"])[0] == 304
    assert companion.ask("/large.wasm", "HEAD")[1]["Content-Length"] == str(3 * MEGABYTE)
    assert companion.ask("/examples")[1]["Location"] == "/examples/"
    assert companion.ask("//examples")[1]["Location"] == "/examples/"
    assert companion.ask("/x.js", "PUT")[0] == 405


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/examples/../../secret.txt", "/..\\secret.txt",
     "/%2e%2e%5csecret.txt", "//etc/passwd", "/%2fetc/passwd", "/nul%00l", "/%ff%fe", f"/{'x' * 5000}",
     "/.%2e/%2e./secret.txt", "/x.js/../../secret.txt"],
)  # fmt: skip
def test_nothing_outside_the_folder_is_served(companion: Companion, path: str) -> None:
    assert companion.say(f"GET {path} HTTP/1.1", f"Host: {companion.host}") == 404


def test_a_link_out_of_the_folder_is_not_followed(companion: Companion, folder: Path) -> None:
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    assert companion.ask("/link.txt")[0] == 404


@pytest.mark.parametrize("sent", ["", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow:"])
def test_an_incomplete_head_is_cut(start: Start, sent: str) -> None:
    companion = start(SHORT)
    with companion.raw() as client:
        client.sendall(sent.encode())
        assert ended(client) == b""


def test_single_bytes_buy_no_time(start: Start) -> None:
    companion = start(SHORT)
    with send_lines(companion, "GET / HTTP/1.1", f"Host: {companion.host}") as client:
        client.settimeout(0.02)
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < began + 30:
                client.sendall(b"X-A: b\r\n")
                with contextlib.suppress(TimeoutError):
                    if client.recv(1) == b"":
                        break
        assert time.monotonic() < began + 10


def test_a_slow_second_request_on_a_connection_is_cut_too(start: Start) -> None:
    companion = start(Limits(request_s=0.3, idle_s=30))
    with send_lines(companion, "GET /x.js HTTP/1.1", f"Host: {companion.host}", "", "GET") as client:
        received = ended(client)
    assert received.count(b"HTTP/1.1 200") == 1


def test_an_incomplete_body_is_cut(start: Start) -> None:
    companion = start(SHORT)
    head = ["POST /mcp HTTP/1.1", f"Host: {companion.host}", f"Authorization: Bearer {companion.token}"]
    for lines in (["Content-Length: 100", "", "slow"], ["Transfer-Encoding: chunked", "", "4", "slow"]):
        with send_lines(companion, *head, *lines) as client:
            assert b"200" not in ended(client)
    assert companion.ask("/x.js")[0] == 200


def test_a_long_answer_and_a_quiet_websocket_are_not_cut(start: Start) -> None:
    companion = start(Limits(request_s=0.2))
    with companion.raw() as stream, page(companion) as socket_:
        stream.sendall(
            f"GET /models/stream HTTP/1.1\r\nHost: {companion.host}\r\n"
            f"Authorization: Bearer {companion.token}\r\n\r\n".encode()
        )
        while b"first" not in stream.recv(65536):
            pass
        # Meanwhile another connection is cut: the limit has passed.
        with companion.raw() as client:
            assert ended(client) == b""
        stream.settimeout(0.1)
        with pytest.raises(TimeoutError):
            stream.recv(1)
        socket_.send("still here")
        assert socket_.recv() == "10"


def test_a_thousand_idle_connections_keep_nobody_out(companion: Companion) -> None:
    with contextlib.ExitStack() as stack, page(companion) as socket_:
        for _ in range(1000):
            stack.enter_context(companion.raw())
        began = time.monotonic()
        assert companion.ask("/x.js")[0] == 200
        socket_.send("hello")
        assert socket_.recv() == "5"
        assert time.monotonic() - began < 5
        with page(companion) as another:
            another.send("too")
            assert another.recv() == "3"


@contextlib.contextmanager
def unread(companion: Companion, *lines: str) -> Generator[socket.socket]:
    """Connect a client that requests a file of megabytes, or what `lines` say, and reads nothing of it."""
    lines = lines or ("GET /large.wasm HTTP/1.1", f"Host: {companion.host}")
    client = socket.socket()
    try:
        # Set before it connects, so that the system buffers little.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", companion.server.main.number))
        client.sendall("\r\n".join([*lines, "", ""]).encode())
        yield client
    finally:
        client.close()


def test_clients_that_never_read_keep_nobody_out(start: Start) -> None:
    companion = start(Limits(connections=64, unread=8))
    with contextlib.ExitStack() as stack, page(companion) as connected:
        for _ in range(300):
            stack.enter_context(unread(companion))
        began = time.monotonic()
        assert len(companion.ask("/large.wasm")[2]) == 3 * MEGABYTE
        connected.send("still here")
        assert connected.recv() == "10"
        with page(companion) as another:
            another.send("too")
            assert another.recv() == "3"
        assert time.monotonic() - began < 20


@pytest.mark.skipif(sys.platform == "win32", reason="there is no poll")
def test_an_unread_answer_is_cut_and_one_that_is_read_is_not(start: Start) -> None:
    companion = start(Limits(unread_s=1))
    with unread(companion) as never, companion.raw() as reader:
        reader.sendall(
            f"GET /large.wasm HTTP/1.1\r\nHost: {companion.host}\r\nConnection: close\r\n\r\n".encode()
        )
        cut = select.poll()
        cut.register(never, 0)
        received = 0
        began = time.monotonic()
        while not cut.poll(20):
            received += len(reader.recv(16 * 1024))
            assert time.monotonic() < began + 60
        assert received + len(ended(reader)) > 3 * MEGABYTE


def test_one_clients_streams_are_closed_before_those_of_others(start: Start) -> None:
    companion = start(Limits(connections=8), clients=("greedy", "modest"))

    def stream(token: str) -> Any:
        line = f"Authorization: Bearer {token}"
        return unread(companion, "GET /models/stream HTTP/1.1", f"Host: {companion.host}", line)

    with contextlib.ExitStack() as stack:
        modest = stack.enter_context(stream("modest"))
        while b"first" not in modest.recv(1000):
            pass
        for _ in range(12):
            client = stack.enter_context(stream("greedy"))
            while b"first" not in client.recv(1000):
                pass
        assert companion.ask("/x.js")[0] == 200
        modest.settimeout(0.2)
        with pytest.raises(TimeoutError):
            modest.recv(1)


def test_a_connection_is_refused_if_all_are_busy(start: Start) -> None:
    companion = start(Limits(connections=2))
    with page(companion), page(companion), companion.raw() as client:
        assert ended(client) == b""


def test_a_large_message_arrives_and_a_larger_one_is_answered_with_1009(companion: Companion) -> None:
    with page(companion) as socket_:
        socket_.send("x" * 63 * MEGABYTE)
        assert socket_.recv(timeout=60) == str(63 * MEGABYTE)
    # Its head alone says that it has 100 MB.
    with handshaken(companion) as client:
        client.sendall(frame(b"\x81\xff" + (100 * MEGABYTE).to_bytes(8, "big")))
        received = ended(client)
    assert received[:1] == b"\x88" and int.from_bytes(received[2:4], "big") == 1009
    # In parts it may be no larger.
    with page(companion) as socket_:
        with pytest.raises(ConnectionClosed):
            socket_.send("x" * 8 * MEGABYTE for _ in range(13))
            socket_.recv(timeout=60)
        assert socket_.close_code in (1009, 1006)
    assert companion.seen.messages == [63 * MEGABYTE]


@pytest.mark.parametrize(
    "sent",
    # Unmasked; a reserved bit; an unknown opcode; a fragmented ping; invalid UTF-8.
    [
        b"\x81\x01x",
        b"\xf1\x81" + bytes(5),
        b"\x83\x81" + bytes(5),
        b"\x09\x81" + bytes(5),
        b"\x81\x81" + bytes(4) + b"\xff",
    ],
)
def test_an_invalid_frame_ends_the_connection(companion: Companion, sent: bytes) -> None:
    with handshaken(companion) as client:
        client.sendall(sent)
        code = int.from_bytes(ended(client)[2:4], "big")
    assert code in (1002, 1007)
    assert companion.seen.messages == []


def test_an_incomplete_frame_is_no_message(start: Start) -> None:
    companion = start(SHORT)
    with handshaken(companion) as client:
        client.sendall(frame(b"\x81\x85", b"hel"))
        client.shutdown(socket.SHUT_WR)
        ended(client)
    # A client that sends nothing more, and doesn't answer pings, is cut.
    with handshaken(companion) as client:
        client.sendall(frame(b"\x81\x85", b"hel"))
        assert ended(client)
    assert companion.seen.messages == []
    with page(companion) as socket_:
        socket_.send("whole")
        assert socket_.recv() == "5"


def test_it_stops_within_a_second_with_websockets_and_streams_open(start: Start) -> None:
    server = server_to_reopen()
    left = threading.Event()

    async def forever(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        await receive()
        while (await receive())["type"] != "http.disconnect":
            pass
        left.set()

    companion = start()
    with contextlib.ExitStack() as clients:
        with running(server, forever):
            stream = clients.enter_context(socket.create_connection(("127.0.0.1", server.main.number)))
            stream.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            while b"first" not in stream.recv(1000):
                pass
            began = time.monotonic()
        assert time.monotonic() - began < 1
        assert left.is_set()
    assert companion.ask("/x.js")[0] == 200
    # The ports are free.
    Server(server.main.number).close()


def test_websockets_are_closed_with_1012_when_the_server_stops() -> None:
    server = Server(0)
    codes: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        await receive()
        await send({"type": "websocket.accept"})
        codes.append((await receive())["code"])

    with contextlib.ExitStack() as clients:
        with running(server, app) as url:
            client = clients.enter_context(connect(url.replace("http", "ws"), proxy=None))
            began = time.monotonic()
        assert time.monotonic() - began < 1
        with pytest.raises(ConnectionClosed):
            client.recv()
        assert client.close_code == 1012
    assert codes == [1012]


async def test_it_runs_on_the_callers_loop_and_with_a_lifespan() -> None:
    seen: list[str] = []

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        seen.append("started")
        yield
        seen.append("stopped")

    server = Server(0)
    async with server.serving(Starlette(lifespan=lifespan)) as url:
        assert seen == ["started"]
        reader, writer = await asyncio.open_connection("127.0.0.1", server.main.number)
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        assert b"404" in await reader.readline()
        writer.close()
        await writer.wait_closed()
        assert url.endswith(f":{server.main.number}/")
    assert seen == ["started", "stopped"]


def test_an_application_that_does_not_start_is_reported() -> None:
    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        if app.routes:
            raise RuntimeError("no")
        yield

    app = Starlette(lifespan=lifespan, routes=[Route("/", PlainTextResponse("x"))])
    server = server_to_reopen()
    with pytest.raises(StartFailed), running(server, app):
        pass
    Server(server.main.number).close()
