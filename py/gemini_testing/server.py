"""Serves a built surface on loopback, with or without cross-origin isolation."""

import contextlib
import errno
import os
import sys
import threading
from collections.abc import Callable, Generator, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from gemini_companion.errors import PartUnavailable
from gemini_companion.serving.static_files import (
    HEADERS,
    ISOLATION,
    KERNEL_FILES,
    TYPES,
    Folder,
    framed_by,
    kernel_file_headers,
    kernel_headers,
    sites_url,
)

HOST = "127.0.0.1"
# How long a server may take to notice that it is to stop.
STOP_POLL_S = 0.02


class PortUnavailable(Exception):
    """The port is in use, invalid, or needs more privileges; the message says which, without a final period."""


class Server(ThreadingHTTPServer):
    """An HTTP server for a folder. It takes the port at once; the folder may be created later.

    Args:
        folder: The folder to serve.
        port: The port; 0 picks a free one.
        isolated: Whether to isolate the page from other origins, which shared memory between threads requires.
        headers: Additional headers of every response, instead of those that isolate.

    Raises:
        PortUnavailable: The port can't be opened.
    """

    daemon_threads = True
    # On Windows, address reuse lets two servers share a port.
    allow_reuse_address = os.name != "nt"
    request_queue_size = 64

    def __init__(
        self, folder: Path, port: int = 0, *, isolated: bool = True, headers: dict[str, str] | None = None
    ) -> None:
        self.folder = Folder(folder)
        self.file_headers: Callable[[Path], Mapping[str, str]] = lambda _: {}
        self.headers = HEADERS | (headers or (ISOLATION if isolated else {}))
        try:
            super().__init__((HOST, port), Handler)
        except OverflowError:
            raise PortUnavailable(f"{port} is not a port number between 0 and 65535") from None
        except OSError as problem:
            if problem.errno == errno.EADDRINUSE:
                raise PortUnavailable(f"Port {port} is in use") from None
            if problem.errno == errno.EACCES:
                raise PortUnavailable(f"Port {port} may not be opened by this user") from None
            raise

    @property
    def url(self) -> str:
        """The URL of the index, with a trailing slash."""
        return f"http://{HOST}:{self.server_address[1]}/"

    @property
    def sites(self) -> str | None:
        """The URL pattern of the sites' origins, or None if sites have no separate origins."""
        return self.folder.sites

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the traceback, except for connections that the browser closed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server_of_sites(surface: Server) -> Server:
    """Create the server that provides separate origins for a surface's sites, on the next port or any free one.

    From then on the surface's `serving.json` names it.
    """
    port = surface.server_port
    folder = surface.folder.path / "site"
    try:
        sites = Server(folder, port + 1, headers=framed_by(port))
    except PortUnavailable:
        sites = Server(folder, headers=framed_by(port))
    surface.folder.sites = sites_url(sites.server_port)
    return sites


def server_of_kernel(surface: Server) -> Server:
    """Create the server that provides a separate origin for a surface's kernel, on any free port."""
    kernel = Server(surface.folder.path, headers=kernel_headers(surface.server_port))
    kernel.folder = Folder(surface.folder.path, KERNEL_FILES)
    kernel.file_headers = kernel_file_headers
    surface.folder.kernel = kernel.url
    return kernel


@contextlib.contextmanager
def running(server: Server) -> Generator[None]:
    """Run a server while the block runs, then close it."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=[STOP_POLL_S], name="surface-server")
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def serving(
    folder: Path, *, isolated: bool = True, sites: bool = True, kernel: bool = True
) -> Generator[str]:
    """Serve a folder on a free port while the block runs, and yield the URL of its index.

    Args:
        folder: The folder to serve.
        isolated: Whether to isolate the page from other origins.
        sites: Whether sites have separate origins; False imitates plain static hosts.
        kernel: Whether the kernel has a separate origin; ignored unless the page is isolated.
    """
    server = Server(folder, isolated=isolated)
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(server))
        if sites:
            stack.enter_context(running(server_of_sites(server)))
        if kernel and isolated:
            stack.enter_context(running(server_of_kernel(server)))
        yield server.url


class Handler(BaseHTTPRequestHandler):
    """A handler for GET and HEAD that supports conditional requests and compressed copies."""

    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; Nagle's algorithm would delay the second.
    disable_nagle_algorithm = True
    _file_headers: Mapping[str, str] = MappingProxyType({})

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        """Send the file's headers and content."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:  # noqa: N802 - the base class's name
        """Send the file's headers."""
        self._answer(with_body=False)

    def end_headers(self) -> None:
        """Add the headers of the server and the file, then end the header section."""
        for name, value in {**self.server.headers, **self._file_headers}.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Don't log requests."""

    def _send_sentence(self, status: HTTPStatus, sentence: str) -> None:
        content = sentence.encode()
        self.send_response(status)
        self.send_header("Content-Type", TYPES[".txt"])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def _answer(self, *, with_body: bool) -> None:
        try:
            answer = self.server.folder.answer(
                urlsplit(self.path).path,
                codings=self.headers.get("Accept-Encoding", ""),
                tags=self.headers.get("If-None-Match", ""),
                with_body=with_body,
            )
        except PartUnavailable as problem:
            self._send_sentence(HTTPStatus.SERVICE_UNAVAILABLE, f"{problem.message} {problem.hint}")
            return
        self._file_headers = self.server.file_headers(answer.file) if answer.file else {}
        if answer.status in (HTTPStatus.NOT_FOUND, HTTPStatus.NOT_ACCEPTABLE):
            self.send_error(answer.status)
            return
        with answer.body or contextlib.nullcontext():
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if answer.body is not None:
                self.wfile.write(answer.body.read())
