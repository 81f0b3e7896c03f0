"""Lets commands of the same user reach a running companion, through a file that only its owner can read.

`control-surface url` gets an address this way, even if the companion has no terminal, and `control-surface connect` the
token of a client.
"""

from __future__ import annotations

import contextlib
import http
import http.client
import json
import logging
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

from gemini_companion.admission.identity import ADDRESS, TOKEN
from gemini_companion.errors import FolderUnusable, NotRunning
from gemini_companion.named_command import named_command
from gemini_companion.storage.folders import runtime_folder
from gemini_companion.storage.private_files import read_private, write_private

HOST = "127.0.0.1"
ANSWERS_WITHIN_S = 5.0

logger = logging.getLogger(__name__)


@contextlib.contextmanager
def reachable(port: int, key: str) -> Generator[None]:
    """Let this user's commands reach the companion on a port while the block runs, if the file can be written."""
    file = _file(port)
    try:
        write_private(file, json.dumps({"key": key}))
    except FolderUnusable as problem:
        logger.warning("Commands won't reach this companion: %s.", problem.message)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def new_address(port: int) -> str:
    """Return a one-time address that opens the surface of the companion on a port.

    Raises:
        NotRunning: No companion of this user runs there.
    """
    status, body = _ask(port, ADDRESS)
    if status != http.HTTPStatus.OK:
        raise _not_running(port)
    return str(body["url"])


def token_of(client: str, port: int) -> str | None:
    """Return a token of a saved MCP client, valid for the run of the companion on a port; None if it isn't saved.

    Raises:
        NotRunning: No companion of this user runs there.
    """
    status, body = _ask(port, TOKEN, {"client": client})
    if status == http.HTTPStatus.NOT_FOUND:
        return None
    if status == http.HTTPStatus.GONE:
        raise NotRunning(str(body["message"]), hint="Change the port in the client's configuration.")
    if status != http.HTTPStatus.OK:
        raise _not_running(port)
    return str(body["token"])


def _ask(port: int, path: str, params: dict[str, str] | None = None) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection(HOST, port, timeout=ANSWERS_WITHIN_S)
    try:
        connection.request(
            "POST", path, json.dumps(params or {}), headers={"Authorization": f"Bearer {_key(port)}"}
        )
        answer = connection.getresponse()
        body = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError):
        raise _not_running(port) from None
    finally:
        connection.close()
    # It may be any server.
    if not isinstance(body, dict):
        raise _not_running(port)
    return answer.status, cast("dict[str, Any]", body)


def _key(port: int) -> str:
    text = read_private(_file(port))
    if text is None:
        raise _not_running(port)
    return str(json.loads(text)["key"])


def _file(port: int) -> Path:
    return runtime_folder() / f"companion-{port}.json"


def _not_running(port: int) -> NotRunning:
    return NotRunning(
        f"No companion of yours is running on port {port}.",
        hint=f"Start one with {named_command('serve')}, or name its port with --port.",
    )
