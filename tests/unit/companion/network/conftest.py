"""A door on its own port, a user at its page, and a server that stands for the internet."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from gemini.errors import Refused
from gemini_companion.admission.guard import Guard, RefusalLog
from gemini_companion.network import Door, Fetcher, Limits, PrivateOrigins, Reach
from gemini_companion.network.credentials import Credentials
from gemini_companion.network.targets import Address
from gemini_companion.pages.consent import Decision, Entered, Grant
from gemini_companion.secrets import SecretAccess
from gemini_companion.serving.server import Server, running
from tests.unit.companion.network.echo import echo_of

KEY = "page-key"
# ada:secret
RIGHT = "Basic YWRhOnNlY3JldA=="
PATIENCE_S = 30


class Person:
    """Answers the questions of a page."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.words: list[Any] = []
        self.refuses = False
        self.refused: set[str] = set()
        self.kinds: list[str] = []
        self.entries: list[Entered] = []
        self.holds = False
        self.is_asked = threading.Event()
        self.withdrawn = threading.Event()

    async def ask(
        self,
        kind: str,
        facts: Mapping[str, Any],
        words: Mapping[str, Any] | None = None,
        answers: Sequence[Grant] | None = None,
    ) -> Decision:
        self.kinds.append(kind)
        self.asked.append(dict(facts))
        self.words.append(words)
        self.is_asked.set()
        try:
            if self.holds:
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.withdrawn.set()
            raise
        if self.refuses:
            raise Refused("the user refused", hint="Ask them how to proceed.")
        if kind in self.refused:
            raise Refused("the user refused")
        if kind != "sign-in":
            return Decision("once" if answers is None else answers[0])
        if not self.entries:
            raise Refused("the user refused to sign in")
        return Decision("once", entered=self.entries.pop(0))


@dataclass
class Page:
    questions: Person


class Names:
    """A resolver that records its questions, and repeats the last of its answers."""

    def __init__(self) -> None:
        self.known: dict[str, list[list[str]]] = {}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[Address]:
        self.asked.append(host)
        answers = self.known.get(host)
        if not answers:
            raise OSError(host)
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return [ipaddress.ip_address(each) for each in answer]


@dataclass
class Seen:
    """Records what reaches the server that stands for the internet; it moves private repositories to `moved_to`."""

    lines: list[str] = field(default_factory=list)
    headers: list[list[tuple[str, str]]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    moved_to: str | None = None
    left: threading.Event = field(default_factory=threading.Event)


def private_of(seen: Seen) -> Route:
    """Return the route of repositories that want a password."""

    async def private(request: Request) -> Response:
        seen.lines.append(f"{request.method} {request.url.path}")
        seen.headers.append(request.headers.items())
        seen.bodies.append(await request.body())
        if request.headers.get("authorization") == RIGHT:
            moved = request.method == "POST" and seen.moved_to
            return RedirectResponse(moved, 307) if moved else PlainTextResponse("objects")
        return PlainTextResponse("who?", 401, {"WWW-Authenticate": 'Basic realm="git"'})

    return Route("/private/{path:path}", private, methods=["GET", "HEAD", "POST", "DELETE"])


def outside_of(seen: Seen) -> Starlette:
    async def echo(request: Request) -> Response:
        seen.lines.append(f"{request.method} {request.url.path}?{request.url.query}")
        seen.headers.append(request.headers.items())
        seen.bodies.append(await request.body())
        return PlainTextResponse("here", 200, {"X-Own": "1", "Set-Cookie": "a=1", "Clear-Site-Data": '"*"'})

    async def redirect(request: Request) -> Response:
        seen.lines.append(f"{request.method} {request.url.path}")
        seen.bodies.append(await request.body())
        return RedirectResponse(request.query_params["to"], int(request.query_params.get("status", 302)))

    async def circle(request: Request) -> Response:
        seen.lines.append(f"{request.method} {request.url.path}")
        return RedirectResponse("/circle")

    async def long(request: Request) -> Response:
        async def chunks() -> AsyncIterator[bytes]:
            try:
                for _ in range(1000):
                    yield bytes(10_000)
                    if "slowly" in request.query_params:
                        await asyncio.Event().wait()
            finally:
                seen.left.set()

        return StreamingResponse(chunks(), headers={"Content-Type": "text/plain; charset=latin-1"})

    async def silent(request: Request) -> Response:
        await asyncio.Event().wait()
        return Response()

    every = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return Starlette(
        routes=[
            Route("/redirect", redirect, methods=every),
            Route("/circle", circle),
            private_of(seen),
            echo_of(seen.lines),
            Route("/long", long),
            Route("/silent", silent),
            Route("/{path:path}", echo, methods=every),
        ]
    )


@dataclass
class World:
    """The door and everything around it."""

    door: Server
    outside: Server
    person: Person
    names: Names
    seen: Seen

    @property
    def url(self) -> str:
        """The URL of the internet, by a name that leads to it."""
        return f"http://outside.test:{self.outside.main.number}"

    def description(self, url: str, **asked: Any) -> str:
        return json.dumps({"url": url, "method": "GET", **asked})

    def ask(
        self,
        url: str,
        *,
        body: bytes | None = None,
        key: str = KEY,
        http_method: str = "POST",
        fetched: Mapping[str, str | None] | None = None,
        **asked: Any,
    ) -> Outcome:
        """Send a request as the kernel's script does; `fetched` changes the browser's headers."""
        with self.connected() as connection:
            own = {"X-Network-Request": self.description(url, **asked)}
            every = {**self.browser_headers(), **own, **(fetched or {})}
            headers = {name: value for name, value in every.items() if value is not None}
            connection.request(http_method, f"/network/{key}", body=body, headers=headers)
            answer = connection.getresponse()
            return Outcome(answer.status, dict(answer.getheaders()), answer.read())

    def browser_headers(self) -> dict[str, str]:
        return {
            "Origin": f"http://{self.door.main.hosts[0]}",
            "Sec-Fetch-Site": "same-origin",
            "Sec-Fetch-Mode": "cors",
            "Sec-Fetch-Dest": "empty",
        }

    @contextlib.contextmanager
    def connected(self) -> Generator[HTTPConnection]:
        with contextlib.closing(HTTPConnection(self.door.main.hosts[0], timeout=PATIENCE_S)) as connection:
            yield connection


@dataclass
class Outcome:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> str:
        """The type of the problem, or an empty text."""
        header = self.headers.get("x-network-problem")
        return json.loads(header)["type"] if header else ""

    @property
    def message(self) -> str:
        return json.loads(self.headers["x-network-problem"])["message"]

    @property
    def answer(self) -> dict[str, Any]:
        return json.loads(self.headers["x-network-answer"])

    @property
    def remote_headers(self) -> dict[str, str]:
        return dict(self.answer["headers"])


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture
def saved() -> Credentials:
    return Credentials()


@pytest.fixture
def private_origins() -> PrivateOrigins | None:
    return None


@pytest.fixture
def secret_access() -> SecretAccess | None:
    return None


@pytest.fixture
def world(
    limits: Limits,
    saved: Credentials,
    private_origins: PrivateOrigins | None,
    secret_access: SecretAccess | None,
) -> Iterator[World]:
    outside, server, seen = Server(0), Server(0), Seen()
    person, names = Person(), Names()
    names.known["outside.test"] = [["127.0.0.1"]]
    reach = Reach(names, also={("127.0.0.1", outside.main.number)})
    origins = frozenset(f"http://{host}" for host in server.main.hosts)

    def find(key: str) -> Page | None:
        return Page(person) if key == KEY else None

    door = Door(find, origins, Fetcher(reach, limits), saved, private_origins, secret_access)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with contextlib.aclosing(door):
            yield

    app = Starlette(routes=[door.route], lifespan=lifespan)
    guard = Guard(app, hosts=server.main.hosts, log=RefusalLog())
    with running(outside, outside_of(seen)), running(server, guard):
        yield World(server, outside, person, names, seen)
