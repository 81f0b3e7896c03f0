"""The user's methods for origins at private addresses. Only the page itself can send them, not Python (link.ts).

    settings/private_origins {} -> {origins}
    settings/revoke_private_origin {origin} -> {revoked}

`origins` come from `PrivateOrigins.rows`. No method allows one: the user answers a question for that.
"""

from collections.abc import Mapping
from typing import Any

from gemini.core.protocol import Handler
from gemini_companion.network import PrivateOrigins
from gemini_companion.pages.parameters import MethodParams, NoParams, validated

Row = dict[str, Any]


class OriginParams(MethodParams):
    """The parameters of `settings/revoke_private_origin`."""

    origin: str


class PrivateOriginSettings:
    """The settings of origins at private addresses, for all pages.

    Args:
        private: The allowed origins.
    """

    def __init__(self, private: PrivateOrigins) -> None:
        self.private = private

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {
            "settings/private_origins": validated(NoParams, self._status),
            "settings/revoke_private_origin": validated(OriginParams, self._revoke),
        }

    async def _status(self, _: NoParams) -> Row:
        return {"origins": self.private.rows()}

    async def _revoke(self, params: OriginParams) -> Row:
        return {"revoked": self.private.revoke(params.origin)}
