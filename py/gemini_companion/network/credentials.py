"""User names and tokens for git servers, by exact origin: in the system's keyring, or else in memory."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gemini_companion.storage import system_keyring
from gemini_companion.storage.system_keyring import KeyringFailed

# A keyring can't list its entries, so this one has the origins of the others.
INDEX = "git"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Credential:
    """A user name, and a password or token that the representation doesn't show."""

    user: str
    password: str = field(repr=False)

    @property
    def authorization(self) -> str:
        """The value of the header Authorization (RFC 7617)."""
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()


class Credentials:
    """Finds, saves and deletes credentials.

    Those that the keyring doesn't accept last until the companion ends.
    """

    def __init__(self) -> None:
        self._memory: dict[str, Credential] = {}
        # The index is read and written again as a whole.
        self._index = asyncio.Lock()
        self._on_change: list[Callable[[], None]] = []
        self._on_delete: list[Callable[[str], None]] = []

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after credentials were saved or deleted."""
        self._on_change.append(listener)

    def on_delete(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with each origin whose credentials must be deleted, before the keyring is asked."""
        self._on_delete.append(listener)

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()

    async def find(self, origin: str) -> Credential | None:
        """Return the credentials of an origin; None if there are none, or the keyring doesn't release them."""
        if (stored := self._memory.get(origin)) is not None:
            return stored
        try:
            text = await system_keyring.read(_entry(origin))
        except KeyringFailed as problem:
            log.warning("the credentials of %s: %s", origin, problem)
            return None
        return _parse(text)

    async def save(self, origin: str, credential: Credential) -> None:
        """Save the credentials of an origin, replacing the previous ones."""
        text = json.dumps({"user": credential.user, "password": credential.password})
        self._memory.pop(origin, None)
        try:
            async with self._index:
                origins = await self._origins()
                await system_keyring.write(_entry(origin), text)
                await self._write_index({*origins, origin})
        except KeyringFailed as problem:
            log.warning("the credentials of %s are stored until the companion ends: %s", origin, problem)
            self._memory[origin] = credential
        self._changed()

    async def delete(self, origin: str) -> bool:
        """Delete the credentials of an origin; return whether there were any.

        Raises:
            KeyringFailed: The keyring doesn't delete them.
        """
        for listener in self._on_delete:
            listener(origin)
        in_memory = self._memory.pop(origin, None) is not None
        async with self._index:
            deleted = await system_keyring.delete(_entry(origin))
            origins = await self._origins()
            if origin in origins:
                await self._write_index(origins - {origin})
        self._changed()
        return deleted or in_memory

    async def rows(self) -> list[dict[str, Any]]:
        """Return `{origin, user, stored}` of each, by origin; `stored` is `keyring` or `memory`. It has no secret.

        Raises:
            KeyringFailed: The keyring doesn't release them.
        """
        found = {
            origin: _parse(await system_keyring.read(_entry(origin))) for origin in await self._origins()
        }
        saved = {origin: (each.user, "keyring") for origin, each in found.items() if each is not None}
        saved |= {origin: (each.user, "memory") for origin, each in self._memory.items()}
        return [
            {"origin": origin, "user": user, "stored": stored}
            for origin, (user, stored) in sorted(saved.items())
        ]

    async def _origins(self) -> set[str]:
        return set(json.loads(await system_keyring.read(INDEX) or "[]"))

    async def _write_index(self, origins: set[str]) -> None:
        if origins:
            await system_keyring.write(INDEX, json.dumps(sorted(origins)))
        else:
            await system_keyring.delete(INDEX)


def _entry(origin: str) -> str:
    return f"{INDEX} {origin}"


def _parse(text: str | None) -> Credential | None:
    if not text:
        return None
    saved = json.loads(text)
    return Credential(saved["user"], saved["password"])
