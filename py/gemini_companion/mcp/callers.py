"""The client behind a call, which a tool of a page tells of its work and asks questions.

Until 2025-11-25 a question is a request to the client while the call runs. From 2026-07-28 on it is what the call
answers: the client calls again with what was asked (https://modelcontextprotocol.io/specification/draft/basic/utilities/mrtr).
"""

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, get_args

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import ValidationError

from gemini.errors import NobodyToAsk
from gemini_companion.mcp.clients import Context

LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)
Answer = TypeVar("Answer", types.ElicitResult, types.CreateMessageResult)
Question = types.ElicitRequest | types.CreateMessageRequest
Tell = Callable[[Coroutine[Any, Any, None]], None]


class McpCaller:
    """One call of a client that is asked while it waits for the result.

    Args:
        name: How the person knows the client.
        context: The request's.
        level: What matters less isn't told; None where the client has asked for nothing.
        tell: Runs what needn't be waited for.
    """

    def __init__(self, name: str, context: Context, level: types.LoggingLevel | None, tell: Tell) -> None:
        self.name = name
        self.context = context
        self._level = level
        self._tell = tell

    def progress(self, done: float, total: float | None, message: str | None) -> None:
        self._tell(self.context.session.report_progress(done, total, message))

    def message(self, level: str, data: Any) -> None:
        least = 0 if self._level is None else LEVELS.index(self._level)
        if level in LEVELS[least:]:
            params = types.LoggingMessageNotificationParams.model_validate({"level": level, "data": data})
            self._tell(
                self.context.session.send_notification(
                    types.LoggingMessageNotification(params=params), self.context.request_id
                )
            )

    async def elicit(self, name: str | None, message: str, schema: dict[str, Any]) -> dict[str, Any]:
        self._require("elicitation")
        params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
        answer = await self._ask(name, types.ElicitRequest(params=params), types.ElicitResult)
        return {"action": answer.action, "content": answer.content}

    async def sample(self, prompt: str, system: str | None, max_tokens: int) -> str:
        self._require("sampling")
        question = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
        params = types.CreateMessageRequestParams(
            messages=[question], system_prompt=system, max_tokens=max_tokens
        )
        answer = await self._ask(None, types.CreateMessageRequest(params=params), types.CreateMessageResult)
        if answer.content.type != "text":
            raise NobodyToAsk(f"the client's model answered with {answer.content.type} instead of text")
        return answer.content.text

    def _require(self, ability: str) -> None:
        able = self.context.session.client_capabilities
        if able is None or getattr(able, ability) is None:
            raise NobodyToAsk(
                f"{self.name} doesn't offer {ability}", hint="Take what you need as an argument instead."
            )

    async def _ask(self, name: str | None, request: Question, kind: type[Answer]) -> Answer:
        related = ServerMessageMetadata(related_request_id=self.context.request_id)
        try:
            return await self.context.session.send_request(request, kind, metadata=related)
        except MCPError as error:
            raise NobodyToAsk(f"{self.name} didn't answer: {error.message}") from None
        except ValidationError:
            raise NobodyToAsk(f"{self.name} answered with something else than was asked for") from None


class ReturningCaller(McpCaller):
    """One call of a client that comes again with the answers. `asked` is set while there are questions."""

    def __init__(self, name: str, context: Context, level: types.LoggingLevel | None, tell: Tell) -> None:
        super().__init__(name, context, level, tell)
        self.asked = asyncio.Event()
        self._numbers = itertools.count(1)
        self._open: dict[str, tuple[Question, asyncio.Future[Any]]] = {}

    @property
    def questions(self) -> types.InputRequests:
        return {key: request for key, (request, answer) in self._open.items() if not answer.done()}

    def answer(self, answers: types.InputResponses) -> None:
        """Take what the client has brought; what is missing, or no answer to its question, stays open."""
        for key, (request, answer) in self._open.items():
            brought = answers.get(key)
            if isinstance(brought, _kind(request)) and not answer.done():
                answer.set_result(brought)
        if not self.questions:
            self.asked.clear()

    async def _ask(self, name: str | None, request: Question, kind: type[Answer]) -> Answer:
        number = next(self._numbers)
        key = name if name and name not in self._open else f"question-{number}"
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[key] = (request, answer)
        self.asked.set()
        try:
            return await answer
        finally:
            del self._open[key]
            if not self.questions:
                self.asked.clear()


def _kind(request: Question) -> type[types.ElicitResult] | type[types.CreateMessageResult]:
    return types.ElicitResult if isinstance(request, types.ElicitRequest) else types.CreateMessageResult
