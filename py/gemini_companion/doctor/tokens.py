"""Checks of tokens: that a companion asks for its own, and that configured clients have it.

A token is made anew at each start, so a configuration that was pasted earlier is the likeliest fault.
"""

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from gemini_companion.doctor.finding import Finding
from gemini_companion.identity import companion_at

HOST = "127.0.0.1"
HOSTS = (HOST, "localhost")
MCP = "/mcp"
UNAUTHORIZED = 401
ANSWER_WITHIN_S = 3
ANEW = "Copy the configuration anew from the surface's settings, or let the client start control-surface mcp by itself."
Row = dict[str, Any]


def configurations() -> list[tuple[str, Path]]:
    """Where clients that connect by HTTP keep their servers: the person's own, and this folder's."""
    home, here = Path.home(), Path.cwd()
    return [
        ("Claude Code", home / ".claude.json"),
        ("Claude Code", here / ".mcp.json"),
        ("Cursor", home / ".cursor" / "mcp.json"),
        ("Cursor", here / ".cursor" / "mcp.json"),
        ("VS Code", here / ".vscode" / "mcp.json"),
    ]


def check_tokens(port: int) -> Iterator[Finding]:
    """Whether the companion at a port keeps strangers out, and lets in who is configured."""
    runs = companion_at(port) is not None
    if runs:
        refuses = _status(port, None) == UNAUTHORIZED
        told = "asked for" if refuses else "not asked for: whoever listens there lets everybody in"
        yield Finding("token", refuses, told, None if refuses else "End the process that has the port.")
    for client, file in configurations():
        for url, header in _servers(file):
            if urlsplit(url).hostname not in HOSTS or urlsplit(url).port != port:
                continue
            what = f"token of {client} in {file}"
            if not runs:
                yield Finding(what, True, "no companion runs that could check it", needed=False)
            elif _status(port, header) == UNAUTHORIZED:
                yield Finding(what, False, "of another start", ANEW, needed=False)
            else:
                yield Finding(what, True, "fits", needed=False)


def _servers(file: Path) -> Iterator[tuple[str, str]]:
    """URL and `Authorization` of each server that a file names, however deep; nothing where it isn't JSON."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    waiting = [content]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += cast(list[Any], each)
        elif isinstance(each, dict):
            row = cast(Row, each)
            waiting += row.values()
            headers = row.get("headers")
            if isinstance(row.get("url"), str) and isinstance(headers, dict):
                header = str(cast(Row, headers).get("Authorization", ""))
                # What the client itself fills in from elsewhere can't be checked here.
                if "${" not in header:
                    yield row["url"], header


def _status(port: int, authorization: str | None) -> int:
    """What the companion answers to a request that asks for nothing."""
    headers = {"Authorization": authorization} if authorization else {}
    with closing(http.client.HTTPConnection(HOST, port, timeout=ANSWER_WITHIN_S)) as connection:
        try:
            connection.request("DELETE", MCP, headers=headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        except UnicodeEncodeError:
            # No token has such characters.
            return UNAUTHORIZED
