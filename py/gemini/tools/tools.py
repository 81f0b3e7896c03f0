"""What the panels let the person decide about tools. No agent and no script can call these."""

from gemini.errors import InvalidArguments
from gemini.tools.declaration import declare
from gemini.tools.registry import Registry


class ChoiceTools:
    """The switches of groups."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    @declare(person_only=True, action="switch_group")
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
