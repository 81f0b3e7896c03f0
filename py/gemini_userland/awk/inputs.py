"""The variables, arrays and results of functions that only hold strings of the input, or nothing.

Such a string needs no mark that it is the input's, because nothing else is in its place.
"""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.awk import tree
from gemini_userland.awk.fields import Place

Sections = list[tuple[str, tree.Node]]
"""The nodes of a program, each with the name of its function or ""."""
Flow = tuple[Place, str, tree.Expression]
"""A place, and what is set to it: an expression, in the function where it stands."""
Root = Callable[[str, tree.Expression], Place]
"""Returns the variable or the array of a target."""


class InputPlaces:
    """Finds the places of a program that only hold strings of the input, or nothing.

    Args:
        sections: The nodes of the program.
        root: Returns the variable or the array of a target in a function.
        results: Returns the place that stands for the result of a function.
        has_input_fields: No field is ever set by the program.
    """

    def __init__(
        self, sections: Sections, root: Root, results: Callable[[str], Place], has_input_fields: bool
    ) -> None:
        self._root = root
        self._results = results
        self._has_input_fields = has_input_fields
        self._filled: set[Place] = set()
        self._others: set[Place] = set()
        for function, node in sections:
            self._look(function, node)

    def places(
        self, flows: list[Flow], same: list[tuple[Place, Place]], possible: set[Place]
    ) -> frozenset[Place]:
        """Return the places.

        Args:
            flows: What places are set to.
            same: The pairs of places that may be the same array.
            possible: The places that may hold strings, and are only set where the program shows it.
        """
        found = ({place for place, _, _ in flows} | self._filled) & possible - self._others
        before = -1
        while before != len(found):
            before = len(found)
            for place, function, value in flows:
                if not self._is_input(function, value, found):
                    found.discard(place)
            for one, other in same:
                if one not in found or other not in found:
                    found -= {one, other}
        return frozenset(found)

    def _is_input(self, function: str, node: tree.Expression, found: set[Place]) -> bool:
        node = tree.ungrouped(node)
        match node:
            case tree.Field():
                return self._has_input_fields
            case tree.Name() | tree.Index():
                return self._root(function, node) in found
            case tree.Assignment(operator=""):
                target = self._root(function, node.target)
                return target in found and self._is_input(function, node.value, found)
            case tree.Conditional():
                return all(self._is_input(function, one, found) for one in (node.yes, node.no))
            case tree.Call(builtin=False):
                return self._results(node.name) in found
            case _:
                return False

    def _look(self, function: str, node: tree.Node) -> None:
        match node:
            case tree.Assignment() if node.operator:
                self._others.add(self._root(function, node.target))
            case tree.Step() | tree.ForIn():
                self._others.add(self._root(function, node.target))
            case tree.Index() if isinstance(tree.ungrouped(node.target), tree.Index):
                self._others.add(self._root(function, node))
            case tree.Getline() if node.target is not None:
                self._filled.add(self._root(function, node.target))
            case tree.Call(builtin=True, name="split", arguments=[_, array] | [_, array, _]):
                self._filled.add(self._root(function, array))
            case tree.Call(builtin=True, name="sub" | "gsub" | "split" | "patsplit" | "match"):
                # Of `sub` the third argument is changed, of the others the second one and the fourth one may be.
                for argument in node.arguments[1:]:
                    self._others.add(self._root(function, argument))
            case _:
                pass
