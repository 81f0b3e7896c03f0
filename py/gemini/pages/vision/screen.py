"""The screen, window or tab that the user shares with the surface. The page owns this power, and asks the user."""

from collections.abc import Awaitable, Callable
from typing import Any

from typing_extensions import TypedDict

Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Asks the page's owner of the screen: `ask(method, params)`."""
METHOD = "screen"
WIDEST = 1_600


class Shared(TypedDict):
    """The state of sharing: whether something is, and what. `surface` is `monitor`, `window` or `browser` (a tab)."""

    shared: bool
    label: str
    surface: str


class Screen:
    """The shared screen.

    Args:
        ask: Asks the page.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def capture(self, widest: int = WIDEST) -> dict[str, Any]:
        """Take a picture of the shared screen. If there is none, ask the user, who chooses in the browser's dialog.

        Args:
            widest: The most pixels of the width; a larger picture is scaled down.

        Returns:
            `{data, width, height, format, label, surface}`, with a JPEG in base64 as `data`.

        Raises:
            Refused: The user refused, chose nothing, or isn't there.
            Unsupported: The browser can't share screens.
            NoPage: No page is connected.
        """
        return await self._ask(METHOD, {"action": "capture", "widest": widest})

    async def state(self) -> Shared:
        """Return whether something is shared."""
        return await self._ask(METHOD, {"action": "state"})

    async def stop(self) -> Shared:
        """Stop sharing."""
        return await self._ask(METHOD, {"action": "stop"})
