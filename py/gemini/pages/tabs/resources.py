"""The open pages as resources, which agents can read without a tool call."""

import json

from gemini.core.events import Event, EventLog
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.events import TabChanged, TabClosed
from gemini.tools.resources import Resource, Resources

CURRENT_PAGE = "dom://current-page"
TABS = "tabs://list"


def offer_pages(resources: Resources, browser: Browser, events: EventLog) -> None:
    """Add the active page and the list of tabs as JSON resources, and report their changes."""

    async def page() -> str:
        # A peek doesn't mark elements as seen for the agent's next snapshot.
        return json.dumps(await browser.active.snapshot(peek=True), ensure_ascii=False)

    async def tabs() -> str:
        return json.dumps(browser.rows(), ensure_ascii=False)

    offered = (
        (CURRENT_PAGE, "Current page", "The elements of the active tab that can be acted on", page),
        (TABS, "Tabs", "The open tabs", tabs),
    )
    for uri, name, about, read in offered:
        resources.add(Resource(uri, name, about, "application/json", read))

    def follow(_: int, event: Event) -> None:
        if isinstance(event, (TabChanged, TabClosed)):
            resources.updated(TABS)
            resources.updated(CURRENT_PAGE)

    events.subscribe(follow)
