"""The URLs that the door accepts: in one spelling only, so that the user reads the same URL that is fetched."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from gemini_companion.network.errors import AddressRefused

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# A question shows the full URL.
LONGEST_URL = 8 * 1024
LONGEST_HOST, LONGEST_LABEL = 253, 63
DEFAULT_PORTS = {"http": 80, "https": 443}

# As browsers write URLs: visible ASCII without quotes, angle brackets, backslashes and fragments.
URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[1-9]\d{0,4}))?"
    r"(?P<target>/[!$-;=?-\[\]-~]*)"
)
# Browsers resolve these before they send a URL, and servers do it after the user has read it.
DOTS = re.compile(r"/(\.|%2e){1,2}(?=/|\?|$)", re.IGNORECASE)
UNQUOTED = "!$%&'()*+,-./:;=?@[]_|~^`{}"
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?")
# Browsers treat a name that ends like this as an IPv4 address, in any notation.
NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
# https://fetch.spec.whatwg.org/#port-blocking: servers of other protocols could misread a request as their own.
BLOCKED_PORTS = frozenset(
    [
        1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69,
        77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119,
        123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526,
        530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995,
        1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666,
        6667, 6668, 6669, 6679, 6697, 10080,
    ]
)  # fmt: skip
# Names of nearby machines, and names that clouds give their own services.
LOCAL_SUFFIXES = (
    "localhost", "local", "localdomain", "internal", "intranet", "private", "lan", "home", "corp", "home.arpa",
)  # fmt: skip

ELSEWHERE = "Use a host terminal, or a host on the internet."


@dataclass(frozen=True)
class Target:
    """The parts of a URL.

    Attributes:
        host: A name, or an IP address without brackets.
        address: The address, if the host is one.
        target: Path and query.
    """

    url: str
    scheme: str
    host: str
    port: int
    target: str
    address: Address | None = None

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """The origin, such as `https://example.com`."""
        return f"{self.scheme}://{self.authority}"

    @property
    def is_loopback(self) -> bool:
        """True where the host names this computer without a lookup."""
        if self.address is not None:
            return self.address.is_loopback
        return self.host == "localhost" or self.host.endswith(".localhost")

    @property
    def query(self) -> str:
        """The query, without its question mark."""
        return self.target.partition("?")[2]


def parse(url: str, *, local: bool = False) -> Target:
    """Split a URL into its parts.

    Args:
        url: The URL.
        local: Whether its host may have a name of this machine or its network.

    Raises:
        AddressRefused: It isn't an http or https URL as browsers spell it, or its port belongs to another protocol.
    """
    if len(url) > LONGEST_URL:
        raise AddressRefused(
            f"the URL has {len(url):,} characters, more than {LONGEST_URL:,}",
            hint="Send long data in the body of a POST.",
        )
    match = URL.fullmatch(url)
    if match is None:
        raise AddressRefused(
            f"{url[:200]!r} isn't a URL that can be fetched",
            hint="Use http: or https:, no user name or password, and percent-encode special characters.",
        )
    if DOTS.search(match["target"].partition("?")[0]):
        raise AddressRefused(
            f"{url[:200]!r} has '.' or '..' in its path", hint="Write the path that they lead to."
        )
    scheme = match["scheme"]
    port = int(match["port"] or DEFAULT_PORTS[scheme])
    if port > 0xFFFF or port in BLOCKED_PORTS:
        raise AddressRefused(f"port {port} isn't for web servers", hint="Use a web server's port.")
    host = match["host"]
    address = _address(host)
    if address is None:
        _require_name(host, local=local)
    target = Target(url, scheme, host.strip("[]"), port, match["target"], address)
    if target.origin + target.target != url:
        raise AddressRefused(f"{url[:200]!r} names its default port", hint="Omit the port.")
    return target


def redirected(base: str, location: str, *, local: bool = False) -> Target:
    """Return the target of a redirect, whose URL servers may spell differently.

    Raises:
        AddressRefused: As in `parse`.
    """
    parts = urlsplit(urljoin(base, location))
    host, port = parts.netloc.lower(), DEFAULT_PORTS.get(parts.scheme)
    host = host.removesuffix(f":{port}")
    path = quote(parts.path or "/", safe=UNQUOTED)
    query = f"?{quote(parts.query, safe=UNQUOTED)}" if parts.query else ""
    return parse(f"{parts.scheme}://{host}{path}{query}", local=local)


def _address(host: str) -> Address | None:
    try:
        if host.startswith("["):
            return ipaddress.IPv6Address(host.strip("[]"))
        if not NUMBER.fullmatch(host.rpartition(".")[2]):
            return None
        # It accepts only four decimal numbers without leading zeros.
        return ipaddress.IPv4Address(host)
    except ValueError:
        raise AddressRefused(
            f"{host!r} is an IP address in an unusual spelling", hint="Write four decimal numbers, or a name."
        ) from None


def _require_name(host: str, *, local: bool) -> None:
    labels = host.split(".")
    well_formed = all(len(each) <= LONGEST_LABEL and LABEL.fullmatch(each) for each in labels)
    if len(host) > LONGEST_HOST or not well_formed:
        raise AddressRefused(f"{host[:80]!r} isn't a valid host name", hint="Check the spelling.")
    is_local = len(labels) == 1 or any(host == each or host.endswith(f".{each}") for each in LOCAL_SUFFIXES)
    if is_local and not local:
        raise AddressRefused(
            f"{host!r} is a name on this machine or its network, which isn't reached this way", hint=ELSEWHERE
        )
