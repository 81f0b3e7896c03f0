"""The servers of calendars and contacts that the user has added, with their passwords.

The addresses are in `calendar-servers.json` in the data folder. Passwords are stored as keys of language models are: in
the system's keyring, or else in a file that only this user can read, if the user agreed.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from gemini_companion.dav.errors import DavFailed, DavServerUnknown
from gemini_companion.models.keys import Keys
from gemini_companion.network.credentials import Credential
from gemini_companion.network.errors import AddressRefused
from gemini_companion.network.targets import Target, parse
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows
from gemini_companion.web.instances import instance

FILE = "calendar-servers.json"
Row = dict[str, Any]
_ROWS = TypeAdapter(dict[str, dict[str, str]])


@dataclass(frozen=True)
class DavServer:
    """A server: its name, address and user, and the form in which `Keys` knows it."""

    name: str
    url: str
    user: str
    key: str = "needed"
    variables: tuple[str, ...] = ()

    @property
    def target(self) -> Target:
        """The address as requests spell it."""
        return parse(self.url)


class DavServers:
    """Finds, saves and deletes servers.

    Args:
        path: The file, by default `calendar-servers.json` in the data folder.
        keys: The passwords.
    """

    def __init__(self, path: Path | None = None, keys: Keys | None = None) -> None:
        self._path = path
        self._keys = keys or Keys()

    @property
    def key_file(self) -> Path:
        """The file that stores passwords where there is no keyring."""
        return self._keys.path

    def all(self) -> list[DavServer]:
        """Return the servers, by name."""
        return [DavServer(name, row["url"], row["user"]) for name, row in sorted(self._rows.read().items())]

    def get(self, name: str) -> DavServer:
        """Return a server by its name. Raises DavServerUnknown if there is none."""
        row = self._rows.read().get(name)
        if row is None:
            known = ", ".join(each.name for each in self.all()) or "none"
            raise DavServerUnknown(f"there is no server {name[:80]!r}", hint=f"The user has added: {known}.")
        return DavServer(name, row["url"], row["user"])

    async def credential(self, server: DavServer) -> Credential:
        """Return a server's user and password.

        Raises:
            DavFailed: The password isn't there any more.
            KeyringUnavailable: The keyring doesn't release it.
        """
        key = await self._keys.find(server)
        if key is None:
            raise DavFailed(
                f"the password for {server.name} is missing", hint="Ask the user to add the server again."
            )
        saved = json.loads(base64.b64decode(key.reveal()))
        return Credential(saved["user"], saved["password"])

    async def save(self, server: DavServer, password: str, *, in_file: bool) -> None:
        """Save a server with its password.

        Raises:
            KeyringUnavailable: There is no keyring, and `in_file` is false.
            FolderUnusable: A file can't be written.
        """
        secret = json.dumps({"user": server.user, "password": password}).encode()
        await self._keys.set(server, base64.b64encode(secret).decode(), in_file=in_file)
        self._rows.set(server.name, {"url": server.url, "user": server.user})

    async def remove(self, name: str) -> bool:
        """Delete a server with its password; return whether there was one."""
        server = DavServer(name, "", "")
        await self._keys.delete(server)
        return self._rows.delete(name)

    @property
    def _rows(self) -> PrivateRows[dict[str, str]]:
        return PrivateRows(self._path or data_folder() / FILE, _ROWS)


def server_at(address: str, user: str) -> DavServer:
    """Return the server of an address that the user typed.

    Raises:
        AddressRefused: It is no address, or others on the network could read the password.
    """
    url = instance(address, "/.well-known/caldav") + "/"
    target = parse(url)
    is_own = target.address is not None and target.address.is_loopback
    if target.scheme != "https" and not is_own:
        raise AddressRefused(
            f"{target.origin} would get the password unencrypted", hint="Use an address with https."
        )
    return DavServer(f"{user} at {url.partition('://')[2].rstrip('/')}", url, user)
