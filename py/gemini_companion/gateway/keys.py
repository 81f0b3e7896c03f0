"""The keys of providers: from environment variables, or else from the system's keyring."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from typing import Final, TypeVar

from gemini_companion.gateway.errors import KeyringUnavailable, KeyUnusable
from gemini_companion.gateway.providers import Provider

SERVICE = "control-surface"
# Enough to unlock a keyring by hand.
UNLOCKED_WITHIN_S = 60.0
# Visible ASCII, which fits a header, without what JSON escapes. Shorter texts would occur in any answer.
USABLE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{8,4096}")

T = TypeVar("T")


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
        text = await _in_thread(lambda: _read(provider.name))
        return Key(text, "keyring", f"the keyring for {provider.name}") if text else None

    async def set(self, provider: Provider, text: str) -> None:
        """Save a key in the keyring, replacing the previous one.

        Raises:
            KeyUnusable: `text` can't be a key.
            KeyringUnavailable: There is no keyring, or it doesn't accept the key.
        """
        key = Key(text.strip(), "keyring", "the settings")
        await _in_thread(lambda: _write(provider, key))

    async def delete(self, provider: Provider) -> bool:
        """Delete the key from the keyring; return whether there was one.

        Raises:
            KeyringUnavailable: The keyring doesn't delete the key.
        """
        return await _in_thread(lambda: _delete(provider.name))


def keyring_name() -> str | None:
    """Return the name of the system's keyring, or None."""
    # The import looks for the system's backends, which takes longer than the rest of the start.
    import keyring  # noqa: PLC0415
    import keyring.backends.fail  # noqa: PLC0415

    backend = keyring.get_keyring()
    return None if isinstance(backend, keyring.backends.fail.Keyring) else backend.name


async def _in_thread(ask: Callable[[], T]) -> T:
    """Ask the keyring, which may show the person a dialog, without blocking other tasks."""
    try:
        async with asyncio.timeout(UNLOCKED_WITHIN_S):
            return await asyncio.to_thread(ask)
    except TimeoutError:
        raise KeyringUnavailable(
            f"The keyring didn't answer within {UNLOCKED_WITHIN_S:.0f} s.",
            hint="Unlock it, and try again.",
        ) from None


def _read(name: str) -> str | None:
    import keyring  # noqa: PLC0415 - see keyring_name
    from keyring.errors import KeyringError, NoKeyringError  # noqa: PLC0415

    try:
        return keyring.get_password(SERVICE, name)
    except NoKeyringError:
        return None
    except KeyringError as error:
        raise _unavailable("read", error) from None


def _write(provider: Provider, key: Key) -> None:
    import keyring  # noqa: PLC0415 - see keyring_name
    from keyring.errors import KeyringError, NoKeyringError  # noqa: PLC0415

    try:
        keyring.set_password(SERVICE, provider.name, key.reveal())
    except NoKeyringError:
        raise _no_keyring(provider) from None
    except KeyringError as error:
        raise _unavailable("save", error) from None


def _delete(name: str) -> bool:
    import keyring  # noqa: PLC0415 - see keyring_name
    from keyring.errors import KeyringError, NoKeyringError  # noqa: PLC0415

    try:
        if keyring.get_password(SERVICE, name) is None:
            return False
        keyring.delete_password(SERVICE, name)
    except NoKeyringError:
        return False
    except KeyringError as error:
        raise _unavailable("delete", error) from None
    return True


def _no_keyring(provider: Provider) -> KeyringUnavailable:
    variable = provider.variables[0] if provider.variables else "named by key_env"
    return KeyringUnavailable(
        "This machine has no keyring to save the key in.",
        hint=f"Start the companion with the key in the environment variable {variable}.",
    )


def _unavailable(action: str, error: Exception) -> KeyringUnavailable:
    # The error's own message may contain the key.
    return KeyringUnavailable(
        f"The keyring couldn't {action} the key: {type(error).__name__}.",
        hint="Unlock it, or start the companion with the key in an environment variable.",
    )
