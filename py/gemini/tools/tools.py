"""What the panels let the person decide about tools. No agent and no script can call these."""

from gemini.errors import InvalidArguments
from gemini.tools.declaration import declare
from gemini.tools.registry import Registry


class ChoiceTools:
    """The switches of groups, and the ways to take back what was allowed for good."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    @declare(person_only=True)
    def group_switch(self, group: str, on: bool) -> bool:
        """Give the tools of a group to agents and scripts, or take them away.

        Args:
            group: Of tools that are there.
            on: Whether they can be called.
        """
        known = sorted({row["group"] for row in [*self._registry.rows(), *self._registry.rows_off()]})
        if group not in known:
            raise InvalidArguments(
                f"there is no group {group!r} of tools", hint=f"The groups are: {', '.join(known)}."
            )
        self._registry.choices.switch(group, on)
        return on

    @declare(person_only=True)
    def grant_revoke(self, action: str, caller: str) -> None:
        """Ask again before calls that were allowed for good.

        Args:
            action: The tool, or what one is about to do.
            caller: Whose calls were allowed.
        """
        self._registry.choices.revoke(action, caller)

    @declare(person_only=True)
    def grant_revoke_all(self) -> None:
        """Ask again before every call that reaches outside or spends money."""
        self._registry.choices.revoke_all()
