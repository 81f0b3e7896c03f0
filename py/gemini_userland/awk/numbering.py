"""Arrays whose subscripts are all whole numbers: the numbers themselves are the keys, and no strings are made of them.

A subscript is a string in awk (POSIX, awk, "Variables and Special Variables"), but different whole numbers have
different strings, as long as they are small enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from gemini_userland.awk import tree
from gemini_userland.awk.fields import Place
from gemini_userland.awk.inputs import Sections
from gemini_userland.awk.kinds import Kinds, result
from gemini_userland.awk.state import ARRAYS, RECORD_VARIABLES, VARIABLES

# From here on, a subscript becomes a text while the program runs.
FAR = 1e15
_NEAR = 2.0**31
_WHOLE_CALLS = frozenset(["int", "length", "index", "match", "split", "sub", "gsub", "patsplit"])
_TRUTHS = (tree.Comparison, tree.Match, tree.Regex, tree.Logic, tree.Membership)


class Numbering:
    """Finds the whole numbers and the arrays with such subscripts.

    Args:
        sections: The nodes of the program.
        kinds: The kinds of the variables' values.
        counters: NR and FNR, if nothing in the program sets them.

    Attributes:
        arrays: The arrays that have only subscripts that are whole numbers, or nothing.
    """

    def __init__(self, sections: Sections, kinds: Kinds, counters: frozenset[str]) -> None:
        self._kinds = kinds
        self._counters = counters
        self._flows = [one for function, node in sections for one in self._settings(function, node)]
        self._flows += kinds.flows
        special = {("", name) for name in VARIABLES | RECORD_VARIABLES}
        numbers = {place for place, _, _ in self._flows} - kinds.mixed - special
        self._near: frozenset[Place] = frozenset()
        self._whole = self._largest(numbers)
        # Steps don't lead far in the time that there is.
        self._near = frozenset(
            place
            for place in self._whole
            if all(
                value is None or self.is_near(function, value)
                for one, function, value in self._flows
                if one == place
            )
        )
        self.arrays = frozenset[Place]() if kinds.all_marked else self._find(sections)

    def _settings(
        self, function: str, node: tree.Node
    ) -> Iterator[tuple[Place, str, tree.Expression | None]]:
        """Yield what a node sets, and to which value; None stands for a step."""
        match node:
            case tree.Assignment():
                value = (
                    tree.Arithmetic(node.operator, node.target, node.value) if node.operator else node.value
                )
                yield self._kinds.root(function, node.target), function, value
            case tree.Step():
                yield self._kinds.root(function, node.target), function, None
            case _:
                pass

    def _largest(self, numbers: set[Place]) -> frozenset[Place]:
        """Return the places of these that hold only whole numbers, or nothing."""
        before = -1
        while before != len(numbers):
            before = len(numbers)
            self._whole = frozenset(numbers)
            numbers -= {
                place
                for place, function, value in self._flows
                if value is not None and not self.is_whole(function, value)
            }
        return frozenset(numbers)

    def is_whole(self, function: str, node: tree.Expression) -> bool:
        """Return whether an expression is a whole number, an infinity, no number (nan) or nothing."""
        match node := tree.ungrouped(node):
            case tree.Number():
                return node.value.is_integer() and abs(node.value) < FAR
            case tree.Arithmetic(operator="+" | "-" | "*" | "%"):
                return self.is_whole(function, node.left) and self.is_whole(function, node.right)
            case tree.Unary():
                return node.operator == "!" or self.is_whole(function, node.operand)
            case tree.Conditional():
                return self.is_whole(function, node.yes) and self.is_whole(function, node.no)
            case tree.Assignment():
                return self._is_set_whole(function, node)
            case tree.Step():
                return self._kinds.root(function, node.target) in self._whole
            case tree.Call():
                return node.name in _WHOLE_CALLS if node.builtin else result(node.name) in self._whole
            case tree.Name(name=name) if name in self._counters or name in RECORD_VARIABLES:
                return True
            case tree.Name() | tree.Index():
                return self._kinds.root(function, node) in self._whole
            case _:
                return isinstance(node, _TRUTHS)

    def _is_set_whole(self, function: str, node: tree.Assignment) -> bool:
        return self._kinds.root(function, node.target) in self._whole and (
            node.operator in ("+", "-", "*", "%") or self.is_whole(function, node.value)
        )

    def is_near(self, function: str, node: tree.Expression) -> bool:
        """Return whether an expression is surely far below the numbers whose strings are alike."""
        match node := tree.ungrouped(node):
            case tree.Number():
                return abs(node.value) < _NEAR
            case tree.Call(builtin=True):
                return node.name in _WHOLE_CALLS - {"int"}
            case tree.Name(name=name) if name in self._counters or name in RECORD_VARIABLES:
                return True
            case tree.Name():
                return self._kinds.root(function, node) in self._near
            case tree.Arithmetic(operator="%", right=tree.Number(value=value)) if value:
                return self.is_near(function, node.left)
            case _:
                return isinstance(node, _TRUTHS)

    def _find(self, sections: Sections) -> frozenset[Place]:
        seen: set[int] = set()
        arrays: set[Place] = set()
        for function, node in sections:
            for name in self._number(function, node):
                seen.add(id(name))
                arrays.add(self._kinds.root(function, name))
        others = {("", name) for name in ARRAYS}
        for function, node in sections:
            if isinstance(node, tree.Name) and id(node) not in seen:
                others.add(self._kinds.root(function, node))
        arrays -= others
        before = -1
        while before != len(arrays):
            before = len(arrays)
            for one, other in self._kinds.same:
                # A parameter and its argument are the same array.
                if one not in arrays or other not in arrays:
                    arrays -= {one, other}
        return frozenset(arrays)

    def _number(self, function: str, node: tree.Node) -> Iterator[tree.Name]:
        """Yield the names of arrays that a node uses in a way that goes with numbers."""
        match node:
            case tree.Index(target=tree.Name() as array, keys=[key]) if self.is_whole(function, key):
                yield array
            case tree.Membership(array=tree.Name() as array, keys=[key]) if self.is_whole(function, key):
                yield array
            case tree.ForIn(array=tree.Name() as array) | tree.Delete(target=tree.Name() as array):
                yield array
            case tree.Call(builtin=True, name="length", arguments=[argument]) if isinstance(
                array := tree.ungrouped(argument), tree.Name
            ):
                yield array
            case tree.Call(builtin=False):
                yield from (one for one in map(tree.ungrouped, node.arguments) if isinstance(one, tree.Name))
            case _:
                pass


def key_texts(array: dict[object, object], texts: dict[float | None, str]) -> list[str]:
    """Return the subscripts of such an array as strings, in the order of their making."""
    return [key if isinstance(key, str) else texts[key] for key in array]  # type: ignore[index]
