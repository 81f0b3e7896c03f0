"""Who may ask the companion for what: an ASGI layer before all of its applications.

Anybody's page in the same browser can send requests to loopback, by its own name where it rebinds DNS, and so can any
process of the machine. So an answer takes an exact Host, no foreign Origin and, where something can be done, a token
that opens just that.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import re
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SUBPROTOCOL = "control-surface.v1"
# A page's script can't give a WebSocket other headers, so the token comes as a subprotocol of this beginning.
TOKEN_SUBPROTOCOL = "token."
LARGEST_BODY = 64 * 1024 * 1024
# Where a request carries who was let in by its token.
ADMITTED = "gemini_companion.admitted"
# Says who has a token: anything but None lets them in.
Door = Callable[[str], object | None]
# How many refusals are remembered as told.
MOST_TOLD = 1000

# Of a site, as web/ui/browser/labels.js makes them.
LABEL = re.compile(rb"n?[0-9a-f]{32}")

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
    "This needs a token of the server's present start. Copy the client's configuration from the surface's settings "
    "again, or open the address that `control-surface url` prints.",
)
OTHER_PROTOCOL = Refusal(
    "unknown subprotocol", 400, f"A WebSocket of this server speaks {SUBPROTOCOL}, and has to offer it."
)
LARGE_BODY = Refusal("body too large", 413, "The request's body is larger than this server takes.")
SLOW = Refusal("slow request", 408, "The request took too long to arrive.")
MALFORMED = Refusal("malformed request", 400, "This is not HTTP/1.1.")
UNREAD = Refusal("answer that nobody reads", 503, "The client does not read its answer.")
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


def only(token: str, admitted: object = True) -> Door:
    """A door that one token opens; gives who has it."""
    expected = token.encode()
    return lambda given: admitted if hmac.compare_digest(given.encode(), expected) else None


class Guard:
    """Lets through what may be asked, and gives every answer the headers that protect who gets it.

    Args:
        app: What it guards.
        hosts: The names by which the server may be asked, `127.0.0.1:8765`, all of them by http.
        labels_of: Names, such as `localhost:8766`, that may also have a site's random label before them.
        doors: Paths that need a token, with everything below them, by what says whose it is. The request's scope has
            that as `ADMITTED`. A WebSocket is refused where there is no door.
        headers: Those of every answer that has none of that name.
        largest_body: In bytes.
        log: Where refusals are told.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        labels_of: Collection[str] = (),
        doors: Mapping[str, Door] | None = None,
        headers: Mapping[str, str] | None = None,
        largest_body: int = LARGEST_BODY,
        log: RefusalLog = REFUSALS,
    ) -> None:
        self.app = app
        self.hosts = frozenset(host.encode() for host in hosts)
        self.origins = frozenset(f"http://{host}".encode() for host in hosts)
        self.labels_of = frozenset(name.encode() for name in labels_of)
        self.doors = dict(doors or {})
        self.headers = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        self.largest_body = largest_body
        self.log = log

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
        if len(named) != 1 or not self._is_name_of_ours(named[0]):
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

    def _is_name_of_ours(self, host: bytes) -> bool:
        label, _, name = host.partition(b".")
        return host in self.hosts or (name in self.labels_of and LABEL.fullmatch(label) is not None)

    def _is_of_ours(self, scope: Scope) -> bool:
        origins = _values(scope, b"origin")
        if scope["type"] == "websocket":
            return len(origins) == 1 and origins[0] in self.origins
        asked = [b"http://" + host for host in _values(scope, b"host")]
        if not origins or (len(origins) == 1 and (origins[0] in self.origins or origins == asked)):
            return True
        # A link that leads here from elsewhere shows the page and tells its own page nothing.
        navigates = _values(scope, b"sec-fetch-mode") == [b"navigate"]
        return navigates and scope["method"] in ("GET", "HEAD") and not self._is_guarded(scope)

    def _is_guarded(self, scope: Scope) -> bool:
        return self._door(scope) is not None

    def _door(self, scope: Scope) -> Door | None:
        return next((door for path, door in self.doors.items() if _is_below(scope, path)), None)

    def _has_token(self, scope: Scope) -> bool:
        door = self._door(scope)
        if scope["type"] == "websocket":
            offered = [each for each in scope["subprotocols"] if each.startswith(TOKEN_SUBPROTOCOL)]
            given = [each.removeprefix(TOKEN_SUBPROTOCOL) for each in offered]
        elif door is not None:
            given = [_bearer(value) for value in _values(scope, b"authorization")]
        else:
            return True
        # Of several, nobody can say which one is meant.
        admitted = door(given[0]) if door is not None and len(given) == 1 else None
        if admitted is not None:
            scope[ADMITTED] = admitted
        return admitted is not None

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


def _bearer(value: bytes) -> str:
    """The credentials of https://www.rfc-editor.org/rfc/rfc6750#section-2.1, or nothing."""
    scheme, _, credentials = value.partition(b" ")
    return credentials.strip().decode("latin-1") if scheme.lower() == b"bearer" else ""


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
