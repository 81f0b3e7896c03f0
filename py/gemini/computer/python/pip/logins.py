"""Logins in addresses of indexes, as `https://user:password@host/simple`: browsers refuse to fetch such addresses."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

Fetch = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""A function of micropip that fetches a URL, with options of JavaScript's `fetch`."""
FETCHES = ("fetch_bytes", "fetch_string_and_headers")


def without_logins(urls: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return addresses without their logins, and the header of each origin that has one: the first, if two differ."""
    plain = list[str]()
    headers = dict[str, str]()
    for url in urls:
        parts = urlsplit(url)
        login, at, host = parts.netloc.rpartition("@")
        plain.append(urlunsplit(parts._replace(netloc=host)) if at else url)
        if at:
            user, _, password = login.partition(":")
            token = base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
            headers.setdefault(f"{parts.scheme}://{host}", f"Basic {token}")
    return plain, headers


@contextlib.contextmanager
def sent(layer: Any, headers: Mapping[str, str]) -> Generator[None]:
    """Have micropip send a login to its origin, and to no other.

    Args:
        layer: The class by which micropip fetches.
        headers: The header `Authorization` of each origin.
    """
    before: dict[str, Fetch] = {name: getattr(layer, name) for name in FETCHES}
    try:
        for name, fetch in before.items():
            setattr(layer, name, staticmethod(_with_login(fetch, headers)))
        yield
    finally:
        for name, fetch in before.items():
            setattr(layer, name, staticmethod(fetch))


def _with_login(fetch: Fetch, headers: Mapping[str, str]) -> Fetch:
    async def fetched(url: str, options: dict[str, Any]) -> Any:
        parts = urlsplit(url)
        login = headers.get(f"{parts.scheme}://{parts.netloc}")
        if login is not None:
            options = {**options, "headers": {**options.get("headers", {}), "Authorization": login}}
        return await fetch(url, options)

    return fetched
