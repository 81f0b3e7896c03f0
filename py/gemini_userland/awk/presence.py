"""The variables that surely hold something where a statement stands, and not nothing, as a variable does at first."""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.awk import tree
from gemini_userland.awk.fields import Place, is_number

Resolve = Callable[[tree.Name], Place | None]
"""Returns where a variable belongs; None for one that a function may set meanwhile."""


class Presence:
    """Follows the statements of a program, in the order in which they are translated.

    Args:
        place: Returns where a variable belongs.
    """

    def __init__(self, place: Resolve) -> None:
        self._place = place
        self._present: set[Place] = set()

    def __contains__(self, place: Place) -> bool:
        return place in self._present

    def copy(self) -> set[Place]:
        """Return the variables that are something here."""
        return set(self._present)

    def reset(self, before: set[Place]) -> None:
        """Return to what was so before."""
        self._present = before

    def enter(self, statement: tree.Statement) -> set[Place]:
        """Begin a statement, which may run several times. Pass the result to `leave`."""
        set_here = [
            node
            for node in tree.descendants([statement])
            if isinstance(node, tree.Assignment) and not node.operator
        ]
        before = -1
        while before != len(self._present):
            before = len(self._present)
            for node in set_here:
                target = self._target(node)
                if target in self._present and not self._is_something(node.value):
                    self._present.discard(target)
        return self.copy()

    def leave(self, statement: tree.Statement, before: set[Place]) -> None:
        """End a statement. What others set inside of it may not have happened."""
        if not isinstance(statement, tree.Simple):
            self._present = before
            return
        node = tree.ungrouped(statement.expression)
        while isinstance(node, tree.Assignment | tree.Step):
            place = self._target(node)
            if place is not None and self._is_something(node):
                self._present.add(place)
            if isinstance(node, tree.Step):
                return
            node = tree.ungrouped(node.value)

    def read(self, condition: tree.Expression) -> None:
        """Note the variable that is a record if this holds: `(getline x) > 0`."""
        match condition:
            case tree.Comparison(operator=">", left=left, right=tree.Number(value=0.0)):
                got = tree.ungrouped(left)
                if isinstance(got, tree.Getline) and isinstance(got.target, tree.Name):
                    place = self._place(got.target)
                    if place is not None:
                        self._present.add(place)
            case _:
                pass

    def _target(self, node: tree.Assignment | tree.Step) -> Place | None:
        target = tree.ungrouped(node.target)
        return self._place(target) if isinstance(target, tree.Name) else None

    def _is_something(self, node: tree.Expression) -> bool:
        node = tree.ungrouped(node)
        match node:
            case tree.Name():
                return is_number(node) or self._place(node) in self._present
            case tree.Assignment(operator=""):
                return self._is_something(node.value)
            case tree.Conditional():
                return self._is_something(node.yes) and self._is_something(node.no)
            case _:
                return isinstance(node, tree.Field) or is_number(node)
