"""The sites and servers that tabs have shown, by which addresses are understood."""

from collections.abc import Callable, Iterable
from typing import Protocol
from urllib.parse import quote

from gemini.errors import PageUnreachable
from gemini.pages.tabs import addresses
from gemini.pages.tabs.addresses import Address
from gemini.pages.tabs.documents import Document
from gemini.pages.tabs.sites import Location
from gemini.pages.tabs.tab import Tab


class FileSites(Protocol):
    """The directories that tabs show as websites (sites.py)."""

    def find(self, path: str) -> Location:
        """Return the location of a file, or of a directory's index.html.

        Raises:
            FileProblem: There is no such page.
        """
        ...

    def open(self, tab: str, root: str) -> None:
        """Serve a directory while the tab shows it."""
        ...

    def close(self, tab: str) -> None:
        """Stop serving the directory that a tab shows."""
        ...

    def root_containing(self, path: str, tab: str, roots: Iterable[str]) -> str | None:
        """Return the root that contains a path: the tab's, else the innermost."""
        ...


class Places:
    """The sites and servers that tabs have shown.

    Args:
        sites: Serves files as pages.
        resolve: Returns the absolute form of a caller's path.
        listens: Returns whether a server in the page listens at a port.
    """

    def __init__(
        self, sites: FileSites, resolve: Callable[[str], str], listens: Callable[[int], bool]
    ) -> None:
        self._sites = sites
        self._resolve = resolve
        self._listens = listens
        self._site_roots: dict[str, set[str]] = {}
        """The directories that each site has served, by the URL of its `/`."""
        self._servers: set[str] = set()
        """The servers in the page that tabs have shown, such as `http://localhost:8000`."""

    def update(self, tab: Tab, document: Document) -> None:
        """Update a tab and the site that it shows from the page's report."""
        tab.update(document)
        site = document.get("site")
        if site is not None and not site["root"].startswith("/"):
            self._servers.add(site["root"])
            self._sites.close(tab.id)
        elif site is not None:
            self._site_roots.setdefault(site["url"], set()).add(site["root"])
            self._sites.open(tab.id, site["root"])
        elif "site" in document:
            self._sites.close(tab.id)

    def parse(self, url: str, origin: str, *, again: bool = False) -> Address:
        """Parse an address; one that was shown before (`again`) still means its server if that has stopped."""
        shown = self._servers if again else ()
        return addresses.parse(
            url,
            origin=origin,
            sites=self._site_roots,
            resolve=self._resolve,
            serves=lambda port: self._listens(port) or f"http://localhost:{port}" in shown,
        )

    def require_running(self, address: Address) -> None:
        """Check that an address isn't the one of a server in the page that has ended.

        Raises:
            PageUnreachable: It is.
        """
        port = addresses.loopback_port(address.where) if address.kind == "other" else None
        if port is not None and f"http://localhost:{port}" in self._servers:
            raise PageUnreachable(
                f"nothing listens on port {port} any more: the server in the page has ended",
                hint="Start it again in a terminal.",
                data={"url": address.where},
            )

    def locate(self, tab: Tab, address: Address) -> Location:
        """Return the location of a file that a tab has shown; the file may be deleted by now."""
        roots = [root for roots in self._site_roots.values() for root in roots]
        root = self._sites.root_containing(address.where, tab.id, roots)
        return Location(root, quote(address.where)) if root else self._sites.find(address.where)

    def is_elsewhere(self, tab: Tab, url: str | None) -> bool:
        """Return whether a step leads to a site that the tab has left; only the surface can reopen it."""
        places = [*self._site_roots, *(f"{server}/" for server in self._servers)]
        site = next((each for each in places if url is not None and url.startswith(each)), None)
        return site is not None and not tab.url.startswith(site)
