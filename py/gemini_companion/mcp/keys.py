"""The tokens of MCP clients by HTTP, a different one for each configuration that is handed out.

A client may call itself anything. Its token says who it is, for the log and for the user's grants. A token ends with
the run, unless the user saves the client: a file that only this user can read then has the token's hash, which opens
nothing alone, and the token opens every companion of this user until it is revoked.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from gemini_companion.storage.private_json import PrivateRows

FILE = "mcp_clients.json"


@dataclass(frozen=True)
class Identity:
    """The identity that a token proves.

    Attributes:
        name: `cursor` for the configuration of Cursor. Other names have a part that is unique to this run, so that no
            later run inherits what was granted.
    """

    name: str


class Saved(TypedDict):
    """A client whose token outlives the run: the SHA-256 of the token in hexadecimal, and a time as in ISO 8601."""

    client: str
    digest: str
    since: str


_SAVED = TypeAdapter(dict[str, Saved])


class Keys:
    """The tokens of this run, and the clients whose tokens are saved.

    Args:
        file: The file of saved clients; by default none can be saved.
    """

    def __init__(self, file: Path | None = None) -> None:
        start = secrets.token_hex(2)
        self.stdio = Identity(f"stdio-{start}")
        self._tokens = {Identity(f"start-{start}"): secrets.token_urlsafe(32)}
        [self.printed] = self._tokens.values()
        """The token that the command prints, for clients without a configuration."""
        # The tokens that were saved during this run, to show. The file decides whether they are valid.
        self._shown: dict[str, str] = {}
        # The tokens of commands, valid as long as their client is saved.
        self._lent: dict[str, str] = {}
        self._file = file
        self._stamp: Any = None
        self._saved: dict[str, Saved] = {}

    def of(self, client: str) -> str:
        """Return the token for the configuration of a client, such as `Claude Code`."""
        return self._of_saved(client) or self._tokens.setdefault(
            Identity(_name(client)), secrets.token_urlsafe(32)
        )

    def lend(self, client: str) -> str | None:
        """Return a token of this run for a command of this user that a saved client starts; None if it isn't saved."""
        name = _name(client)
        return self._lent.setdefault(name, secrets.token_urlsafe(32)) if name in self._read() else None

    def save(self, client: str) -> None:
        """Save a client, so that its token outlives this run.

        Raises:
            FolderUnusable: The file can't be written.
        """
        name = _name(client)
        if self._file is None or name in self._read():
            return
        token = self.of(client)
        since = datetime.now(UTC).isoformat(timespec="seconds")
        saved: Saved = {"client": client, "digest": _digest(token), "since": since}
        PrivateRows(self._file, _SAVED).set(name, saved)
        self._shown[name] = token
        self._tokens.pop(Identity(name), None)

    def revoke(self, client: str) -> bool:
        """End the token of a client; return whether it was saved.

        Raises:
            FolderUnusable: The file can't be written.
        """
        name = _name(client)
        self._tokens.pop(Identity(name), None)
        self._lent.pop(name, None)
        return self._file is not None and PrivateRows(self._file, _SAVED).delete(name)

    def rows(self) -> list[dict[str, Any]]:
        """Return the saved clients, as `{client, since, known}`; `known` says whether `of` returns the saved token."""
        return [
            {
                "client": saved["client"],
                "since": saved["since"],
                "known": self._of_saved(saved["client"]) is not None,
            }
            for saved in self._read().values()
        ]

    def admit(self, token: str) -> Identity | None:
        """Return the identity that a token proves, or None."""
        given, digest, saved = token.encode(), _digest(token), self._read()
        for name, each in saved.items():
            if hmac.compare_digest(digest, each["digest"]):
                return Identity(name)
        lent = {Identity(name): each for name, each in self._lent.items() if name in saved}
        for identity, each in (*self._tokens.items(), *lent.items()):
            if hmac.compare_digest(given, each.encode()):
                return identity
        return None

    def _of_saved(self, client: str) -> str | None:
        name = _name(client)
        saved, shown = self._read().get(name), self._shown.get(name)
        return shown if saved and shown and _digest(shown) == saved["digest"] else None

    def _read(self) -> dict[str, Saved]:
        # Another companion of this user may have saved or revoked one.
        stamp = None
        if self._file is not None:
            with contextlib.suppress(OSError):
                status = self._file.stat()
                stamp = (status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode)
            if stamp != self._stamp:
                self._saved = PrivateRows(self._file, _SAVED).read()
        self._stamp = stamp
        return self._saved


def _name(client: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", client.lower())


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
