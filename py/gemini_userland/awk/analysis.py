"""Analysis of the names of a program: arrays or scalars, and which functions wait."""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.errors import BadProgram
from gemini_userland.awk.state import ARRAYS

# The arguments of functions that are arrays, from 0.
ARRAY_ARGUMENTS = {"split": (1, 3), "patsplit": (1, 3), "match": (2,), "asort": (0, 1), "asorti": (0, 1)}
_WAITING = frozenset(["system", "close", "fflush"])
_LOOPS = (tree.While, tree.Do, tree.For)

Place = tuple[str, str]
"""A function's name, "" outside of them, and the name of a variable there."""


class Analysis:
    """The facts about a program that its translation needs.

    Attributes:
        arrays: The variables and parameters that are arrays.
        waiting: The functions that wait for input, commands or their turn.
        names: All names in the program.
        is_pure: No statement sets $0 or a field, so that all are strings of the input.
        limit: The greatest number of a field that the program uses, if all are constants and NF isn't used; else None.
        program: The program.
        functions: The names of its functions.
    """

    def __init__(self, program: tree.Program) -> None:
        self.program = program
        self.functions = frozenset(program.functions)
        self.arrays: set[Place] = {("", name) for name in ARRAYS}
        self.waiting: set[str] = set()
        self.names: set[str] = set()
        self._links: list[tuple[Place, Place]] = []
        self._calls: dict[str, set[str]] = {}
        for name, function in program.functions.items():
            self._look(name, function.body)
        self._look("", program.rules)
        self._look("", program.special)
        self._spread()
        nodes = tree.descendants([list(program.functions.values()), program.rules, program.special])
        self.is_pure = not any(_sets_field(node) for node in nodes)
        self.limit = self._limit(nodes) if self.is_pure else None

    def _limit(self, nodes: list[tree.Node]) -> int | None:
        if self.names & {"NF", "FPAT", "FIELDWIDTHS"}:
            return None
        indices = [node.index for node in nodes if isinstance(node, tree.Field)]
        found = [int(index.value) for index in indices if isinstance(index, tree.Number) and index.value >= 0]
        return max(found, default=0) if len(found) == len(indices) else None

    def place(self, function: str, name: str) -> Place:
        """Return where a name in a function belongs: to it, or to the program."""
        found = self.program.functions.get(function)
        return (function, name) if found and name in found.parameters else ("", name)

    def is_array(self, function: str, name: str) -> bool:
        """Return whether a name in a function is an array."""
        return self.place(function, name) in self.arrays

    def waits(self, node: object) -> bool:
        """Return whether something below a node waits."""
        return any(
            isinstance(one, (tree.Getline, *_LOOPS))
            or (isinstance(one, tree.Call) and (one.name in (_WAITING if one.builtin else self.waiting)))
            for one in tree.descendants(node)
        )

    def _look(self, function: str, part: object) -> None:
        for node in tree.descendants(part):
            match node:
                case tree.Name():
                    self.names.add(node.name)
                case tree.Index() | tree.Delete():
                    self._is_array(function, node.target)
                case tree.Membership() | tree.ForIn():
                    self._is_array(function, node.array)
                case tree.Call():
                    self._look_at_call(function, node)
                case tree.Getline() | tree.While() | tree.Do() | tree.For():
                    self.waiting.add(function)
                case _:
                    pass

    def _is_array(self, function: str, node: tree.Node) -> None:
        if isinstance(node, tree.Name):
            self.arrays.add(self.place(function, node.name))

    def _look_at_call(self, function: str, call: tree.Call) -> None:
        if call.builtin:
            if call.name in _WAITING:
                self.waiting.add(function)
            for at in ARRAY_ARGUMENTS.get(call.name, ()):
                if at < len(call.arguments):
                    self._is_array(function, call.arguments[at])
            return
        called = self.program.functions.get(call.name)
        if called is None:
            raise BadProgram(f"function {call.name} never defined", call.line)
        if len(call.arguments) > len(called.parameters):
            raise BadProgram(f"function {call.name} called with too many arguments", call.line)
        self._calls.setdefault(call.name, set()).add(function)
        for parameter, argument in zip(called.parameters, call.arguments, strict=False):
            passed = tree.ungrouped(argument)
            if isinstance(passed, tree.Name):
                self._links.append(((call.name, parameter), self.place(function, passed.name)))

    def _spread(self) -> None:
        """Spread what is known along the calls, until nothing changes."""
        changed = True
        while changed:
            changed = False
            for one, other in self._links:
                if (one in self.arrays) != (other in self.arrays):
                    self.arrays |= {one, other}
                    changed = True
        left = list(self.waiting)
        while left:
            for caller in self._calls.get(left.pop(), set()) - self.waiting:
                self.waiting.add(caller)
                left.append(caller)
        self.waiting.discard("")


def _sets_field(node: tree.Node) -> bool:
    match node:
        case tree.Assignment() | tree.Step():
            return _is_field(node.target)
        case tree.Getline():
            return node.target is not None and _is_field(node.target)
        case tree.Call(builtin=True, name="sub" | "gsub"):
            return len(node.arguments) < 3 or _is_field(node.arguments[2])
        case _:
            return False


def _is_field(node: tree.Expression) -> bool:
    node = tree.ungrouped(node)
    return isinstance(node, tree.Field)
