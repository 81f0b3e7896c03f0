"""Translates calls of awk's functions and of the program's own to Python."""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.awk import tree
from gemini_userland.awk.errors import BadProgram
from gemini_userland.awk.formats import number_formatter, pieces_of, starred_formatter
from gemini_userland.awk.kinds import result
from gemini_userland.awk.lexer import QUALIFIED
from gemini_userland.awk.matching import is_plain_match
from gemini_userland.awk.parting import PartWriter
from gemini_userland.awk.patterns import pattern
from gemini_userland.awk.replacing import replacement, replacer
from gemini_userland.awk.writing import Code

# The least and the greatest number of arguments.
COUNTS = {
    "atan2": (2, 2), "close": (1, 2), "cos": (1, 1), "exp": (1, 1), "fflush": (0, 1), "gensub": (3, 4), "gsub": (2, 3),
    "index": (2, 2), "int": (1, 1), "length": (0, 1), "log": (1, 1), "match": (2, 3), "rand": (0, 0), "sin": (1, 1),
    "split": (2, 4), "sprintf": (1, 1 << 20), "sqrt": (1, 1), "srand": (0, 1), "sub": (2, 3), "substr": (2, 3),
    "system": (1, 1), "tolower": (1, 1), "toupper": (1, 1), "strftime": (0, 3), "systime": (0, 0), "mktime": (1, 2),
    "asort": (1, 3), "asorti": (1, 3), "patsplit": (2, 4), "and": (2, 1 << 20), "or": (2, 1 << 20),
    "xor": (2, 1 << 20), "compl": (1, 1), "lshift": (2, 2), "rshift": (2, 2), "strtonum": (1, 1), "typeof": (1, 1),
    "isarray": (1, 1), "mkbool": (1, 1),
}  # fmt: skip
# Functions of numbers only.
_OF_NUMBERS = frozenset(["atan2", "cos", "exp", "int", "log", "sin", "sqrt"])
_OF_BITS = frozenset(["and", "or", "xor", "compl", "lshift", "rshift"])
_OF_TEXTS = {"tolower": "lower", "toupper": "upper"}
_TARGETS = (tree.Name, tree.Field, tree.Index)


def _cut(text: str, flags: str, width: str, precision: str | None) -> str:
    """Return code for a text in the width and precision of a format."""
    code = text if precision is None else f"({text})[:{int(precision)}]"
    return f"({code}).{'ljust' if '-' in flags else 'rjust'}({int(width)})" if width else code


def is_record(node: tree.Expression) -> bool:
    """Return whether an expression is `$0`."""
    node = tree.ungrouped(node)
    return isinstance(node, tree.Field) and isinstance(node.index, tree.Number) and not node.index.value


def indirect_functions(program: tree.Program) -> list[tree.Function]:
    """Return functions that call awk's own, with as many arguments as the indirect calls of a program have."""
    nodes = tree.descendants([list(program.functions.values()), program.rules, program.special])
    counts = {len(node.arguments) for node in nodes if isinstance(node, tree.IndirectCall)}
    made: list[tree.Function] = []
    for count in sorted(counts):
        parameters = [f"x{at}" for at in range(count)]
        for name, (least, most) in COUNTS.items():
            # What `sub` and `gsub` change would be a parameter.
            if least <= count <= most and name not in ("sub", "gsub"):
                call = tree.Call(name, [tree.Name(one) for one in parameters], True)
                body = tree.Block([tree.Leave("return", call)])
                made.append(tree.Function(f"{name}{QUALIFIED}{count}", parameters, body))
    return made


class CallWriter(PartWriter):
    """The part of the translation that writes calls."""

    def _call_code(self, node: tree.Call) -> Code:
        if not node.builtin:
            return self._own(node)
        least, most = COUNTS[node.name]
        if not least <= len(node.arguments) <= most:
            raise BadProgram(f"{node.name} takes another number of arguments", node.line)
        if node.name == "int":
            name = self.temporary()
            value = f"({name} := {self.num(node.arguments[0])})"
            return f"(float(int({name})) if -1e18 < {value} < 1e18 else c_int({name}))", "num"
        if node.name in ("sqrt", "log"):
            name = self.temporary()
            value = f"({name} := {self.num(node.arguments[0])})"
            return f"(m_{node.name}({name}) if 0.0 < {value} < 1e300 else c_{node.name}({name}))", "num"
        if node.name in _OF_NUMBERS:
            return f"c_{node.name}({', '.join(self.num(one) for one in node.arguments)})", "num"
        if node.name in _OF_BITS:
            return f"bits({node.name!r}, [{', '.join(self.num(one) for one in node.arguments)}])", "num"
        if node.name in _OF_TEXTS:
            return f"{_OF_TEXTS[node.name]}({self.text(node.arguments[0])})", "str"
        return getattr(self, f"_call_{node.name}")(node, *node.arguments)

    def _indirectcall_code(self, node: tree.IndirectCall) -> Code:
        name = self.text(node.variable)
        values = ", ".join(self._describe(one) for one in node.arguments)
        return f"(await F.indirect({node.variable.name!r}, {name}, [{values}]))", "any"

    def _own(self, node: tree.Call) -> Code:
        function = self.analysis.program.functions[node.name]
        codes = [
            self.array(argument)
            if (node.name, parameter) in self.analysis.arrays
            else self.value(argument, (node.name, parameter))
            for parameter, argument in zip(function.parameters, node.arguments, strict=False)
        ]
        call = f"f_{node.name}({', '.join(codes)})"
        return (f"(await {call})" if node.name in self.analysis.waiting else call), self.kind_of(
            result(node.name)
        )

    # Strings

    def _call_length(self, node: tree.Call, argument: tree.Expression | None = None) -> Code:
        if argument is None:
            return f"float(len({self.record()}))", "num"
        argument = tree.ungrouped(argument)
        if isinstance(argument, tree.Name) and self.analysis.is_array(self.function, argument.name):
            return f"float(len({self.array(argument)}))", "num"
        if isinstance(argument, tree.Index) and not self.analysis.is_list(self.function, argument.target):
            name = self.temporary()
            value = f"({name} := {self.value(argument)})"
            usual = (
                "Input"
                if self.analysis.kinds.marks(self.analysis.kinds.root(self.function, argument))
                else "str"
            )
            return f"float(len({name}) if {value}.__class__ is {usual} else length({name}, text))", "num"
        return f"float(len({self.text(argument)}))", "num"

    def _call_index(self, node: tree.Call, text: tree.Expression, part: tree.Expression) -> Code:
        return f"F.index({self.text(text)}, {self.text(part)})", "num"

    def _call_sprintf(self, node: tree.Call, *arguments: tree.Expression) -> Code:
        return self.formatted(list(arguments)), "str"

    def formatted(self, arguments: list[tree.Expression]) -> str:
        """Return code for a formatted text."""
        form, *values = arguments
        form = tree.ungrouped(form)
        if isinstance(form, tree.String) and (code := self._formatted_alike(form.value, values)) is not None:
            return code
        return f"F.sprintf({self.text(form)}, [{', '.join(self.value(one) for one in values)}])"

    def _formatted_alike(self, form: str, values: list[tree.Expression]) -> str | None:
        """Return code for a text of a constant format; None if the format takes a closer look while it runs."""
        left = list(values)
        codes: list[str] = []
        for piece in pieces_of(form):
            if isinstance(piece, str):
                codes.append(repr(piece))
                continue
            place, flags, width, precision, letter, _ = piece
            stars = (width, precision).count("*")
            if place or letter == "c" or len(left) <= stars or len(width + (precision or "")) > 6:
                return None
            numbers = [self.num(one) for one in left[:stars]]
            value = left[stars]
            del left[: stars + 1]
            if numbers:
                shown = self.text(value) if letter == "s" else self.num(value)
                codes.append(f"{self._constant(starred_formatter(piece))}({', '.join([*numbers, shown])})")
            elif letter == "s":
                codes.append(_cut(self.text(value), flags, width, precision))
            else:
                name = self._constant(number_formatter(piece))
                codes.append(f"{name}({self.num(value)})")
        return None if left else " + ".join(codes) or "''"

    def _call_match(self, node: tree.Call, *arguments: tree.Expression) -> Code:
        text, source, *array = arguments
        if self.reads_matches:
            return f"(last_match.start() + 1.0 if {self._matched_plainly(text, source)} else 0.0)", "num"
        if (
            not self.folds
            and is_plain_match(node)
            and isinstance(regex := tree.ungrouped(source), tree.Regex)
        ):
            search = self._constant(pattern(regex.source).compiled.search)
            return f"F.match_plain({search}, {self.text(text)})", "num"
        groups = f", {self.array(array[0])}" if array else ""
        return f"F.match({self.text(text)}, {self.source(source)}{groups})", "num"

    def _call_sub(self, node: tree.Call, *arguments: tree.Expression) -> Code:
        return self._replace("1", arguments)

    def _call_gsub(self, node: tree.Call, *arguments: tree.Expression) -> Code:
        return self._replace("None", arguments)

    def _replace(self, last: str, arguments: tuple[tree.Expression, ...]) -> Code:
        source, made, *others = arguments
        target = others[0] if others else tree.Field(tree.Number(0.0))
        target = tree.ungrouped(target)
        if (constant := self._constant_replacement(source, made, last)) and isinstance(target, _TARGETS):
            name, text, done = self._replacement(target)
            return (
                f"(({done}, float({name}[1]))[1] if ({name} := {constant(text)})[1] else 0.0)",
                "num",
            )
        first = f"{self.source(source)}, {self.text(made)}"
        if not isinstance(target, _TARGETS):
            return f"float(F.sub({first}, {self.text(target)}, {last}))", "num"
        (read, kind), write = self.stable(target)
        text = read if kind in ("str", "raw") else f"text({read})"
        name = self.temporary()
        return (
            f"(({write('F.result')}, float({name}))[1] if ({name} := F.sub({first}, {text}, {last})) else 0.0)",
            "num",
        )

    def _replacement(self, target: tree.Expression) -> tuple[str, str, str]:
        """Return the name for what a constant replacement returns, code for the old text, and code that sets it."""
        (read, kind), write = self.stable(target)
        name = self.temporary()
        if is_record(target):
            new = f"{name}[0]"
            done = f"(L := {new})" if self.has_own_record else f"R.replace({new})"
            return name, self.record(), write(new) if self.marks_fields else done
        return name, self._as_text(read, kind, "T", "text"), write(f"{name}[0]")

    def replaced_only(self, node: tree.Expression) -> tuple[str, str, str] | None:
        """Return code of a statement that replaces in $0 by constants; None for another expression.

        Returns:
            A statement, code for whether something is replaced then, and code for the new text.
        """
        match node:
            case tree.Call(builtin=True, name="sub" | "gsub" as name, arguments=[source, made, *others]):
                pass
            case _:
                return None
        if self.marks_fields or not all(map(is_record, others)):
            return None
        found = self.temporary()
        if name == "sub" and (once := self._literal_of_match(source, made)) is not None:
            substitute, template = once
            line = self.record()
            # Without a match, Python returns the same string.
            return f"{found} = {substitute}({template!r}, {line}, 1)", f"{found} is not {line}", found
        constant = self._constant_replacement(source, made, "1" if name == "sub" else "None")
        if constant is None:
            return None
        return f"{found} = {constant(self.record())}", f"{found}[1]", f"{found}[0]"

    def _literal_of_match(self, source: tree.Expression, made: tree.Expression) -> tuple[str, str] | None:
        """Return code that replaces a constant expression, and Python's template for its match.

        It is None if the text has parts of the match, or Python doesn't find what awk finds, or `in` does.
        """
        source, made = tree.ungrouped(source), tree.ungrouped(made)
        if not isinstance(source, tree.Regex) or not isinstance(made, tree.String) or self.folds:
            return None
        self._search_code(source, '""')
        wanted, literal = pattern(source.source), replacement(made.value).literal
        if literal is None or not wanted.is_plain or wanted.can_be_empty or wanted.literal is not None:
            return None
        return self._constant(wanted.compiled.sub), literal.replace("\\", "\\\\")

    def _constant_replacement(
        self, source: tree.Expression, made: tree.Expression, last: str
    ) -> Callable[[str], str] | None:
        """Return a function that returns code which replaces in a text, if expression and replacement are constants."""
        source, made = tree.ungrouped(source), tree.ungrouped(made)
        if not isinstance(source, tree.Regex) or not isinstance(made, tree.String) or self.folds:
            return None
        self._search_code(source, '""')
        count = int(last == "1")
        function = replacer(pattern(source.source), replacement(made.value), count)
        if function is None:
            return None
        called, template = function
        name = self._constant(called)
        return lambda text: (
            f"{name}({text})" if template is None else f"{name}({template!r}, {text}, {count})"
        )

    def _call_gensub(
        self,
        node: tree.Call,
        source: tree.Expression,
        made: tree.Expression,
        how: tree.Expression,
        target: tree.Expression | None = None,
    ) -> Code:
        text = self.record() if target is None else self.text(target)
        return f"F.gensub({self.source(source)}, {self.text(made)}, {self.value(how)}, {text})", "str"

    # Arrays

    def _sort(self, node: tree.Call, indices: bool) -> Code:
        source, *others = node.arguments
        target = self.array(others[0]) if others else "None"
        order = self.text(others[1]) if len(others) > 1 else "''"
        return f"F.asort({self.array(source)}, {target}, {order}, indices={indices})", "num"

    def _call_asort(self, node: tree.Call, *arguments: tree.Expression) -> Code:
        return self._sort(node, False)

    def _call_asorti(self, node: tree.Call, *arguments: tree.Expression) -> Code:
        return self._sort(node, True)

    def _describe(self, argument: tree.Expression) -> str:
        if isinstance(argument, tree.Name) and self.analysis.is_array(self.function, argument.name):
            return self.array(argument)
        return self.value(argument)

    def _call_typeof(self, node: tree.Call, argument: tree.Expression) -> Code:
        argument = tree.ungrouped(argument)
        if isinstance(argument, tree.Regex):
            return "'number'", "str"
        if isinstance(argument, tree.Field):
            value = self._describe(argument)
            return (
                f"('unassigned' if {self.num(argument.index)} > len({self.parts()}) else typeof({value}))",
                "str",
            )
        return f"typeof({self._describe(argument)})", "str"

    def _call_isarray(self, node: tree.Call, argument: tree.Expression) -> Code:
        return f"float(isinstance({self._describe(argument)}, Array))", "num"

    # Numbers and times

    def _call_rand(self, node: tree.Call) -> Code:
        return "rand()", "num"

    def _call_srand(self, node: tree.Call, seed: tree.Expression | None = None) -> Code:
        given = "0.0" if seed is None else self.num(seed)
        return f"F.srand({given}, given={seed is not None})", "num"

    def _call_mkbool(self, node: tree.Call, value: tree.Expression) -> Code:
        return f"(1.0 if {self.cond(value)} else 0.0)", "num"

    def _call_strtonum(self, node: tree.Call, value: tree.Expression) -> Code:
        return f"strtonum({self.value(value)})", "num"

    def _call_systime(self, node: tree.Call) -> Code:
        return "C.systime()", "num"

    def _call_strftime(self, node: tree.Call, *arguments: tree.Expression) -> Code:
        codes = [self.text(arguments[0])] if arguments else []
        codes += [self.num(one) for one in arguments[1:]]
        return f"C.strftime({', '.join(codes)})", "str"

    def _call_mktime(self, node: tree.Call, *arguments: tree.Expression) -> Code:
        return f"C.mktime({', '.join(self.text(one) for one in arguments)})", "num"

    # Streams

    def _call_close(self, node: tree.Call, name: tree.Expression, how: tree.Expression | None = None) -> Code:
        part = "''" if how is None else self.text(how)
        return f"(await IO.close({self.text(name)}, {part}))", "num"

    def _call_system(self, node: tree.Call, script: tree.Expression) -> Code:
        return f"(await IO.system({self.text(script)}))", "num"

    def _call_fflush(self, node: tree.Call, name: tree.Expression | None = None) -> Code:
        return f"(await IO.flushed({'None' if name is None else self.text(name)}))", "num"
