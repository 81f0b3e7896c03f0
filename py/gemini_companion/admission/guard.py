"""Decides which requests the companion answers: an ASGI layer before all of its applications.

Any page in the same browser can send requests to loopback, by its own name if it rebinds DNS, and so can any process of
the machine. So a request needs an exact Host, no foreign Origin and, where it could do something, a token that opens
just that.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import logging
import re
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

from gemini_companion.named_command import named_command

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SUBPROTOCOL = "control-surface.v1"
# A page's script can't set other headers of a WebSocket, so the token is a subprotocol with this prefix.
TOKEN_SUBPROTOCOL = "token."
LARGEST_BODY = 64 * 1024 * 1024
# Seconds for which a guest's browser needn't ask again for permission to send.
PREFLIGHT_S = b"600"
# The key in a request's scope for the identity that its token admitted.
ADMITTED = "gemini_companion.admitted"
# Returns the identity that a token admits, or None.
Admit = Callable[[str], object | None]
# JSON-RPC's "Invalid Request": https://www.jsonrpc.org/specification#error_object.
INVALID_REQUEST = -32600
# How many refusals are remembered as reported.
MAX_REPORTED = 1000

# The label of a site, as web/ui/panels/browser/labels.ts creates it.
LABEL = re.compile(rb"n?[0-9a-f]{32}")

logger = logging.getLogger("gemini_companion")


@dataclass(frozen=True)
class Refusal:
    """The reason why a request gets no answer, for the client and for the log; it never contains the client's data."""

    kind: str
    status: int
    sentence: str


FOREIGN_HOST = Refusal(
    "foreign Host",
    421,
    "This server has no such name. Use the address that it printed at its start, http://127.0.0.1:<port>/.",
)
FOREIGN_ORIGIN = Refusal(
    "foreign Origin",
    403,
    "Pages of other origins may not use this server. Open the surface at the address that the server printed.",
)
NO_TOKEN = Refusal(
    "missing or wrong token",
    401,
    "This needs a token of the server's current run. Copy the client's configuration from the surface's settings "
    f"again, or open the address that `{named_command('url')}` prints.",
)
OTHER_PROTOCOL = Refusal(
    "unknown subprotocol", 400, f"A WebSocket of this server must offer the subprotocol {SUBPROTOCOL}."
)
LARGE_BODY = Refusal("body too large", 413, "The request's body is larger than this server accepts.")
SLOW = Refusal("slow request", 408, "The request took too long to arrive.")
MALFORMED = Refusal("malformed request", 400, "This is not HTTP/1.1.")
COOKIES = Refusal("too many cookies", 431, "The request has more cookies than this server reads.")
UNREAD = Refusal("unread answer", 503, "The client does not read its answer.")
CROWDED = Refusal("too many connections", 503, "The server has as many connections as it accepts.")


class RefusalLog:
    """Logs each kind of refusal once for each peer, so that nobody can fill the log."""

    def __init__(self) -> None:
        self._reported: set[tuple[str, str]] = set()

    def report(self, refusal: Refusal, peer: str) -> None:
        """Log a refusal, unless this peer had one of the same kind.

        Args:
            refusal: The reason.
            peer: The client's address, without the port, which differs each time.
        """
        if (peer, refusal.kind) in self._reported:
            return
        if len(self._reported) == MAX_REPORTED:
            self._reported.clear()
        self._reported.add((peer, refusal.kind))
        logger.warning("Refused a request from %s: %s. Others like it aren't logged.", peer, refusal.kind)


REFUSALS = RefusalLog()


def new_token() -> str:
    """Return 256 random bits as text that fits a URL's fragment, a header and a subprotocol."""
    return secrets.token_urlsafe(32)


def admit_only(token: str, admitted: object = True) -> Admit:
    """Return a check that admits one token, as the identity `admitted`."""
    expected = token.encode()
    return lambda given: admitted if hmac.compare_digest(given.encode(), expected) else None


class Guard:
    """Lets permitted requests through, and adds the protective headers to every answer.

    Args:
        app: The application to guard.
        hosts: The server's names, such as `127.0.0.1:8765`, all over http.
        guests: The paths that pages of another origin may use, with everything below them, by origin. They may read the
            answers, and browsers' preflight requests are answered (https://fetch.spec.whatwg.org/#http-cors-protocol).
        labels_of: Names, such as `localhost:8766`, that may also have a site's random label in front.
        protected: The check of the token for each path that needs one, with everything below it. The request's scope
            has the admitted identity as `ADMITTED`. A WebSocket is refused if its path isn't protected.
        json_rpc: The path whose refusals are JSON-RPC errors, which its clients show; with everything below it.
        headers: Headers for every answer that doesn't set them itself.
        largest_body: In bytes.
        log: Logs refusals.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        guests: Mapping[str, Collection[str]] | None = None,
        labels_of: Collection[str] = (),
        protected: Mapping[str, Admit] | None = None,
        json_rpc: str | None = None,
        headers: Mapping[str, str] | None = None,
        largest_body: int = LARGEST_BODY,
        log: RefusalLog = REFUSALS,
    ) -> None:
        self.app = app
        self.hosts = frozenset(host.encode() for host in hosts)
        self.origins = frozenset(f"http://{host}".encode() for host in hosts)
        self.guests = {origin.encode(): tuple(paths) for origin, paths in (guests or {}).items()}
        self.labels_of = frozenset(name.encode() for name in labels_of)
        self.protected = dict(protected or {})
        self.json_rpc = json_rpc
        self.headers = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        self.largest_body = largest_body
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a refused request, or pass a permitted one on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        guarded_send = self._with_headers(send, scope)
        refusal = self._refusal(scope)
        if self._is_preflight(scope) and refusal in (None, NO_TOKEN):
            await send({"type": "http.response.start", "status": 204, "headers": self._permission(scope)})
            await send({"type": "http.response.body"})
        elif refusal is not None:
            await self._refuse(refusal, scope, guarded_send)
        elif scope["type"] == "websocket":
            await self.app(_without_token(scope), receive, _accepting(guarded_send))
        else:
            await self._within_size(scope, receive, guarded_send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        named = _values(scope, b"host")
        if len(named) != 1 or not self._is_own_host(named[0]):
            return FOREIGN_HOST
        if not self._has_own_origin(scope):
            return FOREIGN_ORIGIN
        if not self._has_token(scope):
            return NO_TOKEN
        if scope["type"] == "websocket" and SUBPROTOCOL not in scope["subprotocols"]:
            return OTHER_PROTOCOL
        lengths = _values(scope, b"content-length")
        # The server has checked that it is a number.
        return LARGE_BODY if lengths and int(lengths[0]) > self.largest_body else None

    def _is_own_host(self, host: bytes) -> bool:
        label, _, name = host.partition(b".")
        return host in self.hosts or (name in self.labels_of and LABEL.fullmatch(label) is not None)

    def _has_own_origin(self, scope: Scope) -> bool:
        origins = _values(scope, b"origin")
        if self._is_guest(scope):
            return True
        if scope["type"] == "websocket":
            return len(origins) == 1 and origins[0] in self.origins
        asked = [b"http://" + host for host in _values(scope, b"host")]
        if not origins or (len(origins) == 1 and (origins[0] in self.origins or origins == asked)):
            return True
        # A link from elsewhere shows the page, and reveals nothing to the page that had it.
        navigates = _values(scope, b"sec-fetch-mode") == [b"navigate"]
        return navigates and scope["method"] in ("GET", "HEAD") and not self._is_guarded(scope)

    def _is_guest(self, scope: Scope) -> bool:
        origins = _values(scope, b"origin")
        paths = self.guests.get(origins[0], ()) if len(origins) == 1 else ()
        return any(_is_below(scope, path) for path in paths)

    def _is_preflight(self, scope: Scope) -> bool:
        """Return whether a guest's browser, which has no token yet, asks for permission to send."""
        asks = scope["type"] == "http" and scope["method"] == "OPTIONS"
        return asks and self._is_guest(scope) and bool(_values(scope, b"access-control-request-method"))

    def _permission(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Return the headers of the answer to a preflight request."""
        [origin] = _values(scope, b"origin")
        headers = b", ".join(_values(scope, b"access-control-request-headers"))
        return [
            (b"access-control-allow-origin", origin),
            (b"access-control-allow-methods", b"GET, POST"),
            (b"access-control-allow-headers", headers),
            (b"access-control-max-age", PREFLIGHT_S),
            (b"vary", b"origin"),
        ]

    def _is_guarded(self, scope: Scope) -> bool:
        return self._check_of(scope) is not None

    def _check_of(self, scope: Scope) -> Admit | None:
        return next((admit for path, admit in self.protected.items() if _is_below(scope, path)), None)

    def _has_token(self, scope: Scope) -> bool:
        admit = self._check_of(scope)
        if scope["type"] == "websocket":
            offered = [each for each in scope["subprotocols"] if each.startswith(TOKEN_SUBPROTOCOL)]
            given = [each.removeprefix(TOKEN_SUBPROTOCOL) for each in offered]
        elif admit is not None:
            given = [_bearer(value) for value in _values(scope, b"authorization")]
        else:
            return True
        # Of several tokens, it is unclear which one is meant.
        admitted = admit(given[0]) if admit is not None and len(given) == 1 else None
        if admitted is not None:
            scope[ADMITTED] = admitted
        return admitted is not None

    async def _refuse(self, refusal: Refusal, scope: Scope, send: Send) -> None:
        self.log.report(refusal, scope["client"][0] if scope.get("client") else "unknown")
        prefix = "websocket.http" if scope["type"] == "websocket" else "http"
        if prefix == "websocket.http" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close"})
            return
        kind, content = self._answer(refusal, scope)
        headers = [
            (b"content-type", kind),
            (b"content-length", str(len(content)).encode()),
            (b"cache-control", b"no-store"),
            # The rest of the request isn't read.
            (b"connection", b"close"),
        ]
        if refusal is NO_TOKEN:
            headers.append((b"www-authenticate", b"Bearer"))
        await send({"type": f"{prefix}.response.start", "status": refusal.status, "headers": headers})
        await send({"type": f"{prefix}.response.body", "body": content})

    def _answer(self, refusal: Refusal, scope: Scope) -> tuple[bytes, bytes]:
        """Return the content type and the content of a refusal."""
        if self.json_rpc is None or not _is_below(scope, self.json_rpc):
            return b"text/plain; charset=utf-8", f"{refusal.sentence}\n".encode()
        error = {"code": INVALID_REQUEST, "message": refusal.sentence}
        return b"application/json", json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()

    async def _within_size(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application; for it, a body of unknown length that gets too large ends as if the client had left."""
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
            # A client that leaves before its request is complete gets no answer, and that is no failure.
            with contextlib.suppress(ClientDisconnect):
                await self.app(scope, measured, unless_cut)
        except Exception:
            # The client has its answer, so an application that fails for lack of the request is no failure.
            if not cut:
                raise

    def _with_headers(self, send: Send, scope: Scope) -> Send:
        added = list(self.headers)
        if self._is_guest(scope):
            [origin] = _values(scope, b"origin")
            added += [(b"access-control-allow-origin", origin), (b"vary", b"origin")]

        async def complete(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                own = list(message.get("headers", []))
                names = {name.lower() for name, _ in own}
                message = {
                    **message,
                    "headers": own + [each for each in added if each[0] not in names],
                }
            await send(message)

        return complete


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key.lower() == name]


def _bearer(value: bytes) -> str:
    """Return the credentials (https://www.rfc-editor.org/rfc/rfc6750#section-2.1), or an empty text."""
    scheme, _, credentials = value.partition(b" ")
    return credentials.strip().decode("latin-1") if scheme.lower() == b"bearer" else ""


def _is_below(scope: Scope, path: str) -> bool:
    return scope["path"] == path or scope["path"].startswith(f"{path}/")


def _without_token(scope: Scope) -> Scope:
    """Return the scope of a WebSocket without the token, which an application might log."""
    headers = [each for each in scope["headers"] if each[0].lower() != b"sec-websocket-protocol"]
    headers.append((b"sec-websocket-protocol", SUBPROTOCOL.encode()))
    return {**scope, "headers": headers, "subprotocols": [SUBPROTOCOL]}


def _accepting(send: Send) -> Send:
    async def accept(message: Message) -> None:
        if message["type"] == "websocket.accept":
            message = {**message, "subprotocol": SUBPROTOCOL}
        await send(message)

    return accept
