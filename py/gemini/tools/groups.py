"""The groups of tools that the user has switched off. The page stores grants itself."""

from collections.abc import Callable
from typing import Any, cast

from gemini.tools.writers import AGENT

# The names of the JSON fields; the first is also the name of the setting.
GROUPS_OFF, GROUPS_ON = "groups_off", "groups_on"
# Off until the user switches them on: every listed tool costs every agent context.
EXTRA = frozenset({"automations", "dom_extra", "eyes", "mcp", "memory", "personal", "schedules", "web"})
# Agents' runs have these of the extra groups in any case: a run begins with a part of the tools and finds others.
OF_RUNS = frozenset({"automations", "eyes", "mcp", "memory", "personal", "schedules", "web"})


class ToolGroups:
    """The switches of tool groups, in memory. The kernel saves them on `on_change` and loads them with `restore`."""

    def __init__(self) -> None:
        self._off: set[str] = set(EXTRA)
        self._on_change: list[Callable[[], None]] = []
        self._on_switch: list[Callable[[], None]] = []

    def is_off(self, group: str, caller: str = "") -> bool:
        """Return whether a group is switched off for a caller; without one, for the lists of tools."""
        return group in self._off and not (group in OF_RUNS and caller.startswith(AGENT))

    def switch(self, group: str, on: bool) -> None:
        """Switch a group's tools on or off for agents and scripts."""
        if self.is_off(group) != on:
            return
        self._off ^= {group}
        self._notify_switch()
        for listener in self._on_change:
            listener()

    @property
    def off(self) -> list[str]:
        """The names of the groups that are switched off, sorted."""
        return sorted(self._off)

    @property
    def are_chosen(self) -> bool:
        """Return whether the user has switched any group, so that the tools aren't those of a new surface."""
        return frozenset(self._off) != EXTRA

    def rows(self) -> dict[str, Any]:
        """Return the switches as JSON: `{groups_off: [name], groups_on: [name]}`, the latter of extra groups."""
        return {GROUPS_OFF: sorted(self._off - EXTRA), GROUPS_ON: sorted(EXTRA - self._off)}

    def restore(self, rows: dict[str, Any]) -> None:
        """Load the switches that `rows` returned earlier. Invalid entries are ignored."""
        self._off = _names(rows.get(GROUPS_OFF)) | (EXTRA - _names(rows.get(GROUPS_ON)))
        self._notify_switch()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each change by the user."""
        self._on_change.append(listener)

    def on_switch(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each change by the user or by `restore`."""
        self._on_switch.append(listener)

    def _notify_switch(self) -> None:
        for listener in self._on_switch:
            listener()


def _names(saved: Any) -> set[str]:
    names = cast("list[Any]", saved) if isinstance(saved, list) else []
    return {name for name in names if isinstance(name, str)}
