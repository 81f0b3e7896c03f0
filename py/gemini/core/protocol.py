"""JSON-RPC 2.0 (https://www.jsonrpc.org/specification) with MCP's notifications, over any text transport.

A `Connection` is symmetric: it answers requests through handlers and can send its own. Requests run concurrently;
`notifications/cancelled {requestId}` cancels a request's task.
"""

import asyncio
import contextvars
import inspect
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, cast

from gemini import errors
from gemini.core import interrupts
from gemini.core.encoding import decode, encode
from gemini.core.ffi import start_eagerly
from gemini.errors import GeminiError, ProtocolError

Json = Any
Identifier = str | int | float
Params = dict[str, Any]

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
# The id where JSON-RPC writers put it, including `Connection` and the page.
IDENTIFIER = re.compile(r'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,')


BY_NAME: dict[str, type[GeminiError]] = {
    name: member
    for name, member in vars(errors).items()
    if isinstance(member, type) and issubclass(member, GeminiError)
}


def nothing() -> None:
    """Do nothing."""


@dataclass(slots=True)
class Encoded:
    """A result that is already JSON text, so that it isn't encoded twice. `then` is called after it is sent."""

    text: str
    then: Callable[[], None] = nothing


Handler = Callable[[Params], Any]
"""Returns a request's result, or an awaitable of it."""


class Connection:
    """One end of a JSON-RPC connection.

    Args:
        send: Sends a message as JSON text.
        handlers: The handlers of requests, by method.
        listeners: The listeners for notifications, by method; called with the params.
        interruptible: Whether the other end also marks cancelled requests in shared memory.
    """

    def __init__(
        self,
        send: Callable[[str], None],
        handlers: Mapping[str, Handler],
        *,
        listeners: Mapping[str, Callable[[Params], None]] | None = None,
        interruptible: bool = False,
    ) -> None:
        self._send = send
        self._handlers = handlers
        self._listeners = listeners or {}
        self._interruptible = interruptible
        self._running: dict[Identifier, asyncio.Task[None]] = {}
        self._waiting: dict[Identifier, asyncio.Future[Any]] = {}
        self._last_id = 0
        self._on_close: list[Callable[[], None]] = []
        self._is_closed = False

    @property
    def has_pending_requests(self) -> bool:
        """Return whether a request to the other end is pending."""
        return bool(self._waiting)

    def receive(self, text: str) -> None:
        """Process a message from the other end. A request starts at once and is answered when it ends."""
        try:
            message: Params = decode(text)
        except (ValueError, RecursionError) as error:
            # A valid message may be too deeply nested for Python; its sender still needs an answer.
            match = IDENTIFIER.match(text)
            identifier = None if match is None else int(match[1])
            self._send_error(identifier, PARSE_ERROR, f"the message can't be read as JSON: {error}")
            return
        if type(message) is not dict:
            self._send_error(None, INVALID_REQUEST, "a message must be one JSON-RPC object")
            return
        self._dispatch(message)

    def _dispatch(self, message: Params) -> None:
        identifier, method = message.get("id"), message.get("method")
        params: Params = message.get("params") or {}
        # JSON has no subclasses, and each `isinstance` would be a call.
        if type(identifier) not in (str, int, float, NoneType):
            self._send_error(None, INVALID_REQUEST, "an id must be a string or a number")
        elif method is None and ("result" in message or "error" in message):
            self._settle(identifier, message)
        elif type(method) is not str:
            self._send_error(identifier, INVALID_REQUEST, "a request must name its method")
        elif type(params) is not dict:
            self._send_error(identifier, INVALID_PARAMS, "params must be an object")
        elif identifier is not None:
            handler = self._handlers.get(method)
            if handler is None:
                self._send_error(identifier, METHOD_NOT_FOUND, f"there is no method {method!r}")
                return
            contextvars.copy_context().run(self._handle, identifier, handler, params)
        elif method == "notifications/cancelled":
            self._cancel(params.get("requestId"))
        elif method in self._listeners:
            self._listeners[method](params)

    def _handle(self, identifier: Identifier, handler: Handler, params: Params) -> None:
        if self._interruptible and type(identifier) is int:
            interrupts.request.set(identifier)
        try:
            result = handler(params)
            # Most calls are answered so, and `isawaitable` costs seven calls.
            if type(result) is Encoded or not inspect.isawaitable(result):
                self._send_result(identifier, result)
                return
        except Exception as error:
            self._send_failure(identifier, error)
            return
        task = start_eagerly(self._answer(identifier, result))
        if not task.done():
            self._running[identifier] = task
            task.add_done_callback(lambda _: self._end(identifier, result))

    def _end(self, identifier: Identifier, result: Awaitable[Any]) -> None:
        self._running.pop(identifier, None)
        if inspect.iscoroutine(result):
            # A request cancelled before its first step has never awaited its handler.
            result.close()

    async def _answer(self, identifier: Identifier, result: Awaitable[Any]) -> None:
        try:
            self._send_result(identifier, await result)
        except Exception as error:
            # CancelledError passes: MCP wants no answer to a cancelled request.
            self._send_failure(identifier, error)

    def _send_result(self, identifier: Identifier, result: Any) -> None:
        encoded = result if type(result) is Encoded else Encoded(encode(result))
        id_text = identifier if type(identifier) is int else json.dumps(identifier)
        self._send(f'{{"jsonrpc":"2.0","id":{id_text},"result":{encoded.text}}}')
        encoded.then()

    def _send_failure(self, identifier: Identifier, error: Exception) -> None:
        if isinstance(error, GeminiError):
            self._send_error(identifier, INTERNAL_ERROR, error.message, error.as_json()["error"])
            return
        # Even a bug must be answered; otherwise the caller would wait forever.
        self._send_error(identifier, INTERNAL_ERROR, f"{type(error).__name__}: {error}")
        raise error

    def _cancel(self, identifier: Any) -> None:
        task = self._running.get(identifier) if isinstance(identifier, (str, int, float)) else None
        if task is not None:
            task.cancel()

    def notify(self, method: str, params: Params) -> None:
        """Send a notification, which gets no answer."""
        self._send(f'{{"jsonrpc":"2.0","method":{json.dumps(method)},"params":{encode(params)}}}')

    async def request(self, method: str, params: Params) -> Json:
        """Send a request and return its result. Cancelling the task cancels the request.

        Raises:
            ProtocolError: The answer is an error, which is in `data`, or the connection was closed.
        """
        if self._is_closed:
            raise ProtocolError("the connection was closed")
        self._last_id += 1
        identifier = self._last_id
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[identifier] = answer
        try:
            self._send(encode({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}))
            return await answer
        except asyncio.CancelledError:
            self.notify("notifications/cancelled", {"requestId": identifier})
            raise
        finally:
            del self._waiting[identifier]

    def _settle(self, identifier: Identifier | None, message: Params) -> None:
        answer = None if identifier is None else self._waiting.get(identifier)
        if answer is None or answer.done():
            # It was cancelled meanwhile. An error in reply could start an endless exchange of errors.
            return
        if "error" in message:
            error = message["error"]
            text = cast(Params, error).get("message") if isinstance(error, dict) else error
            answer.set_exception(ProtocolError(str(text), data=error))
        else:
            answer.set_result(message.get("result"))

    def _send_error(self, identifier: Any, code: int, message: str, data: Json = None) -> None:
        error: dict[str, Json] = {"code": code, "message": message}
        if data is not None:
            error["data"] = data
        self._send(encode({"jsonrpc": "2.0", "id": identifier, "error": error}))

    def close(self) -> None:
        """Close this end: cancel running handlers, and fail pending requests."""
        self._is_closed = True
        for task in list(self._running.values()):
            task.cancel()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ProtocolError("the connection was closed"))
        for action in self._on_close:
            action()

    def on_close(self, action: Callable[[], None]) -> None:
        """Call `action` when this end closes."""
        self._on_close.append(action)


def remote_error(error: ProtocolError, default: type[GeminiError]) -> GeminiError:
    """Return the other end's error as the `GeminiError` that it names, or as a `default` of that name."""
    answer: Any = error.data
    data = cast(Params, answer).get("data") if isinstance(answer, dict) else None
    if not isinstance(data, dict):
        return error
    named = cast(Params, data)
    name = str(named.get("type") or default.__name__)
    kind = BY_NAME.get(name, default)
    problem = kind(str(named.get("message") or error.message), hint=named.get("hint"), data=named.get("data"))
    problem.type = name
    return problem
