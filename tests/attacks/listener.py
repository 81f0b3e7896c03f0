"""A second origin on loopback, which only a successful attack reaches."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from gemini_testing import Surface


@contextlib.contextmanager
def fenced_listener() -> Generator[Listener]:
    """Run a listener with its own fence."""
    fence = Listener()
    listener = Listener(fence)
    with fence.listening(), listener.listening():
        yield listener


class Listener(ThreadingHTTPServer):
    """Records every connection and request by TCP, and every packet by UDP.

    Args:
        fence: Another listener for the requests of `received`, since browsers may keep a spare connection to an origin.
    """

    daemon_threads = True

    def __init__(self, fence: Listener | None = None) -> None:
        self.seen: list[str] = []
        self.cookies: list[str] = []
        """The cookies of each request that had some, after the host that it named."""
        self.fence = self if fence is None else fence
        super().__init__(("127.0.0.1", 0), _Handler)
        self._packets = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._packets.bind(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def udp(self) -> int:
        return int(self._packets.getsockname()[1])

    def get_request(self) -> Any:
        accepted = super().get_request()
        self.seen.append("connection")
        return accepted

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect."""

    def received(self, surface: Surface) -> list[str]:
        """Wait until the fence gets a request of the test, and return everything that arrived before."""
        url = f"{self.fence.url}/fence"
        surface.javascript("await fetch(arguments[0], { mode: 'no-cors' }).catch(() => 0)", url)
        assert "/fence" in self.fence.seen
        self.fence.seen = []
        received, self.seen = self.seen, []
        return received

    @contextlib.contextmanager
    def listening(self) -> Generator[None]:
        threads = [
            threading.Thread(target=each, daemon=True) for each in (self.serve_forever, self._receive_packets)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.shutdown()
            self.server_close()
            self._packets.close()

    def _receive_packets(self) -> None:
        with contextlib.suppress(OSError):
            while self._packets.recv(2048):
                self.seen.append("packet")


class _Handler(BaseHTTPRequestHandler):
    server: Listener  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        self.server.seen.append(self.path)
        if "Cookie" in self.headers:
            self.server.cookies.append(f"{self.headers['Host']} {self.headers['Cookie']}")
        if self.path.startswith("/to?"):
            self.send_response(302)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Cross-Origin-Resource-Policy", "cross-origin")
            self.send_header("Location", self.path.removeprefix("/to?"))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = b"<!doctype html><title>Outside</title>"
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cross-Origin-Resource-Policy", "cross-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "credentialless")
        if self.path == "/sets-cookie":
            self.send_header("Set-Cookie", "of=the-host")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the base class's name

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""
