"""A page's access to the web through the companion.

Python in the page sends:

    web/fetch {url, max_chars?, instruction?, words?}
        -> {url, title, date, site, kind, markdown, truncated, total_chars}
    web/search {query, count?, words?} -> {engine, results: [{title, url, snippet, date?}]}
    web/places {query, count?, words?} or {latitude, longitude, words?}
        -> {places: [{name, latitude, longitude, kind}], attribution}

Each asks the user by origin, in the door's words, and again where a redirect leads to another origin. Private
addresses are refused as at the door. `words` are Python's, never checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from pydantic import Field

from gemini.core.protocol import Handler
from gemini.errors import InvalidArguments, Refused
from gemini_companion.network.errors import ConsentRefused
from gemini_companion.network.fetching import Answer, Call, Fetcher
from gemini_companion.network.journey import Journey
from gemini_companion.network.sign_in import Questions
from gemini_companion.network.targets import redirected
from gemini_companion.pages.parameters import MethodParams, validated
from gemini_companion.web.documents import Documents
from gemini_companion.web.errors import PageUnreadable
from gemini_companion.web.passages import cut
from gemini_companion.web.places import Places
from gemini_companion.web.reading import body_of, content_type
from gemini_companion.web.search import Search

Row = dict[str, Any]
Params = TypeVar("Params", bound=MethodParams)
MAX_BYTES = 20 * 1024 * 1024
LONGEST_S, IDLE_S = 120.0, 30.0
ACCEPTED = "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5"
# Requests of a page under way, those included that wait for the user.
AT_ONCE = 8
FEWEST_CHARS, MOST_CHARS = 100, 400_000


class FetchParams(MethodParams):
    """The parameters of `web/fetch`."""

    url: Annotated[str, Field(min_length=1, max_length=8 * 1024)]
    max_chars: Annotated[int, Field(ge=FEWEST_CHARS, le=MOST_CHARS)] = 10_000
    instruction: Annotated[str | None, Field(max_length=1_000)] = None
    words: dict[str, Any] = {}


class SearchParams(MethodParams):
    """The parameters of `web/search`."""

    query: Annotated[str, Field(min_length=1, max_length=400, pattern=r"\S")]
    count: Annotated[int, Field(ge=1, le=20)] = 8
    words: dict[str, Any] = {}


class PlacesParams(MethodParams):
    """The parameters of `web/places`: a query, or coordinates in degrees."""

    query: Annotated[str | None, Field(min_length=1, max_length=400, pattern=r"\S")] = None
    latitude: Annotated[float | None, Field(ge=-90, le=90, strict=False, allow_inf_nan=False)] = None
    longitude: Annotated[float | None, Field(ge=-180, le=180, strict=False, allow_inf_nan=False)] = None
    count: Annotated[int, Field(ge=1, le=20)] = 5
    words: dict[str, Any] = {}


class WebAccess:
    """Access to the web, for all pages.

    Args:
        fetcher: The door's; requests here reach the same addresses, with closer limits.
        search: Searches the web.
        documents: Reads documents.
        places: Finds places.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        search: Search,
        documents: Documents | None = None,
        places: Places | None = None,
    ) -> None:
        limits = replace(fetcher.limits, answer=MAX_BYTES, total_s=LONGEST_S, idle_s=IDLE_S)
        self._fetcher = fetcher.varied(limits=limits)
        self._search = search
        self._documents = documents or Documents()
        self._places = places or Places()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._fetcher.aclose()

    def handlers(self, questions: Questions) -> Mapping[str, Handler]:
        """Return the request methods of one page, for `gemini.core.protocol.Connection`.

        Args:
            questions: Asks the user at the page.
        """
        # Each may hold an entire document in memory.
        free = asyncio.Semaphore(AT_ONCE)

        async def fetch(params: FetchParams) -> Row:
            async with free:
                return await self._fetch(params, questions)

        async def search(params: SearchParams) -> Row:
            query = " ".join(params.query.split())
            async with free:
                return await self._search.search(query, params.count, self._fetcher, questions, params.words)

        async def places(params: PlacesParams) -> Row:
            async with free:
                return await self._find(params, questions)

        return {
            "web/places": validated(PlacesParams, _refusing(places)),
            "web/fetch": validated(FetchParams, _refusing(fetch)),
            "web/search": validated(SearchParams, _refusing(search)),
        }

    async def _find(self, params: PlacesParams, questions: Questions) -> Row:
        asks = (self._fetcher, questions, params.words)
        if params.query is not None:
            return await self._places.find(" ".join(params.query.split()), params.count, *asks)
        if params.latitude is None or params.longitude is None:
            raise InvalidArguments("a query, or both coordinates, are missing", hint="Pass one of them.")
        return await self._places.name(params.latitude, params.longitude, *asks)

    async def _fetch(self, params: FetchParams, questions: Questions) -> Row:
        url = params.url if "://" in params.url else f"https://{params.url}"
        # Agents spell addresses as loosely as servers do.
        target = redirected(url, url)
        self._fetcher.reach.require_possible(target)
        received: list[tuple[str, bytes, str, str | None]] = []

        async def use(call: Call, answer: Answer) -> None:
            if not 200 <= answer.status < 300:
                raise PageUnreadable(
                    f"{call.target.url} answers with the status {answer.status} {answer.reason}".rstrip(),
                    hint="Check the address, or search for the page.",
                )
            body = await body_of(call, answer, MAX_BYTES)
            received.append((call.target.url, body, *content_type(answer)))

        call = Call("GET", target, [("accept", ACCEPTED)])
        await Journey(self._fetcher, questions, params.words).go(call, use)
        [(found_at, body, media_type, charset)] = received
        document = await self._documents.read(body, found_at, media_type, charset)
        markdown = document.pop("markdown")
        text, truncated = cut(markdown, params.max_chars, params.instruction or "")
        return {
            "url": found_at,
            **document,
            "markdown": text,
            "truncated": truncated,
            "total_chars": len(markdown),
        }


def _refusing(answer: Callable[[Params], Awaitable[Row]]) -> Callable[[Params], Awaitable[Row]]:
    """Return a function that raises a refusal by the user as agents know it."""

    async def answered(params: Params) -> Row:
        try:
            return await answer(params)
        except ConsentRefused as refusal:
            raise Refused(refusal.message, hint=refusal.hint) from None

    return answered
