"""Translates what sets variables: assignments, steps and `getline`."""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.awk import tree
from gemini_userland.awk.effects import has_effects
from gemini_userland.awk.errors import BadProgram
from gemini_userland.awk.operators import OperatorWriter
from gemini_userland.awk.record import MOST_FIELDS
from gemini_userland.awk.state import RECORD_VARIABLES, VARIABLES
from gemini_userland.awk.writing import Code


class AssignmentWriter(OperatorWriter):
    """The part of the translation that writes assignments."""

    def stable(self, target: tree.Expression) -> tuple[Code, Callable[[str], str]]:
        """Return code that reads a target, and a function that returns code which then sets it to a value.

        An index is calculated once, by the code that reads.
        """
        while isinstance(target, tree.Grouping):
            target = self._only(target)
        match target:
            case tree.Field(index=tree.Number() | tree.Name()):
                return self.code(target), lambda value: self.assigned(target, value)
            case tree.Field():
                name = self.temporary()
                read = f"R.at(({name} := {self.num(target.index)}))"
                return (read, "input"), lambda value: f"R.put(value={value}, index={name})"
            case tree.Index():
                array = self.array(target.target)
                name = self.temporary()
                read = f"{array}[({name} := {self.key(target.target, target.keys)})]"
                kind = self._index_code(target)[1]
                return (read, kind), lambda value: f"put({value}, {array}, {name})"
            case _:
                return self.code(target), lambda value: self.assigned(target, value)

    def assigned(self, target: tree.Expression, value: str) -> str:
        """Return code that sets a target to a value, and has the value."""
        match target:
            case tree.Name():
                code, _ = self._name_code(target)
                place, name = self.analysis.place(self.function, target.name)
                if not place and (name in VARIABLES or name in RECORD_VARIABLES):
                    return f"S.set({name!r}, {value})"
                return f"({code} := {value})"
            case tree.Field(index=tree.Number(value=0.0)):
                if self.has_own_record:
                    name = self.temporary()
                    return f"(({name} := {value}), (L := text({name})))[0]"
                return f"R.reset({value})"
            case tree.Field(index=tree.Number(value=index)) if (
                1 <= index <= MOST_FIELDS and index.is_integer()
            ):
                return f"R.put_at({int(index) - 1}, {value}, {self.marks_fields})"
            case tree.Field():
                return f"R.put({self.num(target.index)}, {value})"
            case tree.Index():
                return f"put({value}, {self.array(target.target)}, {self.key(target.target, target.keys)})"
            case tree.Grouping():
                return self.assigned(self._only(target), value)
            case _:
                raise BadProgram("this can't be set", target.line)

    def _assignment_code(self, node: tree.Assignment) -> Code:
        if not node.operator:
            code, kind = self.code(node.value)
            value = self.stored(code, kind, node.target)
            if kind in ("input", "raw", "part", "held") and self._marks(node.target):
                kind = "any"
            return self.assigned(node.target, value), kind
        (read, kind), write = self.stable(node.target)
        left = self._as_number(read, kind)
        if not has_effects(node.value):
            return write(self._calculate(node.operator, left, node.value)), "num"
        # The added value may change the target, which is read after it.
        name = self.temporary()
        added = f"({name} := {self.num(node.value)})"
        return f"({added}, {write(self._combine(node.operator, left, name))})[1]", "num"

    def changed(self, node: tree.Expression) -> tuple[tree.Index, Callable[[str], str]] | None:
        """Return the element that a statement such as `n[x]++` or `n[x] += y` changes.

        Returns:
            The element, and a function that returns code for its new number from code for its old one; None if this is
            another statement, or the added value may change the element.
        """
        match node:
            case tree.Step(target=tree.Index() as target):
                return target, lambda old: f"({old} {'+' if node.by > 0 else '-'} 1.0)"
            case tree.Assignment(target=tree.Index() as target) if node.operator and not has_effects(
                node.value
            ):
                return target, lambda old: self._calculate(node.operator, old, node.value)
            case _:
                return None

    def _step_code(self, node: tree.Step) -> Code:
        (read, kind), write = self.stable(node.target)
        sign = "+" if node.by > 0 else "-"
        old = self._as_number(read, kind)
        if node.before:
            return write(f"({old} {sign} 1.0)"), "num"
        name = self.temporary()
        return f"(({name} := {old}), {write(f'({name} {sign} 1.0)')})[0]", "num"

    def _getline_code(self, node: tree.Getline) -> Code:
        return self._getline(node, "(({}, 1.0)[-1] if {} else {})"), "num"

    def got_record(self, node: tree.Getline) -> str:
        """Return code for whether `getline` has got a record."""
        return self._getline(node, "({} is not None if {} else {} > 0.0)")

    def _getline(self, node: tree.Getline, form: str) -> str:
        """Return code for `getline`.

        Args:
            node: The call.
            form: Code with three places: what sets the target to a record that is there, whether one is there, and
                what `getline` returns else.
        """
        if node.kind == "main" and node.target is None:
            return form.format("None", "False", "(await M.getline_record())")
        name, key, got, there = self.temporary(), "", self.temporary(), ""
        if node.source is None:
            read = "(M.ready() or await M.getline())"
        else:
            # Records that are there already need no coroutine.
            pending = "files" if node.kind == "file" else "commands"
            source = code = self.text(node.source)
            if node.kind != "coprocess":
                if not isinstance(tree.ungrouped(node.source), tree.String):
                    source = self.temporary()
                    code = f"({source} := {code})"
                there = f"next(IO.pending_{pending}[{code}], None)"
            read = f"await IO.get({node.kind!r}, {source})"
        if isinstance(node.target, tree.Index):
            # Its index is calculated first, and also at the end of the input.
            key = self.temporary()
        done = self._got(node.target, "IO.got", key)
        slow = f"(({done}, {name})[-1] if ({name} := {read}) > 0.0 else {name})"
        is_there = f"({got} := {there}) is not None" if there else "False"
        code = form.format(self._got(node.target, got, key), is_there, slow)
        if isinstance(node.target, tree.Index):
            return f"(({key} := {self.key(node.target.target, node.target.keys)}), {code})[-1]"
        return code

    def _got(self, target: tree.Expression | None, record: str, key: str) -> str:
        """Return code that sets the target of `getline` to a record; `key` is the index of an element."""
        got = self.stored(record, "raw", target)
        if isinstance(target, tree.Index):
            return f"put({got}, {self.array(target.target)}, {key})"
        return f"R.put(0.0, Input({record}))" if target is None else self.assigned(target, got)
