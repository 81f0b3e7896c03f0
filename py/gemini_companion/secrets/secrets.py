"""Secrets by name: their values in the system's keyring, and who may receive them in a private file."""

from __future__ import annotations

import contextlib
import re
import uuid
from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from gemini_companion.secrets.errors import SecretNotForThis, SecretUnavailable, SecretUnknown, SecretUnusable
from gemini_companion.secrets.masking import Masked
from gemini_companion.secrets.placeholders import NAME, PREFIX
from gemini_companion.storage import system_keyring
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows
from gemini_companion.storage.system_keyring import KeyringFailed, KeyringMissing

Place = Literal["header", "query", "body", "git", "mcp", "host"]
PLACES: tuple[Place, ...] = get_args(Place)
PLACE_NAMES: dict[Place, str] = {
    "header": "headers",
    "query": "the query",
    "body": "the body",
    "git": "git's login",
    "mcp": "the environment of servers",
    "host": "commands on this computer",
}
COMMANDS = "host:commands"
"""The receiver of what commands on this computer get."""
SETTINGS = "The user allows it in the page's settings, under Secrets."
FILE, VALUES_FILE = "secrets.json", "secret_values.json"
# A shorter value, or one of few different characters, would be found by chance in answers that don't have it, and
# could be guessed by what is masked.
SHORTEST, LONGEST, FEWEST_DIFFERENT = 8, 1024, 5
MAX_ORIGINS, MAX_SECRETS = 20, 100
# Printable ASCII, as headers carry it, with no space at an end.
VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
Transform = Callable[[str], str]


class Row(TypedDict):
    """A secret in the file.

    `received` are the origins that have ever been sent its value, also those that no longer may receive it; `version`
    changes with the value.
    """

    origins: list[str]
    places: list[Place]
    received: list[str]
    version: str


_ROWS = TypeAdapter(dict[str, Row])
_VALUES = TypeAdapter(dict[str, str])


@dataclass(frozen=True)
class Secret:
    """A secret without its value: what lists and questions show."""

    name: str
    origins: tuple[str, ...]
    places: tuple[Place, ...]

    def require(self, origin: str, place: Place) -> None:
        """Raise SecretNotForThis unless the user has allowed the secret in this place of a request to an origin."""
        if origin not in self.origins:
            raise SecretNotForThis(f"the secret {self.name!r} isn't for {origin}", hint=SETTINGS)
        # A header takes a login, too.
        if place not in self.places and not (place == "git" and "header" in self.places):
            where = PLACE_NAMES[place]
            raise SecretNotForThis(f"the secret {self.name!r} isn't for {where} of requests", hint=SETTINGS)

    def row(self) -> dict[str, Any]:
        """Return `{name, origins, places}`."""
        return {"name": self.name, "origins": list(self.origins), "places": list(self.places)}


class Secrets:
    """Saves, changes and deletes secrets, releases values to the companion's own requests, and masks them in answers.

    Args:
        folder: The folder of the files; by default the companion's data folder.
        origin: Returns an origin in its one spelling, or raises an error whose message names what is wrong.
    """

    def __init__(self, folder: Path | None = None, origin: Transform = str) -> None:
        self._folder = folder
        self._origin = origin
        # By name, with the version that it is of.
        self._known: dict[str, tuple[str, str]] = {}
        # What is searched doesn't depend on the text in its place, which each page has another of.
        self._masked: dict[str, tuple[str, Masked]] = {}
        self._on_change: list[Callable[[], None]] = []

    @property
    def path(self) -> Path:
        """The file of the values on a machine without a keyring."""
        return self._in_folder(VALUES_FILE)

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after a secret was saved, changed or deleted."""
        self._on_change.append(listener)

    def all(self) -> list[Secret]:
        """Return the secrets by name."""
        return [_secret(name, row) for name, row in sorted(self._rows.read().items())]

    def get(self, name: str) -> Secret:
        """Return a secret.

        Raises:
            SecretUnknown: There is none of this name.
        """
        return _secret(name, self._row(name))

    def _row(self, name: str) -> Row:
        row = self._rows.read().get(name)
        if row is None:
            raise SecretUnknown(
                f"there is no secret {name!r}", hint="The user adds secrets in the settings of the page."
            )
        return row

    async def save(
        self,
        name: str,
        origins: Sequence[str],
        places: Collection[Place],
        value: str | None = None,
        *,
        in_file: bool = False,
    ) -> None:
        """Save a secret; without a value, change who receives the one of that name.

        Args:
            name: Its name.
            origins: The origins that may receive it, such as `https://api.github.com`.
            places: Where they may.
            value: The value.
            in_file: Whether the user agreed to a file if there is no keyring.

        Raises:
            SecretUnusable: Something can't be saved; the message names it.
            SecretUnknown: There is no value, and no such secret.
            SecretUnavailable: The keyring doesn't accept the value, or there is none.
            FolderUnusable: A file can't be written.
        """
        rows = self._rows.read()
        row = self._checked(name, origins, places, rows)
        if value is None:
            self.get(name)
        else:
            # One value replaces another at the same origins, which may answer with either.
            await self._write(name, _usable(name, value), in_file=in_file)
            row["version"] = uuid.uuid4().hex
        self._rows.set(name, row)
        self._changed()

    async def delete(self, name: str) -> bool:
        """Delete a secret; return whether there was one.

        Raises:
            SecretUnavailable: The keyring doesn't delete it.
            FolderUnusable: A file can't be written.
        """
        deleted = self._rows.delete(name)
        self._known.pop(name, None)
        self._masked.pop(name, None)
        self._values.delete(name)
        with _keyring_problems(name):
            await system_keyring.delete(_entry(name))
        self._changed()
        return deleted

    async def release(self, name: str, origin: str, place: Place) -> str:
        """Return the value for a request to an origin, which is remembered as one that received it.

        Raises:
            SecretNotForThis: The user has not allowed the origin, or the place there.
            SecretUnknown, SecretUnavailable: There is no value.
            FolderUnusable: The file can't be written.
        """
        secret = self.get(name)
        secret.require(origin, place)
        return await self._released(name, origin)

    async def for_server(self, name: str, server: str) -> str:
        """Return the value for the environment of an MCP server that the companion starts.

        Its answers must pass `masks`, as those of other origins do.

        Args:
            name: The secret.
            server: The name of the server, which is remembered as `mcp:NAME`.

        Raises:
            SecretNotForThis: The user has not allowed it in the environment of servers.
            SecretUnknown, SecretUnavailable: There is no value.
            FolderUnusable: The file can't be written.
        """
        if "mcp" not in self.get(name).places:
            raise SecretNotForThis(f"the secret {name!r} isn't for MCP servers", hint=SETTINGS)
        return await self._released(name, f"mcp:{server}")

    def require_for_commands(self, name: str) -> None:
        """Raise SecretUnknown or SecretNotForThis unless commands on this computer may have the secret."""
        if "host" not in self.get(name).places:
            raise SecretNotForThis(
                f"the secret {name!r} isn't for commands on the user's computer", hint=SETTINGS
            )

    async def for_command(self, name: str) -> str:
        """Return the value for the environment of a command that the user has agreed to.

        Raises:
            SecretNotForThis: The user has not allowed it for commands.
            SecretUnknown, SecretUnavailable: There is no value.
            FolderUnusable: The file can't be written.
        """
        self.require_for_commands(name)
        return await self._released(name, COMMANDS)

    async def _released(self, name: str, receiver: str) -> str:
        value = await self._value(name, self._row(name)["version"])
        # The user may have changed it while the keyring was asked.
        row = self._row(name)
        if receiver not in row["received"]:
            self._rows.set(name, {**row, "received": [*row["received"], receiver]})
        return value

    def forget_values(self) -> None:
        """Drop the values from memory, so that the keyring is asked again."""
        self._known.clear()
        self._masked.clear()

    def has_received(self, origin: str) -> bool:
        """Return whether an origin was ever sent a value."""
        return any(origin in row["received"] for row in self._rows.read().values())

    async def masks(self, placeholder: Transform | None = None) -> list[Masked]:
        """Return what `Masker` replaces in answers: each value that was ever sent anywhere.

        Every answer is masked, of whatever origin: what one host of a service was sent, another one may show.

        Args:
            placeholder: Returns the text in place of the value of a secret's name.

        Raises:
            SecretUnavailable: The keyring doesn't release a value, so that it can't be found.
        """
        text = placeholder or _without_page
        received = [(name, row) for name, row in sorted(self._rows.read().items()) if row["received"]]
        return [
            replace(await self._mask(name, row["version"]), text=text(name).encode())
            for name, row in received
        ]

    async def _mask(self, name: str, version: str) -> Masked:
        value = await self._value(name, version)
        known = self._masked.get(name)
        if known is None or known[0] != version:
            known = self._masked[name] = (version, Masked.of(value, ""))
        return known[1]

    async def _value(self, name: str, version: str) -> str:
        known = self._known.get(name)
        if known is not None and known[0] == version:
            return known[1]
        with _keyring_problems(name):
            value = await system_keyring.read(_entry(name)) or self._values.read().get(name)
        if not value:
            raise SecretUnavailable(
                f"the value of the secret {name!r} is gone",
                hint="The user can enter it again in the settings.",
            )
        self._known[name] = (version, value)
        return value

    async def _write(self, name: str, value: str, *, in_file: bool) -> None:
        with _keyring_problems(name):
            try:
                await system_keyring.write(_entry(name), value)
            except KeyringMissing:
                if not in_file:
                    raise SecretUnavailable(
                        "This machine has no keyring to save the secret in.",
                        hint="Agree to a file in the settings.",
                    ) from None
                self._values.set(name, value)
            else:
                self._values.delete(name)

    def _checked(
        self, name: str, origins: Sequence[str], places: Collection[Place], rows: dict[str, Row]
    ) -> Row:
        if re.fullmatch(NAME, name) is None:
            raise SecretUnusable(
                "The name of a secret has 1 to 40 lowercase letters, digits and hyphens.",
                hint="For example github.",
            )
        if name not in rows and len(rows) >= MAX_SECRETS:
            raise SecretUnusable(f"There are {MAX_SECRETS} secrets, which is the limit.", hint="Delete one.")
        if not places:
            raise SecretUnusable("Choose where the secret may be sent.", hint="Most services want a header.")
        spelled = list(dict.fromkeys(self._origin(each) for each in origins))
        if set(places) - {"mcp", "host"} and not spelled:
            raise SecretUnusable(
                "Name an origin that may receive the secret.", hint="For example https://api.github.com."
            )
        if len(spelled) > MAX_ORIGINS:
            raise SecretUnusable(f"A secret is for at most {MAX_ORIGINS} origins.", hint="Save another one.")
        before = rows.get(name)
        received = before["received"] if before else []
        version = before["version"] if before else ""
        return {
            "origins": spelled,
            "places": [each for each in PLACES if each in places],
            "received": received,
            "version": version,
        }

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()

    def _in_folder(self, name: str) -> Path:
        return (self._folder or data_folder()) / name

    @property
    def _rows(self) -> PrivateRows[Row]:
        return PrivateRows(self._in_folder(FILE), _ROWS)

    @property
    def _values(self) -> PrivateRows[str]:
        return PrivateRows(self.path, _VALUES)


def _secret(name: str, row: Row) -> Secret:
    return Secret(name, tuple(row["origins"]), tuple(row["places"]))


def _without_page(name: str) -> str:
    return f"[secret {name}]"


def _entry(name: str) -> str:
    return f"secret/{name}"


def _usable(name: str, value: str) -> str:
    """Return a value that can be sent and found.

    Raises:
        SecretUnusable: It can't; the message doesn't repeat it.
    """
    if not SHORTEST <= len(value) <= LONGEST or len(set(value)) < FEWEST_DIFFERENT:
        raise SecretUnusable(
            f"A secret has {SHORTEST} to {LONGEST} characters, of which {FEWEST_DIFFERENT} are different.",
            hint="A shorter one can't be removed from answers: it would be found where it isn't.",
        )
    if VALUE.fullmatch(value) is None:
        raise SecretUnusable(
            "A secret is one line of letters, digits and signs of ASCII, and begins and ends with no space.",
            hint="Headers carry nothing else.",
        )
    if value.lower() in f"{PREFIX}{name}-" or PREFIX in value.lower():
        raise SecretUnusable("The value looks like the text in its place.", hint="Use a random one.")
    return value


@contextlib.contextmanager
def _keyring_problems(name: str) -> Generator[None]:
    try:
        yield
    except KeyringFailed as problem:
        raise SecretUnavailable(
            f"the secret {name!r} isn't there: {problem}", hint="Unlock the keyring, and try again."
        ) from None
