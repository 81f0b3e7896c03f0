"""A git server over HTTP on loopback: git's own http-backend, with the headers that other origins need."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

# The second is `ada:secret`.
ALLOWED = ("Bearer secret", "Basic YWRhOnNlY3JldA==")
PRIVATE = "/private.git"


class Handler(BaseHTTPRequestHandler):
    """Passes requests to http-backend, as RFC 3875 (CGI) describes."""

    root = Path()

    def do_GET(self) -> None:  # noqa: N802 - the library's name
        """Answer a request for refs."""
        self._answer()

    def do_POST(self) -> None:  # noqa: N802 - the library's name
        """Answer a request for objects, or one that sends them."""
        self._answer()

    def do_OPTIONS(self) -> None:  # noqa: N802 - the library's name
        """Allow requests of other origins."""
        self._send(204, [], b"")

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""

    def _answer(self) -> None:
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if url.path.startswith(PRIVATE) and self.headers.get("Authorization") not in ALLOWED:
            self._send(401, [("WWW-Authenticate", 'Basic realm="git"')], b"")
            return
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": "person",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": url.path,
            "QUERY_STRING": url.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "CONTENT_LENGTH": str(len(body)),
        }
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=environment, capture_output=True, check=True
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [(name, value) for name, _, value in (x.partition(": ") for x in head.decode().splitlines())]
        status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
        self._send(status, [field for field in fields if field[0] != "Status"], content)

    def _send(self, status: int, fields: list[tuple[str, str]], content: bytes) -> None:
        self.send_response(status)
        allowed = [("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Headers", "*, Authorization")]
        for name, value in [*fields, *allowed, ("Content-Length", str(len(content)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


@contextlib.contextmanager
def git_server(root: Path) -> Generator[str]:
    """Serve the repositories of a folder and yield the URL."""
    handler = type("HandlerOfRoot", (Handler,), {"root": root})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
