"""A second origin on loopback that stands for the internet and records its visitors."""

from __future__ import annotations

import http.client
import ipaddress
import threading
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from gemini_companion.network import Fetcher, Reach
from gemini_companion.network.targets import Address

HOST = "127.0.0.1"
# Names that resolve to it for the companion, but not for browsers.
NAMES = ("outside.test", "second.test")
MARK = "/mark"


@dataclass
class Outside:
    """The recorded traffic of the origin.

    Attributes:
        port: Its port on loopback.
        connections: The number of connections, including silent ones.
        requests: Method and path of each request.
        bodies: The body of each request.
        headers: The headers of each request, with lowercase names.
        pages: The type and content of its pages, by path.
        page_headers: Further headers of pages, by path.
        statuses: The statuses of pages that aren't 200, by path.
        names: The names that the companion resolved.
        gates: What a page's answers wait for, by path.
    """

    port: int
    connections: int = 0
    requests: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    page_headers: dict[str, dict[str, str]] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    gates: dict[str, threading.Event] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The address that any browser reaches."""
        return f"http://{HOST}:{self.port}"

    @property
    def named(self) -> str:
        return f"http://{NAMES[0]}:{self.port}"

    @property
    def second(self) -> str:
        return f"http://{NAMES[1]}:{self.port}"

    def reset(self) -> None:
        self.settle()
        self.connections = 0
        for each in (self.requests, self.bodies, self.headers, self.names):
            each.clear()

    def settle(self) -> None:
        """Wait until all earlier connections are counted, which the system delivers in order."""
        with closing(http.client.HTTPConnection(HOST, self.port, timeout=30)) as connection:
            connection.request("GET", MARK)
            connection.getresponse().read()
        self.connections -= 1

    def seen(self) -> tuple[int, list[str]]:
        self.settle()
        return self.connections, self.requests

    def fetcher(self, *ports: int) -> Fetcher:
        """Return a fetcher that also reaches this origin, by its names and its address, and further ports of it."""

        async def resolve(host: str, port: int) -> Sequence[Address]:
            self.names.append(host)
            if host not in NAMES:
                raise OSError(host)
            return [ipaddress.ip_address(HOST)]

        return Fetcher(Reach(resolve, also={(HOST, port) for port in (self.port, *ports)}))


class Handler(BaseHTTPRequestHandler):
    """Records requests, and lets any origin read its answers."""

    protocol_version = "HTTP/1.1"
    server: Listener  # pyright: ignore[reportIncompatibleVariableOverride]

    def setup(self) -> None:
        self.outside = self.server.outside
        self.outside.connections += 1
        super().setup()

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path == MARK:
            self.send(200, "text/plain", b"")
            return
        self.outside.requests.append(f"{self.command} {self.path}")
        self.outside.bodies.append(body)
        self.outside.headers.append({name.lower(): value for name, value in self.headers.items()})
        if path in self.outside.gates:
            self.outside.gates[path].wait()
        if path == "/redirect":
            self.send(302, "text/plain", b"", Location=self.path.partition("?to=")[2])
        elif path == "/circle":
            self.send(302, "text/plain", b"", Location="/circle")
        elif path == "/missing":
            self.send(404, "text/plain", b"not here")
        else:
            page = self.outside.pages.get(path, ("text/plain; charset=utf-8", "hällo".encode()))
            self.send(self.outside.statuses.get(path, 200), *page, **self.outside.page_headers.get(path, {}))

    do_GET = do_POST = do_PUT = do_HEAD = do_OPTIONS = do_DELETE = answer  # noqa: N815

    def send(self, status: int, kind: str, content: bytes, **headers: str) -> None:
        self.send_response(status)
        every = {
            "Content-Type": kind,
            "Content-Length": str(len(content)),
            # Only the surface's own protection may stop a request.
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Headers": "*",
            "Access-Control-Allow-Methods": "*",
            "Access-Control-Expose-Headers": "*",
            "Cross-Origin-Resource-Policy": "cross-origin",
            "X-Own": "yes",
            **headers,
        }
        for name, value in every.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing; tests read `requests`."""


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((HOST, 0), Handler)
        self.outside = Outside(self.server_port)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that disconnect."""


@contextmanager
def outside_on_loopback() -> Generator[Outside]:
    """Serve the outside origin while the block runs."""
    server = Listener()
    thread = threading.Thread(target=server.serve_forever, name="outside")
    thread.start()
    try:
        yield server.outside
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
