"""Serves `dist/` on loopback with the headers that isolate the page."""

from __future__ import annotations

import errno
import os
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from builder.problems import BuildProblem

HOST = "127.0.0.1"

# Written out, because the system's own table may be wrong (Windows' registry) or lack .mjs, .wasm and .whl.
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".py": "text/x-python; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}

HEADERS = {
    # Cross-origin isolation, which SharedArrayBuffer, and with it interrupts, needs.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    # WebMCP is for origin-keyed agents only.
    "Origin-Agent-Cluster": "?1",
    # Kept, but asked about each time: a rebuild shows at the next load.
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
}


class Server(ThreadingHTTPServer):
    """Holds the port from the start and serves `folder`, which may come into being later."""

    daemon_threads = True
    # On Windows it would let two servers share a port.
    allow_reuse_address = os.name != "nt"
    request_queue_size = 64

    def __init__(self, folder: Path, port: int) -> None:
        """
        Raises:
            BuildProblem: the port is taken, or not ours to take.
        """
        self.folder = folder.resolve()
        try:
            super().__init__((HOST, port), Handler)
        except OverflowError:
            raise BuildProblem(
                f"{port} is no port number; choose one between 0 and 65535 with --port."
            ) from None
        except OSError as problem:
            if problem.errno in {errno.EADDRINUSE, errno.EACCES}:
                why = "is in use" if problem.errno == errno.EADDRINUSE else "may not be opened by this user"
                raise BuildProblem(f"Port {port} {why}; choose another one with --port.") from None
            raise

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A browser that goes away in the middle of an answer is nothing to report.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD with files, conditionally."""

    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; Nagle's algorithm would hold the second back.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        self._answer(with_body=True)

    def do_HEAD(self) -> None:  # noqa: N802 - the base class's name
        self._answer(with_body=False)

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not worth a line each."""

    def _answer(self, *, with_body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        file = self._file(path)
        if file is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        if file.is_dir():
            # Relative links in its index.html need the slash.
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", f"{urlsplit(self.path).path}/")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        with file.open("rb") as opened:
            status = os.fstat(opened.fileno())
            tag = f'"{status.st_mtime_ns:x}-{status.st_size:x}"'
            known = {
                each.strip().removeprefix("W/") for each in self.headers.get("If-None-Match", "").split(",")
            }
            unchanged = tag in known
            self.send_response(HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK)
            self.send_header("ETag", tag)
            if not unchanged:
                self.send_header("Content-Type", TYPES.get(file.suffix.lower(), "application/octet-stream"))
                self.send_header("Content-Length", str(status.st_size))
            self.end_headers()
            if with_body and not unchanged:
                self.wfile.write(opened.read())

    def _file(self, path: str) -> Path | None:
        """What a URL's path names in the folder: a file, or a folder whose slash is missing."""
        if "\0" in path:
            return None
        found = self.server.folder.joinpath(*path.split("/")).resolve()
        if not found.is_relative_to(self.server.folder):
            return None
        if path.endswith("/"):
            found = found / "index.html"
        elif found.is_dir() and (found / "index.html").is_file():
            return found
        return found if found.is_file() else None
