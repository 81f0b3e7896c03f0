"""An HTTP server on loopback with paths that answer in various ways, for `curl` and `wget`."""

from __future__ import annotations

import gzip
import json
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

HOST = "127.0.0.1"
# The headers that clients choose themselves.
SHOWN = ("content-type", "authorization", "accept", "range", "x-one", "x-two")
TEXT = b"first line\nsecond line\n"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, rest = urlsplit(self.path).path.strip("/").partition("/")
        self.server.seen[self.path] += 1
        method = getattr(self, f"path_{path}", None)
        if method is None:
            self.send(404, b"no such page\n")
        else:
            method(rest, body)

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = do_PATCH = do_OPTIONS = answer  # noqa: N815

    def path_text(self, rest: str, body: bytes) -> None:
        span = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        if not span[1]:
            self.send(200, TEXT)
            return
        first, last = int(span[0] or 0), int(span[2] or len(TEXT) - 1)
        self.send(206, TEXT[first : last + 1], **{"Content-Range": f"bytes {first}-{last}/{len(TEXT)}"})

    def path_echo(self, rest: str, body: bytes) -> None:
        headers = {name: self.headers[name] for name in SHOWN if name in self.headers}
        if headers.get("content-type", "").startswith("multipart/"):
            kind, _, boundary = headers["content-type"].partition("; boundary=")
            headers["content-type"] = kind
            body = body.replace(boundary.encode(), b"BOUNDARY")
        noted = {
            "method": self.command,
            "path": self.path,
            "headers": headers,
            "agent": self.headers.get("User-Agent", "").partition("/")[0],
            "body": body.decode("latin-1"),
        }
        self.send(200, json.dumps(noted, indent=1).encode() + b"\n", "application/json")

    def path_status(self, rest: str, body: bytes) -> None:
        self.send(int(rest), f"status {rest}\n".encode())

    def path_redirect(self, rest: str, body: bytes) -> None:
        left = int(rest)
        target = f"/redirect/{left - 1}" if left > 1 else "/echo/end"
        self.send(302, b"moved\n", Location=target)

    def path_login(self, rest: str, body: bytes) -> None:
        if "Authorization" in self.headers:
            self.path_echo(rest, body)
        else:
            self.send(401, b"who?\n", **{"WWW-Authenticate": 'Basic realm="x"'})

    def path_moved(self, rest: str, body: bytes) -> None:
        self.send(int(rest), b"", Location="/echo/moved")

    def path_gzip(self, rest: str, body: bytes) -> None:
        self.send(200, gzip.compress(TEXT, mtime=0), **{"Content-Encoding": "gzip"})

    def path_named(self, rest: str, body: bytes) -> None:
        self.send(200, TEXT, **{"Content-Disposition": 'attachment; filename="report.txt"'})

    def path_flaky(self, rest: str, body: bytes) -> None:
        works = self.server.seen[self.path] > 1
        self.send(200, b"works\n") if works else self.send(503, b"busy\n")

    def path_slow(self, rest: str, body: bytes) -> None:
        self.server.ended.wait(5)
        self.send(200, b"late\n")

    def path_bytes(self, rest: str, body: bytes) -> None:
        self.send(200, bytes(range(256)), "application/octet-stream")

    def send(self, status: int, content: bytes, kind: str = "text/plain", **headers: str) -> None:
        self.send_response_only(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(content)),
            "X-Served": "yes",
            **headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        # The next answer on the connection would begin with the body of an answer that has none.
        if self.command != "HEAD" and status != HTTPStatus.NO_CONTENT:
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    """The server; `seen` counts the requests for each path."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((HOST, 0), Handler)
        self.seen: Counter[str] = Counter()
        self.ended = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect."""


@contextmanager
def http_server() -> Generator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
