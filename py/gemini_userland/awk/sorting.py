"""The orders of arrays: `asort`, `asorti` and PROCINFO["sorted_in"] (gawk's manual, "Controlling Scanning")."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from gemini_userland.awk.errors import RunError
from gemini_userland.awk.values import Array, Input, Value, looks_numeric, number

Item = tuple[str, Any]
"""An index and its value."""
Compare = Callable[[Value, Any, Value, Any], Value | Coroutine[object, None, Value]]
"""A function of the program; its result's sign is the order."""


class Orders:
    """The orders in which elements can be visited.

    Args:
        text: Converts a value to the string by which it is compared, which has no capital letters if case is ignored.
        functions: Returns the functions of the program by their names.
    """

    def __init__(self, text: Callable[[Value], str], functions: Mapping[str, Compare | None]) -> None:
        self._text = text
        self._functions = functions

    def sorted(self, array: Array, order: str) -> list[Item]:
        """Return the elements in an order.

        Raises:
            RunError: There is no such order.
        """
        items = list(array.items())
        if order in ("", "@unsorted"):
            return items
        if not order.startswith("@"):
            return sorted(items, key=functools.cmp_to_key(self._by_function(order)))
        kind, _, direction = order[1:].rpartition("_")
        keys: dict[str, Callable[[Item], Any]] = {
            "ind_str": lambda item: (self._text(item[0]), item[0]),
            "ind_num": lambda item: (number(item[0]), item[0]),
            "val_num": lambda item: (_numeric(item[1]), self._format(item[1]), item[0]),
            "val_str": lambda item: (self._format(item[1]), item[0]),
            "val_type": lambda item: (*self.by_type(item[1]), item[0]),
        }
        key = keys.get(kind)
        if key is None or direction not in ("asc", "desc"):
            raise RunError(f"there is no order {order} of arrays")
        return sorted(items, key=key, reverse=direction == "desc")

    def _format(self, value: object) -> str:
        return "" if isinstance(value, Array) else self._text(value)  # type: ignore[arg-type]

    def by_type(self, value: object) -> tuple[int, float, str]:
        """Return a key that puts numbers before strings, and strings before arrays."""
        if isinstance(value, Array):
            return (2, 0.0, "")
        if value is None or isinstance(value, float):
            return (0, value or 0.0, "")
        found = looks_numeric(value) if isinstance(value, Input) else None
        return (1, 0.0, self._text(str(value))) if found is None else (0, found, "")

    def _by_function(self, name: str) -> Callable[[Item, Item], int]:
        compare = self._functions.get(name)
        if compare is None:
            raise RunError(f"{name} can't order an array: it is no function of the program")

        def order(one: Item, other: Item) -> int:
            found = number(_finish(name, compare(one[0], one[1], other[0], other[1])))
            return -1 if found < 0 else int(found > 0)

        return order


def _finish(name: str, result: Value | Coroutine[object, None, Value]) -> Value:
    """Return the result of a function, which may loop but not wait: Python's sort doesn't."""
    if not isinstance(result, Coroutine):
        return result
    try:
        result.send(None)
    except StopIteration as done:
        return done.value
    result.close()
    raise RunError(f"{name} can't order an array: it reads, or runs commands")


def _numeric(value: object) -> float:
    return float("inf") if isinstance(value, Array) else number(value)  # type: ignore[arg-type]
