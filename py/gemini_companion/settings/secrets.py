"""The user's methods for secrets. Only the page itself can send them, not Python in it (link.ts).

    settings/secrets {} -> {keyring, file, secrets, places}
    settings/save_secret {name, origins, places, value?, in_file?} -> {}
    settings/delete_secret {name} -> {deleted}

`secrets` are rows `{name, origins, places}`; `keyring` is the name of the system's keyring, or null, and `file` the
path of the file that stores values without one. Without a value, `save_secret` changes who receives a saved one. No
answer has a value.
"""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from gemini.core.protocol import Handler
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.secrets import PLACES, Place, Secrets
from gemini_companion.storage.system_keyring import keyring_name

Row = dict[str, Any]


class SaveParams(MethodParams):
    """The parameters of `settings/save_secret`. `in_file`: a file may store it without a keyring."""

    name: str
    origins: list[str]
    places: list[Place]
    value: Annotated[str | None, Field(repr=False)] = None
    in_file: bool = False


class NameParams(MethodParams):
    """The parameters of `settings/delete_secret`."""

    name: str


class SecretSettings:
    """The settings of secrets, for all pages.

    Args:
        secrets: The user's secrets.
    """

    def __init__(self, secrets: Secrets) -> None:
        self.secrets = secrets

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {
            "settings/secrets": validated(NoParams, self._status),
            "settings/save_secret": validated(SaveParams, self._save),
            "settings/delete_secret": validated(NameParams, self._delete),
        }

    async def _status(self, _: NoParams) -> Row:
        return {
            "keyring": await asyncio.to_thread(keyring_name),
            "file": str(self.secrets.path),
            "secrets": [each.row() for each in self.secrets.all()],
            "places": list(PLACES),
        }

    async def _save(self, params: SaveParams) -> Row:
        await self.secrets.save(
            params.name, params.origins, params.places, params.value, in_file=params.in_file
        )
        return {}

    async def _delete(self, params: NameParams) -> Row:
        return {"deleted": await self.secrets.delete(params.name)}
