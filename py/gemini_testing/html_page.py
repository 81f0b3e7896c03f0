"""Pages of a few lines of HTML, with the page script as their first one, for those who test or measure it."""

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
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
# The bodies of answers to paths that begin so come that much later than their heads.
LATE_BODIES = "/late"
LATE_S = 0.15


class HtmlServer(ThreadingHTTPServer):
    """Serves the page script and the texts in `files`, by path. `localhost` is another origin of the same server."""

    daemon_threads = True

    def __init__(self, script: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        # With the parts that it loads.
        scripts = script.parent.glob(f"{script.stem}*.js")
        self.files = {f"/{each.name}": each.read_text(encoding="utf-8") for each in scripts}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def other_url(self) -> str:
        """The same files under another origin."""
        return f"http://localhost:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes elsewhere hangs up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        text = cast(HtmlServer, self.server).files.get(path)
        data = (text or "").encode()
        self.send_response(404 if text is None else 200)
        self.send_header("Content-Type", TYPES.get(Path(path).suffix, "text/plain; charset=utf-8"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if path.startswith(LATE_BODIES):
            time.sleep(LATE_S)
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


@contextlib.contextmanager
def serving_html(script: Path) -> Generator[HtmlServer]:
    """A server that runs until the block ends."""
    with HtmlServer(script) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


class HtmlPage:
    """A page that is open in Chromium."""

    def __init__(self, driver: Chrome, server: HtmlServer) -> None:
        self.driver = driver
        self.server = server

    def open(self, html: str, *, script: bool = True, files: dict[str, str] | None = None) -> HtmlPage:
        """Show `html`; `files` are more pages by their paths, such as those of iframes, as they are.

        In `html` and `files`, `OTHER` stands for the address of the other origin.
        """
        head = SCRIPT if script else ""
        pages = {"/page.html": f"<!doctype html>{head}{html}", **(files or {})}
        self.server.files |= {
            path: text.replace("OTHER", self.server.other_url) for path, text in pages.items()
        }
        self.driver.get(f"{self.server.url}/page.html")
        return self

    def snapshot(self, **options: Any) -> dict[str, Any]:
        return self.run("return geminiPage.snapshot(arguments[0])", options)

    def run(self, body: str, *arguments: Any) -> Any:
        """What the body of an async function returns.

        Raises:
            PageThrew: it threw.
        """
        answer = self.driver.execute_async_script(_RUN, body, list(arguments))
        if "error" in answer:
            raise PageThrew(answer["error"])
        return answer.get("value")


class PageThrew(Exception):
    """What a page threw: `error` has `{type, message, hint, data}`."""

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
