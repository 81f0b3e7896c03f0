"""The user's methods for their MCP servers. Only the page can send them, not Python in it (link.ts).

    settings/mcp_servers {} -> {keyring, file, servers}
    settings/add_mcp_program {name, command, arguments, directory?, variables?, in_file?} -> {}
    settings/add_mcp_address {name, url, headers?, in_file?} -> {}
    settings/import_mcp_servers {text, in_file?} -> {added: [name], refused: {name: reason}, unused: {name: [member]}}
    settings/remove_mcp_server {name} -> {removed}                with its values
    settings/switch_mcp_server {name, on?, listed?} -> {}
    settings/start_mcp_server {name} -> {tools}                   starts it again; the companion asks before the first

`servers` have `{name, transport, place, directory, values, oauth, on, listed, allowed, state, problem, restarts, tools,
problems}`. `values` are the names of variables or headers, with those of their secrets; no method returns a value.
"""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from gemini.core.protocol import Handler
from gemini_companion.mcp_servers.servers import McpServers
from gemini_companion.mcp_servers.setups import ServerSetup, http_setup, read_block, stdio_setup
from gemini_companion.mcp_servers.store import SavedServer
from gemini_companion.pages.consent import Questions
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.storage.system_keyring import keyring_name

Row = dict[str, Any]
Text = Annotated[str, Field(max_length=20_000)]
Secrets = Annotated[dict[str, str], Field(repr=False)]


class ProgramParams(MethodParams):
    """The parameters of `settings/add_mcp_program`. With `in_file`, the user agrees to a file without a keyring."""

    name: Text
    command: Text
    arguments: list[Text] = []
    directory: Text = ""
    variables: Secrets = {}
    in_file: bool = False


class AddressParams(MethodParams):
    """The parameters of `settings/add_mcp_address`."""

    name: Text
    url: Text
    headers: Secrets = {}
    in_file: bool = False


class ImportParams(MethodParams):
    """The parameters of `settings/import_mcp_servers`."""

    text: Annotated[str, Field(max_length=1_000_000, repr=False)]
    in_file: bool = False


class NameParams(MethodParams):
    """The parameters of `settings/remove_mcp_server` and `settings/start_mcp_server`."""

    name: str


class SwitchParams(MethodParams):
    """The parameters of `settings/switch_mcp_server`."""

    name: str
    on: bool | None = None
    listed: bool | None = None


class McpServerSettings:
    """The settings of the user's MCP servers, for all pages.

    Args:
        servers: The servers.
    """

    def __init__(self, servers: McpServers) -> None:
        self.servers = servers
        self._store = servers.store

    def handlers(self, questions: Questions) -> Mapping[str, Handler]:
        """Return the request methods of one page, for `gemini.core.protocol.Connection`.

        Args:
            questions: Asks the user at the page.
        """

        async def start(params: NameParams) -> Row:
            await self.servers.restart(params.name, questions)
            return {"tools": self.servers.state(params.name)["tools"]}

        return {
            "settings/mcp_servers": validated(NoParams, self._status),
            "settings/add_mcp_program": validated(ProgramParams, self._add_program),
            "settings/add_mcp_address": validated(AddressParams, self._add_address),
            "settings/import_mcp_servers": validated(ImportParams, self._import),
            "settings/remove_mcp_server": validated(NameParams, self._remove),
            "settings/switch_mcp_server": validated(SwitchParams, self._switch),
            "settings/start_mcp_server": validated(NameParams, start),
        }

    async def _status(self, _: NoParams) -> Row:
        keyring = await asyncio.to_thread(keyring_name)
        rows = [_row(each) | self.servers.state(each.setup.name) for each in self._store.all()]
        return {"keyring": keyring, "file": str(self._store.key_file), "servers": rows}

    async def _add_program(self, params: ProgramParams) -> Row:
        found = stdio_setup(params.name, params.command, params.arguments, params.variables, params.directory)
        await self._add(*found, in_file=params.in_file)
        return {}

    async def _add_address(self, params: AddressParams) -> Row:
        await self._add(*http_setup(params.name, params.url, params.headers), in_file=params.in_file)
        return {}

    async def _import(self, params: ImportParams) -> Row:
        block = read_block(params.text)
        for setup, values in block.servers:
            await self._add(setup, values, in_file=params.in_file)
        added = [setup.name for setup, _ in block.servers]
        return {"added": added, "refused": block.refused, "unused": block.unused}

    async def _add(self, setup: ServerSetup, values: dict[str, str], *, in_file: bool) -> None:
        await self.servers.end(setup.name)
        await self._store.add(setup, values, in_file=in_file)
        self.servers.changed()

    async def _remove(self, params: NameParams) -> Row:
        await self.servers.end(params.name)
        removed = await self._store.remove(params.name)
        self.servers.changed()
        return {"removed": removed}

    async def _switch(self, params: SwitchParams) -> Row:
        saved = self._store.get(params.name)
        chosen = {"on": params.on, "listed": params.listed}
        changes = {name: value for name, value in chosen.items() if value is not None}
        saved = self._store.change(saved, **changes)
        if not saved.on:
            await self.servers.end(params.name)
        self.servers.changed()
        return {}


def _row(saved: SavedServer) -> Row:
    setup = saved.setup
    return {
        "name": setup.name,
        "transport": setup.kind,
        "place": setup.place,
        "directory": setup.directory,
        "values": setup.labels,
        "oauth": setup.oauth,
        "on": saved.on,
        "listed": saved.listed,
        "allowed": saved.is_allowed,
    }
