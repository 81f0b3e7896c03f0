"""The settings that the page shows: groups of tools, and whether agents' tabs come to the front."""

import asyncio
from collections.abc import Callable
from typing import Any

from gemini.pages.tabs.browser import Browser
from gemini.tools import Registry
from gemini.tools.events import SettingsChanged, SettingsRow
from gemini.tools.groups import EXTRA

FOLLOW_AGENTS = "follow_agents"
"""The setting that brings the tabs of agents to the front when they open a page."""
# Making the schemas of the tools that are off takes half a second, which the start and the first calls don't wait for.
FIRST_LIST_S = 2.0
LIST_PAUSE_S = 0.01


class Switches:
    """The settings, which apply even if they can't be saved.

    Args:
        registry: The tools.
        browser: The tabs.
        save: Saves a setting: `save(name, value)`.
    """

    def __init__(self, registry: Registry, browser: Browser, save: Callable[[str, Any], None]) -> None:
        self._registry = registry
        self._browser = browser
        self._save = save
        self._lists_tools = False

    def row(self) -> SettingsRow:
        """Return the settings for the page, at first without the tools that are off."""
        off = self._registry.tools_off() if self._lists_tools else []
        return {
            "groups_off": self._registry.groups.off,
            "groups_extra": sorted(EXTRA),
            "tools_off": [tool.row() for tool in off],
            "follow_agents": self._browser.follows,
        }

    def list_tools(self) -> None:
        """Describe the tools that are off, with a pause for calls after each, then publish them."""
        waiting = iter(self._registry.tools_off())
        loop = asyncio.get_running_loop()

        def describe() -> None:
            if (tool := next(waiting, None)) is None:
                self._publish()
            else:
                tool.row()
                loop.call_later(LIST_PAUSE_S, describe)

        describe()

    def save_groups(self) -> None:
        """Publish and save the switches of tool groups."""
        self._publish()
        for name, value in self._registry.groups.rows().items():
            self._save(name, value)

    def follow_agents(self, follow: bool) -> None:
        """Apply, publish and save whether agents' tabs come to the front."""
        self._browser.follows = follow
        self._publish()
        self._save(FOLLOW_AGENTS, follow)

    def _publish(self) -> None:
        self._lists_tools = True
        self._registry.events.publish(SettingsChanged(self.row()))
