"""The tools for the web. The companion asks the user by origin, fetches and reads; Python only passes this on."""

from typing import Annotated

from pydantic import Field

from gemini.pages.web.asking import Ask, ask_web
from gemini.pages.web.results import WebPage, WebResults
from gemini.tools import Effect, declare

Chars = Annotated[int, Field(ge=100, le=400_000)]
Count = Annotated[int, Field(ge=1, le=20)]


class WebTools:
    """Search and pages of the web.

    Args:
        ask: Sends the companion a request. Raises CompanionLost if none is connected.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def web_search(self, query: str, count: Count = 8) -> WebResults:
        """Search the web. The user is asked, and chooses the search engine in the settings."""
        return await ask_web(self._ask, "web/search", query=query, count=count)

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def web_fetch(self, url: str, max_chars: Chars = 10_000, instruction: str | None = None) -> WebPage:
        """Read a web page or PDF file by its address, as Markdown. The user is asked once for each origin.

        Args:
            instruction: What to look for; matches survive a cut.
        """
        return await ask_web(self._ask, "web/fetch", url=url, max_chars=max_chars, instruction=instruction)
