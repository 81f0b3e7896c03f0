"""Keys of services: from environment variables, or else from the system's keyring, or else from a file."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Generator
from pathlib import Path
from typing import Final, Protocol

from gemini_companion.models.errors import KeyringUnavailable, KeyUnusable
from gemini_companion.models.key_file import KeyFile
from gemini_companion.storage import system_keyring
from gemini_companion.storage.system_keyring import KeyringFailed, KeyringMissing

# Visible ASCII, which fits a header, without what JSON escapes. Shorter strings would occur in any answer.
USABLE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{8,4096}")


class Key:
    """A secret that its representation doesn't reveal.

    Args:
        text: The key.
        origin: `environment`, `keyring` or `file`.
        where: The exact place, for messages.

    Raises:
        KeyUnusable: It is too short, or has characters that no key has.
    """

    __slots__ = ("_text", "origin")

    def __init__(self, text: str, origin: str, where: str) -> None:
        if USABLE.fullmatch(text) is None:
            raise KeyUnusable(
                f"The key from {where} is invalid.",
                hint="A key has 8 to 4096 letters, digits and signs, and no spaces. Remove it if none is needed.",
            )
        self._text: Final = text
        self.origin: Final = origin

    def reveal(self) -> str:
        """Return the key itself, to send it in a header and to remove it from answers."""
        return self._text

    def __repr__(self) -> str:
        return f"<Key from the {self.origin}>"


class KeyHolder(Protocol):
    """The provider of models, or the search engine, that a key is for."""

    @property
    def name(self) -> str:
        """The name that the key is stored under."""
        ...

    @property
    def key(self) -> str:
        """`needed`, `optional`, or `none` if no key is ever sent."""
        ...

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that may hold the key."""
        ...


class Keys:
    """Finds, saves and deletes keys, of providers of models and of search engines.

    The keyring stores them under the service `control-surface` and the provider's name. Without a keyring, the user
    can have a file store them.

    Args:
        file: The file, by default the one in the data folder.
    """

    def __init__(self, file: KeyFile | None = None) -> None:
        self._file = file or KeyFile()

    @property
    def path(self) -> Path:
        """The file that stores keys where there is no keyring."""
        return self._file.path

    async def find(self, provider: KeyHolder) -> Key | None:
        """Return the provider's key; None if there is none, as on a machine without a keyring.

        Raises:
            KeyUnusable: The stored text can't be a key.
            KeyringUnavailable: The keyring doesn't release the key.
        """
        if provider.key == "none":
            return None
        for variable in provider.variables:
            if text := os.environ.get(variable, "").strip():
                return Key(text, "environment", f"the variable {variable}")
        with _keyring_problems():
            text = await system_keyring.read(provider.name)
        if text:
            return Key(text, "keyring", f"the keyring for {provider.name}")
        text = self._file.get(provider.name)
        return Key(text, "file", f"{self._file.path} for {provider.name}") if text else None

    async def set(self, provider: KeyHolder, text: str, *, in_file: bool = False) -> None:
        """Save a key in the keyring, replacing the previous one.

        Args:
            provider: The provider.
            text: The key.
            in_file: Whether the user agreed that a file stores it if there is no keyring.

        Raises:
            KeyUnusable: `text` can't be a key.
            KeyringUnavailable: There is no keyring, or it doesn't accept the key.
            FolderUnusable: The file can't be written.
        """
        key = Key(text.strip(), "keyring", "the settings")
        with _keyring_problems():
            try:
                await system_keyring.write(provider.name, key.reveal())
            except KeyringMissing:
                if not in_file:
                    raise _no_keyring(provider) from None
                self._file.set(provider.name, key.reveal())
            else:
                # A key of the time before there was a keyring.
                self._file.delete(provider.name)

    async def delete(self, provider: KeyHolder) -> bool:
        """Delete the key from the keyring and the file; return whether there was one.

        Raises:
            KeyringUnavailable: The keyring doesn't delete the key.
            FolderUnusable: The file can't be written.
        """
        in_file = self._file.delete(provider.name)
        with _keyring_problems():
            return await system_keyring.delete(provider.name) or in_file


def _no_keyring(provider: KeyHolder) -> KeyringUnavailable:
    variable = provider.variables[0] if provider.variables else "named by key_env"
    return KeyringUnavailable(
        "This machine has no keyring to save the key in.",
        hint="Save it to a file in the settings, "
        f"or start the companion with it in the environment variable {variable}.",
    )


@contextlib.contextmanager
def _keyring_problems() -> Generator[None]:
    try:
        yield
    except KeyringFailed as problem:
        raise KeyringUnavailable(
            str(problem),
            hint="Unlock the keyring, or start the companion with the key in an environment variable.",
        ) from None
