"""The actions of the browser panel. They run as tools, but only the user can call them."""

from collections.abc import Callable
from functools import partial

from typing_extensions import TypedDict

from gemini import tools
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.live_pages import LivePages
from gemini.tools import Effect

declare = partial(tools.declare, group="dom")


class Previewed(TypedDict):
    """The tab that shows the page, and the page's title."""

    tab: str
    title: str


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class PanelBrowserTools:
    """The browser panel's actions.

    Args:
        browser: The tabs.
        live: Shows pages that follow their files.
        follow: Applies and saves whether agents' tabs come to the front.
    """

    def __init__(self, browser: Browser, live: LivePages, follow: Callable[[bool], None]) -> None:
        self._browser = browser
        self._live = live
        self._follow = follow

    @declare(effect=Effect.WRITE, person_only=True, action="take_tab")
    def panel_take_tab(self, tab: str) -> Done:
        """Make an agent's tab the user's. The agent's next page opens in another."""
        self._browser.take(tab)
        return {"success": True}

    @declare(effect=Effect.WRITE, person_only=True, action="follow_agents")
    def panel_follow_agents(self, follow: bool) -> Done:
        """Set whether the tab in which an agent opens a page comes to the front."""
        self._follow(follow)
        return {"success": True}

    @declare(effect=Effect.WRITE, untrusted=True, person_only=True, action="preview_page")
    async def panel_preview(self, path: str) -> Previewed:
        """Show a page of files, which reloads when one of its files changes."""
        tab = await self._live.show(path)
        return {"tab": tab.id, "title": tab.title}
