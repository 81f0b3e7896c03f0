"""Translates a program to the source of a Python module."""

from __future__ import annotations

from dataclasses import dataclass

from gemini_userland.awk import tree
from gemini_userland.awk.analysis import Analysis, uses_fields
from gemini_userland.awk.calls import indirect_functions
from gemini_userland.awk.errors import BadProgram
from gemini_userland.awk.state import NUMBERS, RECORD_VARIABLES, VARIABLES
from gemini_userland.awk.statements import StatementWriter


@dataclass(frozen=True)
class Translation:
    """A translated program.

    Attributes:
        source: The Python module. It has the functions `begin`, `rules`, `end`, `begin_file` and `end_file`.
        lines: For each line of it, the line of the program.
        constants: The names that it needs besides the library's.
        variables: Its variables.
        arrays: Its arrays, but for those that are lists.
        lists: Those.
        waiting: Which of its functions are coroutines.
        has_rules: There are rules, so that input is read.
        limit: How many fields of a record are needed; None for all.
        begins_files: There is BEGINFILE.
        counts_at_end: The rules don't count their records, because only what follows them reads NR and FNR.
    """

    source: str
    lines: list[int]
    constants: dict[str, object]
    variables: list[str]
    arrays: list[str]
    lists: list[str]
    waiting: frozenset[str]
    has_rules: bool
    limit: int | None
    begins_files: bool
    counts_at_end: bool


class Translator(StatementWriter):
    """Writes the functions, the rules and the other sections of a program."""

    def __init__(self, program: tree.Program, folds: bool, given: frozenset[str] = frozenset()) -> None:
        for function in indirect_functions(program):
            program.functions[function.name] = function
        super().__init__(Analysis(program, given), folds or "IGNORECASE" in _names(program))
        self._program = program
        self._variables, self._arrays, self._lists = self._names()

    def _names(self) -> tuple[list[str], list[str], list[str]]:
        own = {name for function, name in self.analysis.arrays if not function}
        local = {
            (function.name, name)
            for function in self._program.functions.values()
            for name in function.parameters
        }
        used = self.analysis.names - {name for name in VARIABLES | RECORD_VARIABLES}
        outside = {name for name in used if name not in self._program.functions} if local else used
        lists = {name for function, name in self.analysis.lists if not function}
        return sorted(outside - own), sorted(own - lists), sorted(lists)

    # The program

    def translate(self) -> Translation:
        """Translate everything.

        Raises:
            BadProgram: A name is used in two ways, or a function is missing.
        """
        for function in self._program.functions.values():
            self._function(function)
        waiting = set(self.analysis.waiting)
        sections = {"begin": "BEGIN", "end": "END", "begin_file": "BEGINFILE", "end_file": "ENDFILE"}
        for name, word in sections.items():
            blocks = self._program.special[word]
            if self._define(name, blocks, ""):
                waiting.add(name)
            for block in blocks:
                self._block(block)
            self._end()
        ranges = [f"r{at}" for at, rule in enumerate(self._program.rules) if len(rule.patterns) == 2]
        if self._define(
            "rules", self._program.rules, "pending, cut, separator, is_usual, R=R, S=S, W=W", ranges
        ):
            waiting.add("rules")
        self._rules()
        self._end()
        self.constants.update(dict.fromkeys(ranges, False))
        used = any(
            (
                self._program.rules,
                self._program.special["END"],
                self._program.special["BEGINFILE"],
                self._program.special["ENDFILE"],
            )
        )
        return Translation(
            "\n".join(self._written),
            self._lines,
            self.constants,
            self._variables,
            self._arrays,
            self._lists,
            frozenset(waiting),
            used,
            self.analysis.limit,
            bool(self._program.special["BEGINFILE"]),
            self.analysis.counts_at_end,
        )

    def _rules(self) -> None:
        rules = self._program.rules
        self._in_parts = self.analysis.keeps_fields and self.analysis.uses_fields
        self.has_own_record = self._keeps_record()
        # A record that a rule has changed, and left by `next` in a loop, is complete only in its fields.
        if self._in_parts:
            self._write("R.parts = None")
        self._open(f"for {self.line} in pending:")
        if self._in_parts:
            # Code that the first rule needs anyway is made at once.
            self._has_parts = bool(rules) and uses_fields(rules[0].patterns or [rules[0].body])
            self._write(f"P = {self.cut() if self._has_parts else 'None'}")
        elif self.analysis.uses_fields:
            self._write("R.parts = None")
        # Nothing sees these unless the program names them.
        for name in [] if self.analysis.counts_at_end else sorted(self.analysis.names & NUMBERS):
            self._write(f"S.{name} += 1.0")
        self._in_rules = True
        for at, rule in enumerate(self._program.rules):
            self._rule(rule, at)
        self._close()

    def _keeps_record(self) -> bool:
        """Return whether nothing but the rules themselves sees the record while they run."""
        return (
            self.analysis.sets_only_records
            and not self.analysis.reads_records
            and not self._program.functions
            and (not self.analysis.uses_fields or (self.analysis.keeps_fields and self.analysis.is_pure))
        )

    def _define(self, name: str, body: object, parameters: str, others: list[str] | None = None) -> bool:
        waits = self.analysis.waits(body)
        self._open(f"{'async ' if waits else ''}def {name}({parameters}):")
        self._globals = [f"v_{one}" for one in [*self._variables, *self._lists]] + (others or [])
        if self.reads_matches:
            self._globals.append("old_match" if self.has_own_match else "last_match")
        if self._globals:
            self._write(f"global {', '.join(self._globals)}")
        if not self.function:
            used = {node.name for node in tree.descendants([body]) if isinstance(node, tree.Name)}
            self._locals = self.analysis.locals & used & set(self._variables)
            for one in sorted(self._locals):
                self._write(f"l_{one} = v_{one}")
            if self.has_own_match:
                self._write("last_match = old_match")
            if name == "rules" and self._keeps_record():
                self._write("L = R.line")
            self._open("try:")
        return waits

    def _end(self) -> None:
        """End a section: what was in local variables returns to where functions and other sections find it."""
        self._close()
        self._open("finally:")
        for one in sorted(self._locals):
            self._write(f"v_{one} = l_{one}")
        if self.has_own_match:
            self._write("old_match = last_match")
        if self.has_own_record:
            self._write("R.line = L")
            self.has_own_record = False
        self._close()
        self._close()
        self._locals = frozenset()

    def _function(self, function: tree.Function) -> None:
        self.function, self._line = function.name, function.line
        self._define(
            f"f_{function.name}", function.body, ", ".join(f"p_{name}=None" for name in function.parameters)
        )
        for name in function.parameters:
            if name in self._program.functions:
                raise BadProgram(f"function {name} is used as a parameter", function.line)
            if (function.name, name) in self.analysis.arrays:
                new = "[]" if (function.name, name) in self.analysis.lists else "Array()"
                self._write(f"if p_{name} is None: p_{name} = {new}")
        self._block(function.body)
        self._close()
        self.function = ""

    def _rule(self, rule: tree.Rule, at: int) -> None:
        self._line = rule.line
        body = rule.body or tree.Block([tree.Print([], False, line=rule.line)], line=rule.line)
        if not rule.patterns:
            self._block(body)
            return
        first = self.cond(rule.patterns[0])
        if len(rule.patterns) == 1:
            self._open(f"if {first}:")
        else:
            self._open(f"if r{at} or {first}:")
            self._write(f"r{at} = not {self.cond(rule.patterns[1])}")
        self._block(body)
        self._close()


def _names(program: tree.Program) -> set[str]:
    parts: list[object] = [program.rules, program.special, list(program.functions.values())]
    return {node.name for part in parts for node in tree.descendants(part) if isinstance(node, tree.Name)}
