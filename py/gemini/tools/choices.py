"""What the person decided about tools for good: standing grants, and groups that are switched off."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

# Their names in JSON, and in the settings that keep them.
GRANTS = "grants"
GROUPS_OFF = "groups_off"


@dataclass(frozen=True)
class Grant:
    """Consent to every call of `action` (a tool, or what one is about to do) by `caller`.

    Attributes:
        since: When it was given, ISO 8601 in UTC.
    """

    action: str
    caller: str
    since: str


class Choices:
    """In memory. Whoever keeps them follows `on_change`, and brings them back by `restore`."""

    def __init__(self) -> None:
        self._grants: dict[tuple[str, str], Grant] = {}
        self._off: set[str] = set()
        self._on_change: list[Callable[[], None]] = []
        self._on_switch: list[Callable[[], None]] = []

    def allows(self, action: str, caller: str) -> bool:
        return (action, caller) in self._grants

    def grant(self, action: str, caller: str) -> None:
        """Allow every later call of `action` by `caller`."""
        since = datetime.now(UTC).isoformat(timespec="seconds")
        self._grants[action, caller] = Grant(action, caller, since)
        self._changed()

    def revoke(self, action: str, caller: str) -> None:
        """Ask again from now on; what was not granted stays so."""
        if self._grants.pop((action, caller), None) is not None:
            self._changed()

    def revoke_all(self) -> None:
        """Ask again for everything."""
        self._grants.clear()
        self._changed()

    def is_off(self, group: str) -> bool:
        return group in self._off

    def switch(self, group: str, on: bool) -> None:
        """Give all tools of a group to agents and scripts, or take them away."""
        if self.is_off(group) != on:
            return
        self._off ^= {group}
        for listener in self._on_switch:
            listener()
        self._changed()

    def rows(self) -> dict[str, Any]:
        """As JSON holds them: `{grants: [{action, caller, since}], groups_off: [name]}`."""
        return {GRANTS: [vars(grant) for grant in self._grants.values()], GROUPS_OFF: sorted(self._off)}

    def restore(self, rows: dict[str, Any]) -> None:
        """Take what `rows` gave at another time. What isn't of its shape is no grant."""
        given = [Grant(**row) for row in _listed(rows[GRANTS]) if _is_grant(row)]
        self._grants = {(grant.action, grant.caller): grant for grant in given}
        self._off = {name for name in _listed(rows[GROUPS_OFF]) if isinstance(name, str)}
        for listener in self._on_switch:
            listener()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each decision."""
        self._on_change.append(listener)

    def on_switch(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever other groups are on than before."""
        self._on_switch.append(listener)

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()


def _listed(given: Any) -> list[Any]:
    return cast("list[Any]", given) if isinstance(given, list) else []


def _is_grant(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and set(cast("dict[Any, Any]", row)) == {"action", "caller", "since"}
        and all(isinstance(value, str) for value in cast("dict[Any, Any]", row).values())
    )
