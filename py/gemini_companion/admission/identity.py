"""Identifies the owner of a port: by a companion's own report, or by the system's tables."""

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
# The path where a command of the same user gets an address that admits a browser
# (`gemini_companion.admission.admission`).
ADDRESS = "/entrance/address"
# The path where such a command gets the token of a saved MCP client.
TOKEN = "/entrance/token"
# A companion answers within milliseconds.
ANSWERS_WITHIN_S = 1.0
LONGEST_ANSWER = 10_000


class Identity:
    """An ASGI layer that reports its process to every client that the guard lets through.

    The answer is `{"name", "version", "pid", "started"}`, the last in seconds since 1970.
    """

    def __init__(self, app: ASGIApp) -> None:
        # build.py looks for a port's owner with a Python that has none of the packages that this needs.
        from gemini.kernel.endpoint import installed_version  # noqa: PLC0415

        self.app = app
        info = {"name": NAME, "version": installed_version(), "pid": os.getpid(), "started": time.time()}
        self._content = json.dumps(info).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for the identity, or pass another one on."""
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


def port_owner(port: int) -> str | None:
    """Describe the process that listens on a port of loopback, for a sentence; None if it is unknown."""
    info = companion_at(port)
    if info is not None:
        since = time.strftime("%H:%M", time.localtime(info["started"]))
        return f"another {NAME} (process {info['pid']}, since {since})"
    found = _by_proc(port) or _by_lsof(port)
    return f"{found[1]} (process {found[0]})" if found else None


def companion_at(port: int) -> dict[str, Any] | None:
    """Return the report of the companion on a port of loopback (see `Identity`); None if there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWERS_WITHIN_S)
    try:
        connection.request("GET", WELL_KNOWN)
        info = json.loads(connection.getresponse().read(LONGEST_ANSWER))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    # It may be any server.
    if not isinstance(info, dict):
        return None
    named = cast("dict[str, Any]", info)
    known = isinstance(named.get("pid"), int) and isinstance(named.get("started"), (int, float))
    return named if known and named.get("name") == NAME else None


def _by_proc(port: int) -> tuple[int, str] | None:
    """Find it in Linux's tables: https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html."""
    table = Path("/proc/net/tcp")
    if not table.exists():
        return None
    rows = [line.split() for line in table.read_text(encoding="ascii").splitlines()[1:]]
    # State 0A is a listening socket.
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
            # It belongs to another user, or has ended.
            continue
    return None


def _by_lsof(port: int) -> tuple[int, str] | None:
    program = shutil.which("lsof")
    if program is None:
        return None
    command = [program, "-nP", f"-iTCP:{port}", "-sTCP:LISTEN", "-Fpc"]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"^p(\d+)\nc(.+)$", output, re.MULTILINE)
    return (int(found[1]), found[2]) if found else None
