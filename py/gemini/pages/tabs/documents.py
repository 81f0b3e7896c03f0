"""Send requests to the page's documents: the surface's own, and its tabs'.

The page serves JSON-RPC on a MessagePort (web/ui/panels/browser/frames.ts). `ask` forwards a request to the page script
of a document (web/page); docs/page.md lists its methods and errors.
"""

from typing import Any, Literal, cast

from typing_extensions import TypedDict

from gemini.core.protocol import Connection, Params, remote_error
from gemini.errors import PageFailure, ProtocolError
from gemini.pages.tabs.results import Framing, TabDownload
from gemini.pages.tabs.tab_owner import TabOwner
from gemini.tools.calls import current_call
from gemini.tools.consent import RequestContext, request_context

Kind = Literal["file", "server", "same", "other"]
"""The target of an address: a file, a server in the page, the surface's own origin, or another origin."""


class Place(TypedDict):
    """The URL of a site's `/`, with a trailing slash, and the directory that the site serves.

    For a server in the page, `root` is its address, such as `http://localhost:8000`.
    """

    url: str
    root: str


class Document(TypedDict, total=False):
    """The page's report on a document. `why` says why it can't be read; `site` is None if it isn't a file.

    `tools` has the names of the tools that it offers. `framing` is None for a page that may be shown in a tab.
    `owner` and `live` come from an earlier kernel's tab.
    """

    tab: str
    url: str
    title: str
    loading: bool
    readable: bool
    why: str | None
    framing: Framing | None
    site: Place | None
    tools: list[str]
    downloads: list[TabDownload]
    owner: TabOwner | None
    live: bool


def shown_url(url: str, site: Place | None) -> str:
    """Return the URL of a document; for a server in the page, its own address instead of its site's."""
    if site is None or site["root"].startswith("/"):
        return url
    return url.replace(site["url"], f"{site['root']}/", 1)


class Opened(TypedDict):
    """The state when Python connects: the surface's document, the tabs of an earlier kernel, and the active one."""

    origin: str
    page: Document
    tabs: list[Document]
    shown: str


class Site(Place):
    """A place of a site. `own_origin` is False if the site shares the surface's origin."""

    own_origin: bool


class Documents:
    """The page's documents. Errors of the page are raised as errors of this package.

    Args:
        connection: The connection to the page.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def ask(self, tab: str, method: str, params: Params) -> Any:
        """Call a method of a document's page script.

        Raises:
            GeminiError: The page reported an error; it names the class.
        """
        return await self._request("ask", {"tab": tab, "method": method, "params": params, **_context()})

    async def open(self, tab: str, url: str) -> Document:
        """Open a URL in a tab, which is created if it is missing, and wait until it has loaded.

        Raises:
            Refused: The user refused another origin, or code on the surface's own origin.
        """
        return cast(Document, await self._request("open", {"tab": tab, "url": url, **_context()}))

    async def consent(self, words: RequestContext) -> None:
        """Ask the user for consent, as a courtesy.

        Raises:
            Refused: The user refused, or no user is present.
        """
        await self._request("consent", {"words": words})

    async def open_file(self, tab: str, root: str, path: str) -> Document:
        """Open a file of the site `root`; `path` is percent-encoded and may have a query and a fragment."""
        return cast(
            Document, await self._request("openFile", {"tab": tab, "root": root, "path": path, **_context()})
        )

    async def open_server(self, tab: str, port: int, path: str) -> Document:
        """Open a page of a server in the page; `path` is percent-encoded and may have a query and a fragment.

        Raises:
            Unsupported: The host has no origins for such pages.
        """
        return cast(Document, await self._request("openServer", {"tab": tab, "port": port, "path": path}))

    async def close(self, tab: str) -> None:
        """Close a tab."""
        await self._request("close", {"tab": tab})

    async def opened(self) -> Opened:
        """Return the documents that are already open."""
        return cast(Opened, await self._request("opened", {}))

    async def site(self, root: str) -> Site:
        """Return the site that would serve a directory."""
        return cast(Site, await self._request("site", {"root": root}))

    async def ask_model(self, method: str, params: Params) -> Any:
        """Call a method of the browser's built-in language model; gemini.models.providers.builtin lists them."""
        return await self._request("model", {"method": method, "params": params})

    async def ask_owner(self, method: str, params: Params) -> Any:
        """Call a method of the page's owner of a power, such as `screen`, which asks the user.

        Raises:
            Refused: The user refused, or no user is present.
        """
        return await self._request(method, {**params, **_context()})

    async def _request(self, method: str, params: Params) -> Any:
        try:
            return await self._connection.request(method, params)
        except ProtocolError as error:
            raise remote_error(error, PageFailure) from error


def _context() -> Params:
    """Return the context of the current call, which the consent dialog shows."""
    words = request_context(current_call())
    return {"words": words} if words else {}
