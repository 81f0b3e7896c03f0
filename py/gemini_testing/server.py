"""Serves a built surface on loopback, with or without the headers that isolate the page."""

import contextlib
import functools
import sys
import threading
from collections.abc import Generator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ISOLATION = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}
HEADERS = {"Origin-Agent-Cluster": "?1", "Cache-Control": "no-cache"}


@contextlib.contextmanager
def serving(folder: Path, *, isolated: bool = True) -> Generator[str]:
    """Serve `folder` on a free port while the block runs, and give the URL of its index."""
    handler = functools.partial(
        _Handler, headers=HEADERS | (ISOLATION if isolated else {}), directory=str(folder)
    )
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, name="surface-server")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A browser that goes away in the middle of an answer is nothing to report.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The system's own table may lack these, or be wrong.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".mjs": "text/javascript; charset=utf-8",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def __init__(self, *args: Any, headers: dict[str, str], **kwargs: Any) -> None:
        self._more_headers = headers
        super().__init__(*args, **kwargs)

    def end_headers(self) -> None:
        for name, value in self._more_headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not worth a line each."""
