"""The settings that the page shows: groups of tools, and whether agents' tabs come to the front."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gemini.dom.browser import Browser
from gemini.errors import GeminiError, StorageFull, StorageProblem
from gemini.tools import Registry
from gemini.tools.events import SettingsChanged, SettingsRow
from gemini.tools.groups import EXTRA

if TYPE_CHECKING:
    from gemini.storage.store import Store

FOLLOW_AGENTS = "follow_agents"
"""The setting that brings the tabs of agents to the front when they open a page."""


class Switches:
    """The settings, which apply even if they can't be saved.

    Args:
        registry: The tools.
        browser: Returns the tabs.
        store: Returns the database.
        report: Receives the error if a setting can't be saved.
    """

    def __init__(
        self,
        registry: Registry,
        browser: Callable[[], Browser],
        store: "Callable[[], Store]",
        report: Callable[[GeminiError], None],
    ) -> None:
        self._registry = registry
        self._browser = browser
        self._store = store
        self._report = report

    def row(self) -> SettingsRow:
        """Return the settings for the page."""
        return {
            "groups_off": self._registry.groups.off,
            "groups_extra": sorted(EXTRA),
            "tools_off": self._registry.rows_off(),
            "follow_agents": self._browser().follows,
        }

    def save_groups(self) -> None:
        """Publish and save the switches of tool groups."""
        self._publish()
        for name, value in self._registry.groups.rows().items():
            self.save(name, value)

    def follow_agents(self, follow: bool) -> None:
        """Apply, publish and save whether agents' tabs come to the front."""
        self._browser().follows = follow
        self._publish()
        self.save(FOLLOW_AGENTS, follow)

    def save(self, name: str, value: Any) -> None:
        """Save a setting."""
        try:
            self._store().settings.set(name, value)
        except (StorageProblem, StorageFull) as error:
            self._report(error)

    def _publish(self) -> None:
        self._registry.events.publish(SettingsChanged(self.row()))
