"""Loops that count, such as `for (i = 1; i <= n; i++)`.

Python runs over the numbers, without a comparison and a step for each round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat, tee

from gemini_userland.awk import tree
from gemini_userland.awk.values import whole_text

Has = Callable[[tree.Expression], bool]
Table = dict[float, tuple[tuple[object, ...], ...]]
"""The rounds of loops, by the end that isn't constant."""
_FAR = 2.0**53
# Loops with so few rounds need no look at the clock.
SHORT = 48
# The place of an element that no list has.
NOWHERE = 1 << 62


@dataclass(frozen=True)
class CountingLoop:
    """A loop that counts.

    Attributes:
        variable: The variable that counts.
        start: The first number.
        operator: The comparison with the limit.
        last: The limit, which stays as it is.
        by: The step, 1 or -1.
    """

    variable: tree.Name
    start: tree.Expression
    operator: str
    last: tree.Expression
    by: int

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """The start and the limit if they are constant whole numbers, else None."""
        return _whole(self.start), _whole(self.last)

    def has_places(self, is_whole: bool) -> bool:
        """Return whether all numbers are surely 1 or more; `is_whole` says whether the first one is whole."""
        start, last = self.ends
        if self.by > 0:
            return start is not None and start >= 1
        return is_whole and last is not None and last + (self.operator == ">") >= 1


def counting_loop(
    loop: tree.For, is_own: Callable[[tree.Name], bool], has_length: Has
) -> CountingLoop | None:
    """Return what a loop that counts is, or None if it has another form.

    Args:
        loop: The loop.
        is_own: Returns whether a name is a variable that has only numbers, and that no function changes.
        has_length: Returns whether the length of an expression can't change but where a statement sets a variable.
    """
    match loop:
        case tree.For(
            start=tree.Simple(
                expression=tree.Assignment(operator="", target=tree.Name() as variable, value=start)
            ),
            condition=tree.Comparison(
                operator="<" | "<=" | ">" | ">=" as sign, left=tree.Name() as left, right=last
            ),
            step=tree.Simple(expression=tree.Step(target=tree.Name() as target, by=by)),
        ) if variable.name == left.name == target.name and is_own(variable):
            pass
        case _:
            return None
    if not _is_steady(last, is_own, has_length):
        return None
    fixed = {one.name for one in tree.descendants([last]) if isinstance(one, tree.Name)}
    if variable.name in fixed or (by > 0) != (sign[0] == "<"):
        return None
    if any(name in fixed or name == variable.name for name in _set_names(loop.body)):
        return None
    return CountingLoop(variable, start, sign, last, by)


def _whole(node: tree.Expression) -> int | None:
    if isinstance(node, tree.Number) and node.value.is_integer() and abs(node.value) < _FAR:
        return int(node.value)
    return None


def _is_steady(node: tree.Expression, is_own: Callable[[tree.Name], bool], has_length: Has) -> bool:
    """Return whether a number stays as it is while nothing sets a variable in it."""
    match node := tree.ungrouped(node):
        case tree.Number():
            return True
        case tree.Name():
            return is_own(node)
        case tree.Arithmetic(operator="+" | "-" | "*"):
            return _is_steady(node.left, is_own, has_length) and _is_steady(node.right, is_own, has_length)
        case tree.Call(builtin=True, name="length"):
            return has_length(node.arguments[0] if node.arguments else tree.Field(tree.Number(0.0)))
        case _:
            return False


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


def counts(shape: str, start: int, operator: str, last: int) -> tuple[tuple[object, ...], ...]:
    """Return the rounds of a loop, each as `counted` has it; before them stands what `IO.rounds` has.

    Args:
        shape: What each round has, as for `counted`.
        start: The first number.
        operator: The comparison with the limit.
        last: The limit.
    """
    made = counted(shape, float(start), operator, float(last), {})
    return tuple(zip(repeat(None), *made, strict=False))


@lru_cache(maxsize=100)
def few_counts(shape: str, start: int | None, operator: str, last: int | None) -> Table:
    """Return the rounds of short loops, by the end that isn't constant: `start` or `last`, which is None."""
    ends = range(1, SHORT + 1)
    if last is None:
        return {float(end): counts(shape, start or 0, operator, end) for end in ends}
    return {float(end): counts(shape, end, operator, last) for end in ends}


def counted(
    shape: str, start: float, operator: str, last: float, texts: Mapping[float, str]
) -> tuple[Iterator[object], ...]:
    """Return the numbers from `start` up or down to a limit, and the loop's values for each one.

    Args:
        shape: For each iterator that follows the numbers a letter: `k` for the number's text, `p` for its place in a
            list that begins with number 1, `s` for the place of a character.
        start: The first number.
        operator: The comparison with the limit.
        last: The limit.
        texts: The strings of numbers.
    """
    by = 1 if operator[0] == "<" else -1
    if start.is_integer() and abs(start) < _FAR and abs(last) < _FAR:
        if len(operator) == 1:
            end = math.ceil(last) if by > 0 else math.floor(last)
        else:
            end = math.floor(last) + 1 if by > 0 else math.ceil(last) - 1
        whole = range(int(start), end, by)
        places = range(int(start) - 1, end - 1, by)
        return (
            map(float, whole),
            *(map(whole_text, whole) if letter == "k" else iter(places) for letter in shape),
        )
    numbers, *others = tee(_far(start, operator, last, by), len(shape) + 1)
    made: dict[str, Callable[[float], object]] = {
        "k": texts.__getitem__,
        "p": lambda number: NOWHERE,
        "s": lambda number: int(number) - 1,
    }
    return (numbers, *(map(made[letter], one) for letter, one in zip(shape, others, strict=True)))


def _far(start: float, operator: str, last: float, by: int) -> Iterator[float]:
    while start * by < last * by or (len(operator) == 2 and start == last):
        yield start
        start += by
