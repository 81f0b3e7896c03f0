"""The proxy of Linux in the page: each request passes the network door, or an answer says why it doesn't."""

from __future__ import annotations

import asyncio
import base64
import struct
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from gemini.computer.shell.linux_network import MachineNetwork
from gemini.computer.shell.linux_proxy.connections import Connections
from gemini.computer.shell.linux_proxy.proxy import Proxy
from gemini.tools.calls import Call, current_call, serving
from gemini_userland.http import NoAnswer, Request, Response

# As in builder/linux/guest/proxy.c.
HEADER = struct.Struct("<IHBx")
READY, OPEN, GONE, DATA, END, CREDIT, SECURE = 1, 2, 3, 16, 17, 18, 32
WINDOW, CHUNK = 1 << 17, 1 << 14
TEXT = Response(200, "OK", [("content-type", "text/plain"), ("content-length", "5")], b"hello")
PATIENCE_S = 30


class Machine:
    """The machine's end of the wire."""

    def __init__(self) -> None:
        self._frames: asyncio.Queue[bytes] = asyncio.Queue()
        self.received: defaultdict[int, bytearray] = defaultdict(bytearray)
        self.secured: dict[int, str] = {}
        self.ended: set[int] = set()
        self.credit: defaultdict[int, int] = defaultdict(lambda: WINDOW)
        self.changed = asyncio.Event()

    async def receive(self) -> bytes:
        return await self._frames.get()

    def send(self, data: bytes) -> None:
        length, number, kind = HEADER.unpack_from(data)
        payload = data[HEADER.size :]
        assert len(payload) == length
        if kind == SECURE:
            host, _, payload = payload.partition(b"\0")
            self.secured[number] = host.decode()
        if kind in (DATA, SECURE):
            self.received[number] += payload
        if kind == END:
            self.ended.add(number)
        if kind == CREDIT:
            self.credit[number] += struct.unpack("<I", payload)[0]
        self.changed.set()

    def frame(self, number: int, kind: int, payload: bytes = b"") -> None:
        """Send a frame in two pieces, because a wire may cut it anywhere."""
        whole = HEADER.pack(len(payload), number, kind) + payload
        self._frames.put_nowait(whole[:5])
        self._frames.put_nowait(whole[5:])

    def pass_on(self, number: int, data: bytes) -> None:
        """Send what a program has written."""
        self.credit[number] -= len(data)
        self.frame(number, DATA, data)

    def close(self) -> None:
        self._frames.put_nowait(b"")

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self.changed.clear()
                await self.changed.wait()


@dataclass
class World:
    """A machine and its proxy; `answer` is the network door's response to a request."""

    machine: Machine
    answer: Callable[[Request], Response] = lambda _: TEXT
    sent: list[Request] = field(default_factory=list[Request])
    callers: list[str] = field(default_factory=list[str])
    last: int = 0

    async def send(self, request: Request) -> Response:
        self.sent.append(request)
        call = current_call()
        self.callers.append(call.tool if call else "")
        return self.answer(request)

    def connect(self, data: bytes) -> int:
        self.last += 1
        self.machine.frame(self.last, OPEN)
        for at in range(0, len(data), CHUNK):
            self.machine.pass_on(self.last, data[at : at + CHUNK])
        return self.last

    async def says(self, data: bytes) -> str:
        """Return the proxy's answer to a program that sends these bytes, until it closes the connection."""
        number = self.connect(data)
        await self.machine.until(lambda: number in self.machine.ended)
        return self.machine.received[number].decode()


@asynccontextmanager
async def proxy_of(machine: Machine, world: World) -> AsyncGenerator[None]:
    proxy = Proxy(
        world.send, lambda user: Call(0, f"for {user}", "", "outside", None), lambda url: "own." in url
    )
    connections = Connections(machine, proxy.serve)
    running = asyncio.create_task(connections.run())
    machine.frame(0, READY, (3128).to_bytes(2, "little"))
    assert await connections.ready == 3128
    try:
        yield
    finally:
        machine.close()
        await running


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World(Machine())
    async with proxy_of(world.machine, world):
        yield world


def request(line: str, *headers: str, body: str = "") -> bytes:
    return "\r\n".join([line, "Host: x", *headers, "", body]).encode()


def refusing(kind: str, message: str) -> Callable[[Request], Response]:
    def answer(_: Request) -> Response:
        raise NoAnswer(kind, message)

    return answer


async def test_a_request_is_sent_with_its_headers_but_none_for_the_proxy(world: World) -> None:
    user = base64.b64encode(b"terminal-3:linux").decode()
    got = await world.says(
        request(
            "POST http://example.org:81/a?b HTTP/1.1",
            *(
                "Accept: text/html",
                f"Proxy-Authorization: Basic {user}",
                "Connection: close",
                "Content-Length: 3",
            ),
            body="a=b",
        )
    )
    assert got.startswith("HTTP/1.1 200 OK\r\n") and got.endswith("\r\n\r\nhello")
    assert world.sent == [Request("http://example.org:81/a?b", "POST", (("accept", "text/html"),), b"a=b")]
    assert world.callers == ["for terminal-3"]


async def test_requests_inside_of_connect_are_sent_one_by_one(world: World) -> None:
    number = world.connect(request("CONNECT example.org:443 HTTP/1.1"))
    await world.machine.until(lambda: number in world.machine.secured)
    assert world.machine.secured[number] == "example.org"
    assert world.machine.received[number] == b"HTTP/1.1 200 Connection established\r\n\r\n"
    for path in ("/one", "/two"):
        world.machine.frame(number, DATA, request(f"GET {path} HTTP/1.1"))
    await world.machine.until(lambda: world.machine.received[number].count(b"hello") == 2)
    assert [each.url for each in world.sent] == ["https://example.org/one", "https://example.org/two"]
    world.machine.frame(number, DATA, request("GET http://other.example/ HTTP/1.1"))
    await world.machine.until(lambda: number in world.machine.ended)
    assert b"needs a path" in world.machine.received[number] and len(world.sent) == 2


@pytest.mark.parametrize(
    ("data", "status", "says"),
    [
        (request("GET / HTTP/1.1"), 400, "This is the HTTP proxy"),
        (request("GET ftp://example.org/ HTTP/1.1"), 400, "http: and https: URLs only"),
        (request("GET http:///x HTTP/1.1"), 400, "URLs only"),
        (request("GET http://[x/ HTTP/1.1"), 400, "isn't a URL"),
        (request("GET http://ada:secret@example.org/ HTTP/1.1"), 400, "no user name"),
        (request("GET http://own.example/ HTTP/1.1"), 403, "is the surface itself"),
        (request("GET http://a.example/ HTTP/1.1", "Content-Length: 1", body="x"), 400, "without a body"),
        (request("GET http://a.example/ HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade"), 501, "WebSockets"),
        (request("CONNECT example.org HTTP/1.1"), 400, "a host and a port"),
        (request("CONNECT example.org:99999 HTTP/1.1"), 400, "a host and a port"),
        (request("CONNECT exa/mple:443 HTTP/1.1"), 400, "a host and a port"),
        (request("CONNECT example.org:443 HTTP/1.1", body="early"), 400, "must wait"),
        (f"GET http://a.example/ HTTP/1.1\r\nX: {'x' * 70_000}".encode(), 431, "can't read this request"),
        (b"\x16\x03\x01\x02\x00\r\n\r\n", 400, "can't read this request"),
    ],
)  # fmt: skip
async def test_a_wrong_request_is_explained_and_not_sent(
    world: World, data: bytes, status: int, says: str
) -> None:
    got = await world.says(data)
    head, _, body = got.partition("\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ") and says in body
    assert world.sent == []


@pytest.mark.parametrize(("kind", "status"), [("refused", 403), ("unknown host", 502), ("slow", 504)])
async def test_a_request_without_an_answer_says_why(world: World, kind: str, status: int) -> None:
    world.answer = refusing(kind, "GET http://a.example was not sent: the user refusé")
    got = await world.says(request("GET http://a.example/ HTTP/1.1"))
    # apt and pip show the first line only.
    assert got.startswith(f"HTTP/1.1 {status} GET http://a.example was not sent: the user refus?\r\n")
    assert got.endswith("the user refusé\n")
    assert (await world.says(request("HEAD http://a.example/ HTTP/1.1"))).endswith("\r\n\r\n")


async def test_a_long_answer_is_read_as_fast_as_the_program_takes_it(world: World) -> None:
    given = 0

    async def pieces() -> AsyncGenerator[bytes]:
        nonlocal given
        for _ in range(64):
            given += 1
            yield b"x" * 16_384

    world.answer = lambda _: Response(200, "OK", [], b"", pieces())
    number = world.connect(request("GET http://a.example/ HTTP/1.1"))
    await world.machine.until(lambda: len(world.machine.received[number]) == WINDOW)
    assert given < 12
    received = world.machine.received[number]
    taken = 0
    while not received.endswith(b"0\r\n\r\n"):
        await world.machine.until(lambda before=taken: len(received) > before)
        credit, taken = len(received) - taken, len(received)
        world.machine.frame(number, CREDIT, struct.pack("<I", credit))
    assert world.machine.received[number].count(b"x") == 64 * 16_384


async def test_what_the_browser_has_decoded_has_no_coding_and_no_length(world: World) -> None:
    coded = [("content-encoding", "gzip"), ("content-length", "3"), ("connection", "x")]
    world.answer = lambda _: Response(200, "OK", coded, b"hello")
    got = await world.says(request("GET http://a.example/ HTTP/1.0"))
    assert got.partition("\r\n\r\n")[2] == "hello" and "content-" not in got


async def test_a_broken_answer_stays_incomplete(world: World) -> None:
    async def pieces() -> AsyncGenerator[bytes]:
        yield b"half"
        raise NoAnswer("broken", "the connection broke")

    world.answer = lambda _: Response(200, "OK", [("content-length", "8")], b"", pieces())
    assert (await world.says(request("GET http://a.example/ HTTP/1.1"))).endswith("\r\n\r\nhalf")


@pytest.mark.parametrize("end", [None, END], ids=["", "the program ends its request first"])
@pytest.mark.parametrize("headers", [[("content-length", "5")], []], ids=["a length", "chunks"])
async def test_an_answer_is_whole_whatever_its_pieces_are(
    world: World, headers: list[tuple[str, str]], end: int | None
) -> None:
    head_read = asyncio.Event()

    async def pieces() -> AsyncGenerator[bytes]:
        yield b""
        await head_read.wait()
        for piece in (b"he", b"", b"llo", b""):
            yield piece

    world.answer = lambda _: Response(200, "OK", headers, b"", pieces())
    number = world.connect(request("GET http://a.example/ HTTP/1.1", "Connection: close"))
    if end is not None:
        world.machine.frame(number, end)
    await world.machine.until(lambda: world.machine.received[number].endswith(b"\r\n\r\n"))
    head_read.set()
    await world.machine.until(lambda: number in world.machine.ended)
    body = world.machine.received[number].partition(b"\r\n\r\n")[2]
    assert body == (b"hello" if headers else b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")


async def test_a_body_that_is_too_long_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemini.computer.shell.linux_proxy.client.MAX_BODY", 1 << 20)
    number = world.connect(
        request("POST http://a.example/ HTTP/1.1", "Content-Length: 2000000", "Expect: 100-continue")
    )
    await world.machine.until(lambda: world.machine.received[number].startswith(b"HTTP/1.1 100 "))
    for _ in range(65):
        await world.machine.until(lambda: world.machine.credit[number] >= CHUNK)
        world.machine.pass_on(number, b"x" * CHUNK)
    await world.machine.until(lambda: number in world.machine.ended)
    assert b"HTTP/1.1 413 A request can send 1 MiB at most." in world.machine.received[number]
    assert world.sent == []


async def test_all_bodies_of_a_machine_have_a_limit_together(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemini.computer.shell.linux_proxy.client.MAX_BODIES", 100_000)
    post = request("POST http://a.example/ HTTP/1.1", "Content-Length: 60000", "Connection: close")
    waiting = world.connect(post + b"x" * 59_999)
    await world.machine.until(lambda: world.machine.credit[waiting] >= WINDOW - len(post) - 60_000)
    assert (await world.says(post + b"x" * 60_000)).startswith(
        "HTTP/1.1 503 All programs of the Linux can send"
    )
    world.machine.pass_on(waiting, b"x")
    await world.machine.until(lambda: waiting in world.machine.ended)
    assert (await world.says(post + b"x" * 60_000)).endswith("hello")
    assert [len(each.body) for each in world.sent] == [60_000, 60_000]


async def test_a_program_that_leaves_withdraws_its_request() -> None:
    asked, withdrawn = asyncio.Event(), asyncio.Event()

    class Waiting(World):
        async def send(self, request: Request) -> Response:
            asked.set()
            try:
                return await asyncio.get_running_loop().create_future()
            finally:
                withdrawn.set()

    world = Waiting(Machine())
    async with proxy_of(world.machine, world), asyncio.timeout(PATIENCE_S):
        number = world.connect(request("GET http://a.example/ HTTP/1.1"))
        # It may still read.
        world.machine.frame(number, END)
        await asked.wait()
        assert not withdrawn.is_set()
        world.machine.frame(number, GONE)
        await withdrawn.wait()


async def test_requests_belong_to_their_command() -> None:
    network = MachineNetwork(Machine())
    network.add_user("terminal-3", 3)
    call = Call(7, "terminal_execute", "agent", "write", {}, run="run-1")
    with serving(call), network.command(3) as user:
        assert network.environment(user)["https_proxy"] == f"http://{user}:linux@127.0.0.1:3128"
        found = network.call_of(user)
        assert (found.tool, found.caller, found.run) == (
            "a program of the Linux, in term-3",
            "agent",
            "run-1",
        )
        typed = network.call_of("terminal-3")
        assert (typed.tool, typed.run) == ("a program of the Linux, in term-3", None)
    assert network.call_of(user).run is None
    assert network.call_of("nobody").tool == "a program of the Linux"


async def test_no_command_waits_for_a_proxy_whose_program_has_ended() -> None:
    machine = Machine()
    network = MachineNetwork(machine)
    network.start()
    machine.close()
    async with asyncio.timeout(PATIENCE_S):
        await network.prepared()
