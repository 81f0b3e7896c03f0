"""The panel's actions on tools. Agents and scripts can't call these."""

from gemini.errors import InvalidArguments
from gemini.tools.declaration import declare
from gemini.tools.registry import Registry


class ToolGroupTools:
    """The switches of tool groups."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    @declare(person_only=True, action="switch_group")
    def group_switch(self, group: str, on: bool) -> bool:
        """Switch a group of tools on or off for agents and scripts.

        Args:
            group: The name of the group.
            on: Whether its tools can be called.
        """
        known = sorted(
            {tool.declaration.group for tool in self._registry if not tool.declaration.person_only}
        )
        if group not in known:
            raise InvalidArguments(
                f"there is no tool group {group!r}", hint=f"The groups are: {', '.join(known)}."
            )
        self._registry.groups.switch(group, on)
        return on
