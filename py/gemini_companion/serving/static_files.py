"""Chooses the file and headers that answer a request, and sends them as an ASGI application.

It needs no package, so that every server of the surface can use it, including `build.py`'s and the tests'.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote

from gemini_companion.admission.extension import ORIGIN as EXTENSION
from gemini_companion.errors import PartUnavailable
from gemini_companion.storage.parts import Parts

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

# Explicit, because the system's own table may be wrong (Windows' registry) or lack .mjs, .wasm and .whl.
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
    ".webmanifest": "application/manifest+json",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}

# Origin-Agent-Cluster is omitted: it would put page and kernel into separate processes, and each call would take 0.2 ms
# longer. Isolation keys both by origin, as WebMCP requires.
HEADERS = {"X-Content-Type-Options": "nosniff"}

# Cross-origin isolation, which SharedArrayBuffer and therefore interrupts need.
ISOLATION = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}

# The sites' pages are framed by an isolated page, which requires these headers.
FRAMED = {
    # A separate process, so that a site shares no memory with the surface.
    "Origin-Agent-Cluster": "?1",
    "Cross-Origin-Embedder-Policy": "credentialless",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
# Where the page finds the other origins.
SERVING = "/serving.json"

# A folder whose name contains the hash of its content.
HASHED = re.compile(r"[a-z]+-[0-9a-f]{16}")
# Cached, and never revalidated.
IMMUTABLE = "public, max-age=31536000, immutable"
# Cached, but revalidated each time, so that a rebuild shows at the next load.
REVALIDATED = "no-cache"

# The suffixes of compressed copies next to a file, by the name of the coding, best first.
CODINGS = {"br": ".br", "gzip": ".gz"}
# The bytes that are read and sent at a time.
PIECE = 256 * 1024
UNCOMPRESSED = (
    "This file is here compressed with brotli only, which the client doesn't accept (Accept-Encoding: br)."
)
# The most open files. Fewer than these can wait for clients that don't read (`gemini_companion.serving.connections`),
# so the others proceed.
AT_ONCE = 128


# The network door without a companion (web/network_door/worker.ts).
NETWORK_WORKER = "network_worker.js"
# All that the kernel's origin serves: the folders of a build, and of the documents only the frame's.
KERNEL_FILES = re.compile(
    r"(surface|pyodide|linux|meaning)-[0-9a-f]{16}/.*(?<!\.html)|surface-[0-9a-f]{16}/kernel\.html"
)


def surface_at(port: int) -> str:
    """Return the origins of the surface on a port of loopback, as a policy lists them."""
    return f"http://127.0.0.1:{port} http://localhost:{port}"


def framed_by(port: int) -> dict[str, str]:
    """Return the headers of the sites' origins. Only the surface may frame their pages: on `port`, or the extension.

    A site's scripts can reach these documents, so they allow no more than its own pages do (web/site/policy.ts).
    """
    policy = (
        "default-src 'none'",
        "script-src 'self'",
        # The worker reads host.html for navigations to it.
        "connect-src 'self'",
        "worker-src http://*:*/worker.js",
        "form-action 'none'",
        "base-uri 'none'",
        "sandbox allow-scripts allow-same-origin",
        f"frame-ancestors {surface_at(port)} {EXTENSION}",
    )
    # https://wicg.github.io/connection-allowlists/: covers what a CSP doesn't, such as WebRTC and name look-ups.
    restrictions = {
        "Connection-Allowlist": "(response-origin)",
        "Permissions-Policy": "clipboard-read=(), clipboard-write=()",
        "X-DNS-Prefetch-Control": "off",
    }
    return FRAMED | restrictions | {"Content-Security-Policy": "; ".join(policy)}


def sites_url(port: int) -> str:
    """Return the URL of sites on a port of loopback, where each site's name replaces the `*`."""
    return f"http://*.localhost:{port}/"


def kernel_file_headers(file: Path) -> dict[str, str]:
    """Return the extra headers of one file of the kernel's origin.

    The network door's service worker reaches other origins, so it may run no other code.
    """
    if file.name != NETWORK_WORKER:
        return {}
    return {"Content-Security-Policy": "default-src 'none'; connect-src http: https:"}


def kernel_headers(port: int) -> dict[str, str]:
    """Return the headers of every answer of the kernel's origin, for the surface on `port`.

    Python and all that runs next to it reach this origin and nothing else (https://www.w3.org/TR/CSP3/): no other
    origin by requests, and no worker, frame or page from elsewhere, `data:` or `blob:`, which might be less restricted.
    """
    policy = {
        "default-src": "'none'",
        # Python evaluates JavaScript and compiles WebAssembly.
        "script-src": "'self' 'unsafe-eval'",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": surface_at(port),
    }
    return {
        **HEADERS,
        **ISOLATION,
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Referrer-Policy": "no-referrer",
        "Content-Security-Policy": "; ".join(f"{name} {sources}" for name, sources in policy.items()),
    }


@dataclass(frozen=True)
class Answer:
    """The answer to a request.

    Args:
        status: The HTTP status.
        headers: By name, without those that every answer of a server has.
        body: The content, which the caller sends and closes; None if there is none to send.
        file: The file of the content.
    """

    status: HTTPStatus
    headers: dict[str, str]
    body: BinaryIO | None = None
    file: Path | None = None


class Folder:
    """A folder that GET and HEAD can read: conditionally, and as a compressed copy if the client accepts one.

    Args:
        path: The folder, which may be created later.
        only: The pattern of paths that are served; None serves all.
    """

    def __init__(self, path: Path, only: re.Pattern[str] | None = None) -> None:
        self.path = path.resolve()
        self._parts: Parts | None = None
        self.sites: str | None = None
        """The URL of the sites' origins, if they have their own, with a `*` in place of each site's name."""
        self.kernel: str | None = None
        """The URL of the kernel's origin, if it has its own."""
        self.network = False
        """True if the kernel's origin has a network door."""
        self.program: str | None = None
        """The program that runs the companion, as the user types it."""
        self._only = only

    def answer(self, target: str, *, codings: str = "", tags: str = "", with_body: bool = True) -> Answer:
        """Answer a request.

        Args:
            target: The URL's path, percent-encoded, without a query.
            codings: The request's `Accept-Encoding`.
            tags: The request's `If-None-Match`.
            with_body: False for HEAD.

        Raises:
            PartUnavailable: It is a part of the page that can't be fetched.
        """
        path = unquote(target)
        file = self._find(path)
        if path == SERVING and (self.sites or self.kernel):
            known = {"sites": self.sites, "kernel": self.kernel, "network": self.network}
            content = json.dumps({**known, "program": self.program}).encode()
            headers = {"Content-Type": TYPES[".json"], "Content-Length": str(len(content))}
            body = BytesIO(content) if with_body else None
            return Answer(HTTPStatus.OK, {"Cache-Control": "no-store", **headers}, body)
        if file is None:
            return Answer(HTTPStatus.NOT_FOUND, {})
        if file.is_dir():
            # Relative links in its index.html need the trailing slash; two leading slashes would name a host.
            location = f"/{target.lstrip('/')}/"
            headers = {"Location": location, "Cache-Control": REVALIDATED, "Content-Length": "0"}
            return Answer(HTTPStatus.MOVED_PERMANENTLY, headers)
        return _content(file, self._part(file), self._lifetime(file), codings, tags, with_body)

    def _lifetime(self, file: Path) -> str:
        hashed = any(HASHED.fullmatch(part) for part in file.relative_to(self.path).parts)
        return IMMUTABLE if hashed else REVALIDATED

    @property
    def parts(self) -> Parts:
        """The parts of the page that aren't in the folder."""
        if self._parts is None:
            self._parts = Parts(self.path)
        return self._parts

    def _part(self, file: Path) -> Path:
        """Return the file itself, or else the file of the part that it is.

        A part that is here in a compressed copy isn't fetched.
        """
        name = file.relative_to(self.path).as_posix()
        here = file.is_file() or any(_compress(file)) or name not in self.parts
        return file if here else self.parts.get(name)

    def _serves(self, file: Path) -> bool:
        return self._only is None or bool(self._only.fullmatch(file.relative_to(self.path).as_posix()))

    def _find(self, path: str) -> Path | None:
        """Return the file that a URL's path names, or a folder if the path lacks the slash."""
        if "\0" in path:
            return None
        try:
            found = self.path.joinpath(*path.split("/")).resolve()
            if not found.is_relative_to(self.path) or not self._serves(found):
                return None
            if path.endswith("/"):
                found = found / "index.html"
            elif found.is_dir() and (found / "index.html").is_file():
                return found
            there = found.is_file() or any(_compress(found))
            return found if there or found.relative_to(self.path).as_posix() in self.parts else None
        except OSError as problem:
            if problem.errno == errno.ENAMETOOLONG:
                return None
            raise


def _content(file: Path, source: Path, lifetime: str, codings: str, tags: str, with_body: bool) -> Answer:
    copies = dict(_compress(file))
    coding = next((name for name in copies if _accepts(codings, name)), None)
    if copies and not coding and not source.is_file():
        return Answer(HTTPStatus.NOT_ACCEPTABLE, {"Vary": "Accept-Encoding"})
    opened = (copies[coding] if coding else source).open("rb")
    status = os.fstat(opened.fileno())
    # Copies have their own tags, as their bytes differ.
    tag = f'"{status.st_mtime_ns:x}-{status.st_size:x}{CODINGS[coding] if coding else ""}"'
    headers = {"ETag": tag, "Cache-Control": lifetime}
    if copies:
        headers["Vary"] = "Accept-Encoding"
    unchanged = tag in _list(tags)
    if not unchanged:
        headers["Content-Type"] = TYPES.get(file.suffix.lower(), "application/octet-stream")
        headers["Content-Length"] = str(status.st_size)
        if coding:
            headers["Content-Encoding"] = coding
    if unchanged or not with_body:
        opened.close()
        return Answer(HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK, headers, file=file)
    return Answer(HTTPStatus.OK, headers, opened, file)


def _accepts(codings: str, coding: str) -> bool:
    return any(re.fullmatch(rf"{coding}(\s*;\s*q=(1|0\.0*[1-9]).*)?", each) for each in _list(codings))


def _list(header: str) -> list[str]:
    """Return the items of a header; a weak tag counts as a strong one here."""
    return [each.strip().removeprefix("W/") for each in header.split(",")]


def _compress(file: Path) -> Iterator[tuple[str, Path]]:
    """Yield the compressed copies of a file, which a wheel may have instead of the file."""
    changed = file.stat().st_mtime_ns if file.is_file() else 0
    for coding, ending in CODINGS.items():
        copy = file.with_name(file.name + ending)
        # An older copy was made from other content.
        if copy.is_file() and copy.stat().st_mtime_ns >= changed:
            yield coding, copy


class StaticFiles:
    """An ASGI application that answers GET and HEAD with the files of a folder.

    Args:
        folder: The folder to serve.
        headers: Returns the extra headers of a file.
    """

    def __init__(self, folder: Folder, headers: Callable[[Path], Mapping[str, str]] | None = None) -> None:
        self.folder = folder
        self.headers = headers
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, when fewer than `AT_ONCE` are being answered."""
        if scope["type"] != "http":
            raise ValueError(f"Files are served over HTTP, not over {scope['type']}.")
        async with self._turns:
            await self._send(scope, receive, send)

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await asyncio.to_thread(self._answer, scope)
        named = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
        start = {"type": "http.response.start", "status": int(answer.status), "headers": named}
        if answer.body is None:
            await send(start)
            await send({"type": "http.response.body", "body": b""})
            return
        with answer.body as body:
            await send(start)
            piece = await asyncio.to_thread(body.read, PIECE)
            disconnected = asyncio.create_task(_disconnected(receive))
            while piece and not disconnected.done():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                piece = await asyncio.to_thread(body.read, PIECE) if len(piece) == PIECE else b""
            disconnected.cancel()
        await send({"type": "http.response.body", "body": b""})

    def _answer(self, scope: Scope) -> Answer:
        if scope["method"] not in ("GET", "HEAD"):
            return _text_answer(
                HTTPStatus.METHOD_NOT_ALLOWED, "Files can only be read: use GET or HEAD.", "GET, HEAD"
            )
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        try:
            answer = self.folder.answer(
                scope["raw_path"].decode("latin-1"),
                codings=headers.get(b"accept-encoding", ""),
                tags=headers.get(b"if-none-match", ""),
                with_body=scope["method"] == "GET",
            )
        except PartUnavailable as problem:
            return _text_answer(HTTPStatus.SERVICE_UNAVAILABLE, f"{problem.message} {problem.hint}")
        if answer.status == HTTPStatus.NOT_FOUND:
            return _text_answer(answer.status, "There is no such file.")
        if answer.status == HTTPStatus.NOT_ACCEPTABLE:
            return _text_answer(answer.status, UNCOMPRESSED)
        if answer.file is not None and self.headers is not None:
            answer.headers.update(self.headers(answer.file))
        return answer


async def _disconnected(receive: Receive) -> None:
    """Return when the client has disconnected, which sending doesn't reveal."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _text_answer(status: HTTPStatus, sentence: str, allowed: str | None = None) -> Answer:
    content = sentence.encode()
    headers = {"Content-Type": TYPES[".txt"], "Content-Length": str(len(content))}
    return Answer(status, headers | ({"Allow": allowed} if allowed else {}), BytesIO(content))
