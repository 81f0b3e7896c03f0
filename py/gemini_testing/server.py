"""Serves a built surface on loopback, with or without the headers that isolate the page."""

import contextlib
import errno
import json
import os
import re
import sys
import threading
from collections.abc import Generator, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

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
    # WebMCP is for origin-keyed agents only.
    "Origin-Agent-Cluster": "?1",
    "X-Content-Type-Options": "nosniff",
}

# Cross-origin isolation, which SharedArrayBuffer, and with it interrupts, needs.
ISOLATION = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}

# The sites' pages stand in frames of an isolated page, which asks this of them.
FRAMED = {
    "Cross-Origin-Embedder-Policy": "credentialless",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
# Tells the page where its sites are.
SERVING = "/serving.json"

# A folder whose name has the hash of what is in it.
HASHED = re.compile(r"[a-z]+-[0-9a-f]{16}")
# Kept, and never asked about again.
IMMUTABLE = "public, max-age=31536000, immutable"
# Kept, but asked about each time: a rebuild shows at the next load.
ASKED_ABOUT = "no-cache"

# The endings of compressed copies that stand beside a file, by the name of the coding; the best comes first.
CODINGS = {"br": ".br", "gzip": ".gz"}


class PortUnavailable(Exception):
    """The port is taken, or not ours to take; the message says so in half a sentence."""


class Server(ThreadingHTTPServer):
    """Holds the port from the start and serves `folder`, which may come into being later.

    Args:
        folder: What is served.
        port: 0 takes a free one.
        isolated: Whether the page is cut off from other origins, as it has to be to share memory between threads.
        headers: What every answer has besides; those that isolate, unless told otherwise.

    Raises:
        PortUnavailable: The port can't be had.
    """

    daemon_threads = True
    # On Windows it would let two servers share a port.
    allow_reuse_address = os.name != "nt"
    request_queue_size = 64

    def __init__(
        self, folder: Path, port: int = 0, *, isolated: bool = True, headers: dict[str, str] | None = None
    ) -> None:
        self.folder = folder.resolve()
        self.headers = HEADERS | (headers or (ISOLATION if isolated else {}))
        self.sites: str | None = None
        """The URL of the origin that sites have of their own, if they have one."""
        try:
            super().__init__((HOST, port), Handler)
        except OverflowError:
            raise PortUnavailable(f"{port} is no port number between 0 and 65535") from None
        except OSError as problem:
            if problem.errno == errno.EADDRINUSE:
                raise PortUnavailable(f"Port {port} is in use") from None
            if problem.errno == errno.EACCES:
                raise PortUnavailable(f"Port {port} may not be opened by this user") from None
            raise

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A browser that goes away in the middle of an answer is nothing to report.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server_of_sites(surface: Server) -> Server:
    """The server that gives a surface's sites an origin of their own: on the next port, or any free one.

    The surface tells its page of it from then on.
    """
    port = surface.server_port
    # Nobody else shall answer for the sites' pages.
    framed = f"frame-ancestors http://{HOST}:{port} http://localhost:{port}"
    headers = FRAMED | {"Content-Security-Policy": framed}
    try:
        sites = Server(surface.folder / "site", port + 1, headers=headers)
    except PortUnavailable:
        sites = Server(surface.folder / "site", headers=headers)
    surface.sites = sites.url
    return sites


@contextlib.contextmanager
def running(server: Server) -> Generator[None]:
    """Have a server answer while the block runs, and close it then."""
    with server:
        thread = threading.Thread(target=server.serve_forever, name="surface-server")
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def serving(folder: Path, *, isolated: bool = True, sites: bool = True) -> Generator[str]:
    """Serve `folder` on a free port while the block runs, and give the URL of its index.

    Args:
        folder: What is served.
        isolated: As in `Server`.
        sites: Whether sites have an origin of their own, as they haven't on plain static hosts.
    """
    server = Server(folder, isolated=isolated)
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(server))
        if sites:
            stack.enter_context(running(server_of_sites(server)))
        yield server.url


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD with files, conditionally, from a compressed copy where the browser takes one."""

    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; Nagle's algorithm would hold the second back.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        self._answer(with_body=True)

    def do_HEAD(self) -> None:  # noqa: N802 - the base class's name
        self._answer(with_body=False)

    def end_headers(self) -> None:
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not worth a line each."""

    def _answer(self, *, with_body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        file = self._file(path)
        if path == SERVING and self.server.sites:
            self._send_serving(self.server.sites, with_body)
        elif file is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        elif file.is_dir():
            # Relative links in its index.html need the slash.
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", f"{urlsplit(self.path).path}/")
            self.send_header("Cache-Control", ASKED_ABOUT)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._send(file, with_body)

    def _send_serving(self, sites: str, with_body: bool) -> None:
        content = json.dumps({"sites": sites}).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Type", TYPES[".json"])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def _send(self, file: Path, with_body: bool) -> None:
        copies = dict(_compressed(file))
        coding = next((name for name in copies if self._accepts(name)), None)
        with (copies[coding] if coding else file).open("rb") as opened:
            status = os.fstat(opened.fileno())
            # Copies have tags of their own, as they are different bytes.
            tag = f'"{status.st_mtime_ns:x}-{status.st_size:x}{CODINGS[coding] if coding else ""}"'
            unchanged = tag in self._listed("If-None-Match")
            self.send_response(HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK)
            self.send_header("ETag", tag)
            hashed = any(HASHED.fullmatch(part) for part in file.relative_to(self.server.folder).parts)
            self.send_header("Cache-Control", IMMUTABLE if hashed else ASKED_ABOUT)
            if copies:
                self.send_header("Vary", "Accept-Encoding")
            if not unchanged:
                self.send_header("Content-Type", TYPES.get(file.suffix.lower(), "application/octet-stream"))
                self.send_header("Content-Length", str(status.st_size))
                if coding:
                    self.send_header("Content-Encoding", coding)
            self.end_headers()
            if with_body and not unchanged:
                self.wfile.write(opened.read())

    def _accepts(self, coding: str) -> bool:
        accepted = self._listed("Accept-Encoding")
        return any(re.fullmatch(rf"{coding}(\s*;\s*q=(1|0\.0*[1-9]).*)?", each) for each in accepted)

    def _listed(self, header: str) -> list[str]:
        """What a header lists; a tag that is weak is as good as a strong one here."""
        return [each.strip().removeprefix("W/") for each in self.headers.get(header, "").split(",")]

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


def _compressed(file: Path) -> Iterator[tuple[str, Path]]:
    for coding, ending in CODINGS.items():
        copy = file.with_name(file.name + ending)
        # One that is older was made from something else.
        if copy.is_file() and copy.stat().st_mtime_ns >= file.stat().st_mtime_ns:
            yield coding, copy
