"""The arrays that can be lists: those that only `split` fills, and of which only numbered elements are read.

Nothing in such a program shows that a reference to a missing element makes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from gemini_userland.awk import tree
from gemini_userland.awk.fields import Place
from gemini_userland.awk.inputs import Sections
from gemini_userland.awk.kinds import Kinds, Resolve
from gemini_userland.awk.state import ARRAYS


def list_arrays(sections: Sections, program: tree.Program, place: Resolve, kinds: Kinds) -> frozenset[Place]:
    """Return the arrays that can be lists.

    Args:
        sections: The nodes.
        program: The program.
        place: Returns where a name in a function belongs.
        kinds: The kinds of the variables' values.
    """
    filled: set[Place] = set()
    seen: list[tree.Node] = []
    others = {("", name) for name in ARRAYS}
    for function, node in sections:
        match node:
            case tree.Call(builtin=True, name="split", arguments=[_, tree.Name() as array, *rest]):
                filled.add(place(function, array.name))
                if len(rest) < 2:
                    seen.append(array)
            case tree.Index(target=tree.Name() as array, keys=[key]) if kinds.is_number(function, key):
                seen.append(array)
            case tree.Call(builtin=False):
                others |= _passed(function, node, program, place)
            case tree.IndirectCall():
                return frozenset()
            case _:
                pass
        for target in _set(node):
            others.add(kinds.root(function, target))
    allowed = {id(node) for node in seen}
    for function, node in sections:
        if isinstance(node, tree.Name) and id(node) not in allowed:
            others.add(place(function, node.name))
    return frozenset(filled - others)


def _passed(function: str, call: tree.Call, program: tree.Program, place: Resolve) -> set[Place]:
    """Return the parameters that a call passes values for, and the arrays whose elements may become arrays there."""
    called = program.functions.get(call.name)
    names = called.parameters[: len(call.arguments)] if called else []
    roots = [tree.ungrouped(one) for one in call.arguments]
    elements = [one.target for one in roots if isinstance(one, tree.Index)]
    return {(call.name, name) for name in names} | {
        place(function, one.name) for one in elements if isinstance(one, tree.Name)
    }


def _set(node: tree.Node) -> list[tree.Expression]:
    """Return the elements that a node sets, or uses as arrays."""
    found: list[tree.Expression | None] = []
    match node:
        case tree.Assignment() | tree.Step() | tree.ForIn() | tree.Getline() | tree.Delete():
            found = [node.target]
        case tree.Call(builtin=True, name="sub" | "gsub"):
            found = [*node.arguments[2:3]]
        case tree.Index():
            found = [node.target]
        case _:
            pass
    return [one for one in map(_element, found) if one is not None]


def _element(node: tree.Expression | None) -> tree.Index | None:
    node = None if node is None else tree.ungrouped(node)
    return node if isinstance(node, tree.Index) else None


def part(parts: list[str], number: float, texts: Mapping[float, str]) -> str | None:
    """Return the element with a number, or None if there is none."""
    at = int(number) if -1.0 < number < 1e9 else -1
    if at != number:
        # A number that is almost whole has the text of the whole number.
        text = texts[number]
        at = int(text) if text.isdecimal() else -1
    return parts[at - 1] if 0 < at <= len(parts) else None
