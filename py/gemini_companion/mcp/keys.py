"""The tokens of MCP clients by HTTP, a different one for each configuration that is handed out.

A client may call itself anything. Its token says who it is, for the log and for the person's grants.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass


@dataclass(frozen=True)
class Identity:
    """The identity that a token proves.

    Attributes:
        name: `cursor` for the configuration of Cursor. Other names have a part that is unique to this run, so that no
            later run inherits what was granted.
    """

    name: str


class Keys:
    """The tokens of this run."""

    def __init__(self) -> None:
        start = secrets.token_hex(2)
        self.stdio = Identity(f"stdio-{start}")
        self._tokens = {Identity(f"start-{start}"): secrets.token_urlsafe(32)}
        [self.printed] = self._tokens.values()
        """The token that the command prints, for clients without a configuration."""

    def of(self, client: str) -> str:
        """Return the token for the configuration of a client, such as `Claude Code`."""
        identity = Identity(re.sub(r"[^a-z0-9]+", "-", client.lower()))
        return self._tokens.setdefault(identity, secrets.token_urlsafe(32))

    def admit(self, token: str) -> Identity | None:
        """Return the identity that a token proves, or None."""
        given = token.encode()
        for identity, each in self._tokens.items():
            if hmac.compare_digest(given, each.encode()):
                return identity
        return None
