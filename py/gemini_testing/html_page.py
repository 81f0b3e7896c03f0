"""Small HTML pages that load the page script first, for its tests and benchmarks."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

from selenium.webdriver import Chrome

SCRIPT = '<script src="/gemini-page.js"></script>'
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".pdf": "application/pdf",
}
# Responses to paths with this prefix send the body this much later than the headers.
LATE_BODIES = "/late"
LATE_S = 0.15
# Those to paths with this prefix are files to store.
ATTACHMENTS = "/attached/"


class HtmlServer(ThreadingHTTPServer):
    """A server for the page script and for the contents in `files`, by path.

    Args:
        script: The bundled page script.
    """

    daemon_threads = True

    def __init__(self, script: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        # The page script loads its parts from the same folder.
        scripts = script.parent.glob(f"{script.stem}*.js")
        self.files = {f"/{each.name}": each.read_text(encoding="utf-8") for each in scripts}

    @property
    def url(self) -> str:
        """The origin of the pages."""
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def other_url(self) -> str:
        """Another origin that serves the same files."""
        return f"http://localhost:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that the browser closed when it left a page."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        text = cast(HtmlServer, self.server).files.get(path)
        data = (text or "").encode()
        self.send_response(404 if text is None else 200)
        self.send_header("Content-Type", TYPES.get(Path(path).suffix, "text/plain; charset=utf-8"))
        self.send_header("Content-Length", str(len(data)))
        if path.startswith(ATTACHMENTS):
            name = path.rpartition("/")[2]
            self.send_header("Content-Disposition", f"attachment; filename*=UTF-8''{name}")
        self.end_headers()
        if path.startswith(LATE_BODIES):
            time.sleep(LATE_S)
        self.wfile.write(data)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        """Don't log requests."""


@contextlib.contextmanager
def serving_html(script: Path) -> Generator[HtmlServer]:
    """Run a server until the block ends."""
    with HtmlServer(script) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


class HtmlPage:
    """A page in Chromium.

    Args:
        driver: Selenium's driver.
        server: The server of the pages.
    """

    def __init__(self, driver: Chrome, server: HtmlServer) -> None:
        self.driver = driver
        self.server = server

    def open(self, html: str, *, script: bool = True, files: dict[str, str] | None = None) -> HtmlPage:
        """Load a page.

        Args:
            html: The page's HTML. In `html` and `files`, `OTHER` is replaced with the other origin.
            script: Whether the page loads the page script.
            files: More files to serve, such as the documents of iframes, by path.
        """
        head = SCRIPT if script else ""
        pages = {"/page.html": f"<!doctype html>{head}{html}", **(files or {})}
        self.server.files |= {
            path: text.replace("OTHER", self.server.other_url) for path, text in pages.items()
        }
        self.driver.get(f"{self.server.url}/page.html")
        return self

    def snapshot(self, **options: Any) -> dict[str, Any]:
        """Return the page script's snapshot of the page."""
        return self.run("return geminiPage.snapshot(arguments[0])", options)

    def run(self, body: str, *arguments: Any) -> Any:
        """Run the body of an async JavaScript function in the page and return its result.

        Raises:
            PageThrew: The function threw an error.
        """
        answer = self.driver.execute_async_script(_RUN, body, list(arguments))
        if "error" in answer:
            raise PageThrew(answer["error"])
        return answer.get("value")


class PageThrew(Exception):
    """The page threw an error.

    Args:
        error: `{type, message, hint, data}`.
    """

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['type']}: {error['message']}")
        self.error = error


_RUN = """
const [body, given, done] = arguments;
(async () => new (async () => {}).constructor(body).apply(null, given))().then(
  (value) => done({ value: value ?? null }),
  (error) => done({
    error: { type: error.name, message: error.message, hint: error.hint ?? null, data: error.data ?? null },
  }),
);
"""
