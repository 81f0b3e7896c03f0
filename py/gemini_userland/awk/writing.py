"""Translates the expressions of awk to Python.

The names of the translation: `S` is the State, `R` the Record, `F` the Functions, `IO` the Streams, `M` the main input;
`v_x` is the variable x, `l_x` the same while it is in a local variable of Python's, `p_x` a parameter, `f_x` a
function.
In rules that keep the fields to themselves, `P` has the record's, and `cut` makes them; if nothing else sees the
record, `L` has it.
"""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.analysis import Analysis
from gemini_userland.awk.counting import SHORT
from gemini_userland.awk.errors import BadProgram
from gemini_userland.awk.fields import Place
from gemini_userland.awk.lexer import shown_name
from gemini_userland.awk.matching import code_of, reads_matches
from gemini_userland.awk.numbering import FAR
from gemini_userland.awk.presence import Presence
from gemini_userland.awk.state import RECORD_VARIABLES, SETTINGS, TEXTS, VARIABLES

CONSTANTS = {"OFS": " ", "ORS": "\n", "SUBSEP": "\x1c"}
Kind = str
"""Kinds of results of code: `num` a float, `str` a string, `raw` a string of the input, `input` a field's value,
`part` a string of the input or nothing, `held` the same in a variable, `opt` a float or nothing, `any` a variable's."""
Code = tuple[str, Kind]


class ExpressionWriter:
    """The part of the translation that writes expressions.

    Args:
        analysis: The facts about the program.
        folds: IGNORECASE may be set.

    Attributes:
        constants: The names that the translation needs, and their values.
        function: The function that is being translated, or "".
        reads_matches: `last_match` has the last match, from which RSTART and RLENGTH are read.
    """

    def __init__(self, analysis: Analysis, folds: bool) -> None:
        self.analysis = analysis
        self.folds = folds
        self.constants: dict[str, object] = {"last_match": None, "old_match": None}
        self.reads_matches = not folds and reads_matches(analysis)
        self.function = ""
        # Whether the fields are in `P`, and have been made.
        self._in_parts = self._has_parts = False
        # Whether the record is in `L`.
        self.has_own_record = False
        # It is a match where the code stands.
        self.has_match = False
        # `last_match` is a local variable, because no function sees it.
        self.has_own_match = self.reads_matches and not analysis.functions
        self._locals: frozenset[str] = frozenset()
        self._temporaries = 0
        # The variables that are numbers here, and those that are the numbers of fields in a loop.
        self._numbers: set[Place] = set()
        self._presence = Presence(self._own_place)
        self._aliases: dict[Place, str] = {}
        # For the variables of counting loops, what else each round has: see `counted`.
        self._counters: dict[Place, dict[str, str]] = {}

    def _own_place(self, node: tree.Name) -> Place | None:
        """Return the place of a variable that is in a local one of Python's, else None."""
        place = self.analysis.place(self.function, node.name)
        return place if place[0] or node.name in self._locals else None

    def temporary(self) -> str:
        """Return a name for a value that is needed twice."""
        self._temporaries += 1
        return f"t{self._temporaries}"

    # What a value is used as

    def num(self, node: tree.Expression) -> str:
        """Return code for the number."""
        code, kind = self.code(node)
        return self._as_number(code, kind)

    def text(self, node: tree.Expression) -> str:
        """Return code for the string."""
        return (
            self._text_of_name(node)
            or self._text_of_part(node)
            or self._as_text(*self.code(node), "T", "text")
        )

    def _text_of_part(self, node: tree.Expression) -> str | None:
        """Return code for the string of an element of a list that a constant numbers; None for others."""
        node = tree.ungrouped(node)
        if not isinstance(node, tree.Index) or not self.analysis.is_list(self.function, node.target):
            return None
        place = _constant_place(tree.ungrouped(node.keys[0]))
        return None if place is None else _element(self.array(node.target), place, "''")

    def _text_of_name(self, node: tree.Expression) -> str | None:
        """Return code for the string of a variable of awk's that the program doesn't set; None for others."""
        node = tree.ungrouped(node)
        if not isinstance(node, tree.Name) or self.analysis.place(self.function, node.name)[0]:
            return None
        if node.name in self.analysis.counters:
            # All values of NR and FNR differ.
            return f"whole_text({self.special(node.name)})"
        if node.name in SETTINGS - self.analysis.changed:
            return f"S.setting_texts[{node.name!r}]"
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
        if kind in ("part", "held"):
            return f"({name} if {code} is not None else '')"
        return f"({name} if {code}.__class__ is str else {function}({name}))"

    def _as_number(self, code: str, kind: Kind) -> str:
        if kind == "num":
            return code
        if kind == "held":
            return f"N[{code}]"
        if kind == "raw":
            # Most fields that a loop sees are words.
            words = f"0.0 if {code} > ':' else " if code.isidentifier() else ""
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
        return self._text_of_name(node) or self._as_text(*self.code(node), "O", "shown")

    def value(self, node: tree.Expression, target: tree.Expression | Place | None = None) -> str:
        """Return code for a value that can be stored in a target; without one, the value has its mark."""
        return self.stored(*self.code(node), target)

    def stored(self, code: str, kind: Kind, target: tree.Expression | Place | None = None) -> str:
        """Return code for a value as it can be stored in a target."""
        if kind not in ("input", "raw", "part", "held") or not self._marks(target):
            return code
        return f"Input({code})" if kind == "raw" else f"retained({code})"

    def _marks(self, target: tree.Expression | Place | None) -> bool:
        kinds = self.analysis.kinds
        if isinstance(target, tree.Expression):
            target = kinds.root(self.function, target)
        return target is None or kinds.marks(target)

    def code(self, node: tree.Expression) -> Code:
        """Return code for the value, and its kind."""
        return getattr(self, f"_{type(node).__name__.lower()}_code")(node)

    def _only(self, node: tree.Grouping) -> tree.Expression:
        if len(node.items) != 1:
            raise BadProgram("syntax error at or near ,", node.line)
        return node.items[0]

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
        kind = "num" if (place, name) in self._numbers else self.kind_of((place, name))
        if (place, name) in self._presence:
            kind = {"opt": "num", "held": "raw"}.get(kind, kind)
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
        if self.reads_matches and name in ("RSTART", "RLENGTH"):
            return code_of(name, self.has_match)
        return repr(CONSTANTS[name]) if name in CONSTANTS and self.analysis.is_constant(name) else f"S.{name}"

    def parts(self) -> str:
        """Return code for the fields."""
        if self._in_parts:
            return "P" if self._has_parts else f"(P or (P := {self.cut()}))"
        return "(R.parts or R.fields())"

    def cut(self) -> str:
        """Return code that makes the fields of a record."""
        limit = self.analysis.limit
        count = "" if limit is None else f", {limit}"
        line = self.record()
        return f"({line}.split(separator{count}) if is_usual else cut({line}))"

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
            return f"(P[-1] if {self.parts()} else {self.record()})" if self._in_parts else "R.last()", kind
        if isinstance(index, tree.Name):
            alias = self._aliases.get(self.analysis.place(self.function, index.name))
            if alias is not None:
                return alias, "raw"
        if self._in_parts:
            return f"field_at({self.parts()}, {self.record()}, {self.num(index)})", kind
        return f"R.at({self.num(index)})", kind

    def record(self) -> str:
        """Return code for $0, a string."""
        return self.line if self.analysis.sets_only_records else "(R.line or R.whole())"

    @property
    def line(self) -> str:
        """Code for where $0 is, unless a field has changed."""
        return "L" if self.has_own_record else "R.line"

    @property
    def marks_fields(self) -> bool:
        """True if it matters which strings in fields are the input's."""
        return self.analysis.kinds.marks(("", "$"))

    def _index_code(self, node: tree.Index) -> Code:
        if self.analysis.is_list(self.function, node.target):
            return self._part(self.array(node.target), tree.ungrouped(node.keys[0])), "part"
        code = f"{self.array(node.target)}[{self.key(node.target, node.keys)}]"
        return code, self.kind_of(self.analysis.kinds.root(self.function, node))

    def kind_of(self, place: Place) -> Kind:
        """Return the kind of what a variable, the elements of an array or the results of a function are."""
        if place in self.analysis.kinds.inputs:
            return "held"
        return "any" if place in self.analysis.kinds.mixed else "opt"

    def _part(self, parts: str, key: tree.Expression) -> str:
        """Return code for an element of a list."""
        if (at := _constant_place(key)) is not None:
            return _element(parts, at, "None")
        if place := self.counter(key, "p"):
            return f"({parts}[{place}] if {place} < len({parts}) else None)"
        return f"part({parts}, {self.num(key)}, T)"

    def is_numbered(self, array: tree.Expression) -> bool:
        """Return whether the keys of an array are numbers."""
        numbered = self.analysis.numbering.arrays
        return isinstance(array, tree.Name) and self.analysis.place(self.function, array.name) in numbered

    def key(self, array: tree.Expression, keys: list[tree.Expression]) -> str:
        """Return code for an index of an array; several are joined by SUBSEP."""
        if self.is_numbered(array):
            return self._number_key(tree.ungrouped(keys[0]))
        if len(keys) == 1 and isinstance(keys[0], tree.Grouping):
            keys = keys[0].items
        return f" + {self.special('SUBSEP')} + ".join(self._key(one) for one in keys)

    def _number_key(self, node: tree.Expression) -> str:
        code, kind = self.code(node)
        if kind == "num" and self.analysis.numbering.is_near(self.function, node):
            return code
        name = code if code.isidentifier() else self.temporary()
        code = code if code.isidentifier() else f"({name} := {code})"
        there = f"{code} is not None and " if kind == "opt" else ""
        return f"({name} if {there}-{FAR} < {name if there else code} < {FAR} else T[{name}])"

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
            return f"{self.array(node.target)}.nested({self.key(node.target, node.keys)})"
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


def _constant_place(key: tree.Expression) -> int | None:
    """Return the place, from 0, in a list that a subscript names; None if it isn't constant."""
    if isinstance(key, tree.Number) and 1 <= key.value < SHORT and key.value.is_integer():
        return int(key.value) - 1
    return None


def _element(parts: str, at: int, missing: str) -> str:
    return f"({parts}[{at}] if {f'len({parts}) > {at}' if at else parts} else {missing})"
