"""The user's methods for the search engine of agents. Only the page itself can send them, not Python in it (link.ts).

    settings/search {} -> {keyring, file, engine, address, engines}
    settings/choose_search {engine, address?} -> {}
    settings/set_search_key {engine, key, in_file?} -> {}
    settings/delete_search_key {engine} -> {deleted}

`engines` come from `Search.rows`; `keyring` is the name of the system's keyring, or null, and `file` the path of the
file that stores keys without one. No answer has a key.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from gemini.core.protocol import Handler
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.storage.system_keyring import keyring_name
from gemini_companion.web import Search

Row = dict[str, Any]


class EngineParams(MethodParams):
    """The parameters of `settings/delete_search_key`."""

    engine: str


class ChooseParams(EngineParams):
    """The parameters of `settings/choose_search`; the address is for an instance of SearXNG."""

    address: str = ""


class SetKeyParams(EngineParams):
    """The parameters of `settings/set_search_key`. `in_file`: a file may store it without a keyring."""

    key: str
    in_file: bool = False


class SearchSettings:
    """The settings of the search engine, for all pages.

    Args:
        search: Searches the web.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {
            "settings/search": validated(NoParams, self._status),
            "settings/choose_search": validated(ChooseParams, self._choose),
            "settings/set_search_key": validated(SetKeyParams, self._set_key),
            "settings/delete_search_key": validated(EngineParams, self._delete_key),
        }

    async def _status(self, _: NoParams) -> Row:
        keyring, engines = await asyncio.gather(asyncio.to_thread(keyring_name), self._search.rows())
        return {
            "keyring": keyring,
            "file": str(self._search.key_file),
            "engine": self._search.engine.name,
            "address": self._search.address,
            "engines": engines,
        }

    async def _choose(self, params: ChooseParams) -> Row:
        self._search.choose(params.engine, params.address)
        return {}

    async def _set_key(self, params: SetKeyParams) -> Row:
        await self._search.set_key(params.engine, params.key, in_file=params.in_file)
        return {}

    async def _delete_key(self, params: EngineParams) -> Row:
        return {"deleted": await self._search.delete_key(params.engine)}
