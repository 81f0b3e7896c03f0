"""The user's methods for servers of calendars and contacts. Only the page can send them, not Python in it (link.ts).

    settings/dav {} -> {keyring, file, servers: [{name, url, user}]}
    settings/add_dav {address, user, password, in_file?} -> {name, collections: [{name, kind}]}
    settings/remove_dav {name} -> {removed}                       with its password

A server is saved once it has accepted the user and the password.
"""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from gemini.core.protocol import Handler
from gemini_companion.dav import DavAccess, DavServers
from gemini_companion.dav.servers import server_at
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.storage.system_keyring import keyring_name

Row = dict[str, Any]
# https://www.rfc-editor.org/rfc/rfc7617#section-2
User = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f:]+$", max_length=400)]
Password = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=1_024, repr=False)]


class AddParams(MethodParams):
    """The parameters of `settings/add_dav`. With `in_file`, the user agrees to a file if there is no keyring."""

    address: Annotated[str, Field(min_length=1, max_length=400)]
    user: User
    password: Password
    in_file: bool = False


class NameParams(MethodParams):
    """The parameters of `settings/remove_dav`."""

    name: str


class DavSettings:
    """The settings of servers of calendars and contacts, for all pages.

    Args:
        servers: The servers.
        access: Asks them.
    """

    def __init__(self, servers: DavServers, access: DavAccess) -> None:
        self._servers = servers
        self._access = access

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {
            "settings/dav": validated(NoParams, self._status),
            "settings/add_dav": validated(AddParams, self._add),
            "settings/remove_dav": validated(NameParams, self._remove),
        }

    async def _status(self, _: NoParams) -> Row:
        servers = [{"name": each.name, "url": each.url, "user": each.user} for each in self._servers.all()]
        keyring = await asyncio.to_thread(keyring_name)
        return {"keyring": keyring, "file": str(self._servers.key_file), "servers": servers}

    async def _add(self, params: AddParams) -> Row:
        server = server_at(params.address, params.user)
        found = await self._access.check(server, params.password)
        await self._servers.save(server, params.password, in_file=params.in_file)
        return {
            "name": server.name,
            "collections": [{"name": each.name, "kind": each.kind} for each in found],
        }

    async def _remove(self, params: NameParams) -> Row:
        return {"removed": await self._servers.remove(params.name)}
