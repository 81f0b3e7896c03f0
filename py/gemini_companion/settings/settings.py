"""The person's methods of a page's connection. Only the page itself sends them: Python in it can't (link.js).

    settings/status {} -> {mcp: {on, url, port}, clients, configurations, browsers: {known, here}, host}
    settings/mcp {on} -> {on}
    settings/test_mcp {} -> {tools, called, protocol, duration_ms}
    settings/providers {} -> {keyring, providers}
    settings/set_key {provider, key} -> {}
    settings/delete_key {provider} -> {deleted}
    settings/forget_browsers {} -> {forgotten}       all but the page's own
    settings/test_provider {provider} -> {models, duration_ms}
    settings/changed {on}                            companion → page: the status is another one

`clients` are as `mcp.clients.Client.row` tells them, `configurations` as `configurations` does, `known` as
`browsers.Browser.row`, with the id of the page's own in `here`, `providers` as `Gateway.rows`; `keyring` is what keeps
the system's secrets, or null; `host` is `{allowed, directories, grants, terminals}` of this page alone, whose
grants are as `host.consent.Standing.row` gives them.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gemini.core.protocol import Handler, Params
from gemini_companion.browsers import Browsers
from gemini_companion.gateway import Gateway
from gemini_companion.gateway.keys import keyring_name
from gemini_companion.mcp.clients import Clients
from gemini_companion.mcp.endpoint import Endpoint
from gemini_companion.mcp.keys import Keys
from gemini_companion.parameters import Asked, taking
from gemini_companion.settings.commands import Command
from gemini_companion.settings.configurations import configurations
from gemini_companion.settings.probe import NAME as PROBE
from gemini_companion.settings.probe import probe

Row = dict[str, Any]
# Changes that come faster are told as one, in seconds.
TOLD_EVERY_S = 0.3


class Nothing(Asked): ...


class Turn(Asked):
    on: bool


class OfProvider(Asked):
    provider: str


class SetKey(OfProvider):
    key: str


@dataclass(frozen=True)
class Access:
    """How clients reach a companion: MCP's URL and port, the tokens of this start, and what starts another one."""

    url: str
    port: int
    keys: Keys
    command: Command


class Settings:
    """The settings of a companion, for all of its pages.

    Args:
        access: How clients reach it.
        endpoint: MCP, which can be turned off and on.
        clients: Who is connected.
        gateway: Who serves language models.
        browsers: Which browsers are known.
    """

    def __init__(
        self, access: Access, endpoint: Endpoint, clients: Clients, gateway: Gateway, browsers: Browsers
    ) -> None:
        self._browsers = browsers
        self._access = access
        self._endpoint = endpoint
        self._clients = clients
        self._gateway = gateway
        self._watching: set[Callable[[Params], None]] = set()
        self._telling: asyncio.TimerHandle | None = None
        clients.on_change(self.changed)

    @property
    def mcp_is_on(self) -> bool:
        return self._endpoint.is_on

    def handlers(self, host: Callable[[], Row], browser: str) -> Mapping[str, Handler]:
        """The request methods of one page, for `gemini.core.protocol.Connection`.

        Args:
            host: What that page has of this machine.
            browser: The `id` of its browser.
        """
        return {
            "settings/status": taking(Nothing, lambda _: self._status(host(), browser)),
            "settings/forget_browsers": taking(Nothing, lambda _: self._forget(browser)),
            "settings/mcp": taking(Turn, self._turn),
            "settings/test_mcp": taking(Nothing, self._test_mcp),
            "settings/providers": taking(Nothing, self._providers),
            "settings/set_key": taking(SetKey, self._set_key),
            "settings/delete_key": taking(OfProvider, self._delete_key),
            "settings/test_provider": taking(OfProvider, self._test_provider),
        }

    def watch(self, listener: Callable[[Params], None]) -> Callable[[], None]:
        """Have a page told of changes, some times a second at most; gives what ends that."""
        self._watching.add(listener)
        return lambda: self._watching.discard(listener)

    def changed(self) -> None:
        """The status is another one."""
        if self._telling is None and self._watching:
            self._telling = asyncio.get_running_loop().call_later(TOLD_EVERY_S, self._tell)

    def _tell(self) -> None:
        self._telling = None
        for listener in list(self._watching):
            listener({"on": self.mcp_is_on})

    async def _forget(self, browser: str) -> Row:
        return {"forgotten": self._browsers.forget(spared=browser)}

    async def _status(self, host: Row, browser: str) -> Row:
        access = self._access
        return {
            "mcp": {"on": self.mcp_is_on, "url": access.url, "port": access.port},
            "clients": self._clients.rows(),
            "configurations": configurations(access.url, access.keys.of, access.command),
            "browsers": {"known": self._browsers.rows(), "here": browser},
            "host": host,
        }

    async def _turn(self, told: Turn) -> Row:
        await self._endpoint.turn(told.on)
        return {"on": self.mcp_is_on}

    async def _test_mcp(self, _: Nothing) -> Row:
        return await probe(self._access.url, self._access.keys.of(PROBE))

    async def _providers(self, _: Nothing) -> Row:
        keyring, providers = await asyncio.gather(asyncio.to_thread(keyring_name), self._gateway.rows())
        return {"keyring": keyring, "providers": providers}

    async def _set_key(self, told: SetKey) -> Row:
        await self._gateway.set_key(told.provider, told.key)
        return {}

    async def _delete_key(self, told: OfProvider) -> Row:
        return {"deleted": await self._gateway.delete_key(told.provider)}

    async def _test_provider(self, told: OfProvider) -> Row:
        return await _timed(self._gateway.test(told.provider))


async def _timed(work: Awaitable[list[str]]) -> Row:
    began = time.perf_counter()
    models = await work
    return {"models": models, "duration_ms": round((time.perf_counter() - began) * 1000, 1)}
