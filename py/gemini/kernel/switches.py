"""The settings that the page shows: groups of tools, and whether agents' tabs come to the front."""

from collections.abc import Callable
from typing import Any

from gemini.pages.tabs.browser import Browser
from gemini.tools import Registry
from gemini.tools.events import SettingsChanged, SettingsRow
from gemini.tools.groups import EXTRA

FOLLOW_AGENTS = "follow_agents"
"""The setting that brings the tabs of agents to the front when they open a page."""


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

    def row(self) -> SettingsRow:
        """Return the settings for the page."""
        return {
            "groups_off": self._registry.groups.off,
            "groups_extra": sorted(EXTRA),
            "tools_off": self._registry.rows_off(),
            "follow_agents": self._browser.follows,
        }

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
        self._registry.events.publish(SettingsChanged(self.row()))
