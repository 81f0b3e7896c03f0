"""The servers that the user has added in the page, by their addresses."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, TypeAdapter

from gemini.models.providers.answers import api_of, completed
from gemini_companion.models.errors import ConfigurationProblem
from gemini_companion.models.providers import KINDS, RESERVED, Provider, is_loopback
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows

FILE = "servers.json"
LONGEST_NAME = 32
LONGEST_ADDRESS = 300

Server = dict[Literal["kind", "base_url"], Annotated[str, Field(max_length=400)]]
_SERVERS = TypeAdapter(dict[str, Server])


class AddedServers:
    """A file with the addresses of servers, by their names. It holds no keys.

    Args:
        path: The file, with mode 0600; by default `servers.json` in the data folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def providers(self) -> dict[str, Provider]:
        """Return the servers as providers, without those that are no longer valid."""
        found: dict[str, Provider] = {}
        for name, row in self._rows.read().items():
            try:
                found[name] = provider_at(row["base_url"], row["kind"], name)
            except (ConfigurationProblem, KeyError):
                continue
        return found

    def add(self, provider: Provider) -> None:
        """Save a server.

        Raises:
            FolderUnusable: The file can't be written.
        """
        self._rows.set(provider.name, {"kind": provider.kind.name, "base_url": provider.base_url})

    def delete(self, name: str) -> bool:
        """Delete a server; return whether there was one.

        Raises:
            FolderUnusable: The file can't be written.
        """
        return self._rows.delete(name)

    @property
    def _rows(self) -> PrivateRows[Server]:
        return PrivateRows(self._path or data_folder() / FILE, _SERVERS)


def address_of(text: str) -> str:
    """Return the address that a user means: with a scheme, and without the end of a call.

    Raises:
        ConfigurationProblem: It can't be an address.
    """
    if len(text) > LONGEST_ADDRESS:
        raise ConfigurationProblem(
            f"The address has more than {LONGEST_ADDRESS} characters.", hint="Type only the base URL."
        )
    # Checks it.
    return provider_at(completed(text)).base_url


def provider_at(base_url: str, kind: str | None = None, name: str = "address") -> Provider:
    """Return a provider at an address. Its key is optional, or impossible where it would be sent unencrypted.

    Raises:
        ConfigurationProblem: The address is invalid.
    """
    try:
        host = urlsplit(base_url).hostname or ""
    except ValueError:
        host = ""
    scheme = base_url.partition(":")[0]
    if not host or scheme not in ("http", "https"):
        raise ConfigurationProblem(
            f"{base_url[:100]!r} isn't an address of a server.",
            hint="Type one such as http://127.0.0.1:8080/v1.",
        )
    takes_key = scheme == "https" or is_loopback(host)
    api = KINDS[kind or api_of(base_url)]
    return Provider(name, api, base_url, key="optional" if takes_key else "none", added=True)


def name_for(base_url: str, taken: Container[str]) -> str:
    """Return a name for a server: its host and port, and a number if another server has the name."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    where = f"{'local' if is_loopback(host) else host}-{parts.port or ''}"
    short = re.sub(r"[^a-z0-9]+", "-", where).strip("-") or "server"
    for number in itertools.count(1):
        ending = "" if number == 1 else f"-{number}"
        name = short[: LONGEST_NAME - len(ending)].strip("-") + ending
        if name not in taken and name not in RESERVED:
            return name
    raise AssertionError("the count doesn't end")
