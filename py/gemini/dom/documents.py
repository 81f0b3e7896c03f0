"""The wire to the documents of the page: the surface's own, and those of its tabs.

The page serves JSON-RPC on a MessagePort (web/ui/browser/frames.js). `ask` passes a request on to the page script of
one document (web/page), whose methods and errors docs/page.md lists.
"""

from typing import Any, Literal, TypedDict, cast

from gemini.errors import PageFailure, ProtocolError
from gemini.protocol import Connection, Params, told_error

Kind = Literal["file", "same", "other"]
"""Where a document comes from: a file of the surface, the surface's own origin, or another one."""


class Document(TypedDict, total=False):
    """What the page tells of a document. `why` says why it can't be read, where it can't."""

    tab: str
    url: str
    title: str
    loading: bool
    readable: bool
    why: str | None


class Opened(TypedDict):
    """What is there when Python connects: the surface's own document, tabs of an earlier kernel, the one in front."""

    origin: str
    page: Document
    tabs: list[Document]
    shown: str


class Sites(TypedDict):
    """Where files are shown from. `own_origin` is False where that is the surface's own origin."""

    url: str
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
        return await self._request("ask", {"tab": tab, "method": method, "params": params})

    async def open(self, tab: str, url: str, kind: Kind) -> Document:
        """Show a document in a tab, which is made if it isn't there; answers when it has loaded."""
        return cast(Document, await self._request("open", {"tab": tab, "url": url, "kind": kind}))

    async def close(self, tab: str) -> None:
        await self._request("close", {"tab": tab})

    async def opened(self) -> Opened:
        return cast(Opened, await self._request("opened", {}))

    async def sites(self) -> Sites:
        return cast(Sites, await self._request("sites", {}))

    async def ask_model(self, method: str, params: Params) -> Any:
        """Call a method of the browser's own language model, as gemini.models.builtin lists them."""
        return await self._request("model", {"method": method, "params": params})

    async def _request(self, method: str, params: Params) -> Any:
        try:
            return await self._connection.request(method, params)
        except ProtocolError as error:
            raise told_error(error, PageFailure) from error
