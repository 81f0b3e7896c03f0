"""Checks tokens: that a companion requires its own, and that configured clients have it.

A token is created at each start, so a configuration that was pasted earlier is the most likely fault.
"""

import contextlib
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from gemini_companion.admission.identity import companion_at
from gemini_companion.doctor.finding import Finding

HOST = "127.0.0.1"
HOSTS = (HOST, "localhost")
MCP = "/mcp"
UNAUTHORIZED = 401
ANSWER_WITHIN_S = 3
COPY_AGAIN = (
    "Copy the configuration again from the surface's settings, or let the client start control-surface mcp."
)
Row = dict[str, Any]


def configurations() -> list[tuple[str, Path]]:
    """Return each client with a file in which it configures HTTP servers: the user's, or this folder's."""
    here = Path.cwd()
    found = [
        ("Claude Code", here / ".mcp.json"),
        ("Cursor", here / ".cursor" / "mcp.json"),
        ("VS Code", here / ".vscode" / "mcp.json"),
    ]
    # A user may have no home folder.
    with contextlib.suppress(RuntimeError):
        home = Path.home()
        found += [("Claude Code", home / ".claude.json"), ("Cursor", home / ".cursor" / "mcp.json")]
    return found


def check_tokens(port: int) -> Iterator[Finding]:
    """Check that the companion at a port refuses strangers, and admits the configured clients."""
    is_running = companion_at(port) is not None
    if is_running:
        refuses = _status(port, None) == UNAUTHORIZED
        result = "required" if refuses else "not required: the process on this port admits everybody"
        yield Finding("token", refuses, result, None if refuses else "Stop the process on that port.")
    for client, file in configurations():
        for url, header in _servers(file):
            if urlsplit(url).hostname not in HOSTS or urlsplit(url).port != port:
                continue
            what = f"token of {client} in {file}"
            if not is_running:
                yield Finding(what, True, "no companion is running to check it", needed=False)
            elif _status(port, header) == UNAUTHORIZED:
                yield Finding(what, False, "from another start", COPY_AGAIN, needed=False)
            else:
                yield Finding(what, True, "valid", needed=False)


def _servers(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the URL and `Authorization` of each server in a file, at any depth; nothing if the file isn't JSON."""
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
                # The client fills in such a value itself, so it can't be checked here.
                if "${" not in header:
                    yield row["url"], header


def _status(port: int, authorization: str | None) -> int:
    """Return the status of the companion's answer to a request that does nothing."""
    headers = {"Authorization": authorization} if authorization else {}
    with contextlib.closing(http.client.HTTPConnection(HOST, port, timeout=ANSWER_WITHIN_S)) as connection:
        try:
            connection.request("DELETE", MCP, headers=headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        except UnicodeEncodeError:
            # No token has such characters.
            return UNAUTHORIZED
