"""Translates the loops of awk to Python."""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.analysis import Analysis
from gemini_userland.awk.calls import CallWriter
from gemini_userland.awk.counting import SHORT, CountingLoop, counting_loop, counts, few_counts
from gemini_userland.awk.fields import FieldLoop, Place, started

INDENT = " "
MOST_BLOCKS = 12
LOOPS = (tree.While, tree.Do, tree.For, tree.ForIn)


class LoopWriter(CallWriter):
    """The part of the translation that writes lines and loops."""

    def __init__(self, analysis: Analysis, folds: bool) -> None:
        super().__init__(analysis, folds)
        self._written: list[str] = []
        self._lines: list[int] = []
        self._depth = 0
        self._line = 0
        # For each loop, the statements that precede `continue`; a switch is the name of its flag.
        self._loops: list[list[str] | str] = []
        self._in_rules = False
        # For each open block whether it counts for Python's limit.
        self._blocks: list[bool] = []
        # How many functions for inner loops are open, and which global names all functions declare.
        self._inner = 0
        self._globals: list[str] = []

    # Lines

    def _write(self, text: str) -> None:
        self._written.append(INDENT * self._depth + text)
        self._lines.append(self._line)

    def _open(self, text: str) -> None:
        self._write(text)
        self._depth += 1
        # Python nests twenty of these blocks in a function at most, but more conditions.
        self._blocks.append(not text.startswith(("if ", "elif ", "else:")))

    def _close(self) -> None:
        # A body may be empty.
        self._write("pass")
        self._depth -= 1
        self._blocks.pop()

    # Loops

    def _statement(self, statement: tree.Statement) -> None:
        raise NotImplementedError

    def _is_deep(self, statement: tree.Statement) -> bool:
        return isinstance(statement, LOOPS) and sum(self._blocks) >= MOST_BLOCKS

    def _inner_loop(self, statement: tree.Statement) -> None:
        """Write a loop as a separate function, because Python can't nest it."""
        name, result = self.temporary(), self.temporary()
        waits = self.analysis.waits([statement])
        blocks, self._blocks = self._blocks, []
        self._open(f"{'async ' if waits else ''}def {name}():")
        for line in self._declared():
            self._write(line)
        self._inner += 1
        self._statement(statement)
        self._inner -= 1
        self._close()
        self._blocks = blocks
        call = f"{'await ' if waits else ''}{name}()"
        returns = [one for one in tree.descendants([statement]) if isinstance(one, tree.Leave)]
        if any(one.word == "return" for one in returns):
            self._write(f"if ({result} := {call}) is not None: return {result}{'' if self._inner else '[0]'}")
        else:
            self._write(call)

    def _declared(self) -> list[str]:
        """Return the lines by which the function of an inner loop sets the variables around it."""
        local = [f"p_{name}" for name in self._parameters()] if self.function else []
        local += sorted(f"l_{name}" for name in self._locals)
        if self._in_parts and not self._has_parts:
            local.append("P")
        if self.has_own_record:
            local.append("L")
        if self.has_own_match:
            local.append("last_match")
        words = (("global", self._globals), ("nonlocal", local))
        return [f"{word} {', '.join(names)}" for word, names in words if names]

    def _parameters(self) -> list[str]:
        return self.analysis.program.functions[self.function].parameters

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
        condition = self.cond(statement.condition)
        self._presence.read(statement.condition)
        before = self.has_match
        self.has_match = before or self._is_only_match(statement)
        self._loop(condition, statement.body, [])
        self.has_match = before

    def _is_only_match(self, statement: tree.While) -> bool:
        """Return whether a loop continues while a match is found, and nothing in it looks for another one."""
        if not self.has_own_match:
            return False
        match tree.ungrouped(statement.condition):
            case tree.Call(builtin=True, name="match"):
                inner = tree.descendants([statement.body])
                return not any(isinstance(one, tree.Call) and one.name == "match" for one in inner)
            case _:
                return False

    def _do_statement(self, statement: tree.Do) -> None:
        self._loop("", statement.body, [f"if not {self.cond(statement.condition)}: break"])

    def _field_loop(self, statement: tree.For, loop: FieldLoop) -> None:
        """Write a loop over fields. After its last round, the variable is beyond the fields."""
        name, _ = self.variable(loop.variable)
        place = self.analysis.place(self.function, loop.variable.name)
        parts, field = self.temporary(), self.temporary()
        self._write(f"{parts} = {self.parts()}")
        if self._is_only_index(statement.body, place):
            fields = {0: f"reversed({parts})", 1: parts}.get(loop.first, f"{parts}[{loop.first - 1}:]")
            self._open(f"for {field} in {fields}:")
        else:
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

    def _is_only_index(self, body: tree.Statement, place: Place) -> bool:
        """Return whether a loop needs its variable only as the number of a field, and runs to its end."""
        nodes = tree.descendants([body])
        if any(isinstance(node, tree.Leave) and node.word != "continue" for node in nodes):
            return False
        indices = {id(node.index) for node in nodes if isinstance(node, tree.Field)}
        return not any(
            isinstance(node, tree.Name)
            and id(node) not in indices
            and self.analysis.place(self.function, node.name) == place
            for node in nodes
        )

    def _is_present(self, node: tree.Name) -> bool:
        return self.analysis.place(self.function, node.name) in self._presence

    def _is_counter(self, node: tree.Name) -> bool:
        if self.analysis.is_array(self.function, node.name):
            return False
        code, kind = self.variable(node)
        return kind in ("num", "opt") and code[:2] in ("l_", "p_")

    def _has_length(self, node: tree.Expression) -> bool:
        match node := tree.ungrouped(node):
            case tree.Name():
                return not self.analysis.is_array(self.function, node.name) and self.variable(node)[0][
                    :2
                ] in (
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
                case tree.Membership(array=array) | tree.Index(target=array) if self.is_numbered(array):
                    continue
                case tree.Membership():
                    keys, letter = node.keys, "k"
                case tree.Index():
                    keys, letter = (
                        node.keys,
                        "p" if self.analysis.is_list(self.function, node.target) else "k",
                    )
                case tree.Call(builtin=True, name="substr"):
                    keys, letter = node.arguments[1:2], "s"
                case _:
                    continue
            names = [one for one in map(tree.ungrouped, keys) if isinstance(one, tree.Name)]
            if any(self.analysis.place(self.function, one.name) == place for one in names):
                found.add(letter)
        is_whole = self.analysis.numbering.is_whole(self.function, loop.start)
        return "".join(letter for letter in sorted(found) if letter == "k" or loop.has_places(is_whole))

    def _is_brief(self, body: tree.Statement) -> bool:
        """Return whether a few rounds need no look at the clock: no loop is in the body, and no call of a function."""
        return not self.analysis.waits(body) and not any(
            isinstance(one, tree.For | tree.ForIn) or (isinstance(one, tree.Call) and not one.builtin)
            for one in tree.descendants([body])
        )

    def _constant_loop(self, statement: tree.For, loop: CountingLoop) -> bool:
        """Write a loop of a few rounds that are known; return False for another one."""
        start, end = loop.ends
        if start is None or end is None or abs(end - start) >= SHORT or not self._is_brief(statement.body):
            return False
        shape = self._shape(loop, statement.body)
        rounds = [one[1:] for one in counts(shape, start, loop.operator, end)]
        if not rounds:
            return False
        name, _ = self.variable(loop.variable)
        counters = {letter: self.temporary() for letter in shape}
        targets = ", ".join([name, *counters.values()])
        table = self._constant(tuple(rounds) if shape else tuple(number for (number,) in rounds))
        self._open(f"for {targets} in {table}:")
        self._counted_body(statement.body, loop, counters)
        self._close()
        after = start + loop.by * len(rounds)
        self._write(f"else: {name} = {float(after)!r}")
        return True

    def _counted_body(self, body: tree.Statement, loop: CountingLoop, counters: dict[str, str]) -> None:
        """Write the body of a loop, in which `counters` are what each round has besides its number."""
        place = self.analysis.place(self.function, loop.variable.name)
        self._counters[place] = counters
        self._loops.append([])
        self._statement(body)
        self._loops.pop()
        del self._counters[place]

    def _few(self, loop: CountingLoop, shape: str, name: str, last: str, body: tree.Statement) -> str:
        """Return code for the rounds of a loop if they are few, else for nothing."""
        start, end = loop.ends
        if not self._is_brief(body) or (start is not None and end is not None):
            return "()"
        if (start if loop.by > 0 else end) not in range(2 * SHORT):
            return "()"
        table = self._constant(few_counts(shape, start, loop.operator, end))
        return f"{table}.get({last if loop.by > 0 else name})"

    def _counting_loop(self, statement: tree.For, loop: CountingLoop) -> None:
        """Write a loop that counts, after its start. After its last round, the variable is beyond the limit."""
        if self._constant_loop(statement, loop):
            return
        name, _ = self.variable(loop.variable)
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
        self._counted_body(statement.body, loop, counters)
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

    def _counter(self, statement: tree.For) -> Place | None:
        """Return the place of the variable that a loop sets to a number before its first round, if it stays one."""
        variable = started(statement, self._is_present)
        if variable is None:
            return None
        place = self.analysis.place(self.function, variable.name)
        is_set_otherwise = place in self.analysis.mixed and place not in self._presence
        return None if is_set_otherwise or place in self.analysis.kinds.mixed | self._numbers else place

    def _for_statement(self, statement: tree.For) -> None:
        if (loop := self.analysis.field_loops.get(statement)) is not None:
            self._field_loop(statement, loop)
            return
        if statement.start is not None:
            self._statement(statement.start)
            self._presence.enter(statement)
        place = self._counter(statement)
        if place is not None:
            self._numbers.add(place)
        if (
            place is not None
            and (loop := counting_loop(statement, self._is_counter, self._has_length)) is not None
        ):
            self._counting_loop(statement, loop)
            self._numbers.discard(place)
            return
        step: list[str] = []
        if statement.step is not None:
            step = self._capture(statement.step)
        condition = "" if statement.condition is None else self.cond(statement.condition)
        self._loop(condition, statement.body, step)
        if place is not None:
            self._numbers.discard(place)

    def _capture(self, statement: tree.Statement) -> list[str]:
        """Return the lines of a simple statement without writing them."""
        start, depth = len(self._written), self._depth
        # It is written before what precedes it.
        before = self._presence.copy()
        self._depth = 0
        self._statement(statement)
        self._depth = depth
        self._presence.reset(before)
        lines = self._written[start:]
        del self._written[start:], self._lines[start:]
        return lines

    def _forin_statement(self, statement: tree.ForIn) -> None:
        key = self.temporary()
        array = self.array(statement.array)
        keys = (
            f"key_texts({array}, T)" if self.is_numbered(statement.array) else f"F.keys({array}, v_PROCINFO)"
        )
        self._open(f"for {key} in {keys}:")
        self._write(self.assigned(statement.target, key))
        self._loops.append([])
        self._statement(statement.body)
        self._loops.pop()
        self._close()
