"""Decides which addresses the door reaches: those of the internet, none of this machine or the networks around it."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import httpcore2

from gemini_companion.network.errors import AddressRefused, HostUnknown
from gemini_companion.network.private_origins import PrivateOrigins, is_private
from gemini_companion.network.targets import ELSEWHERE, Address, Target

Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]

# Global unicast. Everything outside is local, reserved, or an IPv4 address in disguise.
UNICAST = ipaddress.IPv6Network("2000::/3")
# IPv4 addresses through a translator, as on networks with IPv6 only.
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
# Networks that some versions of Python's table treat as global.
REFUSED = (
    # Protocol assignments, where clouds run their own services.
    ipaddress.ip_network("192.0.0.0/24"),
    ipaddress.ip_network("168.63.129.16/32"),
    # Relays of 6to4, and its addresses; Teredo and other tunnels; documentation.
    ipaddress.ip_network("192.88.99.0/24"),
    ipaddress.ip_network("2002::/16"),
    ipaddress.ip_network("2001::/23"),
    ipaddress.ip_network("3fff::/20"),
)
LARGEST_IPV4 = 0xFFFFFFFF


def is_public(address: Address) -> bool:
    """Return whether an address is publicly reachable on the internet."""
    if address.version == 6 and address in TRANSLATED:
        return is_public(ipaddress.IPv4Address(int(address) & LARGEST_IPV4))
    unicast = address.version == 4 or address in UNICAST
    special = address.is_multicast or address.is_reserved or any(address in network for network in REFUSED)
    return unicast and address.is_global and not special


def is_of_this_machine(address: Address) -> bool:
    """Return whether an interface of this machine has the address, even if it is public."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.bind((str(address), 0))
    except OSError:
        return False
    return True


async def resolve(host: str, port: int) -> Sequence[Address]:
    """Return a name's addresses from the system's resolver, best first.

    Raises:
        OSError: It has none.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    # An address with a scope, fe80::1%eth0, is link-local.
    addresses = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    return list(dict.fromkeys(addresses))


@dataclass(frozen=True)
class Reach:
    """The addresses that the door connects to.

    Attributes:
        resolve: Returns a name's addresses.
        also: Addresses with ports that may be reached although they aren't public.
        private: The origins at private addresses that the user allows; None if they can't.
    """

    resolve: Resolve = resolve
    also: Collection[tuple[str, int]] = field(default_factory=frozenset[tuple[str, int]])
    private: PrivateOrigins | None = None

    def require_possible(self, target: Target) -> None:
        """Check the URL alone, before the user is asked: no name is looked up.

        Raises:
            AddressRefused: It has an address that may not be reached.
        """
        if target.address is not None and not self._is_allowable(target.address, target.port):
            self._require(target.host, target.address, target.port)

    async def private_addresses(self, target: Target) -> Sequence[Address]:
        """Return the target's addresses if they are private, and the user may allow them; else none.

        Raises:
            HostUnknown: The name has none.
            AddressRefused: One of them may not be reached, whatever the user says.
        """
        found = await self._find(target.host, target.port)
        private = [each for each in found if not self._is_reachable(each, target.port)]
        if len(private) == len(found) and all(self._is_allowable(each, target.port) for each in found):
            return found
        # DNS rebinding mixes a private address with public ones.
        for address in private:
            raise _refusal(target.host, address)
        return []

    async def addresses(self, host: str, port: int) -> Sequence[Address]:
        """Return the addresses to connect to.

        Raises:
            HostUnknown: The name has none.
            AddressRefused: One of them may not be reached.
        """
        found = await self._find(host, port)
        # DNS rebinding mixes a private address with public ones.
        for address in found:
            self._require(host, address, port)
        return found

    async def _find(self, host: str, port: int) -> Sequence[Address]:
        try:
            return [ipaddress.ip_address(host)]
        except ValueError:
            return await self._look_up(host, port)

    async def _look_up(self, host: str, port: int) -> Sequence[Address]:
        unknown = HostUnknown(f"the name {host!r} has no address", hint="Check the name and the network.")
        try:
            found = await self.resolve(host, port)
        except OSError:
            raise unknown from None
        if not found:
            raise unknown
        return found

    def _require(self, host: str, address: Address, port: int) -> None:
        allowable = self._is_allowable(address, port)
        if allowable and self.private is not None and self.private.permits_connection(host, port, address):
            return
        if not self._is_reachable(address, port):
            raise _refusal(host, address)

    def _is_reachable(self, address: Address, port: int) -> bool:
        """Return whether an address may be reached without the user's answer for private ones."""
        return (str(address), port) in self.also or (is_public(address) and not is_of_this_machine(address))

    def _is_allowable(self, address: Address, port: int) -> bool:
        """Return whether the user may allow an address that isn't public."""
        if self.private is None:
            return False
        ours = is_of_this_machine(address)
        if ours and self.private.is_companion(port):
            return False
        return is_private(address) or (ours and is_public(address))


def _refusal(host: str, address: Address) -> AddressRefused:
    named = repr(host) if host == str(address) else f"{host!r} leads to {address}, which"
    return AddressRefused(
        f"{named} is a private address, a reserved one or a cloud's service, which isn't reached this way",
        hint=ELSEWHERE,
    )


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to the addresses that `Reach` allows, which it looks up once for each connection.

    Args:
        reach: The addresses that may be reached.
    """

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._backend = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first of the name's allowed addresses that accepts.

        Raises:
            NetworkProblem: An address may not be reached, or the name has none.
        """
        problem: Exception = httpcore2.ConnectTimeout()
        try:
            async with asyncio.timeout(timeout):
                for address in await self._reach.addresses(host, port):
                    try:
                        return await self._backend.connect_tcp(
                            str(address), port, None, local_address, socket_options
                        )
                    except httpcore2.ConnectError as error:
                        problem = error
        except TimeoutError:
            raise httpcore2.ConnectTimeout from None
        raise problem
