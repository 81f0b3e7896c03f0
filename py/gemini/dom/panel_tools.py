"""The actions of the browser panel. They run as tools, but only the user can call them."""

from typing_extensions import TypedDict

from gemini.dom.live_pages import LivePages
from gemini.tools import Effect, declare


class Previewed(TypedDict):
    """The tab that shows the page, and the page's title."""

    tab: str
    title: str


class PanelBrowserTools:
    """The browser panel's actions.

    Args:
        live: Shows pages that follow their files.
    """

    def __init__(self, live: LivePages) -> None:
        self._live = live

    @declare(effect=Effect.WRITE, untrusted=True, person_only=True, action="preview_page")
    async def panel_preview(self, path: str) -> Previewed:
        """Show a page of files, which reloads when one of its files changes."""
        tab = await self._live.show(path)
        return {"tab": tab.id, "title": tab.title}
