"""Translates the statements of awk to Python."""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.analysis import Analysis
from gemini_userland.awk.calls import CallWriter, is_record
from gemini_userland.awk.counting import SHORT, CountingLoop, counting_loop, counts, few_counts
from gemini_userland.awk.fields import FieldLoop, started
from gemini_userland.awk.kinds import result

INDENT = " "


class StatementWriter(CallWriter):
    """The part of the translation that writes statements."""

    def __init__(self, analysis: Analysis, folds: bool) -> None:
        super().__init__(analysis, folds)
        self._written: list[str] = []
        self._lines: list[int] = []
        self._depth = 0
        self._line = 0
        # For each loop, the statements that precede `continue`; a switch is the name of its flag.
        self._loops: list[list[str] | str] = []
        self._in_rules = False

    # Lines

    def _write(self, text: str) -> None:
        self._written.append(INDENT * self._depth + text)
        self._lines.append(self._line)

    def _open(self, text: str) -> None:
        self._write(text)
        self._depth += 1

    def _close(self) -> None:
        # A body may be empty.
        self._write("pass")
        self._depth -= 1

    # Statements

    def _block(self, block: tree.Block) -> None:
        for statement in block.statements:
            self._statement(statement)

    def _statement(self, statement: tree.Statement) -> None:
        self._line = statement.line or self._line
        getattr(self, f"_{type(statement).__name__.lower()}_statement")(statement)

    def _block_statement(self, block: tree.Block) -> None:
        self._block(block)

    def _simple_statement(self, statement: tree.Simple) -> None:
        node = statement.expression
        if (changed := self.changed(node)) is not None:
            target, value = changed
            key = self.temporary()
            self._write(f"{key} = {self.key(target.keys)}")
            array = self.array(target.target)
            _, kind = self._index_code(target)
            self._write(f"{array}[{key}] = {value(self._as_number(f'{array}.get({key})', kind))}")
            return
        if (replaced := self.replaced_only(node)) is not None:
            code, name = replaced
            self._write(code)
            self._open(f"if {name}[1]:")
            self._write(self._record_set(f"{name}[0]"))
            self._close()
            return
        self._write(self._done(node))

    def _record_set(self, text: str) -> str:
        """Return a statement that sets $0 to a text where it doesn't matter that it isn't the input's."""
        return f"R.replace({text})" if self.analysis.uses_fields else f"R.line = {text}"

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
        code, _ = self.code(node)
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

    def _loop(self, condition: str, body: tree.Statement, before_next: list[str]) -> None:
        # All loops share an iterator, which ends when it is time to look at the clock.
        self._open("while True:")
        self._open(f"for {self.temporary()} in IO.rounds:")
        if condition:
            self._write(f"if not {condition}: break")
        self._loops.append(before_next)
        self._statement(body)
        self._loops.pop()
        for line in before_next:
            self._write(line)
        self._close()
        self._open("else:")
        self._write("await IO.turn()")
        self._write("continue")
        self._close()
        self._write("break")
        self._close()

    def _while_statement(self, statement: tree.While) -> None:
        self._loop(self.cond(statement.condition), statement.body, [])

    def _do_statement(self, statement: tree.Do) -> None:
        self._loop("", statement.body, [f"if not {self.cond(statement.condition)}: break"])

    def _field_loop(self, statement: tree.For, loop: FieldLoop) -> None:
        """Write a loop over fields. After its last round, the variable is beyond the fields."""
        name, _ = self.variable(loop.variable)
        place = self.analysis.place(self.function, loop.variable.name)
        parts, field = self.temporary(), self.temporary()
        self._write(f"{parts} = {self.parts()}")
        self._open(f"for {name}, {field} in numbered({parts}, {loop.first}):")
        self._numbers.add(place)
        self._aliases[place] = field
        self._loops.append([])
        self._statement(statement.body)
        self._loops.pop()
        del self._aliases[place]
        self._numbers.discard(place)
        self._close()
        after = f"max({loop.first}.0, len({parts}) + 1.0)" if loop.first else "0.0"
        self._write(f"else: {name} = {after}")

    def _is_counter(self, node: tree.Name) -> bool:
        if self.analysis.is_array(self.function, node.name):
            return False
        code, kind = self.variable(node)
        return kind in ("num", "opt") and code[:2] in ("l_", "p_")

    def _has_length(self, node: tree.Expression) -> bool:
        match node := tree.ungrouped(node):
            case tree.Name():
                return not self.analysis.is_array(self.function, node.name) and self.variable(node)[0][:2] in (
                    "l_",
                    "p_",
                )
            case tree.Field(index=tree.Number()):
                # Another record may come in a function.
                return self.analysis.is_pure and not self.analysis.reads_records
            case _:
                return False

    def _shape(self, loop: CountingLoop, body: tree.Statement) -> str:
        """Return what a counting loop needs for each number, as `counted` has it."""
        place = self.analysis.place(self.function, loop.variable.name)
        found: set[str] = set()
        for node in tree.descendants([body]):
            match node:
                case tree.Membership():
                    keys, letter = node.keys, "k"
                case tree.Index():
                    keys, letter = node.keys, "p" if self.analysis.is_list(self.function, node.target) else "k"
                case tree.Call(builtin=True, name="substr"):
                    keys, letter = node.arguments[1:2], "s"
                case _:
                    continue
            names = [one for one in map(tree.ungrouped, keys) if isinstance(one, tree.Name)]
            if any(self.analysis.place(self.function, one.name) == place for one in names):
                found.add(letter)
        return "".join(letter for letter in sorted(found) if letter == "k" or loop.has_places)

    def _few(self, loop: CountingLoop, shape: str, name: str, last: str, body: tree.Statement) -> str:
        """Return code for the rounds of a loop if they are few, else for nothing."""
        start, end = loop.ends
        # What has loops of its own must look at the clock here.
        if self.analysis.waits(body) or any(
            isinstance(one, tree.For | tree.ForIn) or (isinstance(one, tree.Call) and not one.builtin)
            for one in tree.descendants([body])
        ):
            return "()"
        if start is not None and end is not None:
            is_few = abs(end - start) < SHORT
            return self._constant(counts(shape, start, loop.operator, end)) if is_few else "()"
        if (start if loop.by > 0 else end) not in range(2 * SHORT):
            return "()"
        table = self._constant(few_counts(shape, start, loop.operator, end))
        return f"{table}.get({last if loop.by > 0 else name})"

    def _counting_loop(self, statement: tree.For, loop: CountingLoop) -> None:
        """Write a loop that counts, after its start. After its last round, the variable is beyond the limit."""
        name, _ = self.variable(loop.variable)
        place = self.analysis.place(self.function, loop.variable.name)
        last, few, numbers = self.temporary(), self.temporary(), self.temporary()
        shape = self._shape(loop, statement.body)
        counters = {letter: self.temporary() for letter in shape}
        self._write(f"{last} = {self.num(loop.last)}")
        self._write(f"{few} = {self._few(loop, shape, name, last, statement.body)}")
        self._write(f"{numbers} = {few} or counted({shape!r}, {name}, {loop.operator!r}, {last}, T)")
        self._write(f"{name} -= {loop.by}.0")
        self._open("while True:")
        targets = ", ".join([self.temporary(), name, *counters.values()])
        self._open(f"for {targets} in {few} or zip(IO.rounds, *{numbers}):")
        self._counters[place] = counters
        self._loops.append([])
        self._statement(statement.body)
        self._loops.pop()
        del self._counters[place]
        self._close()
        self._open("else:")
        self._write(f"{name} += {loop.by}.0")
        self._open(f"if {name} {loop.operator} {last}:")
        self._write(f"{name} -= {loop.by}.0")
        self._write("await IO.turn()")
        self._write("continue")
        self._close()
        self._close()
        self._write("break")
        self._close()

    def _for_statement(self, statement: tree.For) -> None:
        if (loop := self.analysis.field_loops.get(statement)) is not None:
            self._field_loop(statement, loop)
            return
        variable = started(statement)
        place = variable and self.analysis.place(self.function, variable.name)
        if place in self.analysis.mixed | self._numbers | self.analysis.kinds.mixed:
            place = None
        if statement.start is not None:
            self._statement(statement.start)
        if place is not None:
            self._numbers.add(place)
        if place is not None and (loop := counting_loop(statement, self._is_counter, self._has_length)) is not None:
            self._counting_loop(statement, loop)
            self._numbers.discard(place)
            return
        step: list[str] = []
        if statement.step is not None:
            step = self._captured(statement.step)
        condition = "" if statement.condition is None else self.cond(statement.condition)
        self._loop(condition, statement.body, step)
        if place is not None:
            self._numbers.discard(place)

    def _captured(self, statement: tree.Statement) -> list[str]:
        """Return the lines of a simple statement without writing them."""
        start, depth = len(self._written), self._depth
        self._depth = 0
        self._statement(statement)
        self._depth = depth
        lines = self._written[start:]
        del self._written[start:], self._lines[start:]
        return lines

    def _forin_statement(self, statement: tree.ForIn) -> None:
        key = self.temporary()
        self._open(f"for {key} in F.keys({self.array(statement.array)}, v_PROCINFO):")
        self._write(self.assigned(statement.target, key))
        self._loops.append([])
        self._statement(statement.body)
        self._loops.pop()
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
            return self._found(value, f"text({subject})")
        return f"same({subject}, {self.value(value)})"

    def _delete_statement(self, statement: tree.Delete) -> None:
        target = statement.target
        if isinstance(target, tree.Index):
            self._write(f"{self.array(target.target)}.pop({self.key(target.keys)}, None)")
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
                self._write(
                    "return" if statement.value is None else f"return {self._returned(statement.value)}"
                )

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
