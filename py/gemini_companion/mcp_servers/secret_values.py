"""The user's secrets for MCP servers: as values of variables and headers, and masked in all that servers say."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast
from urllib.parse import urlsplit

from gemini.errors import GeminiError
from gemini_companion.mcp_servers.setups import ServerSetup, secret_of
from gemini_companion.secrets import Masker, Secrets
from gemini_companion.secrets.secrets import Transform

Row = dict[str, Any]
Answer = Callable[[Any], Awaitable[Row]]


async def filled(secrets: Secrets, setup: ServerSetup, values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a server's variables or headers, with each secret in place of its name.

    Raises:
        SecretNotForThis: The user hasn't allowed a secret for servers, or in headers to this address.
        SecretUnknown, SecretUnavailable: A secret has no value.
        FolderUnusable: The file can't be written.
    """
    result = dict(values)
    for variable, value in values.items():
        if (name := secret_of(value)) is not None:
            released = await _release(secrets, setup, name)
            result[variable] = value.removesuffix(f"secret:{name}") + released
    return result


async def _release(secrets: Secrets, setup: ServerSetup, name: str) -> str:
    if setup.kind == "stdio":
        return await secrets.for_server(name, setup.name)
    parts = urlsplit(setup.url)
    return await secrets.release(name, f"{parts.scheme}://{parts.netloc}", "header")


class Masking:
    """Replaces the values of secrets in what servers say, for one page.

    Args:
        secrets: The user's secrets.
        placeholder: Returns the page's placeholder of a secret's name.
    """

    def __init__(self, secrets: Secrets, placeholder: Transform) -> None:
        self._secrets = secrets
        self._placeholder = placeholder

    def answers(self, answer: Answer) -> Answer:
        """Return `answer` with masked results and errors."""

        async def masked(params: Any) -> Row:
            try:
                row = await answer(params)
            except GeminiError as error:
                masker = await self._masker()
                error.message, error.hint, error.data = _mask([error.message, error.hint, error.data], masker)
                error.args = (error.message,)
                raise
            return await self.row(row)

        return masked

    async def row(self, row: Row) -> Row:
        """Return a row of JSON without values of secrets.

        Raises:
            SecretUnavailable: The keyring doesn't release a value, so that it can't be found.
        """
        return cast(Row, _mask(row, await self._masker()))

    async def text(self, text: str) -> str:
        """Return a text without values of secrets. Raises as `row`."""
        return (await self._masker()).text(text)

    async def _masker(self) -> Masker:
        return Masker(await self._secrets.masks(self._placeholder))


def _mask(value: Any, masker: Masker) -> Any:
    if isinstance(value, str):
        return masker.text(value)
    if isinstance(value, list):
        return [_mask(each, masker) for each in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    members = cast(Row, value)
    return {
        masker.text(name): _bytes(each, masker)
        if name == "data" and isinstance(each, str)
        else _mask(each, masker)
        for name, each in members.items()
    }


def _bytes(data: str, masker: Masker) -> str:
    """Return base64 whose bytes have no values of secrets: pictures, sounds and documents."""
    try:
        plain = base64.b64decode(data, validate=True)
    except binascii.Error:
        return masker.text(data)
    masked = masker.whole(plain)
    return data if masked == plain else base64.b64encode(masked).decode()
