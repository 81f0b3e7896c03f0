"""How a page is let in: it brings a one-time code, or proves that it is of a browser that brought one before.

    POST /entrance/open       {code, key}                   → {token, attended}
    POST /entrance/challenge  {}                            → {challenge}
    POST /entrance/return     {key, challenge, signature}   → {token, attended}
    POST /entrance/address    (Authorization: Bearer <key of this start>) → {url}

`key` is the page's public key and `signature` its ECDSA over `statement`. The token opens one WebSocket, within half a
minute: a page asks for another one whenever it connects, and keeps none. Nothing of it is in a cookie, since ports of
one host share those, in an address that stays, or in any storage.
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

from gemini_companion.browsers import Browsers
from gemini_companion.identity import ADDRESS
from gemini_companion.openings import BY_HAND_S, OpeningFile, Openings

PATH = "/entrance"
# What a page finds in its address (web/ui/companion/entrance.js).
FRAGMENT = "companion"
WITHIN_S = 30.0
# Tokens that nobody used; the oldest make room.
MOST = 256
LARGEST_BODY = 4096
NO_STORE = {"Cache-Control": "no-store"}


@dataclass(frozen=True)
class Visitor:
    """Whose page a WebSocket is of.

    Attributes:
        browser: The `id` of its browser.
        attended: Whether a person is at it, as the companion knows by itself.
    """

    browser: str
    attended: bool


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


T = TypeVar("T", bound=_Told)


class _Open(_Told):
    code: str = Field(max_length=200)
    key: str = Field(max_length=200)


class _Return(_Told):
    key: str = Field(max_length=200)
    challenge: str = Field(max_length=200)
    signature: str = Field(max_length=200)


class Entrance:
    """Lets pages in.

    Args:
        url: Where the surface is.
        origins: Those of its pages.
        browsers: Which may come back.
    """

    def __init__(self, url: Callable[[], str], origins: frozenset[str], browsers: Browsers) -> None:
        self.browsers = browsers
        # Shows that who asks for an address reads this user's files; see `gemini_companion.control`.
        self.key = secrets.token_urlsafe(32)
        self._url = url
        self._origins = origins
        self._openings = Openings()
        self._passes: dict[str, tuple[Visitor, float]] = {}
        self._challenges = _Challenges()
        self.routes = [
            Route(f"{PATH}/open", self._open, methods=["POST"]),
            Route(f"{PATH}/challenge", self._challenge, methods=["POST"]),
            Route(f"{PATH}/return", self._return, methods=["POST"]),
            Route(ADDRESS, self._address, methods=["POST"]),
        ]

    def address(
        self, *, attended: bool = True, within_s: float = BY_HAND_S, file: OpeningFile | None = None
    ) -> str:
        """An address that lets one browser in, once."""
        code = self._openings.code(attended=attended, within_s=within_s, file=file)
        return f"{self._url()}#{urlencode({FRAGMENT: code})}"

    def admit(self, token: str) -> Visitor | None:
        """Whose WebSocket a token opens, which it does once."""
        visitor, until = self._passes.pop(token, (None, 0.0))
        return visitor if time.monotonic() <= until else None

    async def _open(self, request: Request) -> Response:
        origin, told = self._origin(request), await _read(request, _Open)
        if origin is None or told is None:
            return _refuse(400, "This takes a code and a public key, from the surface's own page.")
        opening = self._openings.take(told.code)
        if opening is None:
            return _refuse(
                403, "This address was used already, or is too old. Run control-surface url for another."
            )
        try:
            browser = self.browsers.learn(told.key, origin, attended=opening.attended)
        except ValueError as problem:
            return _refuse(400, f"{problem}.")
        return self._let_in(Visitor(browser.id, opening.attended))

    async def _challenge(self, request: Request) -> Response:
        return JSONResponse({"challenge": self._challenges.make()}, headers=NO_STORE)

    async def _return(self, request: Request) -> Response:
        origin, told = self._origin(request), await _read(request, _Return)
        if origin is None or told is None:
            return _refuse(400, "This takes a key, a challenge and a signature, from the surface's own page.")
        if not self._challenges.is_open(told.challenge):
            return _refuse(409, "The challenge is too old, or was used already. Ask for another one.")
        said = statement(origin, told.challenge)
        browser = self.browsers.recognise(told.key, origin, said, told.signature)
        if browser is None:
            return _refuse(
                403, "This browser isn't known here. Run control-surface url, and open the address."
            )
        self._challenges.spend(told.challenge)
        return self._let_in(Visitor(browser.id, browser.attended))

    async def _address(self, request: Request) -> Response:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.encode(), self.key.encode()):
            return _refuse(401, "This takes the key of this start, which control-surface url reads.")
        return JSONResponse({"url": self.address()}, headers=NO_STORE)

    def _let_in(self, visitor: Visitor) -> Response:
        if len(self._passes) >= MOST:
            del self._passes[next(iter(self._passes))]
        token = secrets.token_urlsafe(32)
        self._passes[token] = (visitor, time.monotonic() + WITHIN_S)
        return JSONResponse({"token": token, "attended": visitor.attended}, headers=NO_STORE)

    def _origin(self, request: Request) -> str | None:
        # The guard lets requests through that name none, as they are no page's.
        origin = request.headers.get("origin")
        return origin if origin in self._origins else None


def statement(origin: str, challenge: str) -> bytes:
    """What a page signs. It names the origin, so that a signature that another server got is worth nothing here."""
    return f"control-surface page\n{origin}\n{challenge}".encode()


class _Challenges:
    """Challenges that take no memory until somebody who is known has signed them, so that strangers can't fill it."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._spent: dict[str, float] = {}

    def make(self) -> str:
        text = f"{time.monotonic():.3f}-{secrets.token_hex(16)}"
        return f"{text}-{self._mac(text)}"

    def is_open(self, challenge: str) -> bool:
        """Whether it is one of ours, of the last half minute, that was not spent."""
        text, _, mac = challenge.rpartition("-")
        if not hmac.compare_digest(mac.encode(), self._mac(text).encode()):
            return False
        return time.monotonic() - _made(text) <= WITHIN_S and challenge not in self._spent

    def spend(self, challenge: str) -> None:
        """It is worth nothing from now on."""
        oldest = time.monotonic() - WITHIN_S
        self._spent = {each: made for each, made in self._spent.items() if made > oldest}
        self._spent[challenge] = _made(challenge)

    def _mac(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


def _made(challenge: str) -> float:
    return float(challenge.partition("-")[0])


async def _read(request: Request, model: type[T]) -> T | None:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_BODY:
            return None
    try:
        told: Any = json.loads(body)
        return model.model_validate(told)
    except (ValidationError, ValueError, RecursionError):
        return None


def _refuse(status: int, sentence: str) -> Response:
    headers = NO_STORE | ({"WWW-Authenticate": "Bearer"} if status == 401 else {})
    return JSONResponse({"message": sentence}, status, headers)
