"""Checks the browser, by starting it."""

import contextlib
import html
import json
import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from gemini_companion.doctor.finding import Finding
from gemini_testing.chromium import WEBMCP, find_browser, missing_browser

HOST = "127.0.0.1"
# The first Chromium whose WebMCP the bridge has been tested with.
CHROMIUM = 156
# For a first start on a busy machine; usually two seconds are enough.
BROWSER_WITHIN_S = 60
# A page whose text reports the browser's features.
PROBE = b"""<!doctype html><meta charset="utf-8"><body><script>
document.body.textContent = JSON.stringify({
  agent: navigator.userAgent,
  webmcp: "modelContext" in document,
});
</script>"""


def check_browser() -> Iterator[Finding]:
    """Check that there is a recent Chromium, and that its WebMCP works."""
    browser = find_browser()
    if browser is None:
        hint = "Install Chrome or Chromium, or set the environment variable CHROME_BIN to its path."
        yield Finding("browser", False, missing_browser(), hint)
        return
    try:
        page = _probe(browser)
    except (OSError, subprocess.SubprocessError) as error:
        yield Finding(
            "browser",
            False,
            f"{browser} can't be started: {type(error).__name__}",
            "Start it by hand to see why.",
        )
        return
    agent = re.search(r"Chrome/(\d+)", str(page.get("agent", "")))
    if agent is None:
        yield Finding(
            "browser", False, f"{browser} showed no page", "Start it by hand with --headless to see why."
        )
        return
    version = int(agent[1])
    yield Finding(
        "browser",
        version >= CHROMIUM,
        f"{browser}, version {version}",
        None if version >= CHROMIUM else f"Update it: WebMCP needs {CHROMIUM} or later.",
    )
    works = page.get("webmcp") is True
    yield Finding(
        "WebMCP",
        works,
        f"works with {WEBMCP}" if works else f"is missing, even with {WEBMCP}",
        None
        if works
        else "Update the browser. Until then only scripts of the page can use its tools, through a polyfill.",
        needed=False,
    )


def _probe(browser: Path) -> dict[str, Any]:
    """Return the browser's report on a page of loopback, a secure context; empty if it reports nothing."""
    with _probe_page() as url, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ["--headless=new", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", WEBMCP]
        if _is_root():
            # Chromium refuses to run as root in its sandbox; the page is our own.
            flags.append("--no-sandbox")
        command = [str(browser), *flags, f"--user-data-dir={profile}", "--dump-dom", url]
        ran = subprocess.run(command, capture_output=True, timeout=BROWSER_WITHIN_S, check=False)
    body = re.search(r"<body>(\{.*\})</body>", ran.stdout.decode(errors="replace"), re.DOTALL)
    with contextlib.suppress(json.JSONDecodeError):
        return json.loads(html.unescape(body[1])) if body else {}
    return {}


def _is_root() -> bool:
    geteuid: Callable[[], int] | None = getattr(os, "geteuid", None)
    return geteuid is not None and geteuid() == 0


class _ProbePage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        # WebMCP requires an origin-keyed agent.
        self.send_header("Origin-Agent-Cluster", "?1")
        self.send_header("Content-Length", str(len(PROBE)))
        self.end_headers()
        self.wfile.write(PROBE)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@contextlib.contextmanager
def _probe_page() -> Generator[str]:
    with ThreadingHTTPServer((HOST, 0), _ProbePage) as server:
        thread = threading.Thread(target=server.serve_forever, name="probe-page")
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
