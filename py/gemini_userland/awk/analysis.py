"""Analysis of the names of a program: arrays or scalars, and which functions wait."""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.awk import tree
from gemini_userland.awk.errors import BadProgram
from gemini_userland.awk.fields import FieldLoop, Place, field_loop, set_otherwise
from gemini_userland.awk.kinds import Kinds
from gemini_userland.awk.lexer import shown_name
from gemini_userland.awk.lists import list_arrays
from gemini_userland.awk.numbering import Numbering
from gemini_userland.awk.state import ARRAYS, NUMBERS, RECORD_VARIABLES, SETTINGS, VARIABLES

# The arguments of functions that are arrays, from 0.
ARRAY_ARGUMENTS = {"split": (1, 3), "patsplit": (1, 3), "match": (2,), "asort": (0, 1), "asorti": (0, 1)}
_WAITING = frozenset(["system", "close", "fflush"])
_LOOPS = (tree.While, tree.Do, tree.For)


class Analysis:
    """The facts about a program that its translation needs.

    Attributes:
        arrays: The variables and parameters that are arrays.
        waiting: The functions that wait for input, commands or their turn.
        names: All names in the program.
        is_pure: No statement sets $0, a field or NF, so that all fields are strings of the input.
        sets_only_records: No statement sets a field or NF, but $0 may be set.
        uses_fields: Fields or NF are used.
        limit: The greatest number of a field that the program uses, if all are constants and NF isn't used; else None.
        program: The program.
        functions: The names of its functions.
        field_loops: Its loops over the fields of a record.
        mixed: The variables that may be set to something that is no number, or to nothing.
        kinds: The kinds of the variables' values.
        changed: The names of the variables that the program sets.
        counters: NR and FNR, if nothing in the program sets them.
        lists: The arrays that can be lists.
        numbering: The arrays whose subscripts are whole numbers.
        keeps_fields: The fields of a record are used, and changed, in rules only.
        counts_at_end: NR or FNR is read, but not in rules or functions, and only awk itself sets it.
        reads_records: `getline` may change the record.
        locals: The variables that functions don't use, and files don't set while rules run.
    """

    def __init__(self, program: tree.Program, given: frozenset[str]) -> None:
        self.program = program
        self.functions = frozenset(program.functions)
        self.arrays: set[Place] = {("", name) for name in ARRAYS}
        self.waiting: set[str] = set()
        self.names: set[str] = set()
        self.field_loops: dict[tree.For, FieldLoop] = {}
        self.mixed: set[Place] = set()
        self._links: list[tuple[Place, Place]] = []
        self._calls: dict[str, set[str]] = {}
        nodes = tree.descendants([list(program.functions.values()), program.rules, program.special])
        self.is_pure = "NF" not in given and not any(_sets_field(node) for node in nodes)
        self.sets_only_records = "NF" not in given and not any(
            _sets_field(node, records=False) for node in nodes
        )
        self.uses_fields = uses_fields([program.rules, program.special, list(program.functions.values())])
        for name, function in program.functions.items():
            self._look(name, function.body)
        self._look("", program.rules)
        self._look("", program.special)
        self._spread()
        self.limit = self._limit(nodes) if self.is_pure else None
        self.kinds = Kinds(program, self.place, given, self.is_pure)
        sections = [
            (name, node)
            for name, function in program.functions.items()
            for node in tree.descendants(function.body)
        ]
        sections += [("", node) for node in tree.descendants([program.rules, program.special])]
        self.lists = list_arrays(sections, program, self.place, self.kinds)
        self.keeps_fields = self._keeps_fields(nodes)
        self.changed = frozenset(
            one.name for node in nodes for one in _targets(node) if isinstance(one, tree.Name)
        )
        self.counters = frozenset(
            name
            for name in NUMBERS - self.changed
            if ("", name) not in self.kinds.given and not self.names & {"ARGV", "ARGC"}
        )
        self.numbering = Numbering(sections, self.kinds, self.counters)
        inside = {
            node.name
            for node in tree.descendants(list(program.functions.values()))
            if isinstance(node, tree.Name)
        }
        reads_files = any(isinstance(node, tree.Getline) and node.kind == "main" for node in nodes)
        self.counts_at_end = bool(self.names & NUMBERS) and not (
            reads_files
            or self.changed & {"RS", *NUMBERS}
            or any(
                isinstance(node, tree.Name) and node.name in NUMBERS
                for node in tree.descendants([program.rules, list(program.functions.values())])
            )
        )
        self.reads_records = reads_files or any(
            isinstance(node, tree.Getline) and node.target is None for node in nodes
        )
        self.locals = frozenset[str]() if reads_files else frozenset(self.names - inside)

    def _keeps_fields(self, nodes: list[tree.Node]) -> bool:
        inside = tree.descendants([self.program.rules, list(self.program.functions.values())])
        return not (
            not self.is_pure
            or uses_fields(list(self.program.functions.values()))
            or any(
                isinstance(node, tree.Getline) and (node.kind == "main" or node.target is None)
                for node in nodes
            )
            or any(
                isinstance(one, tree.Name) and one.name in SETTINGS
                for node in inside
                for one in _targets(node)
            )
        )

    def _limit(self, nodes: list[tree.Node]) -> int | None:
        if self.names & {"NF", "FPAT", "FIELDWIDTHS"}:
            return None
        indices = [node.index for node in nodes if isinstance(node, tree.Field)]
        found = [int(index.value) for index in indices if isinstance(index, tree.Number) and index.value >= 0]
        return max(found, default=0) if len(found) == len(indices) else None

    def is_constant(self, name: str) -> bool:
        """Return whether a variable of awk's is never set."""
        return (
            name not in self.names
            and ("", name) not in self.kinds.given
            and not self.names & {"ARGV", "ARGC"}
        )

    def place(self, function: str, name: str) -> Place:
        """Return where a name in a function belongs: to it, or to the program."""
        found = self.program.functions.get(function)
        return (function, name) if found and name in found.parameters else ("", name)

    def is_array(self, function: str, name: str) -> bool:
        """Return whether a name in a function is an array."""
        return self.place(function, name) in self.arrays

    def is_list(self, function: str, node: tree.Expression) -> bool:
        """Return whether an expression is the name of an array that can be a list."""
        return isinstance(node, tree.Name) and self.place(function, node.name) in self.lists

    def waits(self, node: object) -> bool:
        """Return whether something below a node waits."""
        return any(
            (isinstance(one, (tree.Getline, tree.IndirectCall, *_LOOPS)) and one not in self.field_loops)
            or (isinstance(one, tree.Call) and (one.name in (_WAITING if one.builtin else self.waiting)))
            for one in tree.descendants(node)
        )

    def _look(self, function: str, part: object) -> None:
        for node in tree.descendants(part):
            for target in set_otherwise(node):
                if isinstance(target := tree.ungrouped(target), tree.Name):
                    self.mixed.add(self.place(function, target.name))
            match node:
                case tree.For() if self.is_pure and (loop := field_loop(node, self._is_own(function))):
                    self.field_loops[node] = loop
                case tree.Name():
                    self.names.add(node.name)
                case tree.Index() | tree.Delete():
                    self._is_array(function, node.target)
                case tree.Membership() | tree.ForIn():
                    self._is_array(function, node.array)
                case tree.Call():
                    self._look_at_call(function, node)
                case tree.Getline() | tree.IndirectCall() | tree.While() | tree.Do() | tree.For():
                    self.waiting.add(function)
                case _:
                    pass

    def _is_own(self, function: str) -> Callable[[tree.Name], bool]:
        special = VARIABLES | RECORD_VARIABLES | self.functions
        return lambda name: bool(self.place(function, name.name)[0]) or name.name not in special

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
            raise BadProgram(f"function {shown_name(call.name)} never defined", call.line)
        if len(call.arguments) > len(called.parameters):
            raise BadProgram(f"function {shown_name(call.name)} called with too many arguments", call.line)
        self._calls.setdefault(call.name, set()).add(function)
        for parameter, argument in zip(called.parameters, call.arguments, strict=False):
            passed = tree.ungrouped(argument)
            if isinstance(passed, tree.Name):
                self._links.append(((call.name, parameter), self.place(function, passed.name)))

    def _spread(self) -> None:
        """Spread known facts along the calls, until nothing changes."""
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


def uses_fields(part: object) -> bool:
    """Return whether something below a node, or in a list of nodes, uses fields or their number."""
    return any(
        (isinstance(node, tree.Field) and not (isinstance(node.index, tree.Number) and node.index.value == 0))
        or (isinstance(node, tree.Name) and node.name == "NF")
        for node in tree.descendants(part)
    )


def _targets(node: tree.Node) -> list[tree.Expression]:
    """Return what a node sets."""
    match node:
        case tree.Assignment() | tree.Step() | tree.ForIn():
            return [tree.ungrouped(node.target)]
        case tree.Getline() if node.target is not None:
            return [node.target]
        case tree.Call(builtin=True, name="sub" | "gsub"):
            return [tree.ungrouped(one) for one in node.arguments[2:3]]
        case _:
            return []


def _sets_field(node: tree.Node, *, records: bool = True) -> bool:
    """Return whether a node sets a field or NF, or $0 if `records` is true."""
    match node:
        case tree.Assignment() | tree.Step():
            return _is_field(node.target, records)
        case tree.ForIn():
            return _is_field(node.target, records)
        case tree.Getline():
            return node.target is not None and _is_field(node.target, records)
        case tree.Call(builtin=True, name="sub" | "gsub"):
            return records if len(node.arguments) < 3 else _is_field(node.arguments[2], records)
        case _:
            return False


def _is_field(node: tree.Expression, records: bool) -> bool:
    node = tree.ungrouped(node)
    if isinstance(node, tree.Field):
        return records or not (isinstance(node.index, tree.Number) and node.index.value == 0)
    return isinstance(node, tree.Name) and node.name == "NF"
