"""Asking the companion for something of the web. It asks the user by origin, fetches and reads."""

from collections.abc import Awaitable, Callable
from typing import Any

from gemini.core.protocol import Params
from gemini.errors import CompanionLost, GeminiError, WebProblem
from gemini.tools import current_call
from gemini.tools.consent import request_context

Ask = Callable[[str, Params, type[GeminiError]], Awaitable[Any]]
"""Sends the companion a request: `ask(method, params, problem)`. See `HostBackend.ask_companion`."""
START = "Ask the user to start it: `control-surface serve`, or `python3 build.py serve` in a source tree."
# Requests whose pages other tools may read.
PAGES = {"web/search", "web/fetch"}


async def ask_web(ask: Ask, method: str, **params: Any) -> Any:
    """Return the companion's answer to a tool's request.

    Raises:
        WebProblem: No companion is connected, or it can't answer; `type` is the name of its error.
        ProtocolError: The companion doesn't know the request.
        Refused: The user refused.
    """
    try:
        return await ask(method, {**params, "words": request_context(current_call())}, WebProblem)
    except CompanionLost:
        instead = " Without it, curl or browser_navigate may do." if method in PAGES else ""
        raise WebProblem("this needs the companion, which isn't connected", hint=START + instead) from None
