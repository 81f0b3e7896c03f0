"""Who may ask the companion for what: an ASGI layer before all of its applications.

Anybody's page in the same browser can send requests to loopback, by its own name where it rebinds DNS, and so can any
process of the machine. So an answer takes an exact Host, no foreign Origin and, where something can be done, the token
of this start.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SUBPROTOCOL = "control-surface.v1"
# A page's script can't give a WebSocket other headers, so the token comes as a subprotocol of this beginning.
TOKEN_SUBPROTOCOL = "token."
LARGEST_BODY = 64 * 1024 * 1024
# How many refusals are remembered as told.
MOST_TOLD = 1000

logger = logging.getLogger("gemini_companion")


@dataclass(frozen=True)
class Refusal:
    """Why somebody gets no answer, for them and for the log; there is never anything of theirs in it."""

    kind: str
    status: int
    sentence: str


FOREIGN_HOST = Refusal(
    "foreign Host",
    421,
    "This server has no such name. Ask it by the address that it told at its start, http://127.0.0.1:<port>/.",
)
FOREIGN_ORIGIN = Refusal(
    "foreign Origin",
    403,
    "Pages of other origins may not use this server. Open the surface at the address that the server told.",
)
NO_TOKEN = Refusal(
    "missing or wrong token",
    401,
    "This needs the token of the server's present start. Take the address, or the client's configuration, from "
    "`control-surface` anew.",
)
OTHER_PROTOCOL = Refusal(
    "unknown subprotocol", 400, f"A WebSocket of this server speaks {SUBPROTOCOL}, and has to offer it."
)
LARGE_BODY = Refusal("body too large", 413, "The request's body is larger than this server takes.")
SLOW = Refusal("slow request", 408, "The request took too long to arrive.")
MALFORMED = Refusal("malformed request", 400, "This is not HTTP/1.1.")
CROWDED = Refusal("too many connections", 503, "The server has as many connections as it takes.")


class RefusalLog:
    """Tells each kind of refusal once a peer, so that nobody can fill the log."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def tell(self, refusal: Refusal, peer: str) -> None:
        """
        Args:
            refusal: What was refused.
            peer: The address that it came from, without the port, which differs each time.
        """
        if (peer, refusal.kind) in self._told:
            return
        if len(self._told) == MOST_TOLD:
            self._told.clear()
        self._told.add((peer, refusal.kind))
        logger.warning("Refused a request from %s: %s. Others like it aren't told.", peer, refusal.kind)


REFUSALS = RefusalLog()


def new_token() -> str:
    """256 random bits as text that a URL's fragment, a header and a subprotocol can hold."""
    return secrets.token_urlsafe(32)


class Guard:
    """Lets through what may be asked, and gives every answer the headers that protect who gets it.

    Args:
        app: What it guards.
        hosts: The names by which the server may be asked, `127.0.0.1:8765`, all of them by http.
        token: What requests below `guarded`, and WebSockets, have to bring.
        guarded: Paths that need the token, with everything below them.
        narrow: Tokens by such a path, each of which opens it and nothing else.
        headers: Those of every answer that has none of that name.
        largest_body: In bytes.
        log: Where refusals are told.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        token: str,
        guarded: Iterable[str] = (),
        narrow: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        largest_body: int = LARGEST_BODY,
        log: RefusalLog = REFUSALS,
    ) -> None:
        self.app = app
        self.hosts = frozenset(host.encode() for host in hosts)
        self.origins = frozenset(f"http://{host}".encode() for host in hosts)
        self.guarded = tuple(guarded)
        self.headers = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        self.largest_body = largest_body
        self.log = log
        self._token = token.encode()
        self._narrow = {path: token.encode() for path, token in (narrow or {}).items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        guarded_send = self._with_headers(send)
        refusal = self._refusal(scope)
        if refusal is not None:
            await self._refuse(refusal, scope, guarded_send)
        elif scope["type"] == "websocket":
            await self.app(_without_token(scope), receive, _accepting(guarded_send))
        else:
            await self._within_size(scope, receive, guarded_send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        named = _values(scope, b"host")
        if len(named) != 1 or named[0] not in self.hosts:
            return FOREIGN_HOST
        if not self._is_of_ours(scope):
            return FOREIGN_ORIGIN
        if not self._has_token(scope):
            return NO_TOKEN
        if scope["type"] == "websocket" and SUBPROTOCOL not in scope["subprotocols"]:
            return OTHER_PROTOCOL
        lengths = _values(scope, b"content-length")
        # The server has checked that it is a number.
        return LARGE_BODY if lengths and int(lengths[0]) > self.largest_body else None

    def _is_of_ours(self, scope: Scope) -> bool:
        origins = _values(scope, b"origin")
        if scope["type"] == "websocket":
            return len(origins) == 1 and origins[0] in self.origins
        if not origins or (len(origins) == 1 and origins[0] in self.origins):
            return True
        # A link that leads here from elsewhere shows the page and tells its own page nothing.
        navigates = _values(scope, b"sec-fetch-mode") == [b"navigate"]
        return navigates and scope["method"] in ("GET", "HEAD") and not self._is_guarded(scope)

    def _is_guarded(self, scope: Scope) -> bool:
        return any(_is_below(scope, path) for path in self.guarded)

    def _has_token(self, scope: Scope) -> bool:
        if scope["type"] == "websocket":
            offered = [each for each in scope["subprotocols"] if each.startswith(TOKEN_SUBPROTOCOL)]
            given = [each.removeprefix(TOKEN_SUBPROTOCOL).encode() for each in offered]
        elif self._is_guarded(scope):
            given = [_bearer(value) for value in _values(scope, b"authorization")]
        else:
            return True
        # Of several, nobody can say which one is meant.
        return len(given) == 1 and any([hmac.compare_digest(given[0], each) for each in self._opening(scope)])

    def _opening(self, scope: Scope) -> list[bytes]:
        """The tokens that open what is asked for."""
        if scope["type"] == "websocket":
            return [self._token]
        return [self._token, *(token for path, token in self._narrow.items() if _is_below(scope, path))]

    async def _refuse(self, refusal: Refusal, scope: Scope, send: Send) -> None:
        self.log.tell(refusal, scope["client"][0] if scope.get("client") else "unknown")
        prefix = "websocket.http" if scope["type"] == "websocket" else "http"
        if prefix == "websocket.http" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close"})
            return
        content = f"{refusal.sentence}\n".encode()
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(content)).encode()),
            (b"cache-control", b"no-store"),
            # What is left of the request isn't read.
            (b"connection", b"close"),
        ]
        if refusal is NO_TOKEN:
            headers.append((b"www-authenticate", b"Bearer"))
        await send({"type": f"{prefix}.response.start", "status": refusal.status, "headers": headers})
        await send({"type": f"{prefix}.response.body", "body": content})

    async def _within_size(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the application; a body of unknown length that gets too large ends for it as if the client had left."""
        size, started, cut = 0, False, False

        async def measured() -> Message:
            nonlocal size, cut
            if cut:
                return {"type": "http.disconnect"}
            message = await receive()
            size += len(message.get("body", b""))
            if size <= self.largest_body:
                return message
            cut = True
            if not started:
                await self._refuse(LARGE_BODY, scope, send)
            return {"type": "http.disconnect"}

        async def unless_cut(message: Message) -> None:
            nonlocal started
            started = True
            if not cut:
                await send(message)

        try:
            # A client that goes before its request is whole gets no answer, and is no failure.
            with contextlib.suppress(ClientDisconnect):
                await self.app(scope, measured, unless_cut)
        except Exception:
            # The client has its answer; what the application makes of losing the request is no failure of it.
            if not cut:
                raise

    def _with_headers(self, send: Send) -> Send:
        async def complete(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                own = list(message.get("headers", []))
                names = {name.lower() for name, _ in own}
                message = {
                    **message,
                    "headers": own + [each for each in self.headers if each[0] not in names],
                }
            await send(message)

        return complete


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key.lower() == name]


def _bearer(value: bytes) -> bytes:
    """The credentials of https://www.rfc-editor.org/rfc/rfc6750#section-2.1, or nothing."""
    scheme, _, credentials = value.partition(b" ")
    return credentials.strip() if scheme.lower() == b"bearer" else b""


def _is_below(scope: Scope, path: str) -> bool:
    return scope["path"] == path or scope["path"].startswith(f"{path}/")


def _without_token(scope: Scope) -> Scope:
    """What an application gets to see of a WebSocket, which it might log."""
    headers = [each for each in scope["headers"] if each[0].lower() != b"sec-websocket-protocol"]
    headers.append((b"sec-websocket-protocol", SUBPROTOCOL.encode()))
    return {**scope, "headers": headers, "subprotocols": [SUBPROTOCOL]}


def _accepting(send: Send) -> Send:
    async def accept(message: Message) -> None:
        if message["type"] == "websocket.accept":
            message = {**message, "subprotocol": SUBPROTOCOL}
        await send(message)

    return accept
