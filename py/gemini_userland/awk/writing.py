"""Translates the expressions of awk to Python.

The names of the translation: `S` is the State, `R` the Record, `F` the Functions, `IO` the Streams, `M` the main input;
`v_x` is the variable x, `l_x` the same while it is in a local variable of Python's, `p_x` a parameter, `f_x` a
function.
In rules that keep the fields to themselves, `P` has those of the record, and `cut` makes them.
"""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.analysis import Analysis
from gemini_userland.awk.comparing import COMPARED
from gemini_userland.awk.counting import SHORT
from gemini_userland.awk.errors import BadProgram, RunError
from gemini_userland.awk.fields import Place
from gemini_userland.awk.lexer import shown_name
from gemini_userland.awk.patterns import pattern
from gemini_userland.awk.state import RECORD_VARIABLES, SETTINGS, TEXTS, VARIABLES

CONSTANTS = {"OFS": " ", "ORS": "\n", "SUBSEP": "\x1c"}
# The comparison with the operands exchanged.
MIRRORED = {"<": ">", "<=": ">=", "==": "==", "!=": "!=", ">": "<", ">=": "<="}
Kind = str
"""Kinds of results of code: `num` a float, `str` a string, `raw` a string of the input, `input` a field's value,
`part` a string of the input or nothing, `opt` a float or nothing, `any` a variable's."""
Code = tuple[str, Kind]


class ExpressionWriter:
    """The part of the translation that writes expressions.

    Args:
        analysis: The facts about the program.
        folds: IGNORECASE may be set.

    Attributes:
        constants: The names that the translation needs, and their values.
        function: The function that is being translated, or "".
    """

    def __init__(self, analysis: Analysis, folds: bool) -> None:
        self.analysis = analysis
        self.folds = folds
        self.constants: dict[str, object] = {}
        self.function = ""
        # Whether the fields are in `P`, and have been made.
        self._in_parts = self._has_parts = False
        self._locals: frozenset[str] = frozenset()
        self._temporaries = 0
        # The variables that are numbers here, and those that are the numbers of fields in a loop.
        self._numbers: set[Place] = set()
        self._aliases: dict[Place, str] = {}
        # For the variables of counting loops, what else each round has: see `counted`.
        self._counters: dict[Place, dict[str, str]] = {}

    def temporary(self) -> str:
        """Return a name for a value that is needed twice."""
        self._temporaries += 1
        return f"t{self._temporaries}"

    def got_record(self, node: tree.Getline) -> str:
        """Return code for whether `getline` has got a record."""
        raise NotImplementedError

    # What a value is used as

    def num(self, node: tree.Expression) -> str:
        """Return code for the number."""
        code, kind = self.code(node)
        return self._as_number(code, kind)

    def text(self, node: tree.Expression) -> str:
        """Return code for the string."""
        return self._counted_text(node) or self._as_text(*self.code(node), "T", "text")

    def _counted_text(self, node: tree.Expression) -> str | None:
        """Return code for the string of NR or FNR, whose texts are all different, or None for another expression."""
        node = tree.ungrouped(node)
        if isinstance(node, tree.Name) and node.name in self.analysis.counters:
            return f"f'{{int({self.special(node.name)})}}'"
        return None

    def _as_text(self, code: str, kind: Kind, texts: str, function: str) -> str:
        if kind in ("str", "raw"):
            return code
        if kind in ("num", "opt"):
            return f"{texts}[{code}]"
        name = code
        if not code.isidentifier():
            name = self.temporary()
            code = f"({name} := {code})"
        if kind == "part":
            return f"({name} if {code} is not None else '')"
        return f"({name} if {code}.__class__ is str else {function}({name}))"

    def _as_number(self, code: str, kind: Kind) -> str:
        if kind == "num":
            return code
        if kind == "raw":
            # Most fields that a loop sees are words.
            words = f"0.0 if {code}[:1] > '9' else " if code.isidentifier() else ""
            return f"({words}prefix_number({code}))"
        name = code
        if not code.isidentifier():
            name = self.temporary()
            code = f"({name} := {code})"
        if kind == "opt":
            return f"({name} if {code} is not None else 0.0)"
        if kind == "part":
            return f"(prefix_number({name}) if {code} is not None else 0.0)"
        return f"({name} if {code}.__class__ is float else number({name}))"

    def shown(self, node: tree.Expression) -> str:
        """Return code for the string that `print` writes."""
        if isinstance(node, tree.Field) and isinstance(node.index, tree.Number) and not node.index.value:
            return self.record()
        return self._counted_text(node) or self._as_text(*self.code(node), "O", "shown")

    def value(self, node: tree.Expression, target: tree.Expression | Place | None = None) -> str:
        """Return code for a value that can be stored in a target; without one, the value has its mark."""
        return self.stored(*self.code(node), target)

    def stored(self, code: str, kind: Kind, target: tree.Expression | Place | None = None) -> str:
        """Return code for a value as it can be stored in a target."""
        if kind not in ("input", "raw", "part") or not self._marks(target):
            return code
        return f"Input({code})" if kind == "raw" else f"retained({code})"

    def _marks(self, target: tree.Expression | Place | None) -> bool:
        kinds = self.analysis.kinds
        if isinstance(target, tree.Expression):
            target = kinds.root(self.function, target)
        return target is None or kinds.marks(target)

    def cond(self, node: tree.Expression) -> str:
        """Return code for the truth, as an expression that Python can test."""
        match node:
            case tree.Comparison():
                return self._comparison(node)
            case tree.Match():
                return self._matched(node)
            case tree.Regex():
                return self._found(node, self.record())
            case tree.Logic():
                return f"({self.cond(node.left)} {node.operator} {self.cond(node.right)})"
            case tree.Membership():
                return f"({self.key(node.keys)} in {self.array(node.array)})"
            case tree.Unary(operator="!"):
                return f"(not {self.cond(node.operand)})"
            case tree.Grouping():
                return self.cond(self._only(node))
            case _:
                code, kind = self.code(node)
                form = {
                    "num": "({} != 0.0)",
                    "opt": "{}",
                    "str": '({} != "")',
                    "input": "field_truth({})",
                    "part": "field_truth({})",
                    "raw": "truth(Input({}))",
                }.get(kind, "truth({})")
                return form.format(code)

    def code(self, node: tree.Expression) -> Code:
        """Return code for the value, and its kind."""
        return getattr(self, f"_{type(node).__name__.lower()}_code")(node)

    def _only(self, node: tree.Grouping) -> tree.Expression:
        if len(node.items) != 1:
            raise BadProgram("syntax error at or near ,", node.line)
        return node.items[0]

    def _typedregex_code(self, node: tree.TypedRegex) -> Code:
        self._found(node, '""')
        return f"TypedRegex({node.source!r})", "any"

    # Operands

    def _number_code(self, node: tree.Number) -> Code:
        return ("INF" if node.value == float("inf") else repr(node.value)), "num"

    def _string_code(self, node: tree.String) -> Code:
        return repr(node.value), "str"

    def _grouping_code(self, node: tree.Grouping) -> Code:
        return self.code(self._only(node))

    def _name_code(self, node: tree.Name) -> Code:
        if self.analysis.is_array(self.function, node.name):
            raise BadProgram(f"array {shown_name(node.name)} is used as a scalar", node.line)
        return self.variable(node)

    def variable(self, node: tree.Name) -> Code:
        """Return code for a variable, and its kind."""
        place, name = self.analysis.place(self.function, node.name)
        kind = "any"
        if (place, name) in self._numbers:
            kind = "num"
        elif (place, name) not in self.analysis.kinds.mixed:
            kind = "opt"
        if place:
            return f"p_{name}", kind
        if name in self.analysis.functions:
            raise BadProgram(f"function {shown_name(name)} is used as a variable", node.line)
        if name in RECORD_VARIABLES:
            return f"float(len({self.parts()}))", "num"
        if name in SETTINGS:
            return f"S.setting({name!r})", "any"
        if name in VARIABLES:
            is_number = ("", name) not in self.analysis.kinds.mixed
            return self.special(name), "num" if is_number else "str" if name in TEXTS else "any"
        return f"{'l' if name in self._locals else 'v'}_{name}", kind

    def special(self, name: str) -> str:
        """Return code for a variable of awk's; one that never changes is a constant."""
        return repr(CONSTANTS[name]) if name in CONSTANTS and self.analysis.is_constant(name) else f"S.{name}"

    def parts(self) -> str:
        """Return code for the fields."""
        if self._in_parts:
            return "P" if self._has_parts else "(P or (P := cut(R.line)))"
        return "(R.parts or R.fields())"

    def _field_code(self, node: tree.Field) -> Code:
        index = node.index
        # Where no mark matters, $0 may be set, and its fields are still strings.
        is_text = self.analysis.is_pure or (self.analysis.sets_only_records and not self.marks_fields)
        kind = "raw" if is_text else "input"
        if isinstance(index, tree.Number) and index.value >= 0:
            at = int(index.value)
            if self._in_parts and at > 0:
                there = self.parts() if at == 1 else f"len({self.parts()}) > {at - 1}"
                return f"(P[{at - 1}] if {there} else '')", kind
            if self.analysis.limit is not None and at > 0:
                return f"(R.parts or R.cut())[{at - 1}]", kind
            return (self.record() if at == 0 else f"R.field({at - 1})"), kind
        if (
            isinstance(index, tree.Name)
            and index.name == "NF"
            and self.analysis.place(self.function, "NF") == ("", "NF")
        ):
            return f"(P[-1] if {self.parts()} else R.line)" if self._in_parts else "R.last()", kind
        if isinstance(index, tree.Name):
            alias = self._aliases.get(self.analysis.place(self.function, index.name))
            if alias is not None:
                return alias, "raw"
        if self._in_parts:
            return f"field_at({self.parts()}, R.line, {self.num(index)})", kind
        return f"R.at({self.num(index)})", kind

    def record(self) -> str:
        """Return code for $0, a string."""
        return "R.line" if self.analysis.sets_only_records else "(R.line or R.whole())"

    @property
    def marks_fields(self) -> bool:
        """True if it matters which strings in fields are the input's."""
        return self.analysis.kinds.marks(("", "$"))

    def _index_code(self, node: tree.Index) -> Code:
        if self.analysis.is_list(self.function, node.target):
            return self._part(self.array(node.target), tree.ungrouped(node.keys[0])), "part"
        mixed = self.analysis.kinds.root(self.function, node) in self.analysis.kinds.mixed
        return f"{self.array(node.target)}[{self.key(node.keys)}]", "any" if mixed else "opt"

    def _part(self, parts: str, key: tree.Expression) -> str:
        """Return code for an element of a list."""
        if isinstance(key, tree.Number) and 1 <= key.value < SHORT and key.value.is_integer():
            at = int(key.value) - 1
            return f"({parts}[{at}] if {f'len({parts}) > {at}' if at else parts} else None)"
        if place := self.counter(key, "p"):
            return f"({parts}[{place}] if {place} < len({parts}) else None)"
        return f"part({parts}, {self.num(key)}, T)"

    def key(self, keys: list[tree.Expression]) -> str:
        """Return code for an index; several are joined by SUBSEP."""
        if len(keys) == 1 and isinstance(keys[0], tree.Grouping):
            keys = keys[0].items
        return f" + {self.special('SUBSEP')} + ".join(self._key(one) for one in keys)

    def _key(self, node: tree.Expression) -> str:
        if isinstance(node, tree.Number) and node.value == int(node.value) and abs(node.value) < 1e15:
            return repr(str(int(node.value)))
        return self.counter(node, "k") or self.text(node)

    def counter(self, node: tree.Expression, letter: str) -> str | None:
        """Return the name of what a counting loop has for each number of a variable, or None."""
        node = tree.ungrouped(node)
        if not isinstance(node, tree.Name):
            return None
        return self._counters.get(self.analysis.place(self.function, node.name), {}).get(letter)

    def array(self, node: tree.Expression) -> str:
        """Return code for an array."""
        if isinstance(node, tree.Index):
            return f"{self.array(node.target)}.nested({self.key(node.keys)})"
        if isinstance(node, tree.Grouping):
            return self.array(self._only(node))
        if not isinstance(node, tree.Name):
            raise BadProgram("an array is needed", node.line)
        place, name = self.analysis.place(self.function, node.name)
        if name in ("SYMTAB", "FUNCTAB"):
            raise BadProgram(f"{name} isn't supported: variables are reached by their names only", node.line)
        if (
            (place, name) not in self.analysis.arrays
            or name in VARIABLES | RECORD_VARIABLES
            or name in self.analysis.functions
        ):
            raise BadProgram(f"{shown_name(node.name)} is used as an array, but isn't one", node.line)
        return f"p_{name}" if place else f"v_{name}"

    # Operators

    def _unary_code(self, node: tree.Unary) -> Code:
        if node.operator == "!":
            return f"(0.0 if {self.cond(node.operand)} else 1.0)", "num"
        return f"({node.operator}{self.num(node.operand)})", "num"

    def _arithmetic_code(self, node: tree.Arithmetic) -> Code:
        return self._calculated(node.operator, self.num(node.left), node.right), "num"

    def _calculated(self, operator: str, left: str, right: tree.Expression) -> str:
        if operator == "/" and isinstance(right, tree.Number) and right.value:
            return f"({left} / {self.num(right)})"
        if operator == "%" and isinstance(right, tree.Number) and right.value > 0:
            name = self.temporary()
            # Python's rest has the sign of the divisor.
            rest = f"{name} % {self.num(right)}"
            return f"({rest} if 0.0 <= ({name} := {left}) < 1e300 else modulo({name}, {self.num(right)}))"
        return self._combined(operator, left, self.num(right))

    def _combined(self, operator: str, left: str, right: str) -> str:
        if operator in ("+", "-", "*"):
            return f"({left} {operator} {right})"
        return f"{ {'/': 'divide', '%': 'modulo', '^': 'power'}[operator] }({left}, {right})"

    def _truth_code(self, node: tree.Expression) -> Code:
        return f"(1.0 if {self.cond(node)} else 0.0)", "num"

    _comparison_code = _match_code = _regex_code = _logic_code = _membership_code = _truth_code

    def _comparison(self, node: tree.Comparison) -> str:
        match node:
            case tree.Comparison(operator=">", left=left, right=tree.Number(value=0.0)) if isinstance(
                got := tree.ungrouped(left), tree.Getline
            ):
                return self.got_record(got)
            case _:
                pass
        left, right = self.code(node.left), self.code(node.right)
        kinds = {left[1], right[1]}
        if kinds <= {"num", "opt"}:
            return f"({self._as_number(*left)} {node.operator} {self._as_number(*right)})"
        if "str" in kinds and not self.folds:
            return f"({self.text(node.left)} {node.operator} {self.text(node.right)})"
        if left[1] == "raw" and right[1] not in ("raw", "str", "input"):
            return self._raw_comparison(node.operator, left[0], right)
        if right[1] == "raw" and left[1] not in ("raw", "str", "input"):
            return self._raw_comparison(MIRRORED[node.operator], right[0], left)
        if left[1] == "part" and right[1] in ("num", "opt"):
            return self._part_comparison(node.operator, left[0], self._as_number(*right))
        if right[1] == "part" and left[1] in ("num", "opt"):
            return self._part_comparison(MIRRORED[node.operator], right[0], self._as_number(*left))
        values = [self.stored(code, kind) for code, kind in (left, right)]
        call = f"{COMPARED[node.operator]}({', '.join(values)})"
        plain = [value for value, (_, kind) in zip(values, (left, right), strict=True) if kind != "num"]
        if all(value.isidentifier() for value in plain):
            tests = " and ".join(f"{value}.__class__ is float" for value in plain)
            return f"({values[0]} {node.operator} {values[1]} if {tests} else {call})"
        return call

    def _part_comparison(self, operator: str, part: str, number: str) -> str:
        """Return code that compares an element of a list with a number."""
        name = self.temporary()
        compared = f"raw_{COMPARED[operator]}_number({name}, {number})"
        return f"({compared} if ({name} := {part}) is not None else 0.0 {operator} {number})"

    def _raw_comparison(self, operator: str, raw: str, other: Code) -> str:
        """Return code that compares a string of the input with a value."""
        code, kind = other
        name = f"raw_{COMPARED[operator]}"
        return (
            f"{name}_number({raw}, {self._as_number(code, kind)})"
            if kind in ("num", "opt")
            else f"{name}({raw}, {code})"
        )

    def _matched(self, node: tree.Match) -> str:
        right = node.right
        right = tree.ungrouped(right)
        text = self.text(node.left)
        found = (
            self._found(right, text)
            if isinstance(right, tree.Regex | tree.TypedRegex)
            else f"F.matches({text}, {self.text(right)})"
        )
        return f"(not {found})" if node.negated else found

    def _found(self, node: tree.Regex | tree.TypedRegex, text: str) -> str:
        """Return code for whether a text matches a constant expression."""
        try:
            compiled = pattern(node.source)
        except RunError as problem:
            raise BadProgram(problem.message, node.line) from problem
        if self.folds:
            return f"F.matches({text}, {node.source!r})"
        if compiled.literal is not None:
            return f"({compiled.literal!r} in {text})"
        return f"{self._constant(compiled.found)}({text})"

    def _constant(self, value: object) -> str:
        """Return a name for a value that the translation needs."""
        name = f"x{len(self.constants)}"
        self.constants[name] = value
        return name

    def source(self, node: tree.Expression) -> str:
        """Return code for the text of an expression that a function takes."""
        node = tree.ungrouped(node)
        if not isinstance(node, tree.Regex | tree.TypedRegex):
            return self.text(node)
        self._found(node, '""')
        return repr(node.source)

    def _conditional_code(self, node: tree.Conditional) -> Code:
        yes, no = self.code(node.yes), self.code(node.no)
        kind = yes[1] if yes[1] == no[1] else "opt" if {yes[1], no[1]} == {"num", "opt"} else "any"
        codes = [yes[0], no[0]] if kind != "any" else [self.stored(*yes), self.stored(*no)]
        return f"({codes[0]} if {self.cond(node.condition)} else {codes[1]})", kind

    def _concatenation_code(self, node: tree.Concatenation) -> Code:
        parts: list[tree.Expression] = []
        left: tree.Expression = node
        while isinstance(left, tree.Concatenation):
            parts.append(left.right)
            left = left.left
        return f"({' + '.join(self.text(part) for part in [left, *reversed(parts)])})", "str"
