"""Translates operators, comparisons and matches."""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.comparing import COMPARED
from gemini_userland.awk.effects import has_effects
from gemini_userland.awk.errors import BadProgram, RunError
from gemini_userland.awk.patterns import pattern
from gemini_userland.awk.writing import Code, ExpressionWriter

# The comparison with the operands exchanged.
MIRRORED = {"<": ">", "<=": ">=", "==": "==", "!=": "!=", ">": "<", ">=": "<="}
# The kinds of strings of the input.
_OF_INPUT = frozenset(["raw", "part", "held"])


class OperatorWriter(ExpressionWriter):
    """The part of the translation that writes operators."""

    def got_record(self, node: tree.Getline) -> str:
        """Return code for whether `getline` has got a record."""
        raise NotImplementedError

    # Truth

    def cond(self, node: tree.Expression) -> str:
        """Return code for the truth, as an expression that Python can test."""
        match node:
            case tree.Comparison():
                return self._comparison(node)
            case tree.Match():
                return self._match(node)
            case tree.Regex():
                return self._search_code(node, self.record())
            case tree.Logic():
                return f"({self.cond(node.left)} {node.operator} {self.cond(node.right)})"
            case tree.Membership():
                return f"({self.key(node.array, node.keys)} in {self.array(node.array)})"
            case tree.Call(builtin=True, name="match", arguments=[text, source]) if self.reads_matches:
                return self._matched_plainly(text, source)
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
                    "held": "field_truth({})",
                    "raw": "truth(Input({}))",
                }.get(kind, "truth({})")
                return form.format(code)

    def _typedregex_code(self, node: tree.TypedRegex) -> Code:
        self._search_code(node, '""')
        return f"TypedRegex({node.source!r})", "any"

    # Operators

    def _unary_code(self, node: tree.Unary) -> Code:
        if node.operator == "!":
            return f"(0.0 if {self.cond(node.operand)} else 1.0)", "num"
        return f"({node.operator}{self.num(node.operand)})", "num"

    def _arithmetic_code(self, node: tree.Arithmetic) -> Code:
        match node:
            case tree.Arithmetic(operator="+", left=tree.Name() as left, right=tree.Name() as right) if (
                self.reads_matches
            ):
                places = {self.analysis.place(self.function, one.name) for one in (left, right)}
                if places == {("", "RSTART"), ("", "RLENGTH")}:
                    end = "last_match.end() + 1.0"
                    return (
                        f"({end if self.has_match else f'{end} if last_match is not None else -1.0'})",
                        "num",
                    )
            case _:
                pass
        return self._calculate(node.operator, self.num(node.left), node.right), "num"

    def _calculate(self, operator: str, left: str, right: tree.Expression) -> str:
        if operator == "/" and isinstance(right, tree.Number) and right.value:
            return f"({left} / {self.num(right)})"
        if operator == "%" and isinstance(right, tree.Number) and right.value > 0:
            name = self.temporary()
            # Python's rest has the sign of the divisor.
            rest = f"{name} % {self.num(right)}"
            return f"({rest} if 0.0 <= ({name} := {left}) < 1e300 else modulo({name}, {self.num(right)}))"
        return self._combine(operator, left, self.num(right))

    def _combine(self, operator: str, left: str, right: str) -> str:
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
        if kinds <= _OF_INPUT:
            return f"inputs_{COMPARED[node.operator]}({left[0]}, {right[0]})"
        ways = [(node.operator, left, right)]
        if not has_effects(node.left) and not has_effects(node.right):
            # The right operand comes first then.
            ways.append((MIRRORED[node.operator], right, left))
        for operator, one, other in ways:
            if one[1] in _OF_INPUT and other[1] not in ("str", "input"):
                return self._raw_comparison(operator, one, other)
        values = [self.stored(code, kind) for code, kind in (left, right)]
        call = f"{COMPARED[node.operator]}({', '.join(values)})"
        plain = [value for value, (_, kind) in zip(values, (left, right), strict=True) if kind != "num"]
        if all(value.isidentifier() for value in plain):
            tests = " and ".join(f"{value}.__class__ is float" for value in plain)
            return f"({values[0]} {node.operator} {values[1]} if {tests} else {call})"
        return call

    def _raw_comparison(self, operator: str, one: Code, other: Code) -> str:
        """Return code that compares a string of the input, or nothing, with a value."""
        raw, kind = one
        name = f"raw_{COMPARED[operator]}"
        if other[1] != "num":
            return f"{name}({raw}, {other[0]})"
        if kind == "raw":
            return f"{name}_number({raw}, {other[0]})"
        part = self.temporary()
        compared = f"{name}_number({part}, {other[0]})"
        return f"({compared} if ({part} := {raw}) is not None else 0.0 {operator} {other[0]})"

    def _match(self, node: tree.Match) -> str:
        right = node.right
        right = tree.ungrouped(right)
        text = self.text(node.left)
        found = (
            self._search_code(right, text)
            if isinstance(right, tree.Regex | tree.TypedRegex)
            else f"F.matches({text}, {self.text(right)})"
        )
        return f"(not {found})" if node.negated else found

    def _search_code(self, node: tree.Regex | tree.TypedRegex, text: str) -> str:
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

    def _matched_plainly(self, text: tree.Expression, source: tree.Expression) -> str:
        """Return code for whether a text matches a constant expression, which remembers the match."""
        regex = tree.ungrouped(source)
        assert isinstance(regex, tree.Regex)
        search = self._constant(pattern(regex.source).compiled.search)
        return f"((last_match := {search}({self.text(text)})) is not None)"

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
        self._search_code(node, '""')
        return repr(node.source)

    def _conditional_code(self, node: tree.Conditional) -> Code:
        yes, no = self.code(node.yes), self.code(node.no)
        kinds = {yes[1], no[1]}
        kind = yes[1] if len(kinds) == 1 else "opt" if kinds == {"num", "opt"} else "any"
        kind = "part" if len(kinds) > 1 and kinds <= _OF_INPUT else kind
        codes = [yes[0], no[0]] if kind != "any" else [self.stored(*yes), self.stored(*no)]
        return f"({codes[0]} if {self.cond(node.condition)} else {codes[1]})", kind

    def _concatenation_code(self, node: tree.Concatenation) -> Code:
        parts: list[tree.Expression] = []
        left: tree.Expression = node
        while isinstance(left, tree.Concatenation):
            parts.append(left.right)
            left = left.left
        return f"({' + '.join(self.text(part) for part in [left, *reversed(parts)])})", "str"
