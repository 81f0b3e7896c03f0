"""Loops over the fields of a record, such as `for (i = 1; i <= NF; i++)`, and the variables that are always numbers.

Python runs such a loop over a list, without a comparison, a step and a look at the clock for each round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gemini_userland.awk import tree

Place = tuple[str, str]
"""A function's name, "" outside of them, and the name of a variable there."""
NUMBER_CALLS = frozenset([
    "atan2", "close", "cos", "exp", "fflush", "gsub", "index", "int", "length", "log", "match", "rand", "sin", "split",
    "sqrt", "srand", "sub", "system", "systime", "mktime", "asort", "asorti", "patsplit", "and", "or", "xor", "compl",
    "lshift", "rshift", "strtonum", "isarray", "mkbool",
])  # fmt: skip
NUMBERS = (
    tree.Number,
    tree.Arithmetic,
    tree.Unary,
    tree.Comparison,
    tree.Match,
    tree.Regex,
    tree.Logic,
    tree.Membership,
    tree.Step,
    tree.Getline,
)
# What may change the record or the variable in a way that the loop doesn't show, or has its own loops.
_UNSTEADY = (tree.Getline, tree.IndirectCall, tree.While, tree.Do, tree.For)
_COUNT: list[float] = [0.0]


@dataclass(frozen=True)
class FieldLoop:
    """A loop over fields.

    Attributes:
        variable: The variable that is the number of the field.
        first: The first number; 0 for a loop that goes from NF to 1.
    """

    variable: tree.Name
    first: int


def is_number(node: tree.Expression) -> bool:
    """Return whether an expression always has a number."""
    node = tree.ungrouped(node)
    match node:
        case tree.Assignment():
            return bool(node.operator) or is_number(node.value)
        case tree.Call():
            return node.builtin and node.name in NUMBER_CALLS
        case tree.Conditional():
            return is_number(node.yes) and is_number(node.no)
        case tree.Name():
            return node.name in ("NF", "NR", "FNR")
        case _:
            return isinstance(node, NUMBERS)


def set_otherwise(node: tree.Node) -> list[tree.Expression]:
    """Return what a node sets to something that may be no number."""
    match node:
        case tree.Assignment() if not is_number(node):
            return [node.target]
        case tree.Getline() if node.target is not None:
            return [node.target]
        case tree.ForIn():
            return [node.target]
        case tree.Call(builtin=True, name="sub" | "gsub"):
            return node.arguments[2:3]
        case _:
            return []


def started(loop: tree.For, is_present: Callable[[tree.Name], bool] = lambda name: False) -> tree.Name | None:
    """Return the variable that a loop sets to a number before its first round.

    Args:
        loop: The loop.
        is_present: Returns whether a variable surely is something.
    """
    match loop.start:
        case tree.Simple(expression=tree.Assignment(operator="", target=tree.Name() as name, value=value)):
            return name if is_number(value) or is_present(name) else None
        case _:
            return None


def field_loop(loop: tree.For, is_own: Callable[[tree.Name], bool]) -> FieldLoop | None:
    """Return what a loop over fields is, or None if it has another form.

    Args:
        loop: The loop, in a program that sets no fields.
        is_own: Returns whether a name is a variable of the program, and not one of awk's.
    """
    variable = started(loop)
    if variable is None or not is_own(variable) or _is_unsteady(loop.body, variable.name):
        return None
    step = _step(loop.step, variable.name)
    match loop.condition:
        case tree.Comparison(operator="<=", left=tree.Name() as left, right=tree.Name(name="NF")):
            start = _start(loop)
            good = (
                step == 1 and isinstance(start, tree.Number) and start.value >= 1 and start.value.is_integer()
            )
            first = int(start.value) if good and isinstance(start, tree.Number) else -1
        case tree.Comparison(
            operator=">" | ">=" as sign, left=tree.Name() as left, right=tree.Number() as last
        ):
            start = _start(loop)
            good = step == -1 and isinstance(start, tree.Name) and start.name == "NF"
            first = 0 if good and last.value == (0.0 if sign == ">" else 1.0) else -1
        case _:
            return None
    return FieldLoop(variable, first) if first >= 0 and left.name == variable.name else None


def _start(loop: tree.For) -> tree.Expression:
    """Return what a loop sets its variable to, where `started` has found it."""
    assert isinstance(loop.start, tree.Simple)
    assert isinstance(loop.start.expression, tree.Assignment)
    return loop.start.expression.value


def _step(step: tree.Statement | None, name: str) -> int:
    match step:
        case tree.Simple(expression=tree.Step(target=tree.Name() as target, by=by)) if target.name == name:
            return by
        case tree.Simple(
            expression=tree.Assignment(
                operator="+" | "-" as sign, target=tree.Name() as target, value=tree.Number(value=1.0)
            )
        ) if target.name == name:
            return 1 if sign == "+" else -1
        case _:
            return 0


def _is_unsteady(body: tree.Statement, variable: str) -> bool:
    for node in tree.descendants([body]):
        match node:
            case tree.Call(builtin=False):
                return True
            case tree.Assignment() | tree.Step() | tree.ForIn():
                if isinstance(node.target, tree.Name) and node.target.name == variable:
                    return True
            case tree.Call(builtin=True, name="sub" | "gsub"):
                if any(isinstance(one, tree.Name) and one.name == variable for one in node.arguments[2:]):
                    return True
            case _:
                if isinstance(node, _UNSTEADY):
                    return True
    return False


def numbered(parts: list[str], first: int) -> Iterator[tuple[float, str]]:
    """Yield the fields with their numbers: from `first` on, or for 0 from the last one to the first one."""
    count = len(parts)
    while len(_COUNT) <= count:
        _COUNT.append(float(len(_COUNT)))
    if first:
        return zip(_COUNT[first : count + 1], parts[first - 1 :], strict=False)
    return zip(_COUNT[count:0:-1], reversed(parts), strict=False)
