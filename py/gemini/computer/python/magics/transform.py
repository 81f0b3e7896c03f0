"""Rewrite lines that aren't Python as calls of `Magics` (IPython's input syntax).

Only code that doesn't compile is passed here, and only the start of a statement is rewritten, so strings, brackets
and continued lines stay as they are. Line numbers don't change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

CALL = "__magic__"
"""The name in the console's namespace of the `Magics` that the rewritten code calls."""

_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[[^\[\]]+\])*"
_MAGIC_NAME = rf"%{{0,2}}{_NAME}"
_HELP = re.compile(rf"(?P<before>\??\??)\s*(?P<name>{_MAGIC_NAME})(?P<after>\??\??)\s*$")
_TARGETS = rf"{_NAME}(?:\s*,\s*\*?{_NAME})*\s*,?"
_ASSIGNMENT = re.compile(rf"(?P<target>{_TARGETS})\s*=\s*(?P<mark>[!%])(?P<rest>.+)", re.DOTALL)
_BLOCK = re.compile(r"(?P<kind>async\s+def|def|class)\b")
_QUOTE = re.compile(r"'''|\"\"\"|'|\"")


@dataclass
class _State:
    """The state of the scan at the start of a line."""

    depth: int = 0
    quote: str = ""
    continued: bool = False
    blocks: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    """The indentations of the enclosing functions and classes, and whether each allows `await`."""

    @property
    def at_statement(self) -> bool:
        return not (self.depth or self.quote or self.continued)


def transform(code: str) -> str:
    """Return `code` with its magics as calls; the same text if it has none."""
    lines = code.splitlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].startswith("%%") and not lines[first].rstrip().endswith("?"):
        cell = "\n".join([lines[first][2:], *lines[first + 1 :]])
        return "\n" * first + _call("%%", cell, waits=False) + "\n"
    changed = list(_transform(lines))
    return code if changed == lines else "\n".join(changed) + "\n"


def is_continued(code: str) -> bool:
    """Return whether the code ends in a magic that continues in the next line."""
    lines = code.rstrip(" ").splitlines()
    if lines and lines[0].startswith("%%"):
        return bool(lines[-1].strip()) and not code.endswith("\n")
    return code.endswith("\\") and transform(code) != code


def _transform(lines: list[str]) -> Iterator[str]:
    state = _State()
    position = 0
    while position < len(lines):
        line = lines[position]
        text = line.strip()
        if state.at_statement and text and not text.startswith("#"):
            indent = line[: len(line) - len(line.lstrip())]
            _enter(state, indent, text)
            end = position + 1
            while text.startswith(("!", "%")) and lines[end - 1].endswith("\\") and end < len(lines):
                text += "\n" + lines[end]
                end += 1
            waits = bool(state.blocks) and not state.blocks[-1][1]
            if (call := _rewritten(text, waits=waits)) is not None:
                yield indent + call
                yield from [""] * (end - position - 1)
                position = end
                continue
        _scan(line, state)
        yield line
        position += 1


def _enter(state: _State, indent: str, text: str) -> None:
    """Update the enclosing blocks for a statement that begins with `indent`."""
    width = len(indent.expandtabs())
    while state.blocks and width <= state.blocks[-1][0]:
        state.blocks.pop()
    if block := _BLOCK.match(text):
        state.blocks.append((width, block["kind"].startswith("async")))


def _rewritten(text: str, *, waits: bool) -> str | None:
    """Return the call for a statement, or None if it is no magic."""
    if text.startswith("!"):
        captures = text.startswith("!!")
        return _call("!!" if captures else "!", text[2 if captures else 1 :], waits=waits)
    match = _HELP.fullmatch(text)
    if match and (mark := match["before"] or match["after"]):
        return _call(mark, match["name"], waits=waits)
    if text.startswith("%"):
        return _call("%", text[1:].replace("\\\n", " "), waits=waits)
    if match := _ASSIGNMENT.fullmatch(text):
        mark = "!!" if match["mark"] == "!" else "%"
        return f"{match['target'].rstrip()} = {_call(mark, match['rest'], waits=waits)}"
    return None


def _call(mark: str, text: str, *, waits: bool) -> str:
    method = f"{CALL}.wait" if waits else f"await {CALL}.run"
    return f"{method}({mark!r}, {text.strip()!r}, locals())"


def _scan(line: str, state: _State) -> None:
    """Follow strings, brackets and continuations to the end of a line."""
    position = 0
    state.continued = False
    while position < len(line):
        character = line[position]
        if character == "\\":
            state.continued = position == len(line) - 1
            position += 2
        elif state.quote:
            closes = line.startswith(state.quote, position)
            position += len(state.quote) if closes else 1
            state.quote = "" if closes else state.quote
        elif match := _QUOTE.match(line, position):
            state.quote = match[0]
            position = match.end()
        elif character == "#":
            break
        else:
            state.depth = max(0, state.depth + (character in "([{") - (character in ")]}"))
            position += 1
    if len(state.quote) == 1 and not state.continued:
        # The string isn't closed, which is a syntax error.
        state.quote = ""
