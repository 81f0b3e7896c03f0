"""The servers that the user has added, and the values of their variables and headers.

`mcp-servers.json` in the data folder has all but the values. These are in the system's keyring, or else in a file that
only this user can read, if the user agreed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from gemini_companion.mcp_servers.errors import McpServerRefused, McpServerUnknown
from gemini_companion.mcp_servers.setups import MAX_SERVERS, ServerSetup
from gemini_companion.models.errors import KeyringUnavailable
from gemini_companion.models.key_file import KeyFile
from gemini_companion.storage import system_keyring
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows
from gemini_companion.storage.system_keyring import KeyringFailed, KeyringMissing

FILE = "mcp-servers.json"
PREFIX = "mcp-server "
_SETUP = TypeAdapter(ServerSetup)


class SavedRow(TypedDict):
    """A server in the file."""

    setup: dict[str, Any]
    on: bool
    listed: bool
    allowed: str
    in_file: bool


_ROWS = TypeAdapter(dict[str, SavedRow])


@dataclass(frozen=True)
class SavedServer:
    """A server, and what the user has chosen.

    Attributes:
        on: Whether it may be used.
        listed: Whether agents find its tools in their lists.
        allowed: The digest of the setup that the user allowed to start; empty before.
        in_file: Whether the user agreed to a file for its secrets if there is no keyring.
    """

    setup: ServerSetup
    on: bool = True
    listed: bool = False
    allowed: str = ""
    in_file: bool = False

    @property
    def is_allowed(self) -> bool:
        """True if the user has allowed exactly this setup."""
        return self.allowed == self.setup.digest


class ServerStore:
    """Finds, saves and deletes servers. Reads the file each time: another companion may have changed it.

    Args:
        path: The file, by default `mcp-servers.json` in the data folder.
        keys: The file for values where there is no keyring.
    """

    def __init__(self, path: Path | None = None, keys: KeyFile | None = None) -> None:
        self._path = path
        self._keys = keys or KeyFile()

    @property
    def key_file(self) -> Path:
        """The file that stores values where there is no keyring."""
        return self._keys.path

    def all(self) -> list[SavedServer]:
        """Return the servers by name; those that the file spells wrongly are left out."""
        found: list[SavedServer] = []
        for name, row in sorted(self._rows.read().items()):
            try:
                setup = _SETUP.validate_python(row["setup"])
            except ValidationError:
                continue
            if setup.name == name:
                found.append(SavedServer(setup, row["on"], row["listed"], row["allowed"], row["in_file"]))
        return found

    def get(self, name: str) -> SavedServer:
        """Return a server. Raises McpServerUnknown if there is none."""
        for each in self.all():
            if each.setup.name == name:
                return each
        known = ", ".join(each.setup.name for each in self.all()) or "none"
        raise McpServerUnknown(f"there is no MCP server {name[:80]!r}", hint=f"The user has added: {known}.")

    async def add(self, setup: ServerSetup, values: dict[str, str], *, in_file: bool) -> None:
        """Save a server, replacing one of the same name, which the user must allow again.

        Raises:
            McpServerRefused: There are too many.
            KeyringUnavailable: There is no keyring for the values, and `in_file` is false.
            FolderUnusable: A file can't be written.
        """
        if len(self._rows.read()) >= MAX_SERVERS and setup.name not in self._rows.read():
            raise McpServerRefused(f"there are {MAX_SERVERS} servers, which is the limit", hint="Remove one.")
        await self.forget(setup.name)
        if values:
            await self.set_secret(setup.name, {"values": values}, in_file=in_file)
        self._save(SavedServer(setup, in_file=in_file))

    def change(self, server: SavedServer, **changes: Any) -> SavedServer:
        """Save choices of the user about a server, and return it."""
        changed = replace(server, **changes)
        self._save(changed)
        return changed

    async def remove(self, name: str) -> bool:
        """Delete a server with its values; return whether there was one."""
        await self.forget(name)
        return self._rows.delete(name)

    async def values(self, name: str) -> dict[str, str]:
        """Return the values of a server's variables or headers."""
        return (await self.secret(name)).get("values", {})

    async def secret(self, name: str) -> dict[str, Any]:
        """Return all that is secret about a server: `{values?, tokens?, client?}`.

        Raises:
            KeyringUnavailable: The keyring doesn't release it.
        """
        try:
            text = await system_keyring.read(PREFIX + name) or self._keys.get(PREFIX + name)
        except KeyringFailed as problem:
            raise KeyringUnavailable(str(problem), hint="Unlock the keyring, and try again.") from None
        return json.loads(text) if text else {}

    async def set_secret(self, name: str, secret: dict[str, Any], *, in_file: bool) -> None:
        """Save all that is secret about a server.

        Raises:
            KeyringUnavailable: There is no keyring, and `in_file` is false, or it doesn't accept the text.
            FolderUnusable: The file can't be written.
        """
        text = json.dumps(secret)
        try:
            await system_keyring.write(PREFIX + name, text)
        except KeyringMissing:
            if not in_file:
                raise KeyringUnavailable(
                    "This machine has no keyring to save the values in.",
                    hint="Agree to a file in the settings, or set the variables before the companion starts.",
                ) from None
            self._keys.set(PREFIX + name, text)
        except KeyringFailed as problem:
            raise KeyringUnavailable(str(problem), hint="Unlock the keyring, and try again.") from None

    async def forget(self, name: str) -> None:
        """Delete all that is secret about a server."""
        self._keys.delete(PREFIX + name)
        try:
            await system_keyring.delete(PREFIX + name)
        except KeyringFailed as problem:
            raise KeyringUnavailable(str(problem), hint="Unlock the keyring, and try again.") from None

    def _save(self, server: SavedServer) -> None:
        row: dict[str, Any] = asdict(server)
        self._rows.set(server.setup.name, cast(SavedRow, row))

    @property
    def _rows(self) -> PrivateRows[SavedRow]:
        return PrivateRows(self._path or data_folder() / FILE, _ROWS)
