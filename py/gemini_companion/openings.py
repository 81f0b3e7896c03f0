"""Addresses that open the surface once.

What a browser is started with stands in the list of processes, for every user of the machine to read. So it gets such
an address instead of one with the token.
"""

import secrets
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

PATH = "/open/"
WITHIN_S = 60.0


class Openings:
    """Makes the addresses, and leads on from them.

    Args:
        url: Where they lead to.
    """

    def __init__(self, url: Callable[[], str]) -> None:
        self._url = url
        self._open: dict[str, float] = {}
        self.route = Route(PATH + "{code}", self._lead_on)

    def path(self) -> str:
        """A new one, for the next minute."""
        code = secrets.token_urlsafe(32)
        self._open[code] = time.monotonic() + WITHIN_S
        return PATH + code

    async def _lead_on(self, request: Request) -> Response:
        until = self._open.pop(request.path_params["code"], 0.0)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        if time.monotonic() > until:
            told = (
                "This address opened the surface once. The companion tells another one where it was started."
            )
            return PlainTextResponse(told, 410, headers)
        return RedirectResponse(self._url(), 303, headers)
