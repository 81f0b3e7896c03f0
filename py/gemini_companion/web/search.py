"""The search engine that the user has chosen, its address and its key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from gemini_companion.models.errors import GatewayProblem
from gemini_companion.models.keys import Keys
from gemini_companion.network.fetching import Answer, Call, Fetcher
from gemini_companion.network.journey import Journey
from gemini_companion.network.sign_in import Questions
from gemini_companion.network.targets import parse
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows
from gemini_companion.web.engines import DEFAULT, ENGINES, Engine, Row
from gemini_companion.web.errors import EngineUnknown, SearchUnready
from gemini_companion.web.instances import instance, reaching
from gemini_companion.web.reading import body_of

FILE = "search.json"
CHOICE = "search"
MAX_BYTES = 4 * 1024 * 1024
_ROWS = TypeAdapter(dict[str, dict[str, Annotated[str, Field(max_length=400)]]])


class Search:
    """Searches the web, by the engine that the user has chosen in the page's settings.

    Args:
        keys: Finds and saves keys.
        path: The file with the choice, by default `search.json` in the data folder. It holds no key.
        endpoints: Other addresses of engines, by name.
    """

    def __init__(
        self, keys: Keys | None = None, path: Path | None = None, endpoints: dict[str, str] | None = None
    ) -> None:
        self._keys = keys or Keys()
        self._path = path
        self._endpoints = endpoints or {}

    @property
    def key_file(self) -> Path:
        """The file that stores keys where there is no keyring."""
        return self._keys.path

    @property
    def engine(self) -> Engine:
        """The chosen engine."""
        return ENGINES.get(self._choice.get("engine", DEFAULT), ENGINES[DEFAULT])

    @property
    def address(self) -> str:
        """The address that the user has entered for an engine of their own, or an empty text."""
        return self._choice.get("address", "")

    @property
    def _choice(self) -> dict[str, str]:
        return self._rows.read().get(CHOICE, {})

    @property
    def _rows(self) -> PrivateRows[dict[str, str]]:
        return PrivateRows(self._path or data_folder() / FILE, _ROWS)

    async def rows(self) -> list[Row]:
        """Return the engines for the page: `{name, label, needs_key, needs_address, key_from, variables, problem}`."""
        return [await self._row(engine) for engine in ENGINES.values()]

    async def _row(self, engine: Engine) -> Row:
        problem, key = None, None
        try:
            key = await self._keys.find(engine.holder)
        except GatewayProblem as unusable:
            problem = unusable.message
        return {
            "name": engine.name,
            "label": engine.label,
            "needs_key": engine.key == "needed",
            "needs_address": engine.endpoint is None,
            "key_from": None if key is None else key.origin,
            "variables": list(engine.variables),
            "problem": problem,
        }

    def choose(self, name: str, address: str = "") -> None:
        """Save the choice of an engine.

        Args:
            name: The engine.
            address: The address of an instance, for an engine that has no fixed one.

        Raises:
            EngineUnknown: There is no such engine.
            AddressRefused: The address is none.
            FolderUnusable: The choice can't be saved.
        """
        engine = _named(name)
        entered = instance(address, "/search") if engine.endpoint is None else self.address
        self._rows.set(CHOICE, {"engine": name, "address": entered})

    async def set_key(self, name: str, text: str, *, in_file: bool = False) -> None:
        """Save an engine's key. Raises EngineUnknown, and as `Keys.set` does."""
        await self._keys.set(_named(name).holder, text, in_file=in_file)

    async def delete_key(self, name: str) -> bool:
        """Delete an engine's key; return whether there was one. Raises EngineUnknown, and as `Keys.delete` does."""
        return await self._keys.delete(_named(name).holder)

    async def search(
        self, query: str, count: int, fetcher: Fetcher, questions: Questions, words: dict[str, Any]
    ) -> Row:
        """Search, once the user has agreed; return `{engine, results}`.

        Args:
            query: The query.
            count: The most results.
            fetcher: Sends the request.
            questions: Asks the user.
            words: Python's words about the search.

        Raises:
            NetworkProblem: The user refused, or there is no answer.
            GatewayProblem: The key can't be used.
        """
        engine = self.engine
        key = await self._keys.find(engine.holder)
        if key is None and engine.key == "needed":
            raise SearchUnready(
                f"{engine.label} needs a key",
                hint="Ask the user to enter it in the settings, or to choose another.",
            )
        endpoint = self._endpoints.get(engine.name) or engine.endpoint or self._own_endpoint(engine)
        request = engine.request(endpoint, query, count)
        target = parse(request.url)
        body = request.body or b""
        call = Call("POST" if body else "GET", target, request.headers, len(body))
        results: list[Row] = []

        async def use(sent: Call, answer: Answer) -> None:
            results.extend(engine.read(answer.status, await body_of(sent, answer, MAX_BYTES)))

        async with AsyncExitStack() as stack:
            if engine.endpoint is None:
                fetcher = reaching(fetcher, target)
                stack.push_async_callback(fetcher.aclose)
            own = [] if key is None else engine.sign(key.reveal())
            journey = Journey(fetcher, questions, words, "error", own=own)
            await journey.go(call, use, lambda: _once(body))
        return {"engine": engine.label, "results": results[:count]}

    def _own_endpoint(self, engine: Engine) -> str:
        if not self.address:
            raise SearchUnready(
                f"{engine.label} needs the address of an instance",
                hint="Ask the user to enter it in the settings.",
            )
        return f"{self.address}/search"


def _named(name: str) -> Engine:
    engine = ENGINES.get(name)
    if engine is None:
        raise EngineUnknown(
            f"there is no search engine {name[:60]!r}", hint=f"There are {', '.join(ENGINES)}."
        )
    return engine


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body
