"""The user's methods for the server of places. Only the page itself can send them, not Python in it (link.ts).

    settings/places {} -> {address, public}
    settings/choose_places {address} -> {}

`address` is empty for the public server, whose address is `public`.
"""

from collections.abc import Mapping
from typing import Any

from gemini.core.protocol import Handler
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.web import Places
from gemini_companion.web.places import PUBLIC

Row = dict[str, Any]


class ChooseParams(MethodParams):
    """The parameters of `settings/choose_places`."""

    address: str


class PlaceSettings:
    """The settings of the server of places, for all pages.

    Args:
        places: Finds places.
    """

    def __init__(self, places: Places) -> None:
        self._places = places

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {
            "settings/places": validated(NoParams, self._status),
            "settings/choose_places": validated(ChooseParams, self._choose),
        }

    async def _status(self, _: NoParams) -> Row:
        return {"address": self._places.address, "public": PUBLIC}

    async def _choose(self, params: ChooseParams) -> Row:
        self._places.choose(params.address)
        return {}
