"""MCP over streamable HTTP, which the user can turn off and on while the companion runs.

Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http.
"""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncGenerator

import mcp_types as types
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from gemini_companion.admission.guard import ADMITTED, LARGEST_BODY
from gemini_companion.errors import McpOff
from gemini_companion.mcp.keys import Identity
from gemini_companion.mcp.server import McpServer
from gemini_companion.mcp.switch import Switch

# A code that JSON-RPC leaves to servers: https://www.jsonrpc.org/specification#error_object.
OFF = -32000
# How long answers may take to end by themselves, in seconds. Calls are answered at once, so only streams are left.
FINISH_S = 0.3


class Endpoint:
    """An ASGI application. While MCP is off, it answers requests with 503 and a JSON-RPC error that says so.

    Args:
        server: Answers the requests; while MCP is off, it refuses calls of every transport.
    """

    def __init__(self, server: McpServer) -> None:
        self._server = server
        self._requests = Switch()
        self._turning = asyncio.Lock()
        self._app: StreamableHTTPASGIApp | None = None
        self._stop = asyncio.Event()
        self._sessions: asyncio.Task[None] | None = None

    @property
    def is_on(self) -> bool:
        """True while MCP is on."""
        return self._server.switch.is_on

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncGenerator[None]:
        """Answer requests while the block runs."""
        await self._start()
        try:
            yield
        finally:
            await self._end()

    async def turn(self, on: bool) -> None:
        """Turn MCP on or off. Off ends calls under way with an error, and then all sessions."""
        async with self._turning:
            if on and not self.is_on:
                self._requests.turn_on()
                await self._start()
                self._server.turn_on()
            elif not on and self.is_on:
                self._server.turn_off()
                await self._requests.settle(FINISH_S)
                self._requests.turn_off()
                await self._end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        answer = _Answer(send)
        try:
            self._server.switch.require_on()
            if self._app is not None:
                with self._server.clients.tracking(scope):
                    owned = {**scope, "user": _owner(scope)}
                    await self._requests.run(self._app(owned, receive, answer.send))
        except McpOff as off:
            await answer.end(_refusal(off), scope, receive)

    async def _start(self) -> None:
        ready = asyncio.Event()
        self._stop = asyncio.Event()
        self._sessions = asyncio.create_task(self._hold_sessions(ready))
        await ready.wait()

    async def _end(self) -> None:
        self._stop.set()
        if self._sessions is not None:
            await self._sessions
        self._server.clients.forget_sessions()

    async def _hold_sessions(self, ready: asyncio.Event) -> None:
        """Run the SDK's sessions in one task from start to end, as their task group requires."""
        manager = StreamableHTTPSessionManager(self._server.sdk, max_request_body_size=LARGEST_BODY)
        async with manager.run():
            self._app = StreamableHTTPASGIApp(manager)
            ready.set()
            await self._stop.wait()
            self._app = None


def _owner(scope: Scope) -> AuthenticatedUser:
    """Return the client and the token of a request. To others than its creator, the SDK's session doesn't exist."""
    admitted: Identity = scope[ADMITTED]
    header = next(value for name, value in scope["headers"] if name == b"authorization")
    token = hashlib.sha256(header).hexdigest()
    return AuthenticatedUser(AccessToken(token=token, client_id=admitted.name, subject=token, scopes=[]))


class _Answer:
    """Tracks what has been sent of an answer, so that the answer can be ended."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._started = False
        self._ended = False

    async def send(self, message: Message) -> None:
        self._started = True
        self._ended = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)

    async def end(self, refusal: Response, scope: Scope, receive: Receive) -> None:
        if not self._started:
            await refusal(scope, receive, self._send)
        elif not self._ended:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})


def _refusal(off: McpOff) -> Response:
    data = types.ErrorData(code=OFF, message=f"{off.message}. {off.hint}")
    body = types.JSONRPCError(jsonrpc="2.0", id=None, error=data)
    content = body.model_dump_json(by_alias=True, exclude_unset=True)
    return Response(content, 503, {"Cache-Control": "no-store"}, "application/json")
