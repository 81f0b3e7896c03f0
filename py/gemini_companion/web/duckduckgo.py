"""The results in the page that DuckDuckGo has for browsers without JavaScript."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from gemini_companion.web.errors import SearchFailed

# In the page that asks whether a user is there.
CHALLENGE = "anomaly-modal"
# Links to results pass through this path, which counts them.
COUNTED = "/l/"

Found = dict[str, str]


def results(page: str) -> list[Found]:
    """Return `{title, url, description}` of each result, without advertisements.

    Raises:
        SearchFailed: The page has a question for a user instead.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    if not reader.found and CHALLENGE in page:
        raise SearchFailed(
            "DuckDuckGo asks whether a person is there, as it does after many searches",
            hint="Wait some minutes, or ask the user to choose another search engine in the settings.",
        )
    return [found for found in reader.found if found["url"]]


class _Reader(HTMLParser):
    """Collects the text of the elements with the classes of a title and a snippet."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Found] = []
        self._into: Literal["title", "description"] | None = None
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        classes = (given.get("class") or "").split()
        if self._into is not None:
            self._depth += tag == "a"
        elif "result__a" in classes:
            self.found.append({"title": "", "url": _target(given.get("href") or ""), "description": ""})
            self._into = "title"
        elif "result__snippet" in classes and self.found:
            self._into = "description"

    def handle_endtag(self, tag: str) -> None:
        if self._into is None or tag not in ("a", "td", "div"):
            return
        if tag == "a" and self._depth:
            self._depth -= 1
            return
        self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self.found[-1][self._into] += data


def _target(link: str) -> str:
    """Return the address that a link leads to; empty for an advertisement."""
    parts = urlsplit(f"https:{link}" if link.startswith("//") else link)
    if parts.hostname is None or not parts.hostname.endswith("duckduckgo.com"):
        return link
    return parse_qs(parts.query).get("uddg", [""])[0] if parts.path == COUNTED else ""
