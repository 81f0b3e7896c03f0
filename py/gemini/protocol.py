"""JSON-RPC 2.0 (https://www.jsonrpc.org/specification) over anything that carries text, with MCP's notifications.

A `Connection` is symmetric: it answers requests through handlers and can make its own. Requests run concurrently;
`notifications/cancelled {requestId}` cancels the task of one.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from gemini.errors import GeminiError, ProtocolError
from gemini.ffi import start_eagerly
from gemini.encoding import encode

Json = Any
Params = dict[str, Any]

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INTERNAL_ERROR = -32700, -32600, -32601, -32603


@dataclass(frozen=True)
class Encoded:
    """A result that is JSON text already, so that it isn't encoded twice."""

    text: str


Handler = Callable[[Params], Awaitable[Any]]


class Connection:
    """One end of a JSON-RPC conversation.

    Args:
        send: Takes each outgoing message as JSON text.
        handlers: Request methods that the other end may call, by name.
    """

    def __init__(self, send: Callable[[str], None], handlers: Mapping[str, Handler]) -> None:
        self._send = send
        self._handlers = handlers
        self._running: dict[str | int, asyncio.Task[None]] = {}
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._last_id = 0

    def receive(self, text: str) -> None:
        """Take a message from the other end. A request starts at once and answers when it is done."""
        try:
            message = json.loads(text)
        except ValueError as error:
            self._send_error(None, PARSE_ERROR, f"the message is not JSON: {error}")
            return
        if not isinstance(message, dict):
            self._send_error(None, INVALID_REQUEST, "a message is one JSON-RPC object")
            return
        self._dispatch(cast(Params, message))

    def _dispatch(self, message: Params) -> None:
        identifier, method = message.get("id"), message.get("method")
        params: Params = message.get("params") or {}
        if method is None and identifier in self._waiting:
            self._settle(self._waiting.pop(identifier), message)
        elif not isinstance(method, str):
            self._send_error(identifier, INVALID_REQUEST, "a request names its method")
        elif identifier is None:
            if method == "notifications/cancelled":
                self._cancel(params.get("requestId"))
        elif method not in self._handlers:
            self._send_error(identifier, METHOD_NOT_FOUND, f"there is no method {method!r}")
        else:
            task = start_eagerly(self._answer(identifier, self._handlers[method], params))
            if not task.done():
                self._running[identifier] = task
                task.add_done_callback(lambda _: self._running.pop(identifier, None))

    async def _answer(self, identifier: str | int, handler: Handler, params: Params) -> None:
        try:
            result = await handler(params)
            text = result.text if isinstance(result, Encoded) else encode(result)
            self._send(f'{{"jsonrpc":"2.0","id":{json.dumps(identifier)},"result":{text}}}')
        except GeminiError as error:
            self._send_error(identifier, INTERNAL_ERROR, error.message, error.as_json()["error"])
        except asyncio.CancelledError:
            # MCP wants no answer to a cancelled request: whoever cancelled it has gone on already.
            raise
        except Exception as error:
            # The last line of defence: an error of ours must answer the request, or its caller waits for ever.
            self._send_error(identifier, INTERNAL_ERROR, f"{type(error).__name__}: {error}")
            raise

    def _cancel(self, identifier: Any) -> None:
        task = self._running.get(identifier)
        if task is not None:
            task.cancel()

    def notify(self, method: str, params: Params) -> None:
        """Tell the other end something that needs no answer."""
        self._send(f'{{"jsonrpc":"2.0","method":{json.dumps(method)},"params":{encode(params)}}}')

    async def request(self, method: str, params: Params) -> Json:
        """Ask the other end.

        Raises:
            ProtocolError: it answered with an error, which `data` holds.
        """
        self._last_id += 1
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[self._last_id] = answer
        self._send(encode({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}))
        return await answer

    def _settle(self, answer: asyncio.Future[Json], message: Params) -> None:
        if answer.done():
            return
        if "error" in message:
            error = message["error"]
            answer.set_exception(ProtocolError(str(error.get("message")), data=error))
        else:
            answer.set_result(message.get("result"))

    def _send_error(self, identifier: Any, code: int, message: str, data: Json = None) -> None:
        error: dict[str, Json] = {"code": code, "message": message}
        if data is not None:
            error["data"] = data
        self._send(encode({"jsonrpc": "2.0", "id": identifier, "error": error}))

    def close(self) -> None:
        """Cancel what still runs for the other end, which has gone."""
        for task in list(self._running.values()):
            task.cancel()
