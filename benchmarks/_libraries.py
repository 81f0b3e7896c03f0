"""Serves pages that use the npm packages of benchmarks/libraries, with the page script first in each."""

from __future__ import annotations

import contextlib
import mimetypes
import re
import shutil
import subprocess
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from gemini_testing.html_page import SCRIPT, HtmlServer

ROOT = Path(__file__).parents[1]
MODULES = Path(__file__).parent / "libraries/node_modules"
DOCTYPE = re.compile(r"\s*<!doctype[^>]*>", re.IGNORECASE)


class FolderServer(HtmlServer):
    """A server for folders; HTML loads the page script first.

    Args:
        script: The bundled page script.
        folders: The folders, by the first part of their path.
    """

    def __init__(self, script: Path, folders: dict[str, Path]) -> None:
        super().__init__(script)
        self.RequestHandlerClass = _Handler
        self.folders = folders

    def read(self, path: str) -> bytes | None:
        """Return the file at a path, or None."""
        if path in self.files:
            return self.files[path].encode()
        first, _, rest = path.removeprefix("/").partition("/")
        folder = self.folders.get(first)
        file = (folder / rest).resolve() if folder else None
        if folder is None or file is None or not file.is_relative_to(folder.resolve()) or not file.is_file():
            return None
        data = file.read_bytes()
        return _with_script(data) if file.suffix in {".html", ".htm"} else data


def _with_script(data: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    doctype = DOCTYPE.match(text)
    end = doctype.end() if doctype else 0
    return (text[:end] + SCRIPT + text[end:]).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        data = cast(FolderServer, self.server).read(path)
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        self.send_response(404 if data is None else 200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.send_header("Content-Length", str(len(data or b"")))
        self.end_headers()
        self.wfile.write(data or b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Don't log requests."""


@contextlib.contextmanager
def serving(script: Path, **folders: Path) -> Generator[FolderServer]:
    """Serve folders, and the npm packages at /node_modules, until the block ends."""
    with FolderServer(script, {"node_modules": MODULES, **folders}) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


def bundled(source: Path) -> str:
    """Return a script with the npm packages that it imports."""
    node = shutil.which("node")
    assert node is not None
    command = [node, str(ROOT / "web/node_modules/esbuild/bin/esbuild"), str(source), "--bundle", "--minify"]
    done = subprocess.run(
        command, env={"NODE_PATH": str(MODULES)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
