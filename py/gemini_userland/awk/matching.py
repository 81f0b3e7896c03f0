"""Programs in which RSTART and RLENGTH can be read from the last match of Python's, when they are needed."""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.analysis import Analysis
from gemini_userland.awk.errors import RunError
from gemini_userland.awk.patterns import pattern

_VARIABLES = ("RSTART", "RLENGTH")


def reads_matches(analysis: Analysis) -> bool:
    """Return whether all calls of `match` are plain ones, and nothing else sets RSTART and RLENGTH."""
    program, kinds = analysis.program, analysis.kinds
    if kinds.all_marked or any(name in analysis.changed or ("", name) in kinds.given for name in _VARIABLES):
        return False
    nodes = tree.descendants([list(program.functions.values()), program.rules, program.special])
    calls = [node for node in nodes if isinstance(node, tree.Call) and node.builtin and node.name == "match"]
    return bool(calls) and all(map(is_plain_match, calls))


def is_plain_match(node: tree.Call) -> bool:
    """Return whether a call of `match` takes no array, and finds with a constant what Python finds."""
    match [*map(tree.ungrouped, node.arguments)]:
        case [_, tree.Regex(source=source)]:
            try:
                return pattern(source).is_plain
            except RunError:
                return False
        case _:
            return False


def code_of(name: str, is_there: bool) -> str:
    """Return code for RSTART or RLENGTH where `last_match` is the match, or None unless `is_there`."""
    if is_there:
        return (
            "(last_match.start() + 1.0)"
            if name == "RSTART"
            else "float(last_match.end() - last_match.start())"
        )
    if name == "RSTART":
        return "(last_match.start() + 1.0 if last_match is not None else 0.0)"
    return "(float(last_match.end() - last_match.start()) if last_match is not None else -1.0)"
