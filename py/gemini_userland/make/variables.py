"""Variables, and the scopes that hold them: a target's, its parents', the makefile's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from gemini_userland.make.scan import Location


class Origin(IntEnum):
    """Where a definition comes from; a higher one is not replaced by a lower one."""

    DEFAULT = 0
    ENVIRONMENT = 1
    FILE = 2
    ENVIRONMENT_OVERRIDE = 3
    COMMAND_LINE = 4
    OVERRIDE = 5
    AUTOMATIC = 6

    @property
    def label(self) -> str:
        """The name that `$(origin …)` gives."""
        return self.name.lower().replace("_", " ")


@dataclass
class Variable:
    """A variable's definition.

    Attributes:
        recursive: The value is expanded at each use, not before.
        exported: Whether recipes see it in their environment; None leaves that to where it came from.
        private: Prerequisites don't inherit it.
        appends: A target's `+=`: the value of the scope around comes before.
        where: The line of the definition.
    """

    value: str
    recursive: bool
    origin: Origin
    exported: bool | None = None
    private: bool = False
    appends: bool = False
    where: Location | None = None


class Scope:
    """Definitions, and the scope around them.

    `inherited` marks the scope of a target, which sees what is around it as a prerequisite does: without
    private variables.
    """

    def __init__(self, around: Scope | None = None, inherited: bool = False) -> None:
        self.own: dict[str, Variable] = {}
        self.around = around
        self.inherited = inherited

    def chain(self) -> Iterator[tuple[Scope, bool]]:
        """Give this scope and those around, with whether private variables are seen in them."""
        scope: Scope | None = self
        sees_private = True
        while scope is not None:
            yield scope, sees_private
            sees_private = sees_private and not scope.inherited
            scope = scope.around

    def find(self, name: str) -> tuple[Variable, Scope] | None:
        """Return the nearest definition and the scope that has it."""
        for scope, sees_private in self.chain():
            variable = scope.own.get(name)
            if variable is not None and (sees_private or not variable.private):
                return variable, scope
        return None

    def variable(self, name: str) -> Variable | None:
        """Return the nearest definition."""
        found = self.find(name)
        return found[0] if found else None

    def names(self) -> set[str]:
        """Return every name defined here or around."""
        return {name for scope, _ in self.chain() for name in scope.own}

    def set(self, name: str, value: str, origin: Origin, recursive: bool = False) -> None:
        """Define a variable here, whatever was defined before."""
        self.own[name] = Variable(value, recursive, origin)
