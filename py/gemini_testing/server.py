"""Serves a built surface on loopback, with or without the headers that isolate the page."""

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

from gemini_companion.static_files import (
    HEADERS,
    ISOLATION,
    KERNEL_FILES,
    Folder,
    framed_by,
    kernel_file_headers,
    kernel_headers,
    sites_url,
)

HOST = "127.0.0.1"


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
        self.folder = Folder(folder)
        self.of_file: Callable[[Path], Mapping[str, str]] = lambda _: {}
        self.headers = HEADERS | (headers or (ISOLATION if isolated else {}))
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

    @property
    def sites(self) -> str | None:
        """The URL of the origins that sites have of their own, if they have any."""
        return self.folder.sites

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A browser that goes away in the middle of an answer is nothing to report.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server_of_sites(surface: Server) -> Server:
    """The server that gives a surface's sites origins of their own: on the next port, or any free one.

    The surface tells its page of it from then on.
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
    """The server that gives a surface's kernel an origin of its own, on any free port."""
    kernel = Server(surface.folder.path, headers=kernel_headers(surface.server_port))
    kernel.folder = Folder(surface.folder.path, KERNEL_FILES)
    kernel.of_file = kernel_file_headers
    surface.folder.kernel = kernel.url
    return kernel


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
def serving(
    folder: Path, *, isolated: bool = True, sites: bool = True, kernel: bool = True
) -> Generator[str]:
    """Serve `folder` on a free port while the block runs, and give the URL of its index.

    Args:
        folder: What is served.
        isolated: As in `Server`.
        sites: Whether sites have an origin of their own, as they haven't on plain static hosts.
        kernel: Whether the kernel has; never where the page isn't isolated, as on such hosts, too.
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
    """Answers GET and HEAD with files, conditionally, from a compressed copy where the browser takes one."""

    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; Nagle's algorithm would hold the second back.
    disable_nagle_algorithm = True
    _of_file: Mapping[str, str] = MappingProxyType({})

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        self._answer(with_body=True)

    def do_HEAD(self) -> None:  # noqa: N802 - the base class's name
        self._answer(with_body=False)

    def end_headers(self) -> None:
        for name, value in {**self.server.headers, **self._of_file}.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not worth a line each."""

    def _answer(self, *, with_body: bool) -> None:
        answer = self.server.folder.answer(
            urlsplit(self.path).path,
            codings=self.headers.get("Accept-Encoding", ""),
            tags=self.headers.get("If-None-Match", ""),
            with_body=with_body,
        )
        self._of_file = self.server.of_file(answer.file) if answer.file else {}
        if answer.status == HTTPStatus.NOT_FOUND:
            self.send_error(answer.status)
            return
        with answer.body or contextlib.nullcontext():
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if answer.body is not None:
                self.wfile.write(answer.body.read())
