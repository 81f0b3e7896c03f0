"""Loops that count, such as `for (i = 1; i <= n; i++)`.

Python runs over the numbers, without a comparison and a step for each round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gemini_userland.awk import tree

_FAR = 2.0**53


@dataclass(frozen=True)
class CountingLoop:
    """A loop that counts.

    Attributes:
        variable: The variable that counts.
        operator: The comparison with the limit.
        last: The limit, which stays as it is.
        by: The step, 1 or -1.
    """

    variable: tree.Name
    operator: str
    last: tree.Expression
    by: int


def counting_loop(loop: tree.For, is_own: Callable[[tree.Name], bool]) -> CountingLoop | None:
    """Return what a loop that counts is, or None if it has another form.

    Args:
        loop: The loop.
        is_own: Returns whether a name is a variable that has only numbers, and that no function changes.
    """
    match loop:
        case tree.For(
            start=tree.Simple(expression=tree.Assignment(operator="", target=tree.Name() as variable)),
            condition=tree.Comparison(
                operator="<" | "<=" | ">" | ">=" as sign, left=tree.Name() as left, right=last
            ),
            step=tree.Simple(expression=tree.Step(target=tree.Name() as target, by=by)),
        ) if variable.name == left.name == target.name and is_own(variable):
            pass
        case _:
            return None
    fixed = [variable.name]
    if isinstance(last, tree.Name) and is_own(last) and last.name != variable.name:
        fixed.append(last.name)
    elif not isinstance(last, tree.Number):
        return None
    if (by > 0) != (sign[0] == "<") or any(name in fixed for name in _set_names(loop.body)):
        return None
    return CountingLoop(variable, sign, last, by)


def _set_names(body: tree.Statement) -> Iterator[str]:
    """Yield the names of the variables that a statement sets."""
    for node in tree.descendants([body]):
        match node:
            case tree.Assignment() | tree.Step() | tree.ForIn():
                targets = [node.target]
            case tree.Getline() if node.target is not None:
                targets = [node.target]
            case tree.Call(builtin=True, name="sub" | "gsub"):
                targets = node.arguments[2:3]
            case _:
                continue
        yield from (one.name for one in map(tree.ungrouped, targets) if isinstance(one, tree.Name))


def counted(start: float, operator: str, last: float) -> Iterator[float]:
    """Return the numbers from `start` up or down to a limit."""
    by = 1 if operator[0] == "<" else -1
    if start.is_integer() and abs(start) < _FAR and abs(last) < _FAR:
        if len(operator) == 1:
            end = math.ceil(last) if by > 0 else math.floor(last)
        else:
            end = math.floor(last) + 1 if by > 0 else math.ceil(last) - 1
        return map(float, range(int(start), end, by))
    return _far(start, operator, last, by)


def _far(start: float, operator: str, last: float, by: int) -> Iterator[float]:
    while start * by < last * by or (len(operator) == 2 and start == last):
        yield start
        start += by
