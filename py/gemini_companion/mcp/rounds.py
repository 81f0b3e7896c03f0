"""Calls that take several requests: each request but the last returns questions to the client.

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

# How long a person may take to answer a question before the call is cancelled.
PATIENCE_S = 600.0
# The most calls that may wait for their clients. At the limit the oldest is cancelled.
MAX_WAITING = 100
Result = types.CallToolResult | types.InputRequiredResult
Start = Callable[[ReturningCaller], Awaitable[types.CallToolResult]]


@dataclass
class _Waiting:
    caller: ReturningCaller
    task: "asyncio.Task[types.CallToolResult]"
    about: str
    expiry: asyncio.TimerHandle


class Rounds:
    """Waiting calls by the state that a client returns, a random text that reveals nothing."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()

    async def begin(
        self, caller: ReturningCaller, params: types.CallToolRequestParams, start: Start
    ) -> Result:
        """Start a call; return its result, or its questions."""
        return await self._result(caller, asyncio.ensure_future(start(caller)), _about(params))

    async def resume(self, name: str, context: Context, params: types.CallToolRequestParams) -> Result:
        """Resume a call with the client's answers.

        Raises:
            MCPError: No call waits for these answers.
        """
        waiting = self._waiting.get(params.request_state or "")
        if waiting is None or waiting.about != _about(params) or waiting.caller.name != name:
            raise MCPError(types.INVALID_PARAMS, "no call waits for this requestState; call without it")
        del self._waiting[params.request_state or ""]
        waiting.expiry.cancel()
        waiting.caller.context = context
        waiting.caller.answer(params.input_responses or {})
        return await self._result(waiting.caller, waiting.task, waiting.about)

    def cancel_all(self) -> None:
        """Cancel the calls that wait for their clients."""
        for state in list(self._waiting):
            self._cancel(state)

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
        expiry = asyncio.get_running_loop().call_later(PATIENCE_S, self._cancel, state)
        self._waiting[state] = _Waiting(caller, task, about, expiry)
        if len(self._waiting) > MAX_WAITING:
            self._cancel(next(iter(self._waiting)))
        return types.InputRequiredResult(input_requests=caller.questions, request_state=state)

    def _cancel(self, state: str) -> None:
        waiting = self._waiting.pop(state)
        waiting.expiry.cancel()
        waiting.task.cancel()


def _about(params: types.CallToolRequestParams) -> str:
    """Return what must be the same when the client calls again."""
    return params.model_dump_json(include={"name", "arguments"})
