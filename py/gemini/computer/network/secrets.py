"""The user's secrets, of which Python has placeholders: `gemini.secret`, `gemini.secrets` and the command `secret`.

The companion has the values. It puts them into requests in place of placeholders (docs/secrets.md).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from typing_extensions import TypedDict

from gemini.core import ffi
from gemini.core.protocol import Params
from gemini.errors import CompanionLost, GeminiError, InvalidArguments
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

Ask = Callable[[str, Params], Awaitable[Any]]
START = "Ask the user to start it: `control-surface serve`."
SYNTAX = Syntax(
    help="""
Usage: secret [NAME]
Print the placeholder of a secret of the user, or list the secrets: their names, places and origins.

The companion puts the value in place of the placeholder in requests to these origins. For example:
curl -H "Authorization: Bearer $(secret github)" https://api.github.com/user
""",
)


class SecretRow(TypedDict):
    """A secret without its value.

    Attributes:
        name: The name.
        origins: The origins that may receive it.
        places: The places of a request that may have it: `header`, `query`, `body`, `git` or `mcp`.
        placeholder: The text in place of the value, valid until the page is reloaded or reconnects.
    """

    name: str
    origins: list[str]
    places: list[str]
    placeholder: str


class _Companion:
    """The companion's side, once the kernel has connected it."""

    ask: Ask | None = None


def connect(ask: Ask) -> None:
    """Set the function that sends the companion a request."""
    _Companion.ask = ask


async def secrets() -> list[SecretRow]:
    """Return the user's secrets by name, with placeholders for their values.

    Raises:
        CompanionLost: The companion isn't connected.
    """
    try:
        if _Companion.ask is None:
            raise CompanionLost("the surface isn't running")
        answer = await _Companion.ask("secrets/list", {})
    except CompanionLost:
        raise CompanionLost("secrets need the companion, which isn't connected", hint=START) from None
    rows: list[SecretRow] = answer["secrets"]
    return rows


async def secret_async(name: str) -> str:
    """Return the placeholder of a secret, as `secret` does where Python can't wait.

    Raises:
        InvalidArguments: There is no secret of that name.
        CompanionLost: The companion isn't connected.
    """
    rows = await secrets()
    for row in rows:
        if row["name"] == name:
            return row["placeholder"]
    names = ", ".join(row["name"] for row in rows) or "none"
    raise InvalidArguments(
        f"there is no secret {name!r}",
        hint=f"There are: {names}. The user adds secrets in the settings, under Secrets.",
    )


def secret(name: str) -> str:
    """Return the placeholder of a secret of the user, for requests to the origins that the user has allowed.

    `requests.get(url, headers={"Authorization": f"Bearer {gemini.secret('github')}"})` sends the value, which Python
    never gets: answers have the placeholder in its place.

    Args:
        name: The name, as `await gemini.secrets()` and the command `secret` list it.

    Raises:
        InvalidArguments: There is no secret of that name.
        CompanionLost: The companion isn't connected.
        GeminiError: Python can't wait here; use `await gemini.secret_async(name)`.
    """
    if not ffi.can_wait():
        raise GeminiError("Python can't wait here", hint=f"Use `await gemini.secret_async({name!r})`.")
    placeholder: str = ffi.wait(secret_async(name))
    return placeholder


async def secret_command(invocation: Invocation) -> int:
    """Print a placeholder, or list the secrets."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        if len(given.operands) > 1:
            raise InvalidArguments("one name at a time", hint="See secret --help.")
        text = await secret_async(given.operands[0]) if given.operands else _table(await secrets())
    except GeminiError as problem:
        hint = f". {problem.hint}" if problem.hint else ""
        invocation.stderr.write(f"secret: {problem.message}{hint}\n".encode())
        return 1
    invocation.stdout.write(f"{text}\n".encode() if text else b"")
    return 0


def _table(rows: list[SecretRow]) -> str:
    return "\n".join(
        f"{row['name']}\t{', '.join(row['places'])}\t{' '.join(row['origins'])}".rstrip() for row in rows
    )
