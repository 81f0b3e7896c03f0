"""A server on loopback of a folder's files, with TLS if wanted."""

from __future__ import annotations

import functools
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def serving_files(folder: Path, tls: ssl.SSLContext | None = None) -> Generator[int]:
    """Serve the folder until the block ends; yield the port."""
    handler = functools.partial(_Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
