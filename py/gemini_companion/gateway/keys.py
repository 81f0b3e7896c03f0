"""The keys of providers: from environment variables, or else from the system's keyring."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Generator
from typing import Final

from gemini_companion import system_keyring
from gemini_companion.gateway.errors import KeyringUnavailable, KeyUnusable
from gemini_companion.gateway.providers import Provider
from gemini_companion.system_keyring import KeyringFailed, KeyringMissing

# Visible ASCII, which fits a header, without what JSON escapes. Shorter texts would occur in any answer.
USABLE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{8,4096}")


class Key:
    """A secret that its representation doesn't reveal.

    Args:
        text: The key.
        origin: `environment` or `keyring`.
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


class Keys:
    """Finds, saves and deletes the keys of providers.

    The keyring stores them under the service `control-surface` and the provider's name.
    """

    async def find(self, provider: Provider) -> Key | None:
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
        return Key(text, "keyring", f"the keyring for {provider.name}") if text else None

    async def set(self, provider: Provider, text: str) -> None:
        """Save a key in the keyring, replacing the previous one.

        Raises:
            KeyUnusable: `text` can't be a key.
            KeyringUnavailable: There is no keyring, or it doesn't accept the key.
        """
        key = Key(text.strip(), "keyring", "the settings")
        with _keyring_problems():
            try:
                await system_keyring.write(provider.name, key.reveal())
            except KeyringMissing:
                raise _no_keyring(provider) from None

    async def delete(self, provider: Provider) -> bool:
        """Delete the key from the keyring; return whether there was one.

        Raises:
            KeyringUnavailable: The keyring doesn't delete the key.
        """
        with _keyring_problems():
            return await system_keyring.delete(provider.name)


def _no_keyring(provider: Provider) -> KeyringUnavailable:
    variable = provider.variables[0] if provider.variables else "named by key_env"
    return KeyringUnavailable(
        "This machine has no keyring to save the key in.",
        hint=f"Start the companion with the key in the environment variable {variable}.",
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
