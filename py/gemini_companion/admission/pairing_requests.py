"""The requests of a browser that asks to be connected (see `gemini_companion.admission.pairing`)."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gemini_companion.admission.admission import NO_STORE, PATH, Body, Entrance, read_body, refuse
from gemini_companion.admission.pairing import PairingRefused, Pairings, State

NOT_OURS = "This request needs other members, from the surface's own page."


class _Begin(Body):
    key: str = Field(max_length=200)


class _Named(Body):
    pairing: str = Field(max_length=50)


class _Entered(_Named):
    code: str = Field(max_length=50)


class PairingRequests:
    """The routes, for the surface's port only.

    Args:
        pairings: The browsers that ask.
        entrance: Knows the origins of the surface's pages.
    """

    def __init__(self, pairings: Pairings, entrance: Entrance) -> None:
        self._pairings = pairings
        self._entrance = entrance
        self.routes = [
            Route(f"{PATH}/pair", self._begin, methods=["POST"]),
            Route(f"{PATH}/pair/code", self._enter, methods=["POST"]),
            Route(f"{PATH}/pair/state", self._named(pairings.state), methods=["POST"]),
            Route(f"{PATH}/pair/cancel", self._named(pairings.cancel), methods=["POST"]),
        ]

    async def _begin(self, request: Request) -> Response:
        origin, body = self._entrance.origin_of(request), await read_body(request, _Begin)
        if origin is None or body is None:
            return refuse(400, NOT_OURS)
        try:
            row = self._pairings.begin(body.key, origin, request.headers.get("user-agent", ""))
        except ValueError as problem:
            return refuse(400, f"{problem}.")
        except PairingRefused as problem:
            return refuse(problem.status, f"{problem.message} {problem.hint}")
        return JSONResponse(row, headers=NO_STORE)

    async def _enter(self, request: Request) -> Response:
        origin, body = self._entrance.origin_of(request), await read_body(request, _Entered)
        if origin is None or body is None:
            return refuse(400, NOT_OURS)
        try:
            state = self._pairings.enter(body.pairing, body.code)
        except PairingRefused as problem:
            return refuse(problem.status, f"{problem.message} {problem.hint}")
        return JSONResponse({"state": state}, headers=NO_STORE)

    def _named(self, act: Callable[[str], State]) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            origin, body = self._entrance.origin_of(request), await read_body(request, _Named)
            if origin is None or body is None:
                return refuse(400, NOT_OURS)
            return JSONResponse({"state": act(body.pairing)}, headers=NO_STORE)

        return answer
