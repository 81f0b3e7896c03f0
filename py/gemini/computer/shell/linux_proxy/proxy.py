"""Decides which requests from Linux pass the network door: each separately, also inside of TLS."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

import h11

from gemini.computer.shell.linux_proxy.client import OF_CONNECTION, Bodies, Client, Rejected
from gemini.computer.shell.linux_proxy.connections import Connection
from gemini.tools.calls import Call, serving
from gemini_userland.http import NoAnswer, Request, Response, Send

STATUSES = {"refused": 403, "slow": 504}
UNREACHABLE = 502
# Those that the door sets itself, and those meant for the proxy.
NOT_SENT = OF_CONNECTION | {"host", "content-length", "expect", "proxy-authorization"}
AUTHORITY = re.compile(r"(?P<host>[0-9A-Za-z._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(?P<port>\d{1,5})")
# Fetch forbids them: https://fetch.spec.whatwg.org/#methods
FORBIDDEN = frozenset([b"CONNECT", b"TRACE", b"TRACK"])
MAX_PORT = 65535
HTTPS = 443


class Proxy:
    """The proxy of a machine.

    Args:
        send: Sends a request through the network door.
        call_of: Returns the call in whose name a request is sent, given the user that a program names to the proxy.
        forbidden: Returns whether a URL is the surface itself, which no program of the machine may reach.
    """

    def __init__(
        self, send: Send, call_of: Callable[[str | None], Call], forbidden: Callable[[str], bool]
    ) -> None:
        self._send = send
        self._call_of = call_of
        self._forbidden = forbidden
        self._bodies = Bodies()

    async def serve(self, connection: Connection) -> None:
        """Serve a connection until its program closes it."""
        client = Client(connection, self._bodies)
        # The program sees that an answer is incomplete, or has gone.
        with suppress(NoAnswer, ConnectionResetError):
            try:
                await self._serve(client)
            except Rejected as rejected:
                await client.explain(rejected.status, str(rejected))

    async def _serve(self, client: Client) -> None:
        origin: str | None = None
        user: str | None = None
        while (request := await client.request()) is not None:
            user = _user_of(request) or user
            if request.method == b"CONNECT" and origin is None:
                origin, host = _origin_of(request.target.decode("ascii"))
                await client.secure(host)
            else:
                await self._answer(client, request, origin, user)

    async def _answer(
        self, client: Client, request: h11.Request, origin: str | None, user: str | None
    ) -> None:
        url = _url_of(request, origin)
        _require_plain_http(request)
        if self._forbidden(url):
            raise Rejected(403, f"{url} is the surface itself, which programs of the Linux can't reach.")
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in request.headers
            if name.decode("latin-1") not in NOT_SENT
        )
        try:
            async with client.body() as body:
                if body and request.method.upper() in (b"GET", b"HEAD"):
                    raise Rejected(400, "A browser sends GET and HEAD without a body. Use POST.")
                asked = Request(url, request.method.decode("ascii"), headers, body)
                answer = await client.unless_left(self._send_for(asked, self._call_of(user)))
        except NoAnswer as failure:
            await client.explain(STATUSES.get(failure.kind, UNREACHABLE), str(failure))
        else:
            await client.pass_on(answer)

    async def _send_for(self, request: Request, call: Call) -> Response:
        with serving(call):
            return await self._send(request)


def _origin_of(target: str) -> tuple[str, str]:
    """Return the origin and the host that CONNECT names."""
    found = AUTHORITY.fullmatch(target)
    if found is None or not 0 < int(found["port"]) <= MAX_PORT:
        raise Rejected(400, f"CONNECT needs a host and a port, not {target}.")
    port = "" if int(found["port"]) == HTTPS else f":{int(found['port'])}"
    return f"https://{found['host']}{port}", found["host"].strip("[]")


def _url_of(request: h11.Request, origin: str | None) -> str:
    target = request.target.decode("ascii")
    if origin is not None:
        if not target.startswith("/"):
            raise Rejected(400, f"A request inside of CONNECT needs a path, not {target}.")
        return origin + target
    if target.startswith("/") or request.method == b"CONNECT":
        raise Rejected(
            400, "This is the HTTP proxy of the Linux. Programs find it by themselves, in http_proxy."
        )
    try:
        parts = urlsplit(target)
        has_user = parts.username is not None
    except ValueError as error:
        raise Rejected(400, f"{target} isn't a URL: {error}.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Rejected(400, f"The Linux reaches http: and https: URLs only, not {target}.")
    if has_user:
        raise Rejected(400, "A URL must have no user name and password. Send them as a header.")
    return target


def _require_plain_http(request: h11.Request) -> None:
    if request.method.upper() in FORBIDDEN:
        raise Rejected(501, f"A browser sends no request with the method {request.method.decode('ascii')}.")
    upgrades = [value.lower() for name, value in request.headers if name == b"upgrade"]
    if b"websocket" in upgrades:
        raise Rejected(501, "The Linux reaches servers by HTTP requests only, not by WebSockets.")


def _user_of(request: h11.Request) -> str | None:
    """Return the user that the program names to the proxy (RFC 7617)."""
    given = next((value for name, value in request.headers if name == b"proxy-authorization"), b"")
    scheme, _, encoded = given.partition(b" ")
    if scheme.lower() != b"basic":
        return None
    try:
        return base64.b64decode(encoded.strip(), validate=True).decode().partition(":")[0] or None
    except (binascii.Error, UnicodeDecodeError):
        return None
