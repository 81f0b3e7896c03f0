"""What agents may read of the open pages without calling a tool."""

import json

from gemini.dom.browser import Browser
from gemini.tools.resources import Resource


def page_resources(browser: Browser) -> list[Resource]:
    """The page in front, and the list of tabs, as JSON."""

    async def page() -> str:
        # Who reads it takes nothing from what is new to the agent.
        return json.dumps(await browser.active.snapshot(peek=True), ensure_ascii=False)

    async def tabs() -> str:
        return json.dumps(browser.rows(), ensure_ascii=False)

    told = (
        ("dom://current-page", "Current page", "What can be acted on in the active tab", page),
        ("tabs://list", "Tabs", "The open tabs", tabs),
    )
    return [Resource(uri, name, about, "application/json", read) for uri, name, about, read in told]
