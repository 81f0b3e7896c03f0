"""Translates calls of `split`, `patsplit` and `substr`."""

from __future__ import annotations

from typing import TypeGuard

from gemini_userland.awk import tree
from gemini_userland.awk.assignments import AssignmentWriter
from gemini_userland.awk.effects import has_effects
from gemini_userland.awk.record import Literal, separated, words
from gemini_userland.awk.writing import Code

_FAR = 1 << 30


def _is_position(node: tree.Expression) -> TypeGuard[tree.Number]:
    return isinstance(node, tree.Number) and 1 <= node.value < _FAR


class PartWriter(AssignmentWriter):
    """The part of the translation that writes calls which return parts of strings."""

    def _call_substr(
        self,
        node: tree.Call,
        text: tree.Expression,
        start: tree.Expression,
        length: tree.Expression | None = None,
    ) -> Code:
        if beside := self._beside_match(text, tree.ungrouped(start), length and tree.ungrouped(length)):
            return beside, "str"
        count = int(length.value) if length is not None and _is_position(length) else 0
        if count or length is None:
            if _is_position(start):
                first = int(start.value) - 1
                return f"{self.text(text)}[{first}:{first + count if count else ''}]", "str"
            if place := self.counter(start, "s"):
                return f"{self.text(text)}[{place}:{f'{place} + {count}' if count else ''}]", "str"
        code = self.text(text)
        steady = not any(has_effects(one) for one in (start, length) if one is not None)
        if steady and (code.isidentifier() or code == "R.line"):
            return self._usual_substr(code, start, length, count), "str"
        last = "" if length is None else f", {self.num(length)}"
        return f"substr({self.text(text)}, {self.num(start)}{last})", "str"

    def _beside_match(
        self, text: tree.Expression, start: tree.Expression, length: tree.Expression | None
    ) -> str | None:
        """Return code for the last match, or what precedes or follows it in a text; None for another part."""
        if not self.reads_matches or has_effects(text):
            return None
        match start, length:
            case tree.Arithmetic(operator="+", left=tree.Name() as one, right=tree.Name() as other), None if {
                self.own_name(one),
                self.own_name(other),
            } == {"RSTART", "RLENGTH"}:
                part, otherwise = "last_match.end():", "{}"
            case tree.Name() as one, tree.Name() as other if (self.own_name(one), self.own_name(other)) == (
                "RSTART",
                "RLENGTH",
            ):
                part, otherwise = "last_match.start():last_match.end()", "''"
            case tree.Number(value=1.0), tree.Arithmetic(
                operator="-", left=tree.Name() as one, right=tree.Number(value=1.0)
            ) if self.own_name(one) == "RSTART":
                part, otherwise = ":last_match.start()", "''"
            case _:
                return None
        code = self.text(text)
        if self.has_match:
            return f"{code}[{part}]"
        return f"({code}[{part}] if last_match is not None else {otherwise.format(code)})"

    def own_name(self, node: tree.Name) -> str:
        """Return the name of a variable of the program's or awk's; "" for a parameter."""
        function, name = self.analysis.place(self.function, node.name)
        return "" if function else name

    def _usual_substr(
        self, text: str, start: tree.Expression, length: tree.Expression | None, count: int
    ) -> str:
        """Return code that calls no function for usual positions and lengths; `count` is a constant length, or 0."""
        first, at, size = self.temporary(), self.temporary(), self.temporary()
        test = f"1.0 <= ({first} := {self.num(start)}) < {_FAR}.0"
        if length is None:
            return f"({text}[int({first}) - 1:] if {test} else substr({text}, {first}))"
        if count:
            slow = f"substr({text}, {first}, {count}.0)"
            return f"({text}[({at} := int({first}) - 1):{at} + {count}] if {test} else {slow})"
        # The length is calculated in any case.
        test = f"0.0 < ({size} := {self.num(length)}) < {_FAR}.0 and {test}"
        slow = f"substr({text}, {self.num(start)}, {size})"
        return f"({text}[({at} := int({first}) - 1):{at} + int({size})] if {test} else {slow})"

    def _call_split(
        self, node: tree.Call, text: tree.Expression, array: tree.Expression, *others: tree.Expression
    ) -> Code:
        name = self.array(array)
        if self.analysis.is_list(self.function, tree.ungrouped(array)):
            return f"float(len({name} := {self._parts(text, others)}))", "num"
        marks = self.analysis.kinds.marks(self.analysis.kinds.root(self.function, array))
        if len(others) < 2 and not marks and (parts := self._parts_alike(text, others)):
            return f"refill({name}, {parts})", "num"
        separator = self.source(others[0]) if others else "None"
        separators = self.array(others[1]) if len(others) > 1 else "None"
        literal = not (others and isinstance(others[0], tree.Regex))
        return f"F.split({self.text(text)}, {name}, {separator}, {separators}, {literal}, {marks})", "num"

    def parted_only(self, node: tree.Expression) -> str | None:
        """Return a statement for a call of `split` that fills a list; None for another expression."""
        match node:
            case tree.Call(builtin=True, name="split", arguments=[text, array, *others]) if (
                self.analysis.is_list(self.function, tree.ungrouped(array))
            ):
                return f"{self.array(array)} = {self._parts(text, tuple(others))}"
            case _:
                return None

    def _parts(self, text: tree.Expression, others: tuple[tree.Expression, ...]) -> str:
        """Return code for the list of the parts of a text."""
        if alike := self._parts_alike(text, others):
            return alike
        separator = self.source(others[0]) if others else "None"
        literal = not (others and isinstance(others[0], tree.Regex))
        return f"F.parts({self.text(text)}, {separator}, {literal})"

    def _parts_alike(self, text: tree.Expression, others: tuple[tree.Expression, ...]) -> str | None:
        """Return code for the list of the parts of a text if the separator is a constant, else None."""
        separator = tree.ungrouped(others[0]) if others else tree.String(" ")
        if self.folds or not isinstance(separator, tree.Regex | tree.String):
            return None
        if not others and not self.analysis.is_constant("FS"):
            return None
        is_text = isinstance(separator, tree.String)
        split = separated(separator.value if is_text else separator.source, literal=is_text)
        code = self.text(text)
        if split is words:
            return (
                f"({code}.split() if R.is_plain else words({code}))"
                if code == self.record() and self.analysis.is_pure
                else f"words({code})"
            )
        if isinstance(split, Literal):
            part = code if code.isidentifier() else self.temporary()
            test = code if code.isidentifier() else f"({part} := {code})"
            return f"({part}.split({split.separator!r}) if {test} else [])"
        return f"{self._constant(split)}({code})"

    def _call_patsplit(
        self, node: tree.Call, text: tree.Expression, array: tree.Expression, *others: tree.Expression
    ) -> Code:
        source = self.source(others[0]) if others else "None"
        separators = self.array(others[1]) if len(others) > 1 else "None"
        return f"F.patsplit({self.text(text)}, {self.array(array)}, {source}, {separators})", "num"
