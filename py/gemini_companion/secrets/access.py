"""A page's access to the names of secrets.

Python in the page sends:

    secrets/list {} -> {secrets: [{name, origins, places, placeholder}]}

A placeholder is for this connection of the page. No method returns a value, adds a secret, or changes one: that is for
`gemini_companion.settings.secrets`, whose methods only the page itself can send.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gemini.core.protocol import Handler
from gemini_companion.pages.parameters import NoParams, validated
from gemini_companion.secrets.placeholders import Connection, Visits
from gemini_companion.secrets.secrets import Secrets

Row = dict[str, Any]


class SecretAccess:
    """The names and placeholders, for all pages.

    Args:
        secrets: The user's secrets.
        visits: The placeholders of each page.
    """

    def __init__(self, secrets: Secrets, visits: Visits) -> None:
        self.secrets = secrets
        self.visits = visits

    def handlers(self, connection: Connection) -> Mapping[str, Handler]:
        """Return the request methods of one page, for `gemini.core.protocol.Connection`.

        Args:
            connection: Identifies the page's connection, as its questions do.
        """
        visit = self.visits.of(connection)

        async def names(_: NoParams) -> Row:
            rows = [
                {**each.row(), "placeholder": visit.placeholder(each.name)} for each in self.secrets.all()
            ]
            return {"secrets": rows}

        return {"secrets/list": validated(NoParams, names)}
