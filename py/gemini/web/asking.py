"""Asking the companion for something of the web. It asks the person by origin, fetches and reads."""

from collections.abc import Awaitable, Callable
from typing import Any

from gemini.core.protocol import Params
from gemini.errors import CompanionLost, CompanionProblem, ProtocolError, WebProblem
from gemini.tools import current_call
from gemini.tools.consent import request_context

Ask = Callable[[str, Params], Awaitable[Any]]
"""Sends the companion a request. Raises CompanionLost if none is connected, CompanionProblem if it can't answer."""
WITHOUT = "Ask the user to start it: `control-surface serve`. Without it, curl or browser_navigate may do."


async def ask_web(ask: Ask, method: str, **params: Any) -> Any:
    """Return the companion's answer to a tool's request.

    Raises:
        WebProblem: No companion is connected, or it can't answer; `type` is the name of its own error.
        Refused: The person refused.
    """
    try:
        return await ask(method, {**params, "words": request_context(current_call())})
    except CompanionLost:
        raise WebProblem("the web needs the companion, which isn't connected", hint=WITHOUT) from None
    except (CompanionProblem, ProtocolError) as error:
        problem = WebProblem(error.message, hint=error.hint, data=error.data)
        problem.type = error.type
        raise problem from None
