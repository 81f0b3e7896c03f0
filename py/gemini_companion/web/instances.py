"""Servers at addresses of the user's own choice, such as their instance of SearXNG or Nominatim."""

from __future__ import annotations

from urllib.parse import urlsplit

from gemini_companion.network.addresses import Reach
from gemini_companion.network.errors import AddressRefused
from gemini_companion.network.fetching import Fetcher
from gemini_companion.network.targets import Target, parse


def instance(address: str, ending: str) -> str:
    """Return the address of an instance as requests spell it.

    Args:
        address: The address as the user typed it.
        ending: The end of its search's path, which users copy with the address.

    Raises:
        AddressRefused: It is no address.
    """
    text = address.strip().rstrip("/").removesuffix(ending)
    if "://" not in text:
        text = f"https://{text}"
    # The door refuses names of this machine, so that none is mistaken for one on the internet.
    parts = urlsplit(text)
    if parts.hostname == "localhost":
        text = text.replace("localhost", "127.0.0.1", 1)
    if parts.query or parts.fragment:
        raise AddressRefused(
            "the address has more than a host and a path", hint="Type one such as https://search.example."
        )
    return parse(f"{text}/").url.rstrip("/")


def reaching(fetcher: Fetcher, target: Target) -> Fetcher:
    """Return a fetcher that reaches an address of the user's own choice, even on this machine, and no other there."""
    reach = fetcher.reach
    also = {*reach.also, *([(target.host, target.port)] if target.address is not None else [])}
    return fetcher.varied(reach=Reach(reach.resolve, also))
