"""Admits pages: with a one-time code, or with proof that their browser presented one before.

    POST /entrance/open       {code, key}                   → {token, attended, waits, store?}
    POST /entrance/challenge  {}                            → {challenge}
    POST /entrance/return     {key, challenge, signature}   → {token, attended, waits}
    POST /entrance/address    (Authorization: Bearer <key of this run>) → {url}
    POST /entrance/token      {client} (with the same key)              → {token}, for MCP

`key` is the page's public key and `signature` its ECDSA signature of `statement`. The token opens one WebSocket, within
half a minute: a page requests one for each connection and stores none. No secret is in a cookie, since ports of one
host share those, in an address that stays valid, or in any storage. `store` is the page's data from an earlier
port (`gemini_companion.serving.moved`).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gemini_companion.admission.identity import ADDRESS, TOKEN
from gemini_companion.admission.known_browsers import Browsers
from gemini_companion.admission.one_time_codes import BY_HAND_S, LaunchFile, OneTimeCodes
from gemini_companion.named_command import named_command

PATH = "/entrance"
# The parameter of a page's address that has the code (web/ui/companion/entrance.ts).
FRAGMENT = "companion"
WITHIN_S = 30.0
# Unused tokens. At the limit the oldest is dropped.
MAX_TOKENS = 256
LARGEST_BODY = 4096
NO_STORE = {"Cache-Control": "no-store"}


@dataclass(frozen=True)
class Visitor:
    """The owner of a page's WebSocket.

    Attributes:
        browser: The `id` of its browser.
        attended: Whether a user uses it, as the companion itself knows.
        own: Whether the companion has started it, with the profile of its window.
    """

    browser: str
    attended: bool
    own: bool = False

    @property
    def waits(self) -> bool:
        """True for a page that was woken for a schedule: its questions wait until a user comes back."""
        return self.own and not self.attended


class Body(BaseModel):
    """The body of a request: exactly these members, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


T = TypeVar("T", bound=Body)


class _Open(Body):
    code: str = Field(max_length=200)
    key: str = Field(max_length=200)


class _Return(Body):
    key: str = Field(max_length=200)
    challenge: str = Field(max_length=200)
    signature: str = Field(max_length=200)


class _Client(Body):
    client: str = Field(max_length=200)


class Entrance:
    """Admits pages, and commands of this user.

    Args:
        url: Returns the surface's address.
        origins: The origins of its pages.
        browsers: The browsers that may return.
        lend: Returns a token for MCP, by a client's name; None if the client isn't saved.
    """

    def __init__(
        self,
        url: Callable[[], str],
        origins: frozenset[str],
        browsers: Browsers,
        lend: Callable[[str], str | None],
    ) -> None:
        self.browsers = browsers
        # Proves that the requester can read this user's files; see `gemini_companion.admission.control`.
        self.key = secrets.token_urlsafe(32)
        self._url = url
        self._origins = origins
        self._lend = lend
        self._codes = OneTimeCodes()
        self._passes: dict[str, tuple[Visitor, float]] = {}
        self.challenges = Challenges()
        self.routes = [
            Route(f"{PATH}/open", self._open, methods=["POST"]),
            Route(f"{PATH}/challenge", self.challenge, methods=["POST"]),
            Route(f"{PATH}/return", self._return, methods=["POST"]),
            Route(ADDRESS, self.new_address, methods=["POST"]),
            Route(TOKEN, self._token, methods=["POST"]),
        ]

    def address(
        self,
        *,
        attended: bool = True,
        within_s: float = BY_HAND_S,
        file: LaunchFile | None = None,
        own: bool = False,
        store: dict[str, str] | None = None,
    ) -> str:
        """Return an address that admits one browser, once.

        Args:
            attended: Whether a user will use the browser.
            within_s: How long the address is valid, in seconds.
            file: The file that carries the address; it is deleted when the code is used.
            own: Whether the companion starts the browser, with the profile of its window.
            store: The page's data for this address, if it had another one before.
        """
        code = self._codes.create(attended=attended, within_s=within_s, file=file, own=own, store=store)
        return f"{self._url()}#{urlencode({FRAGMENT: code})}"

    def admit(self, token: str) -> Visitor | None:
        """Return the owner of a token, which works once; None if it is unknown or expired."""
        visitor, until = self._passes.pop(token, (None, 0.0))
        return visitor if time.monotonic() <= until else None

    async def _open(self, request: Request) -> Response:
        origin, body = self.origin_of(request), await read_body(request, _Open)
        if origin is None or body is None:
            return refuse(400, "This request needs a code and a public key, from the surface's own page.")
        opening = self._codes.redeem(body.code)
        if opening is None:
            return refuse(
                403,
                f"This address was already used, or has expired. Run {named_command('url')} for a new one.",
            )
        try:
            browser = self.browsers.add(body.key, origin, attended=opening.attended, own=opening.own)
        except ValueError as problem:
            return refuse(400, f"{problem}.")
        return self._let_in(Visitor(browser.id, opening.attended, opening.own), opening.store)

    async def challenge(self, request: Request) -> Response:
        """Answer with a challenge."""
        return JSONResponse({"challenge": self.challenges.create()}, headers=NO_STORE)

    async def _return(self, request: Request) -> Response:
        origin, body = self.origin_of(request), await read_body(request, _Return)
        if origin is None or body is None:
            return refuse(
                400, "This request needs a key, a challenge and a signature, from the surface's own page."
            )
        if not self.challenges.is_open(body.challenge):
            return refuse(409, "The challenge was already used, or has expired. Request a new one.")
        signed = statement(origin, body.challenge)
        browser = self.browsers.verify(body.key, origin, signed, body.signature)
        if browser is None:
            return refuse(
                403,
                f"This browser isn't known here. Run {named_command('url')}, and open the address that it prints.",
            )
        self.challenges.use(body.challenge)
        return self._let_in(Visitor(browser.id, browser.attended, browser.own))

    async def new_address(self, request: Request) -> Response:
        """Answer a command of the same user with an address that admits a browser."""
        return self._without_key(request) or JSONResponse({"url": self.address()}, headers=NO_STORE)

    async def _token(self, request: Request) -> Response:
        if refusal := self._without_key(request):
            return refusal
        body = await read_body(request, _Client)
        if body is None:
            return refuse(400, "This request needs a client's name.")
        token = self._lend(body.client)
        if token is None:
            return refuse(404, f"{body.client} isn't saved.")
        return JSONResponse({"token": token}, headers=NO_STORE)

    def _without_key(self, request: Request) -> Response | None:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), self.key.encode()):
            return None
        return refuse(401, "This request needs the key of this run, which commands of the same user read.")

    def _let_in(self, visitor: Visitor, store: dict[str, str] | None = None) -> Response:
        if len(self._passes) >= MAX_TOKENS:
            del self._passes[next(iter(self._passes))]
        token = secrets.token_urlsafe(32)
        self._passes[token] = (visitor, time.monotonic() + WITHIN_S)
        row: dict[str, Any] = {"token": token, "attended": visitor.attended, "waits": visitor.waits}
        if store is not None:
            row["store"] = store
        return JSONResponse(row, headers=NO_STORE)

    def origin_of(self, request: Request) -> str | None:
        """Return the origin of the surface's page that sends a request; None for any other request."""
        # The guard lets requests without an origin through, since pages don't send them.
        origin = request.headers.get("origin")
        return origin if origin in self._origins else None


def statement(origin: str, challenge: str) -> bytes:
    """Return the text that a page signs. It names the origin, so that a signature for another server is worthless."""
    return f"control-surface page\n{origin}\n{challenge}".encode()


class Challenges:
    """Challenges that take no memory until a known browser has signed them, so that strangers can't fill it."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._used: dict[str, float] = {}

    def create(self) -> str:
        """Return a new challenge."""
        text = f"{time.monotonic():.3f}-{secrets.token_hex(16)}"
        return f"{text}-{self._mac(text)}"

    def is_open(self, challenge: str) -> bool:
        """Return whether this is a challenge of ours, from the last half minute, that was not used."""
        text, _, mac = challenge.rpartition("-")
        if not hmac.compare_digest(mac.encode(), self._mac(text).encode()):
            return False
        return time.monotonic() - _issued_at(text) <= WITHIN_S and challenge not in self._used

    def use(self, challenge: str) -> None:
        """Invalidate a challenge."""
        oldest = time.monotonic() - WITHIN_S
        self._used = {each: issued for each, issued in self._used.items() if issued > oldest}
        self._used[challenge] = _issued_at(challenge)

    def _mac(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


def _issued_at(challenge: str) -> float:
    return float(challenge.partition("-")[0])


async def read_body(request: Request, model: type[T], largest: int = LARGEST_BODY) -> T | None:
    """Return a request's body; None if it is invalid or has more bytes than `largest`."""
    content = b""
    async for piece in request.stream():
        content += piece
        if len(content) > largest:
            return None
    try:
        body: Any = json.loads(content)
        return model.model_validate(body)
    except (ValidationError, ValueError, RecursionError):
        return None


def refuse(status: int, sentence: str) -> Response:
    """Return an answer that says why a request is refused."""
    headers = NO_STORE | ({"WWW-Authenticate": "Bearer"} if status == 401 else {})
    return JSONResponse({"message": sentence}, status, headers)
