"""The tokens of MCP clients by HTTP, a different one for each configuration that is handed out.

A client may call itself whatever it likes. Who it is, for the log and for what the person grants, is said by its token.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass


@dataclass(frozen=True)
class Identity:
    """Who has a token.

    Attributes:
        name: `cursor` for the configuration of Cursor. Others have a part of this start's own, so that no later start
            inherits what was granted.
    """

    name: str


class Keys:
    """The tokens of this start."""

    def __init__(self) -> None:
        start = secrets.token_hex(2)
        self.stdio = Identity(f"stdio-{start}")
        self._tokens = {Identity(f"start-{start}"): secrets.token_urlsafe(32)}
        [self.printed] = self._tokens.values()
        """The token that the command prints, for clients that have no configuration."""

    def of(self, client: str) -> str:
        """The token in the configuration of a client, such as `Claude Code`."""
        identity = Identity(re.sub(r"[^a-z0-9]+", "-", client.lower()))
        return self._tokens.setdefault(identity, secrets.token_urlsafe(32))

    def admit(self, token: str) -> Identity | None:
        """Whose token that is."""
        given = token.encode()
        for identity, each in self._tokens.items():
            if hmac.compare_digest(given, each.encode()):
                return identity
        return None
