"""The client behind a call: receives reports from a page's tool, and answers its questions.

Up to 2025-11-25, a question is a request to the client during the call. From 2026-07-28 on, the call returns the
question, and the client repeats the call with the answer (https://modelcontextprotocol.io/specification/draft/basic/utilities/mrtr).
"""

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Coroutine, Generator, Mapping
from typing import Any, TypeVar, get_args

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import ValidationError

from gemini.errors import NobodyToAsk
from gemini_companion.mcp.clients import Context
from gemini_companion.mcp.needs import declares

LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)
# Some clients end a call that reports nothing for a minute.
QUIET_S = 5.0
LEAST_STEP = 0.001
Answer = TypeVar("Answer", types.ElicitResult, types.CreateMessageResult, types.ListRootsResult)
Question = types.ElicitRequest | types.CreateMessageRequest | types.ListRootsRequest
Spawn = Callable[[Coroutine[Any, Any, None]], None]


class McpCaller:
    """One call of a client that can be asked while it waits for the result.

    Args:
        name: The client's name, as the user sees it.
        context: The context of the request.
        level: The least severe level of messages to send; None sends all.
        spawn: Runs a coroutine in the background.
    """

    def __init__(self, name: str, context: Context, level: types.LoggingLevel | None, spawn: Spawn) -> None:
        self.name = name
        self.context = context
        self._level = level
        self._spawn = spawn
        self._done = 0.0
        self._reported = False
        self._message: str | None = None

    def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report progress to the client. It increases with each report, as the specification requires."""
        self._message = message
        self._send(done, total, message)

    def _send(self, done: float, total: float | None, message: str | None) -> None:
        self._done, self._reported = max(done, self._done + LEAST_STEP), True
        self._spawn(self.context.session.report_progress(self._done, total, message))

    @contextlib.contextmanager
    def waiting(self) -> Generator[None]:
        """Report that the call still runs, while the block runs, whenever its tool has reported nothing for a while.

        What the tool has said last is repeated, since it may wait for the user.
        """
        loop = asyncio.get_running_loop()
        started = loop.time()

        def beat() -> None:
            nonlocal timer
            if not self._reported and self.is_listening:
                time = f"running for {loop.time() - started:.0f} s"
                self._send(0, None, time if self._message is None else f"{self._message} ({time})")
            self._reported = False
            timer = loop.call_later(QUIET_S, beat)

        timer = loop.call_later(QUIET_S, beat)
        try:
            yield
        finally:
            timer.cancel()

    @property
    def is_listening(self) -> bool:
        """True while the client waits for the result."""
        return True

    def message(self, level: str, data: Any) -> None:
        """Send a message to the client, unless its level is below the one that the client wants."""
        least = 0 if self._level is None else LEVELS.index(self._level)
        if level in LEVELS[least:]:
            params = types.LoggingMessageNotificationParams.model_validate({"level": level, "data": data})
            self._spawn(
                self.context.session.send_notification(
                    types.LoggingMessageNotification(params=params), self.context.request_id
                )
            )

    async def elicit(self, name: str | None, message: str, schema: dict[str, Any]) -> dict[str, Any]:
        """Ask the user at the client a question; return `{action, content}`."""
        self._require("elicitation")
        params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
        answer = await self._ask(name, types.ElicitRequest(params=params), types.ElicitResult)
        return {"action": answer.action, "content": answer.content}

    async def sample(self, prompt: str, system: str | None, max_tokens: int) -> str:
        """Ask the client's model; return its text."""
        self._require("sampling")
        question = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
        params = types.CreateMessageRequestParams(
            messages=[question], system_prompt=system, max_tokens=max_tokens
        )
        answer = await self._ask(None, types.CreateMessageRequest(params=params), types.CreateMessageResult)
        if answer.content.type != "text":
            raise NobodyToAsk(f"the client's model answered with {answer.content.type} instead of text")
        return answer.content.text

    async def roots(self) -> list[dict[str, Any]]:
        """Ask for the folders that the client works in; return `{uri, name?}` of each."""
        self._require("roots")
        answer = await self._ask(None, types.ListRootsRequest(), types.ListRootsResult)
        return [
            root.model_dump(mode="json", exclude_none=True, include={"uri", "name"}) for root in answer.roots
        ]

    def _require(self, ability: str) -> None:
        if not declares(self.context, ability):
            raise NobodyToAsk(
                f"{self.name} doesn't support {ability}", hint="Take what you need as an argument instead."
            )

    async def _ask(self, name: str | None, request: Question, kind: type[Answer]) -> Answer:
        related = ServerMessageMetadata(related_request_id=self.context.request_id)
        try:
            return await self.context.session.send_request(request, kind, metadata=related)
        except MCPError as error:
            raise NobodyToAsk(f"{self.name} didn't answer: {error.message}") from None
        except ValidationError:
            raise NobodyToAsk(f"{self.name} returned another kind of answer than requested") from None


class ReturningCaller(McpCaller):
    """One call of a client that calls again with the answers, or answers a task's questions.

    Attributes:
        asked: Done while there are questions. A future, since waiting for it needs no separate task.
    """

    def __init__(self, name: str, context: Context, level: types.LoggingLevel | None, spawn: Spawn) -> None:
        super().__init__(name, context, level, spawn)
        self.asked = _future()
        self._numbers = itertools.count(1)
        self._open: dict[str, tuple[Question, asyncio.Future[Any]]] = {}
        self._used: set[str] = set()
        self._report: Callable[[str | None], None] | None = None

    def continue_as_task(self, report: Callable[[str | None], None]) -> None:
        """Send messages about progress to `report`, since the request ends. Log messages are dropped from now on."""
        self._report = report

    def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report progress to the client, or to the task."""
        if self._report is None:
            super().progress(done, total, message)
        else:
            self._report(message or (f"{done:g}" if total is None else f"{done:g} of {total:g}"))

    def message(self, level: str, data: Any) -> None:
        """Send a message to the client while its request is open."""
        if self._report is None:
            super().message(level, data)

    @property
    def is_listening(self) -> bool:
        """False while the client has questions to answer, and for a task."""
        return not self.asked.done() and self._report is None

    @property
    def questions(self) -> types.InputRequests:
        """The open questions, by key."""
        return {key: request for key, (request, answer) in self._open.items() if not answer.done()}

    def answer(self, answers: Mapping[str, Any]) -> None:
        """Accept the client's answers. A question stays open if its answer is missing or of the wrong kind."""
        for key, (request, answer) in self._open.items():
            given = _parse(answers.get(key), _kind(request))
            if given is not None and not answer.done():
                answer.set_result(given)
        self._after_answer()

    async def _ask(self, name: str | None, request: Question, kind: type[Answer]) -> Answer:
        number = next(self._numbers)
        # A task's keys are unique as long as it lives.
        key = name if name and name not in self._used else f"question-{number}"
        self._used.add(key)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[key] = (request, answer)
        if not self.asked.done():
            self.asked.set_result(None)
        try:
            return await answer
        finally:
            del self._open[key]
            self._after_answer()

    def _after_answer(self) -> None:
        if self.asked.done() and not self.questions:
            self.asked = _future()


def _future() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


def _kind(request: Question) -> type[types.Result]:
    match request:
        case types.ElicitRequest():
            return types.ElicitResult
        case types.ListRootsRequest():
            return types.ListRootsResult
        case _:
            return types.CreateMessageResult


def _parse(given: Any, kind: type[types.Result]) -> types.Result | None:
    """Return an answer as its kind, or None if it is of another; a task's answers arrive as plain objects."""
    if isinstance(given, kind):
        return given
    if not isinstance(given, dict):
        return None
    try:
        return kind.model_validate(given)
    except ValidationError:
        return None
