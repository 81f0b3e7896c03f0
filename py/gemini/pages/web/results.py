"""The results of the web tools. Members that only some results have aren't required."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class WebPage(TypedDict):
    """A document of the web.

    `url` is where it was found after redirects, `date` its publication as YYYY-MM-DD, `site` its source's name, and
    `total_chars` the length of its full text.
    """

    url: str
    title: str | None
    date: str | None
    site: str | None
    kind: Literal["page", "pdf", "text"]
    markdown: str
    truncated: bool
    total_chars: int


class WebResult(TypedDict):
    """One result of a search, with its publication's date as the engine writes it."""

    title: str
    url: str
    snippet: str
    date: NotRequired[str]


class WebResults(TypedDict):
    """The results of a search, best first, and the name of the engine."""

    engine: str
    results: list[WebResult]
