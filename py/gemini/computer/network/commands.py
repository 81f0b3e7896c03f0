"""The commands `curl` and `wget`, whose requests pass the network door."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from gemini.core import ffi
from gemini_userland.invocation import Invocation

if TYPE_CHECKING:
    from gemini_userland.http import Request, Response

KINDS = {
    "HostUnknown": "unknown host",
    "HostUnreachable": "no connection",
    "HostSlow": "slow",
    "HostBroken": "broken",
    "AddressRefused": "refused",
    "ConsentRefused": "refused",
}


async def curl(invocation: Invocation) -> int:
    """Transfer data from or to a URL."""
    from gemini_userland.curl import curl

    return await curl(invocation, send)


async def wget(invocation: Invocation) -> int:
    """Download files."""
    from gemini_userland.wget import wget

    return await wget(invocation, send)


async def send(request: Request) -> Response:
    """Send a request once the user has agreed.

    Raises:
        NoAnswer: There is no answer, or the user refused.
    """
    from gemini_userland.http import NoAnswer, Response

    if not ffi.IN_BROWSER:
        raise NoAnswer("refused", "requests are sent from the page only")
    headers: dict[str, Any] = {}
    for name, value in request.headers:
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    try:
        got = await ffi.open_request_async(request.url, request.method, headers, request.body, "manual")
    except ffi.RequestFailed as failure:
        kind = KINDS.get(failure.problem, "refused")
        if kind == "no connection" and "certificate" in str(failure).lower():
            kind = "certificate"
        raise NoAnswer(kind, str(failure)) from failure
    lower = [(name.lower(), value) for name, value in got.headers]
    return Response(got.status, got.reason, lower, b"", _rest(got))


async def _rest(got: ffi.Arriving) -> AsyncGenerator[bytes]:
    from gemini_userland.http import NoAnswer

    try:
        while piece := await got.piece():
            yield piece
    except ffi.RequestFailed as failure:
        raise NoAnswer("broken", str(failure)) from failure
    finally:
        got.close()
