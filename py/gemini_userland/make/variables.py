"""Variables, and their scopes: a target's, its parents', the makefile's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from gemini_userland.make.scan import Location


class Origin(IntEnum):
    """The source of a definition; a lower one can't replace a higher one."""

    DEFAULT = 0
    ENVIRONMENT = 1
    FILE = 2
    ENVIRONMENT_OVERRIDE = 3
    COMMAND_LINE = 4
    OVERRIDE = 5
    AUTOMATIC = 6

    @property
    def label(self) -> str:
        """The name that `$(origin …)` returns."""
        return self.name.lower().replace("_", " ")


@dataclass
class Variable:
    """A variable's definition.

    Attributes:
        value: The value, unexpanded if it is recursive.
        recursive: Whether the value is expanded at each use.
        origin: The source of the definition.
        exported: Whether it is in the environment of recipes; None depends on the origin.
        private: Whether prerequisites don't inherit it.
        appends: Whether it is a target's `+=`, which extends the value of the outer scope.
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
    """Definitions, and their outer scope.

    Args:
        around: The outer scope.
        inherited: Whether it is the scope of a target, which can't see private variables of outer scopes.
    """

    def __init__(self, around: Scope | None = None, inherited: bool = False) -> None:
        self.own: dict[str, Variable] = {}
        self.around = around
        self.inherited = inherited

    def chain(self) -> Iterator[tuple[Scope, bool]]:
        """Yield this scope and its outer scopes, each with whether its private variables are visible."""
        scope: Scope | None = self
        sees_private = True
        while scope is not None:
            yield scope, sees_private
            sees_private = sees_private and not scope.inherited
            scope = scope.around

    def find(self, name: str) -> tuple[Variable, Scope] | None:
        """Return the innermost definition and its scope."""
        for scope, sees_private in self.chain():
            variable = scope.own.get(name)
            if variable is not None and (sees_private or not variable.private):
                return variable, scope
        return None

    def variable(self, name: str) -> Variable | None:
        """Return the innermost definition."""
        found = self.find(name)
        return found[0] if found else None

    def names(self) -> set[str]:
        """Return all names that are defined here or in outer scopes."""
        return {name for scope, _ in self.chain() for name in scope.own}

    def set(self, name: str, value: str, origin: Origin, recursive: bool = False) -> None:
        """Define a variable here, replacing any definition."""
        self.own[name] = Variable(value, recursive, origin)
