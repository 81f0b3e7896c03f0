"""What the person decided about tools: groups that are switched off. What they allowed is the page's to keep."""

from collections.abc import Callable
from typing import Any, cast

# Its name in JSON, and in the settings that keep it.
GROUPS_OFF = "groups_off"


class Choices:
    """In memory. Whoever keeps them follows `on_change`, and brings them back by `restore`."""

    def __init__(self) -> None:
        self._off: set[str] = set()
        self._on_change: list[Callable[[], None]] = []
        self._on_switch: list[Callable[[], None]] = []

    def is_off(self, group: str) -> bool:
        return group in self._off

    def switch(self, group: str, on: bool) -> None:
        """Give all tools of a group to agents and scripts, or take them away."""
        if self.is_off(group) != on:
            return
        self._off ^= {group}
        self._switched()
        for listener in self._on_change:
            listener()

    def rows(self) -> dict[str, Any]:
        """As JSON holds them: `{groups_off: [name]}`."""
        return {GROUPS_OFF: sorted(self._off)}

    def restore(self, rows: dict[str, Any]) -> None:
        """Take what `rows` gave at another time. What isn't of its shape is no choice."""
        given: Any = rows[GROUPS_OFF]
        listed = cast("list[Any]", given) if isinstance(given, list) else []
        self._off = {name for name in listed if isinstance(name, str)}
        self._switched()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each decision."""
        self._on_change.append(listener)

    def on_switch(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever other groups are on than before."""
        self._on_switch.append(listener)

    def _switched(self) -> None:
        for listener in self._on_switch:
            listener()
