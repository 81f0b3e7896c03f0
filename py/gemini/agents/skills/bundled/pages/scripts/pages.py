"""Act on the page in your tab by what is visible. Each function raises a PageProblem (gemini.errors) if it fails."""

import asyncio
import re
import time
from typing import Any, Literal

import gemini
from gemini.errors import InvalidArguments, NotFound, TimedOut

Direction = Literal["left", "right", "up", "down"]
PAUSE_S = 0.4
MOST_CHARS = 200_000
SHOWN = 8
DIRECTIONS: dict[str, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


async def tap(label: str, role: str = "", nth: int = 1) -> dict[str, Any]:
    """Press what has this name or text, and return what changed.

    Args:
        label: The name or text, or a part of it.
        role: An ARIA role, such as `button` or `link`.
        nth: Which one, from 1, if there are several with exactly this name.
    """
    return dict(await _tab().click(ref=await _find(label, role, nth)))


async def swipe(direction: Direction, on: str = "", share: float = 0.6) -> dict[str, Any]:
    """Drag by a share of the viewport, from the element with the label `on`, or from the middle."""
    if direction not in DIRECTIONS:
        raise InvalidArguments(f"{direction!r} is no direction", hint="Pass left, right, up or down.")
    tab = _tab()
    viewport = (await tab.snapshot(peek=True, elements=False))["viewport"]
    right, down = DIRECTIONS[direction]
    by = {"dx": right * share * viewport["width"], "dy": down * share * viewport["height"]}
    if on:
        return dict(await tab.drag(ref=await _find(on, "", 1), hold=0, **by))
    middle = {"x": viewport["width"] / 2, "y": viewport["height"] / 2}
    # Begin at the side that the swipe comes from, so that it stays in the viewport.
    start = {"x": middle["x"] - by["dx"] / 2, "y": middle["y"] - by["dy"] / 2}
    return dict(await tab.drag(hold=0, **start, **by))


async def back(steps: int = 1) -> str:
    """Go back in the tab's history, and return the address."""
    for _ in range(steps):
        await gemini.browser.go(-1)
    return _tab().url


async def forward(steps: int = 1) -> str:
    """Go forward in the tab's history, and return the address."""
    for _ in range(steps):
        await gemini.browser.go(1)
    return _tab().url


async def scroll_to(text: str, most: int = 30) -> int:
    """Scroll down until a text is in view, and return how often that took. Feeds have time to load more."""
    tab = _tab()
    for times in range(most + 1):
        found = await tab.ask("find", text=text, limit=1)
        if found["matches"]:
            ref = found["matches"][0]["ref"]
            # An action scrolls its element into view.
            await tab.hover(ref=ref)
            return times
        before = await read()
        answer = await tab.scroll("down")
        if answer.get("at_end") and not await _grows(before):
            break
    raise NotFound(f"the page has no text {text!r}", hint="Look at the page by browser_snapshot.")


async def watch(pattern: str, timeout_s: float = 60, *, gone: bool = False) -> str:
    """Wait until the page's text matches a regular expression, or with `gone` no longer does; return the match."""
    ends = time.monotonic() + timeout_s
    while True:
        match = re.search(pattern, await read())
        if (match is None) is gone:
            return "" if match is None else match[0]
        if time.monotonic() >= ends:
            raise TimedOut(f"after {timeout_s:g} s, {pattern!r} is {'still' if gone else 'not'} on the page")
        await asyncio.sleep(PAUSE_S)


async def changes(timeout_s: float = 60) -> list[str]:
    """Wait until the page's text changes, and return the lines that are new."""
    before, ends = await read(), time.monotonic() + timeout_s
    while (now := await read()) == before:
        if time.monotonic() >= ends:
            raise TimedOut(f"after {timeout_s:g} s, the page's text is the same")
        await asyncio.sleep(PAUSE_S)
    known = set(before.splitlines())
    return [line for line in now.splitlines() if line not in known]


async def read() -> str:
    """Return the page's text as Markdown."""
    return (await _tab().text(max_chars=MOST_CHARS))["text"]


def _tab() -> Any:
    return gemini.browser.tab_to_use()


async def _grows(before: str) -> bool:
    """Return whether a feed loads more within a moment."""
    for _ in range(5):
        await asyncio.sleep(PAUSE_S)
        if await read() != before:
            return True
    return False


async def _find(label: str, role: str, nth: int) -> str:
    answer = await _tab().ask("find", text=label, role=role or None, limit=50)
    matches: list[dict[str, Any]] = answer["matches"]
    exact = [match for match in matches if match["text"].strip().casefold() == label.strip().casefold()]
    # What can be pressed comes before the text in it.
    exact.sort(key=lambda match: match["role"] in ("generic", "none", "text"))
    found = exact or matches
    if not found:
        raise NotFound(
            f"nothing on the page is named {label!r}", hint="Look at the page by browser_snapshot."
        )
    if not exact and len(found) > 1 and nth == 1:
        names = ", ".join(f"{match['role']} {match['text']!r}" for match in found[:SHOWN])
        raise NotFound(f"{len(found)} elements contain {label!r}", hint=f"Name one of: {names}.")
    if len(found) < nth:
        raise NotFound(f"only {len(found)} elements are named {label!r}")
    return str(found[nth - 1]["ref"])
