"""The system's keyring: secrets by name, under one service.

No error has the keyring's own message, which may quote a secret.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

SERVICE = "control-surface"
# Enough to unlock a keyring by hand.
UNLOCKED_WITHIN_S = 60.0

T = TypeVar("T")


class KeyringFailed(Exception):
    """A request to the keyring failed."""


class KeyringMissing(KeyringFailed):
    """The system has no keyring."""


def keyring_name() -> str | None:
    """Return the name of the system's keyring, or None."""
    # The import looks for the system's backends, which takes longer than the rest of the start.
    import keyring  # noqa: PLC0415
    import keyring.backends.fail  # noqa: PLC0415

    backend = keyring.get_keyring()
    return None if isinstance(backend, keyring.backends.fail.Keyring) else backend.name


async def read(name: str) -> str | None:
    """Return the text of that name; None if there is none, or no keyring.

    Raises:
        KeyringFailed: The keyring doesn't release it.
    """
    return await _in_thread(lambda: _read(name))


async def write(name: str, text: str) -> None:
    """Save a text, replacing the previous one.

    Raises:
        KeyringMissing: There is no keyring.
        KeyringFailed: The keyring doesn't accept the text.
    """
    await _in_thread(lambda: _write(name, text))


async def delete(name: str) -> bool:
    """Delete a text; return whether there was one.

    Raises:
        KeyringFailed: The keyring doesn't delete it.
    """
    return await _in_thread(lambda: _delete(name))


async def _in_thread(ask: Callable[[], T]) -> T:
    """Ask the keyring, which may show the user a dialog, without blocking other tasks."""
    try:
        async with asyncio.timeout(UNLOCKED_WITHIN_S):
            return await asyncio.to_thread(ask)
    except TimeoutError:
        raise KeyringFailed(f"The keyring didn't answer within {UNLOCKED_WITHIN_S:.0f} s.") from None


def _read(name: str) -> str | None:
    import keyring  # noqa: PLC0415 - see keyring_name
    from keyring.errors import KeyringError, NoKeyringError  # noqa: PLC0415

    try:
        return keyring.get_password(SERVICE, name)
    except NoKeyringError:
        return None
    except KeyringError as error:
        raise _failure("read", error) from None


def _write(name: str, text: str) -> None:
    import keyring  # noqa: PLC0415 - see keyring_name
    from keyring.errors import KeyringError, NoKeyringError  # noqa: PLC0415

    try:
        keyring.set_password(SERVICE, name, text)
    except NoKeyringError:
        raise KeyringMissing("This machine has no keyring.") from None
    except KeyringError as error:
        raise _failure("save", error) from None


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
        raise _failure("delete", error) from None
    return True


def _failure(action: str, error: Exception) -> KeyringFailed:
    return KeyringFailed(f"The keyring couldn't {action} it: {type(error).__name__}.")
