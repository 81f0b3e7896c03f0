"""The kinds of values of the variables and arrays of a program, as far as they are known before it runs.

A variable that only ever holds numbers needs no look at its type, and one whose strings are never compared, tested or
passed on needs no mark that they come from the input. Both follow from where values go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gemini_userland.awk import tree
from gemini_userland.awk.fields import NUMBER_CALLS, NUMBERS, Place
from gemini_userland.awk.inputs import Flow, InputPlaces
from gemini_userland.awk.state import NUMBERS as COUNTERS
from gemini_userland.awk.state import RECORD_VARIABLES, VARIABLES

Resolve = Callable[[str, str], Place]
"""Returns where a name in a function belongs."""
# Arrays that these functions fill with strings of the input.
_FILLED = {"split": (1, 3), "patsplit": (1, 3), "match": (2,)}
# What takes values in ways that this doesn't follow.
_OBSCURE = frozenset(["PROCINFO", "SYMTAB"])
_SORTING = frozenset(["asort", "asorti"])
_STRINGS = frozenset(["substr", "sprintf", "tolower", "toupper", "gensub", "strftime"])
_OTHERS = (VARIABLES - COUNTERS - {"RSTART", "RLENGTH"}) | {"ARGV", "ENVIRON", "PROCINFO"}


def result(function: str) -> Place:
    """Return the place that stands for the result of a function."""
    return (function, "()")


def is_text(node: tree.Expression) -> bool:
    """Return whether an expression is always a string of the program's, so that it is compared as one."""
    node = tree.ungrouped(node)
    return isinstance(node, tree.String | tree.Concatenation) or (
        isinstance(node, tree.Call) and node.builtin and node.name in _STRINGS
    )


class Kinds:
    """The kinds of values that the places of a program hold.

    Args:
        program: The program.
        place: Returns where a name in a function belongs.
        given: The variables that the command line sets; None if it may set any.
        has_input_fields: No field is ever set by the program.

    Attributes:
        mixed: The variables, arrays (for their elements) and results of functions that may hold something that is no
            number.
        marked: Those whose strings must be known as the input's or the program's.
        all_marked: All are.
        given: The variables that the command line may set.
        inputs: The places that only hold strings of the input, or nothing.
        flows: What each place may take its values from.
        same: The pairs of places that may be the same array.
    """

    def __init__(
        self,
        program: tree.Program,
        place: Resolve,
        given: frozenset[str] | None,
        has_input_fields: bool = False,
    ) -> None:
        self.mixed: set[Place] = set()
        self.marked: set[Place] = set()
        self._place = place
        self.flows: list[Flow] = []
        self.same: list[tuple[Place, Place]] = []
        self._program = program
        sections: dict[str, list[object]] = {name: [one.body] for name, one in program.functions.items()}
        sections[""] = [program.rules, program.special]
        nodes = [(name, node) for name, part in sections.items() for node in tree.descendants(part)]
        names = {node.name for _, node in nodes if isinstance(node, tree.Name)}
        self.all_marked = bool(names & _OBSCURE) or any(
            isinstance(node, tree.IndirectCall)
            or (isinstance(node, tree.Call) and node.builtin and node.name in _SORTING)
            for _, node in nodes
        )
        if given is None or names & {"ARGV", "ARGC"}:
            given = frozenset(names)
        self.given = {("", name) for name in given}
        self.mixed |= self.given | {("", name) for name in _OTHERS}
        self.marked |= {("", name) for name in _OTHERS | VARIABLES | RECORD_VARIABLES}
        if self.all_marked:
            # Functions may be called in ways that aren't seen here.
            self.mixed |= {
                (name, one) for name, found in program.functions.items() for one in found.parameters
            }
        for function, node in nodes:
            self._look(function, node)
        for rule in program.rules:
            self._mark("", rule.patterns)
        self._spread()
        others = self.given | {("", name) for name in _OTHERS | VARIABLES | RECORD_VARIABLES}
        found = InputPlaces(nodes, self.root, result, has_input_fields)
        self.inputs = (
            frozenset[Place]()
            if self.all_marked
            else found.places(self.flows, self.same, self.mixed - others)
        )

    def marks(self, place: Place) -> bool:
        """Return whether a place must know which of its strings are the input's."""
        return self.all_marked or (place in self.marked and place not in self.inputs)

    def root(self, function: str, node: tree.Expression) -> Place:
        """Return the variable or the array of a target; `$` stands for fields."""
        while isinstance(node, tree.Index | tree.Grouping):
            node = node.target if isinstance(node, tree.Index) else node.items[0]
        return self._place(function, node.name) if isinstance(node, tree.Name) else ("", "$")

    def is_number(self, function: str, node: tree.Expression) -> bool:
        """Return whether an expression has a number, or was never set."""
        node = tree.ungrouped(node)
        match node:
            case tree.Assignment():
                return bool(node.operator) or self.is_number(function, node.value)
            case tree.Call(builtin=True):
                return node.name in NUMBER_CALLS
            case tree.Call():
                return result(node.name) not in self.mixed
            case tree.Conditional():
                return self.is_number(function, node.yes) and self.is_number(function, node.no)
            case tree.Name() | tree.Index():
                return self.root(function, node) not in self.mixed
            case _:
                return isinstance(node, NUMBERS)

    def _look(self, function: str, node: tree.Node) -> None:
        match node:
            case tree.Assignment() if not node.operator:
                self._flow(function, node.target, node.value)
            case tree.Index() if isinstance(tree.ungrouped(node.target), tree.Index):
                self.mixed.add(self.root(function, node))
            case tree.Getline() if node.target is not None:
                self.mixed.add(self.root(function, node.target))
            case tree.ForIn():
                self.mixed.add(self.root(function, node.target))
            case tree.Call():
                self._look_at_call(function, node)
            case tree.Leave(word="return") if node.value is not None:
                self.flows.append((result(function), function, node.value))
            case _:
                self._look_at_test(function, node)

    def _look_at_test(self, function: str, node: tree.Node) -> None:
        """Mark values that are compared or tested."""
        match node:
            case tree.Comparison() if not (is_text(node.left) or is_text(node.right)):
                self._mark(function, [node.left, node.right])
            case tree.Logic():
                self._mark(function, [node.left, node.right])
            case tree.Unary(operator="!"):
                self._mark(function, [node.operand])
            case tree.If() | tree.While() | tree.Do() | tree.For() | tree.Conditional():
                self._mark(function, [node.condition] if node.condition is not None else [])
            case tree.Switch():
                self._mark(function, [node.subject])
            case _:
                pass

    def _look_at_call(self, function: str, call: tree.Call) -> None:
        if not call.builtin:
            parameters = (
                self._program.functions[call.name].parameters if call.name in self._program.functions else []
            )
            for parameter, argument in zip(parameters, call.arguments, strict=False):
                self.flows.append(((call.name, parameter), function, argument))
                if isinstance(argument := tree.ungrouped(argument), tree.Name | tree.Index):
                    # An array is the same one in the function.
                    self.same.append(((call.name, parameter), self.root(function, argument)))
                if isinstance(argument, tree.Index):
                    # The element may become an array there.
                    self.mixed.add(self.root(function, argument))
            return
        if call.name in ("sub", "gsub") and len(call.arguments) > 2:
            self.mixed.add(self.root(function, call.arguments[2]))
        if call.name in ("typeof", "mkbool"):
            self._mark(function, call.arguments)
        for at in (*_FILLED.get(call.name, ()), *((0, 1) if call.name in _SORTING else ())):
            if at < len(call.arguments):
                self.mixed.add(self.root(function, call.arguments[at]))

    def _flow(self, function: str, target: tree.Expression, value: tree.Expression) -> None:
        self.flows.append((self.root(function, tree.ungrouped(target)), function, value))

    def _mark(self, function: str, nodes: Iterable[tree.Expression]) -> None:
        for node in nodes:
            self.marked.update(self._sources(function, node))

    def _sources(self, function: str, node: tree.Expression) -> list[Place]:
        """Return the places whose values an expression may have."""
        node = tree.ungrouped(node)
        match node:
            case tree.Name() | tree.Index() | tree.Field():
                return [self.root(function, node)]
            case tree.Assignment() if not node.operator:
                return [
                    self.root(function, tree.ungrouped(node.target)),
                    *self._sources(function, node.value),
                ]
            case tree.Conditional():
                return [*self._sources(function, node.yes), *self._sources(function, node.no)]
            case tree.Call(builtin=False):
                return [result(node.name)]
            case _:
                return []

    def _spread(self) -> None:
        """Spread known facts along the ways of the values, until nothing changes."""
        before = -1
        while before != len(self.mixed) + len(self.marked):
            before = len(self.mixed) + len(self.marked)
            for place, function, value in self.flows:
                if not self.is_number(function, value):
                    self.mixed.add(place)
                if place in self.marked:
                    self._mark(function, [value])
            for one, other in self.same:
                for places in (self.mixed, self.marked):
                    # The value of a scalar doesn't come back, but this is seldom a loss.
                    if one in places or other in places:
                        places.update((one, other))
