"""The origins at private addresses that the user allows, such as a company's git server, until they revoke it.

The page asks in the companion's words. The answer is for one scheme, host and port, and for the addresses that the
host had then: if its name leads elsewhere later, the user is asked again.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from gemini_companion.network.targets import Address, Target, parse
from gemini_companion.storage.folders import runtime_folder
from gemini_companion.storage.private_json import PrivateRows

FILE = "private_origins.json"

# Private use: https://www.rfc-editor.org/rfc/rfc1918, rfc4193, rfc6598 (also of VPNs), and loopback.
PRIVATE = tuple(
    ipaddress.ip_network(each)
    for each in (
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "fc00::/7", "::1/128",
    )
)  # fmt: skip
# Clouds' own services in those networks: metadata of Alibaba, Amazon and Google, whose answers are credentials.
SERVICES = tuple(
    ipaddress.ip_network(each) for each in ("100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::254/128")
)


class PrivateOrigin(TypedDict):
    """An allowed origin: the addresses of its host, and when it was allowed, in seconds since 1970."""

    addresses: list[str]
    since: float


def is_private(address: Address) -> bool:
    """Return whether the user may allow a private address. Link-local addresses and clouds' services never are."""
    return _is_in(address, PRIVATE) and not _is_in(address, SERVICES)


def _is_in(address: Address, networks: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    return any(address.version == each.version and address in each for each in networks)


class PrivateOrigins:
    """Finds, saves and deletes origins.

    Args:
        path: The file; None holds them in memory.
        own: The ports of this companion, which nothing may reach through it.
    """

    def __init__(self, path: Path | None = None, own: Collection[int] = ()) -> None:
        self._file = None if path is None else PrivateRows(path, TypeAdapter(dict[str, PrivateOrigin]))
        self._memory: dict[str, PrivateOrigin] = {}
        self._own = frozenset(own)
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._on_change: list[Callable[[], None]] = []

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after an origin was allowed or revoked."""
        self._on_change.append(listener)

    def rows(self) -> list[dict[str, Any]]:
        """Return the origins as `{origin, addresses, since}`, with ISO 8601 times, oldest first."""
        return [
            {
                "origin": origin,
                "addresses": row["addresses"],
                "since": datetime.fromtimestamp(row["since"], UTC).isoformat(timespec="seconds"),
            }
            for origin, row in sorted(self._rows().items(), key=lambda each: each[1]["since"])
        ]

    def has(self, origin: str) -> bool:
        """Return whether the user has allowed an origin, at whatever addresses."""
        return origin in self._rows()

    def permits(self, target: Target, addresses: Sequence[Address]) -> bool:
        """Return whether the user has allowed the target's origin with all of these addresses."""
        row = self._rows().get(target.origin)
        return row is not None and {str(each) for each in addresses} <= set(row["addresses"])

    def permits_connection(self, host: str, port: int, address: Address) -> bool:
        """Return whether one of the origins of a host and port is allowed with this address."""
        for origin, row in self._rows().items():
            target = parse(f"{origin}/", local=True)
            if (target.host, target.port) == (host, port) and str(address) in row["addresses"]:
                return True
        return False

    def is_companion(self, port: int) -> bool:
        """Return whether a port of this machine is this companion's, or another one's of this user."""
        return port in self._own or (runtime_folder() / f"companion-{port}.json").exists()

    def asking(self, origin: str) -> asyncio.Lock:
        """Return the lock of an origin's question, so that one question waits for all of its requests."""
        return self._asking.setdefault(origin, asyncio.Lock())

    def allow(self, target: Target, addresses: Sequence[Address]) -> None:
        """Save the user's answer.

        Raises:
            FolderUnusable: The file can't be written.
        """
        row: PrivateOrigin = {"addresses": [str(each) for each in addresses], "since": time.time()}
        if self._file is None:
            self._memory[target.origin] = row
        else:
            self._file.set(target.origin, row)
        self._changed()

    def revoke(self, origin: str) -> bool:
        """Revoke an origin; return whether it was allowed.

        Raises:
            FolderUnusable: The file can't be written.
        """
        in_memory = self._memory.pop(origin, None) is not None
        revoked = in_memory if self._file is None else self._file.delete(origin)
        self._changed()
        return revoked

    def _rows(self) -> Mapping[str, PrivateOrigin]:
        return self._memory if self._file is None else self._file.read()

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()
