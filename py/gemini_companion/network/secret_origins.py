"""The origins that may receive a secret, in their one spelling."""

from __future__ import annotations

from urllib.parse import urlsplit

from gemini_companion.network.errors import AddressRefused
from gemini_companion.network.targets import DEFAULT_PORTS, parse
from gemini_companion.secrets.errors import SecretUnusable


def secret_origin(text: str) -> str:
    """Return the origin of an address that the user has typed, such as `api.github.com`.

    Raises:
        SecretUnusable: It is none, or others on the network could read what is sent there.
    """
    address = text.strip()
    if "://" not in address:
        address = f"https://{address}"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise _unusable(text) from None
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    named = "" if port is None or port == DEFAULT_PORTS.get(parts.scheme) else f":{port}"
    if parts.username is not None or parts.query or parts.fragment:
        raise _unusable(text)
    try:
        target = parse(f"{parts.scheme}://{host}{named}/", local=True)
    except AddressRefused:
        raise _unusable(text) from None
    if target.scheme != "https" and not (target.address is not None and target.address.is_loopback):
        raise SecretUnusable(
            f"{target.origin} is not encrypted, so others on the network could read a secret.",
            hint="Use https:, or an address of this computer such as http://127.0.0.1:8080.",
        )
    return target.origin


def _unusable(text: str) -> SecretUnusable:
    return SecretUnusable(f"{text.strip()[:200]!r} is no origin.", hint="For example https://api.github.com.")
