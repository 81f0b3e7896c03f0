"""Who listens on a port: what a companion tells of itself, and what the system knows of others."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

NAME = "control-surface"
# https://www.rfc-editor.org/rfc/rfc8615
WELL_KNOWN = "/.well-known/control-surface"
# Where a command of the same user asks for an address that lets a browser in (`gemini_companion.entrance`).
ADDRESS = "/entrance/address"
# A server of our own answers in some milliseconds.
ANSWERS_WITHIN_S = 1.0
LONGEST_ANSWER = 10_000


class Identity:
    """An ASGI layer that tells anybody who may ask this server at all which process it is.

    The answer is `{"name", "version", "pid", "started"}`, the last in seconds since 1970.
    """

    def __init__(self, app: ASGIApp) -> None:
        # build.py asks who has a port, with a Python that has none of the packages that this needs.
        from gemini.server.endpoint import installed_version  # noqa: PLC0415

        self.app = app
        told = {"name": NAME, "version": installed_version(), "pid": os.getpid(), "started": time.time()}
        self._content = json.dumps(told).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != WELL_KNOWN or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(self._content)).encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self._content})


def who_has(port: int) -> str | None:
    """The process that listens on a port of loopback, as words for a sentence; None where nobody can tell."""
    told = companion_at(port)
    if told is not None:
        since = time.strftime("%H:%M", time.localtime(told["started"]))
        return f"another {NAME} (process {told['pid']}, since {since})"
    found = _by_proc(port) or _by_lsof(port)
    return f"{found[1]} (process {found[0]})" if found else None


def companion_at(port: int) -> dict[str, Any] | None:
    """What a companion at a port of loopback tells of itself (see `Identity`); None where there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWERS_WITHIN_S)
    try:
        connection.request("GET", WELL_KNOWN)
        told = json.loads(connection.getresponse().read(LONGEST_ANSWER))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    # It may be anybody's server.
    if not isinstance(told, dict):
        return None
    named = cast("dict[str, Any]", told)
    known = isinstance(named.get("pid"), int) and isinstance(named.get("started"), (int, float))
    return named if known and named.get("name") == NAME else None


def _by_proc(port: int) -> tuple[int, str] | None:
    """By Linux's tables: https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html."""
    table = Path("/proc/net/tcp")
    if not table.exists():
        return None
    rows = [line.split() for line in table.read_text(encoding="ascii").splitlines()[1:]]
    # State 0A listens.
    sockets = {
        f"socket:[{row[9]}]" for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port
    }
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            if any(os.readlink(each) in sockets for each in (process / "fd").iterdir()):
                return int(process.name), (process / "comm").read_text(encoding="utf-8").strip()
        except OSError:
            # It is another user's, or has ended.
            continue
    return None


def _by_lsof(port: int) -> tuple[int, str] | None:
    program = shutil.which("lsof")
    if program is None:
        return None
    command = [program, "-nP", f"-iTCP:{port}", "-sTCP:LISTEN", "-Fpc"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"^p(\d+)\nc(.+)$", told, re.MULTILINE)
    return (int(found[1]), found[2]) if found else None
