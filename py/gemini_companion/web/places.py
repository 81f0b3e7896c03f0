"""Places by name, and names of places, by Nominatim (https://nominatim.org/release-docs/latest/api/Overview/).

The public server's policy (https://operations.osmfoundation.org/policies/nominatim/) asks for at most one request a
second, a User-Agent that names the application, results from a cache, and the attribution.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from gemini_companion.network.fetching import Answer, Call, Fetcher
from gemini_companion.network.journey import Journey
from gemini_companion.network.sign_in import Questions
from gemini_companion.network.targets import parse
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows
from gemini_companion.web.errors import PlacesFailed
from gemini_companion.web.instances import instance, reaching
from gemini_companion.web.reading import body_of

PUBLIC = "https://nominatim.openstreetmap.org"
ATTRIBUTION = "© OpenStreetMap contributors, https://www.openstreetmap.org/copyright"
HEADERS = [("user-agent", "control-surface (a local companion for agents)"), ("accept", "application/json")]
FILE, CHOICE = "places.json", "places"
MAX_BYTES = 1024 * 1024
BETWEEN_S = 1.0
CACHED = 200
LONGEST_NAME = 400
Row = dict[str, Any]
_ROWS = TypeAdapter(dict[str, dict[str, Annotated[str, Field(max_length=400)]]])


class _Place(BaseModel):
    """A place in Nominatim's format jsonv2."""

    lat: Annotated[float, Field(ge=-90, le=90)]
    lon: Annotated[float, Field(ge=-180, le=180)]
    display_name: str
    category: str = ""
    type: str = ""

    def row(self) -> Row:
        """Return `{name, latitude, longitude, kind}`."""
        kind = f"{self.category}: {self.type}".strip(": ")
        name = self.display_name[:LONGEST_NAME]
        return {"name": name, "latitude": self.lat, "longitude": self.lon, "kind": kind[:80]}


class _Nothing(BaseModel):
    """The answer for coordinates without a place."""

    error: str


_FOUND = TypeAdapter(list[_Place])
_AT = TypeAdapter(_Nothing | _Place)


class Places:
    """Finds places, at the public server or at one that the user has chosen.

    Args:
        path: The file with the choice, by default `places.json` in the data folder.
        public: The address of the public server.
        clock: Returns monotonic seconds.

    Attributes:
        due: When the next request may be sent, by the clock.
    """

    def __init__(
        self, path: Path | None = None, public: str = PUBLIC, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._public = public
        self._clock = clock
        self._turn = asyncio.Lock()
        self.due = 0.0
        self._cache: OrderedDict[str, list[Row]] = OrderedDict()

    @property
    def address(self) -> str:
        """The address of the server that the user has chosen; empty for the public one."""
        return self._rows.read().get(CHOICE, {}).get("address", "")

    @property
    def _rows(self) -> PrivateRows[dict[str, str]]:
        return PrivateRows(self._path or data_folder() / FILE, _ROWS)

    def choose(self, address: str) -> None:
        """Save the address of another server; an empty one means the public server.

        Raises:
            AddressRefused: It is no address.
            FolderUnusable: The choice can't be saved.
        """
        self._rows.set(CHOICE, {"address": instance(address, "/search") if address.strip() else ""})

    async def find(self, query: str, count: int, fetcher: Fetcher, questions: Questions, words: Row) -> Row:
        """Return the places of a name or an address, the best first, once the user has agreed.

        Raises:
            NetworkProblem: The user refused, or there is no answer.
        """
        asked = {"q": query, "limit": str(count), "format": "jsonv2"}
        return await self._answer("search", asked, _find, fetcher, questions, words)

    async def name(
        self, latitude: float, longitude: float, fetcher: Fetcher, questions: Questions, words: Row
    ) -> Row:
        """Return the place at coordinates (WGS 84, in degrees), once the user has agreed. Raises as `find` does."""
        asked = {"lat": f"{latitude:.6f}", "lon": f"{longitude:.6f}", "format": "jsonv2"}
        return await self._answer("reverse", asked, _at, fetcher, questions, words)

    async def _answer(
        self,
        path: str,
        asked: dict[str, str],
        read: Callable[[bytes], list[Row]],
        fetcher: Fetcher,
        questions: Questions,
        words: Row,
    ) -> Row:
        url = f"{self.address or self._public}/{path}?{urlencode(asked)}"
        if url not in self._cache:
            places: list[Row] = []

            async def use(call: Call, answer: Answer) -> None:
                body = await body_of(call, answer, MAX_BYTES)
                places.extend(_read(answer.status, body, read))

            target = parse(url)
            async with AsyncExitStack() as stack:
                if self.address:
                    fetcher = reaching(fetcher, target)
                    stack.push_async_callback(fetcher.aclose)
                await Journey(fetcher, questions, words, "error", pace=self._wait).go(
                    Call("GET", target, HEADERS), use
                )
            self._cache[url] = places
            while len(self._cache) > CACHED:
                self._cache.popitem(last=False)
        return {"places": self._cache[url], "attribution": ATTRIBUTION}

    async def _wait(self) -> None:
        """Wait until a second after the last request of any page."""
        async with self._turn:
            await asyncio.sleep(max(0.0, self.due - self._clock()))
            self.due = self._clock() + BETWEEN_S


def _read(status: int, body: bytes, read: Callable[[bytes], list[Row]]) -> list[Row]:
    if status == 429:
        raise PlacesFailed("the map server gets too many requests", hint="Wait a minute.")
    if not 200 <= status < 300:
        raise PlacesFailed(f"the map server answers with the status {status}", hint="Try again later.")
    try:
        return read(body)
    except ValidationError:
        raise PlacesFailed(
            "the answer of the map server isn't Nominatim's",
            hint="Ask the user to check its address in the settings.",
        ) from None


def _find(body: bytes) -> list[Row]:
    return [place.row() for place in _FOUND.validate_json(body)]


def _at(body: bytes) -> list[Row]:
    found = _AT.validate_json(body)
    return [found.row()] if isinstance(found, _Place) else []
