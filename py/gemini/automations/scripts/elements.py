"""Find an element in the page of the running agent by role and name, as the snapshot has them."""

import asyncio
import time
from typing import Any

from gemini.automations.scripts.steps import Element
from gemini.errors import NotFound, PageGone
from gemini.pages.tabs.browser import Browser

# As long as an action waits for its element.
WAIT_S = 5.0
PAUSE_S = 0.2
MOST = 500
# Snapshots cut longer names, and end them like this.
CUT = "…"


async def find(browser: Browser, element: Element, wait_s: float = WAIT_S) -> str:
    """Return the ref of an element in the tab that the running code uses, after waiting for it if necessary.

    Raises:
        NotFound: There is no such element.
        PageProblem: The page can't be read.
    """
    if not element.name:
        raise NotFound(
            "the run that was saved had no name for this element",
            hint="Write into the file which element it is: element(role, name).",
        )
    ends = time.monotonic() + wait_s
    while True:
        matches = await _matches(browser, element)
        if len(matches) >= element.nth:
            return str(matches[element.nth - 1]["ref"])
        if time.monotonic() >= ends:
            raise NotFound(
                f"the page has no {element}",
                hint="Look at the page: the element may have another name now, or be on another page.",
                data={"role": element.role, "name": element.name, "found": len(matches)},
            )
        await asyncio.sleep(PAUSE_S)


async def _matches(browser: Browser, element: Element) -> list[dict[str, Any]]:
    start = element.name.removesuffix(CUT)
    try:
        answer = await browser.tab().ask("find", text=start, role=element.role or None, limit=MOST)
    except PageGone:
        # The page is being replaced by the next one.
        return []
    found: list[dict[str, Any]] = answer["matches"]
    is_cut = start != element.name
    return [
        match
        for match in found
        if _plain(match["text"]) == _plain(element.name)
        or (is_cut and _plain(match["text"]).startswith(_plain(start)))
    ]


def _plain(text: str) -> str:
    return " ".join(text.split())
