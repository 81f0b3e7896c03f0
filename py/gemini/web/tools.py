"""The tools for the web. The companion asks the person by origin, fetches and reads; Python only passes this on."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from pydantic import Field

from gemini.core.protocol import Params
from gemini.errors import NobodyToAsk, ProtocolError, WebProblem
from gemini.tools import Effect, current_call, declare
from gemini.tools.consent import request_context
from gemini.web.results import WebPage, WebResults

Ask = Callable[[str, Params], Awaitable[Any]]
Chars = Annotated[int, Field(ge=100, le=400_000)]
Count = Annotated[int, Field(ge=1, le=20)]
WITHOUT = "Ask the user to start it: `control-surface serve`. Without it, curl or browser_navigate may do."


class WebTools:
    """Search and pages of the web.

    Args:
        ask: Sends the companion a request. Raises NobodyToAsk if none is connected.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def web_search(self, query: str, count: Count = 8) -> WebResults:
        """Search the web. The user is asked, and chooses the search engine in the settings."""
        return await self._asked("web/search", query=query, count=count)

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def web_fetch(self, url: str, max_chars: Chars = 10_000, instruction: str | None = None) -> WebPage:
        """Read a web page or PDF file by its address, as Markdown. The user is asked once for each origin.

        Args:
            instruction: What to look for; matches survive a cut.
        """
        return await self._asked("web/fetch", url=url, max_chars=max_chars, instruction=instruction)

    async def _asked(self, method: str, **params: Any) -> Any:
        try:
            return await self._ask(method, {**params, "words": request_context(current_call())})
        except NobodyToAsk:
            raise WebProblem("the web needs the companion, which isn't connected", hint=WITHOUT) from None
        except ProtocolError as error:
            raise WebProblem(error.message, hint=error.hint) from None
