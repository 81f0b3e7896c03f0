"""Requests that are repeated with answers: each but the last returns questions to the client.

https://modelcontextprotocol.io/specification/draft/basic/utilities/mrtr
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from gemini_companion.mcp.callers import ReturningCaller
from gemini_companion.mcp.clients import Context
from gemini_companion.mcp.tasks import Tasks

# How long a user may take to answer a question before the call is cancelled.
PATIENCE_S = 600.0
# The most calls that may wait for their clients. At the limit the oldest is cancelled.
MAX_WAITING = 100
# A call that takes longer becomes a task, if the client supports tasks.
TASK_AFTER_S = 0.5
# How long after a question another one may arrive that belongs to the same round.
TOGETHER_S = 0.05
Params = types.CallToolRequestParams | types.GetPromptRequestParams
Result = Any
"""The result, or an `InputRequiredResult`, or the row that creates a task."""
Start = Callable[[ReturningCaller], Awaitable[Any]]


@dataclass
class _Waiting:
    caller: ReturningCaller
    task: "asyncio.Task[Any]"
    about: str
    expiry: asyncio.TimerHandle


class Rounds:
    """Waiting calls by the state that a client returns, a random text that reveals nothing.

    Args:
        tasks: Continues calls that take long.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()

    async def begin(
        self,
        caller: ReturningCaller,
        params: Params,
        start: Start,
        *,
        task_after: float | None = None,
    ) -> Result:
        """Start a call; return its result, its questions, or the task that it becomes.

        Args:
            caller: The client.
            params: The request.
            start: Starts the call.
            task_after: Seconds after which the call becomes a task; None if it can't.

        Raises:
            MCPError: The call must be a task, and there are too many.
        """
        if task_after == 0:
            if not self._tasks.has_room(caller.name):
                raise MCPError(types.INTERNAL_ERROR, "there are too many tasks; wait until some have expired")
            return self._tasks.adopt(caller, asyncio.ensure_future(start(caller)))
        return await self._result(caller, asyncio.ensure_future(start(caller)), params, task_after)

    async def resume(
        self, name: str, context: Context, params: Params, task_after: float | None = None
    ) -> Result:
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
        return await self._result(waiting.caller, waiting.task, params, task_after)

    def cancel_all(self) -> None:
        """Cancel the calls that wait for their clients."""
        for state in list(self._waiting):
            self._cancel(state)

    async def _result(
        self, caller: ReturningCaller, task: "asyncio.Task[Any]", params: Params, task_after: float | None
    ) -> Result:
        try:
            waits: set[asyncio.Future[Any]] = {task, caller.asked}
            done, _ = await asyncio.wait(waits, timeout=task_after, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                if self._tasks.has_room(caller.name):
                    return self._tasks.adopt(caller, task)
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            await self._all_questions(caller, task)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.done():
            return task.result()
        state = secrets.token_urlsafe(16)
        expiry = asyncio.get_running_loop().call_later(PATIENCE_S, self._cancel, state)
        self._waiting[state] = _Waiting(caller, task, _about(params), expiry)
        if len(self._waiting) > MAX_WAITING:
            self._cancel(next(iter(self._waiting)))
        return types.InputRequiredResult(input_requests=caller.questions, request_state=state)

    async def _all_questions(self, caller: ReturningCaller, task: "asyncio.Task[Any]") -> None:
        """Wait for the questions that a call asks together, since they arrive in sequence."""
        number = 0
        while not task.done() and number != len(caller.questions):
            number = len(caller.questions)
            await asyncio.wait({task}, timeout=TOGETHER_S)

    def _cancel(self, state: str) -> None:
        waiting = self._waiting.pop(state)
        waiting.expiry.cancel()
        waiting.task.cancel()


def _about(params: Params) -> str:
    """Return what must be the same when the client calls again."""
    return params.model_dump_json(include={"name", "arguments"})
