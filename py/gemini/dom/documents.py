"""The wire to the documents of the page: the surface's own, and those of its tabs.

The page serves JSON-RPC on a MessagePort (web/ui/browser/frames.js). `ask` passes a request on to the page script of
one document (web/page), whose methods and errors docs/page.md lists.
"""

from typing import Any, Literal, cast

from typing_extensions import TypedDict

from gemini.core.protocol import Connection, Params, told_error
from gemini.errors import PageFailure, ProtocolError
from gemini.tools.calls import current_call
from gemini.tools.consent import RequestContext, request_context

Kind = Literal["file", "same", "other"]
"""What an address means: a file of the surface, a page of its own origin, or one of another."""

# Methods of the page script that need no consent, and so no words for it.
READING = {"snapshot", "text", "screenshot", "console", "about", "waitFor"}


class Place(TypedDict):
    """Where a site is: the URL of its `/`, with a slash at its end, and the directory that it shows."""

    url: str
    root: str


class Document(TypedDict, total=False):
    """What the page tells of a document. `why` says why it can't be read; `site` is None for what is no file."""

    tab: str
    url: str
    title: str
    loading: bool
    readable: bool
    why: str | None
    site: Place | None


class Opened(TypedDict):
    """What is there when Python connects: the surface's own document, tabs of an earlier kernel, the one in front."""

    origin: str
    page: Document
    tabs: list[Document]
    shown: str


class Site(Place):
    """`own_origin` is False where a site has the surface's own origin."""

    own_origin: bool


class Documents:
    """Requests to the page, with its errors as this package's.

    Args:
        connection: Its other end is the page.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def ask(self, tab: str, method: str, params: Params) -> Any:
        """Call a method of a document's page script.

        Raises:
            GeminiError: of the class that the page names.
        """
        asked = {"tab": tab, "method": method, "params": params}
        return await self._request("ask", asked if method in READING else {**asked, **_words()})

    async def open(self, tab: str, url: str) -> Document:
        """Show a document in a tab, which is made if it isn't there; answers when it has loaded.

        Raises:
            Refused: The person doesn't want another origin, or code on the surface's own one.
        """
        return cast(Document, await self._request("open", {"tab": tab, "url": url, **_words()}))

    async def consent(self, words: RequestContext) -> None:
        """Ask the person, as a courtesy.

        Raises:
            Refused: they said no, or nobody is there to ask.
        """
        await self._request("consent", {"words": words})

    async def open_file(self, tab: str, root: str, path: str) -> Document:
        """Show a file of the site `root`; `path` is percent-encoded and may have a query and a fragment."""
        return cast(
            Document, await self._request("openFile", {"tab": tab, "root": root, "path": path, **_words()})
        )

    async def close(self, tab: str) -> None:
        await self._request("close", {"tab": tab})

    async def opened(self) -> Opened:
        return cast(Opened, await self._request("opened", {}))

    async def site(self, root: str) -> Site:
        """Return where the site would be that shows a directory."""
        return cast(Site, await self._request("site", {"root": root}))

    async def ask_model(self, method: str, params: Params) -> Any:
        """Call a method of the browser's own language model, as gemini.models.builtin lists them."""
        return await self._request("model", {"method": method, "params": params})

    async def _request(self, method: str, params: Params) -> Any:
        try:
            return await self._connection.request(method, params)
        except ProtocolError as error:
            raise told_error(error, PageFailure) from error


def _words() -> Params:
    """What Python says about a request, in case that the person is asked."""
    words = request_context(current_call())
    return {"words": words} if words else {}
