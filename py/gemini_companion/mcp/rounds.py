"""Calls that take several requests: each but the last is answered with questions to the client.

https://modelcontextprotocol.io/specification/draft/basic/utilities/mrtr
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import mcp_types as types
from mcp.shared.exceptions import MCPError

from gemini_companion.mcp.callers import ReturningCaller
from gemini_companion.mcp.clients import Context

# So long a person may think about a question before the call is given up.
PATIENCE_S = 600.0
# More calls than that don't wait for their clients; the one that has waited longest is given up.
MOST = 100
Result = types.CallToolResult | types.InputRequiredResult
Start = Callable[[ReturningCaller], Awaitable[types.CallToolResult]]


@dataclass
class _Waiting:
    caller: ReturningCaller
    task: "asyncio.Task[types.CallToolResult]"
    about: str
    giving_up: asyncio.TimerHandle


class Rounds:
    """Calls by the state that a client brings back, which is a random text that tells it nothing."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()

    async def begin(
        self, caller: ReturningCaller, params: types.CallToolRequestParams, start: Start
    ) -> Result:
        """Begin a call; gives its result, or what it asks."""
        return await self._result(caller, asyncio.ensure_future(start(caller)), _about(params))

    async def go_on(self, name: str, context: Context, params: types.CallToolRequestParams) -> Result:
        """Go on with a call whose questions a client answers.

        Raises:
            MCPError: no call waits for that.
        """
        waiting = self._waiting.get(params.request_state or "")
        if waiting is None or waiting.about != _about(params) or waiting.caller.name != name:
            raise MCPError(types.INVALID_PARAMS, "no call waits for this requestState; call without it")
        del self._waiting[params.request_state or ""]
        waiting.giving_up.cancel()
        waiting.caller.context = context
        waiting.caller.answer(params.input_responses or {})
        return await self._result(waiting.caller, waiting.task, waiting.about)

    def give_up_all(self) -> None:
        """End the calls that wait for their clients."""
        for state in list(self._waiting):
            self._give_up(state)

    async def _result(
        self, caller: ReturningCaller, task: "asyncio.Task[types.CallToolResult]", about: str
    ) -> Result:
        asked = asyncio.create_task(caller.asked.wait())
        try:
            await asyncio.wait({task, asked}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            asked.cancel()
        if task.done():
            return task.result()
        state = secrets.token_urlsafe(16)
        giving_up = asyncio.get_running_loop().call_later(PATIENCE_S, self._give_up, state)
        self._waiting[state] = _Waiting(caller, task, about, giving_up)
        if len(self._waiting) > MOST:
            self._give_up(next(iter(self._waiting)))
        return types.InputRequiredResult(input_requests=caller.questions, request_state=state)

    def _give_up(self, state: str) -> None:
        waiting = self._waiting.pop(state)
        waiting.giving_up.cancel()
        waiting.task.cancel()


def _about(params: types.CallToolRequestParams) -> str:
    """What has to be the same when the client comes again."""
    return params.model_dump_json(include={"name", "arguments"})
