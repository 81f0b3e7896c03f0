"""What agents may read of the open pages without calling a tool."""

import json

from gemini.core.events import Event, EventLog
from gemini.dom.browser import Browser
from gemini.dom.events import TabChanged, TabClosed
from gemini.tools.resources import Resource, Resources

CURRENT_PAGE = "dom://current-page"
TABS = "tabs://list"


def offer_pages(resources: Resources, browser: Browser, events: EventLog) -> None:
    """Offer the page in front, and the list of tabs, as JSON; say so when one of them changes."""

    async def page() -> str:
        # Who reads it takes nothing from what is new to the agent.
        return json.dumps(await browser.active.snapshot(peek=True), ensure_ascii=False)

    async def tabs() -> str:
        return json.dumps(browser.rows(), ensure_ascii=False)

    told = (
        (CURRENT_PAGE, "Current page", "What can be acted on in the active tab", page),
        (TABS, "Tabs", "The open tabs", tabs),
    )
    for uri, name, about, read in told:
        resources.add(Resource(uri, name, about, "application/json", read))

    def follow(_: int, event: Event) -> None:
        if isinstance(event, (TabChanged, TabClosed)):
            resources.updated(TABS)
            resources.updated(CURRENT_PAGE)

    events.subscribe(follow)
