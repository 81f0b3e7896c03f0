"""Translates the statements of awk to Python."""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.calls import is_record
from gemini_userland.awk.kinds import result
from gemini_userland.awk.loops import LoopWriter


class StatementWriter(LoopWriter):
    """The part of the translation that writes statements."""

    # Statements

    def _block(self, block: tree.Block) -> None:
        before = self._presence.copy()
        for statement in block.statements:
            self._statement(statement)
        self._presence.reset(before)

    def _statement(self, statement: tree.Statement) -> None:
        self._line = statement.line or self._line
        if self._is_deep(statement):
            self._inner_loop(statement)
            return
        before = self._presence.enter(statement)
        getattr(self, f"_{type(statement).__name__.lower()}_statement")(statement)
        self._presence.leave(statement, before)

    def _block_statement(self, block: tree.Block) -> None:
        self._block(block)

    def _simple_statement(self, statement: tree.Simple) -> None:
        node = statement.expression
        if (changed := self.changed(node)) is not None:
            target, value = changed
            key = self.temporary()
            self._write(f"{key} = {self.key(target.target, target.keys)}")
            array = self.array(target.target)
            _, kind = self._index_code(target)
            self._write(f"{array}[{key}] = {value(self._as_number(f'{array}.get({key})', kind))}")
            return
        if (replaced := self.replaced_only(node)) is not None:
            code, is_found, text = replaced
            self._write(code)
            self._open(f"if {is_found}:")
            self._write(self._record_set(text))
            self._close()
            return
        self._write(self._done(node))

    def _record_set(self, text: str) -> str:
        """Return a statement that sets $0 to a text where it doesn't matter that it isn't the input's."""
        return f"R.replace({text})" if self.analysis.uses_fields else f"{self.line} = {text}"

    def _done(self, node: tree.Expression) -> str:
        """Return a statement that does what an expression does, without its value."""
        if isinstance(node, tree.Step):
            # Without a value, `x++` is `++x`.
            node = tree.Step(node.target, node.by, True, line=node.line)
        if isinstance(node, tree.Assignment) and not node.operator and isinstance(node.target, tree.Index):
            return f"{self._index_code(node.target)[0]} = {self.value(node.value, node.target)}"
        if (
            isinstance(node, tree.Assignment)
            and not node.operator
            and is_record(node.target)
            and not self.marks_fields
        ):
            code, kind = self.code(node.value)
            return self._record_set(code) if kind in ("str", "raw") else self.assigned(node.target, code)
        if (parted := self.parted_only(node)) is not None:
            return parted
        code, _ = self.code(node)
        if isinstance(node, tree.Assignment | tree.Step) and isinstance(node.target, tree.Name):
            name, walrus, value = code.partition(" := ")
            # A value that nothing needs isn't copied.
            if walrus and name[0] == "(" and name[1:].isidentifier():
                return f"{name[1:]} = {value[:-1]}"
        return code

    def _print_statement(self, statement: tree.Print) -> None:
        if statement.formatted:
            text = self.formatted(statement.arguments)
        else:
            shown = [self.shown(one) for one in statement.arguments] or [self.record()]
            text = f" + {self.special('OFS')} + ".join(shown) + f" + {self.special('ORS')}"
        if not statement.redirection or statement.destination is None:
            self._write(f"W({text})")
        else:
            self._write(f"IO.writer({statement.redirection!r}, {self.text(statement.destination)})({text})")

    def _if_statement(self, statement: tree.If) -> None:
        word = "if"
        following: tree.Statement | None = statement
        # A long chain of `else if` isn't nested in Python, which nests a hundred blocks at most.
        while isinstance(following, tree.If):
            self._line = following.line
            self._open(f"{word} {self.cond(following.condition)}:")
            self._statement(following.yes)
            self._close()
            following, word = following.no, "elif"
        if following is not None:
            self._open("else:")
            self._statement(following)
            self._close()

    def _switch_statement(self, statement: tree.Switch) -> None:
        subject, chosen, goes_on = self.temporary(), self.temporary(), self.temporary()
        self._write(f"{subject} = {self.value(statement.subject)}")
        self._write(f"{goes_on} = False")
        default = next(
            (at for at, (value, _) in enumerate(statement.cases) if value is None), len(statement.cases)
        )
        tests = [
            f"{at} if {self._case(subject, value)} else "
            for at, (value, _) in enumerate(statement.cases)
            if value
        ]
        self._write(f"{chosen} = {''.join(tests)}{default}")
        self._open("while True:")
        self._loops.append(goes_on)
        for at, (_, statements) in enumerate(statement.cases):
            self._open(f"if {chosen} <= {at}:")
            self._block(tree.Block(statements))
            self._close()
        self._write("break")
        self._loops.pop()
        self._close()
        if any(isinstance(loop, list) for loop in self._loops):
            self._open(f"if {goes_on}:")
            self._continue()
            self._close()

    def _case(self, subject: str, value: tree.Expression) -> str:
        if isinstance(value, tree.Regex):
            return self._search_code(value, f"text({subject})")
        return f"same({subject}, {self.value(value)})"

    def _delete_statement(self, statement: tree.Delete) -> None:
        target = statement.target
        if isinstance(target, tree.Index):
            self._write(f"{self.array(target.target)}.pop({self.key(target.target, target.keys)}, None)")
        else:
            self._write(f"{self.array(target)}.clear()")

    def _leave_statement(self, statement: tree.Leave) -> None:
        match statement.word:
            case "break":
                self._write("break")
            case "continue":
                self._continue()
            case "next":
                self._write("continue" if self._in_rules and not self._loops else "raise NextRecord")
            case "nextfile":
                self._write("raise NextFile")
            case "exit":
                code = "None" if statement.value is None else f"int({self.num(statement.value)})"
                self._write(f"raise Exit({code})")
            case _:
                value = "None" if statement.value is None else self._returned(statement.value)
                self._write(f"return ({value},)" if self._inner else f"return {value}")

    def _returned(self, value: tree.Expression) -> str:
        return self.value(value, result(self.function))

    def _continue(self) -> None:
        if self._loops and isinstance(flag := self._loops[-1], str):
            self._write(f"{flag} = True")
            self._write("break")
            return
        before = self._loops[-1] if self._loops else []
        for line in before:
            self._write(line)
        self._write("continue")
