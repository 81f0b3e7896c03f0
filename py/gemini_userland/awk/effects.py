"""The expressions that may set something."""

from __future__ import annotations

from gemini_userland.awk import tree

# The functions that set nothing.
_STEADY = frozenset([
    "atan2", "cos", "exp", "index", "int", "length", "log", "rand", "sin", "sprintf", "sqrt", "substr", "systime",
    "tolower", "toupper",
])  # fmt: skip


def has_effects(node: tree.Expression) -> bool:
    """Return whether an expression may set variables or fields."""
    return any(
        isinstance(one, (tree.Assignment, tree.Step, tree.IndirectCall, tree.Getline))
        or (isinstance(one, tree.Call) and not (one.builtin and one.name in _STEADY))
        for one in tree.descendants([node])
    )
