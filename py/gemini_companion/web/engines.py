"""The search engines: the request of each, and the results in its answer."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import urlencode

from pydantic import BaseModel, BeforeValidator, ValidationError

from gemini_companion.web import duckduckgo
from gemini_companion.web.errors import SearchFailed

# DuckDuckGo's page is for browsers, which all begin like this.
AS_BROWSER = [("user-agent", "Mozilla/5.0 (compatible; control-surface)")]
LONGEST_TITLE, LONGEST_SNIPPET, LONGEST_URL, LONGEST_DATE = 300, 800, 2_000, 40
TAG = re.compile(r"<[^>]*>")
Headers = list[tuple[str, str]]
Row = dict[str, Any]


def _text(value: Any) -> str:
    """Return text without the tags by which engines mark words."""
    return " ".join(html.unescape(TAG.sub("", str(value or ""))).split())


Text = Annotated[str, BeforeValidator(_text)]


class _Result(BaseModel):
    """A result of any engine; each names its text fields in its own way."""

    url: str = ""
    title: Text = ""
    # Brave, Tavily and SearXNG.
    description: Text = ""
    content: Text = ""
    page_age: str | None = None
    published_date: str | None = None
    publishedDate: str | None = None  # noqa: N815 - SearXNG's own name

    def row(self) -> Row:
        """Return `{title, url, snippet, date?}`."""
        date = self.page_age or self.published_date or self.publishedDate
        row = {
            "title": self.title[:LONGEST_TITLE],
            "url": self.url,
            "snippet": (self.description or self.content)[:LONGEST_SNIPPET],
        }
        return {**row, "date": date[:LONGEST_DATE]} if date else row


class _Results(BaseModel):
    results: list[_Result] = []


class _BraveAnswer(BaseModel):
    web: _Results = _Results()


@dataclass(frozen=True)
class SearchRequest:
    """A request to an engine. `body` is JSON, for a POST."""

    url: str
    body: bytes | None = None
    headers: Headers = field(default_factory=list[tuple[str, str]])


@dataclass(frozen=True)
class Engine:
    """A search engine.

    Attributes:
        name: Its name in the settings.
        label: Its name for the user.
        endpoint: The address of its search; None if the user enters it.
        variables: The environment variables that may hold its key.
        key: `needed`, `optional`, or `none` if no key is ever sent.
        request: Returns the request of a search at an address.
        results: Returns the results in an answer.
        sign: Returns the headers with the key.
    """

    name: str
    label: str
    endpoint: str | None
    request: Callable[[str, str, int], SearchRequest]
    results: Callable[[bytes], list[Row]]
    variables: tuple[str, ...] = ()
    key: str = "none"
    sign: Callable[[str], Headers] = lambda key: []

    @property
    def holder(self) -> KeyHolder:
        """The engine as the owner of a key."""
        # No provider of models has a slash in its name.
        return KeyHolder(f"search/{self.name}", self.key, self.variables)

    def read(self, status: int, body: bytes) -> list[Row]:
        """Return the results in an answer, those with an address on the web.

        Raises:
            SearchFailed: The engine refuses the search, or its answer can't be read.
        """
        if status in (401, 403):
            hint = self.refusal_hint
            raise SearchFailed(f"{self.label} refuses the search ({status})", hint=hint)
        if status == 429:
            raise SearchFailed(f"{self.label} gets too many searches", hint="Wait a minute, or search less.")
        if not 200 <= status < 300:
            raise SearchFailed(f"{self.label} answers with the status {status}", hint="Try again later.")
        try:
            found = self.results(body)
        except (ValidationError, UnicodeDecodeError):
            raise SearchFailed(
                f"the answer of {self.label} isn't what its documentation says",
                hint="Ask the user to check the search engine in the settings.",
            ) from None
        return [row for row in found if _is_on_the_web(row["url"])]

    @property
    def refusal_hint(self) -> str:
        """The likely remedy after a refusal."""
        if self.key == "needed":
            return f"Ask the user to check the key of {self.label} in the settings."
        if self.endpoint is None:
            return "Its settings.yml must list json among the formats of search."
        return "Ask the user to choose another search engine in the settings."


@dataclass(frozen=True)
class KeyHolder:
    """The owner of a key, as `gemini_companion.models.keys` needs it."""

    name: str
    key: str
    variables: tuple[str, ...]


def _is_on_the_web(url: str) -> bool:
    return url.startswith(("https://", "http://")) and len(url) <= LONGEST_URL


def _get(
    more: Mapping[str, str], count_name: str | None = None, headers: Sequence[tuple[str, str]] = ()
) -> Callable[[str, str, int], SearchRequest]:
    def request(endpoint: str, query: str, count: int) -> SearchRequest:
        counted = {} if count_name is None else {count_name: str(count)}
        url = f"{endpoint}?{urlencode({'q': query, **more, **counted})}"
        return SearchRequest(url, headers=list(headers))

    return request


def _tavily(endpoint: str, query: str, count: int) -> SearchRequest:
    body = json.dumps({"query": query, "max_results": count}).encode()
    return SearchRequest(endpoint, body, [("content-type", "application/json")])


def _list(body: bytes) -> list[Row]:
    return [found.row() for found in _Results.model_validate_json(body).results]


def _brave(body: bytes) -> list[Row]:
    return [found.row() for found in _BraveAnswer.model_validate_json(body).web.results]


def _duckduckgo(body: bytes) -> list[Row]:
    return [_Result.model_validate(found).row() for found in duckduckgo.results(body.decode())]


def _bearer(key: str) -> Headers:
    return [("authorization", f"Bearer {key}")]


def _subscription(key: str) -> Headers:
    return [("x-subscription-token", key)]


ENGINES = {
    engine.name: engine
    for engine in (
        # It has no documented API; its page for browsers without JavaScript needs no key.
        Engine(
            "duckduckgo", "DuckDuckGo", "https://html.duckduckgo.com/html/", _get({}, headers=AS_BROWSER), _duckduckgo,
        ),
        # https://api-dashboard.search.brave.com/app/documentation/web-search
        Engine(
            "brave", "Brave Search", "https://api.search.brave.com/res/v1/web/search", _get({}, "count"), _brave,
            ("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"), "needed", _subscription,
        ),
        # https://docs.tavily.com/documentation/api-reference/endpoint/search
        Engine(
            "tavily", "Tavily", "https://api.tavily.com/search", _tavily, _list,
            ("TAVILY_API_KEY",), "needed", _bearer,
        ),
        # https://docs.searxng.org/dev/search_api.html
        Engine("searxng", "SearXNG", None, _get({"format": "json"}), _list),
    )
}  # fmt: skip
DEFAULT = "duckduckgo"
