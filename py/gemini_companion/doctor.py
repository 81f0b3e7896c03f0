"""`control-surface doctor`: whether this machine has what the surface needs, and what to do where it hasn't."""

from __future__ import annotations

import asyncio
import contextlib
import html
import importlib.metadata
import json
import os
import platform
import re
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

from gemini_testing.chromium import WEBMCP, find_browser

HOST = "127.0.0.1"
PACKAGES = ("pydantic", "mcp", "starlette", "uvicorn", "websockets", "keyring", "httpx2")
# The first Chromium whose WebMCP the bridge has been tested with.
CHROMIUM = 156
# A first start on a busy machine; the usual one takes two seconds.
BROWSER_WITHIN_S = 60
ANSWER_WITHIN_S = 3
LONGEST_ANSWER = 4096
WELL_KNOWN = "/.well-known/control-surface"
# The page that tells what the browser can do, by its text.
PROBE = b"""<!doctype html><meta charset="utf-8"><body><script>
document.body.textContent = JSON.stringify({
  agent: navigator.userAgent,
  webmcp: "modelContext" in document,
});
</script>"""


@dataclass(frozen=True)
class Options:
    """What is checked.

    Attributes:
        port: The one that the companion shall have.
        dist: The folder of the built page.
        json: Print JSON instead of lines.
    """

    port: int = 8765
    dist: Path = Path("dist")
    json: bool = False


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Attributes:
        what: The thing that was checked.
        ok: Whether it is as it should be.
        told: What was found.
        hint: What to do, where it isn't ok.
        needed: Whether the surface can't do without.
    """

    what: str
    ok: bool
    told: str
    hint: str | None = None
    needed: bool = True


def run(options: Options) -> int:
    """Check everything, print what was found, and give the exit code: 1 if something that is needed is missing."""
    findings: list[Finding] = []
    for finding in examine(options):
        findings.append(finding)
        if not options.json:
            _print(finding)
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    return int(any(finding.needed and not finding.ok for finding in findings))


def examine(options: Options) -> Iterator[Finding]:
    """The findings, each as soon as it is there."""
    yield Finding("Python", True, platform.python_version())
    packages = check_packages()
    yield packages
    yield check_dist(options.dist)
    yield from check_browser()
    yield check_port(options.port)
    if packages.ok:
        yield from check_models()


def check_packages() -> Finding:
    """Whether the companion's packages are installed."""
    found: dict[str, str] = {}
    for name in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    if missing := [name for name in PACKAGES if name not in found]:
        return Finding(
            "packages",
            False,
            f"missing: {', '.join(missing)}",
            'Run pip install "gemini-surface[companion]" with this Python.',
        )
    return Finding("packages", True, ", ".join(f"{name} {version}" for name, version in found.items()))


def check_dist(folder: Path) -> Finding:
    """Whether the page is built."""
    for name in ("index.html", "tools.json"):
        if not (folder / name).is_file():
            return Finding("page", False, f"{folder / name} is missing", "Run python3 build.py build.")
    return Finding("page", True, str(folder.resolve()))


def check_browser() -> Iterator[Finding]:
    """Whether there is a Chromium, recent enough, and whether its WebMCP works."""
    named = os.environ.get("CHROME_BIN")
    browser = find_browser()
    if browser is None:
        told = f"CHROME_BIN names {named}, which is no file" if named else "none was found"
        hint = "Install Chrome or Chromium, or name it in the environment variable CHROME_BIN."
        yield Finding("browser", False, told, hint)
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
        f"works with {WEBMCP}" if works else f"isn't there, even with {WEBMCP}",
        None
        if works
        else "Update the browser; until then only scripts of the page see its tools, by a polyfill.",
        needed=False,
    )


def check_port(port: int) -> Finding:
    """Whether the companion can have its port, or who has it."""
    what = f"port {port}"
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probing:
        if os.name != "nt":
            # As servers do: a connection that was closed a moment ago doesn't count.
            probing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probing.bind((HOST, port))
        except OverflowError:
            return Finding(what, False, "is no port", "Take one between 1 and 65535.")
        except PermissionError:
            return Finding(what, False, "may not be opened by this user", "Take one above 1023 with --port.")
        except OSError:
            pass
        else:
            return Finding(what, True, "free")
    if (companion := _companion_at(port)) is None:
        return Finding(
            what, False, "taken by another program", "End that program, or take another by --port."
        )
    facts = ", ".join(f"{name} {companion[name]!r}" for name in ("version", "pid") if name in companion)
    return Finding(what, True, "a companion runs here already" + (f" ({facts})" if facts else ""))


def check_models() -> Iterator[Finding]:
    """Whether there is a keyring, and which providers of language models can be used."""
    # These need the packages, of which one may be missing.
    from gemini_companion.gateway import Gateway, load_providers  # noqa: PLC0415
    from gemini_companion.gateway.errors import ConfigurationProblem  # noqa: PLC0415
    from gemini_companion.gateway.keys import keyring_name  # noqa: PLC0415

    name = keyring_name()
    yield Finding(
        "keyring",
        name is not None,
        name or "this machine has none",
        None if name else "That is normal on servers: give keys by environment variables.",
        needed=False,
    )
    try:
        providers = load_providers()
    except ConfigurationProblem as problem:
        yield Finding("models", False, problem.message, problem.hint)
        return
    for row in asyncio.run(Gateway(providers).rows()):
        yield _provider(row, providers[row["name"]].variables)


def _provider(row: dict[str, Any], variables: tuple[str, ...]) -> Finding:
    what = f"models of {row['name']}"
    if row["problem"]:
        return Finding(what, False, row["problem"], "Give the key anew.", needed=False)
    if row["has_key"]:
        return Finding(what, True, f"key from the {row['key_from']}", needed=False)
    if row["needs_key"]:
        hint = f"Give one in the settings or by {' or '.join(variables)}, if you want these models."
        return Finding(what, False, "no key", hint, needed=False)
    return Finding(what, True, f"no key, and none is needed ({row['base_url']})", needed=False)


def _companion_at(port: int) -> dict[str, Any] | None:
    """What a companion at a port says of itself; None if it is somebody else's."""
    # Whatever proxy the environment names, this machine is asked directly.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{HOST}:{port}{WELL_KNOWN}", timeout=ANSWER_WITHIN_S) as answer:
            said = json.loads(answer.read(LONGEST_ANSWER))
    except (OSError, ValueError, urllib.error.URLError):
        return None
    return cast(dict[str, Any], said) if isinstance(said, dict) else None


def _probe(browser: Path) -> dict[str, Any]:
    """What the browser says of itself on a page of loopback, which is a secure context; empty if it says nothing."""
    with _probe_page() as url, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ["--headless=new", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", WEBMCP]
        if _is_root():
            # Chromium refuses to start in its sandbox then; the page is our own.
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
        # WebMCP is for origin-keyed agents only.
        self.send_header("Origin-Agent-Cluster", "?1")
        self.send_header("Content-Length", str(len(PROBE)))
        self.end_headers()
        self.wfile.write(PROBE)

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody needs a line for it."""


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


def _print(finding: Finding) -> None:
    sign = "ok" if finding.ok else ("MISSING" if finding.needed else "note")
    print(f"{sign:8} {finding.what}: {finding.told}", file=sys.stdout, flush=True)
    if finding.hint:
        print(f"{'':8} {finding.hint}", flush=True)
