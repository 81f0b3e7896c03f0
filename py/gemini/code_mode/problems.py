"""Errors of an agent's code: the error, the agent's own lines, and what to do."""

import re
from collections.abc import Sequence
from typing import Any, cast

from gemini.core import interrupts
from gemini.errors import PythonError
from gemini.tools.content import Content

OWN = re.compile(r'^ +File "<console-\d+>", line (\d+), in (.+)\n(?: {4,}(.*)\n)?', re.MULTILINE)
FOREIGN = re.compile(r'^ +File "([^<"][^"]*)", line (\d+), in (.+)$', re.MULTILINE)
SYNTAX = re.compile(r'^ +File "<console-\d+>", line (\d+)\n((?: {4}.*\n){1,2})', re.MULTILINE)
START = "Traceback (most recent call last):"
MAX_FRAMES = 6
MAX_SOURCE = 160
MAX_MESSAGE = 2_000
LIBRARY = re.compile(r"^.*/(?:site-packages|lib/python[\d.]+)/")


def explained(error: PythonError, answer: Content, code: str, shadowed: Sequence[str]) -> PythonError:
    """Return an error for a model, from one of the console.

    Args:
        error: The error of the code; its data has the traceback, if the code raised.
        answer: What was printed and shown before.
        code: The code.
        shadowed: The modules whose names the code uses for other values.
    """
    facts = _facts(error.data)
    message = _cut(error.message.removeprefix("gemini.errors."))
    where = _where(str(facts.get("traceback") or ""))
    hidden = [name for name in shadowed if f"{name}." in code]
    hints = [
        error.hint,
        *(f"Your own value hides the module {name}: `del {name}` brings it back." for name in hidden),
    ]
    printed = "\n".join(str(row["text"]) for row in answer.content if row["type"] == "text")
    data = {"printed": printed} if printed else cast(Any, None)
    return PythonError("\n".join([message, *where]), hint=" ".join(filter(None, hints)) or None, data=data)


def _cut(message: str) -> str:
    over = len(message) - MAX_MESSAGE
    return message if over <= 0 else f"{message[:MAX_MESSAGE]}… [{over:,} more characters]"


def _facts(data: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", data) if isinstance(data, dict) else {}


def _where(text: str) -> list[str]:
    """Return the agent's own lines of a traceback, the last ones first in place, and where a library raised."""
    if (wrong := SYNTAX.search(text)) is not None:
        return [f"  line {wrong[1]}: {line.strip()}" for line in wrong[2].splitlines()[:1]]
    last = text.rpartition(START)[2]
    frames = list(OWN.finditer(last))
    if not frames:
        return []
    shown = frames if len(frames) <= MAX_FRAMES else [*frames[: MAX_FRAMES // 2], *frames[-MAX_FRAMES // 2 :]]
    lines = [_line(frame) for frame in shown]
    below = list(FOREIGN.finditer(last, frames[-1].end()))
    # Of the surface's own code, and of what it calls, the message says enough.
    if below and not below[0][1].startswith(interrupts.PACKAGE):
        path, number, name = below[-1].groups()
        lines.append(f"  in {LIBRARY.sub('', path)}, line {number} ({name})")
    return lines


def _line(frame: "re.Match[str]") -> str:
    place = "" if frame[2] == "<module>" else f" in {frame[2]}"
    return f"  line {frame[1]}{place}: {(frame[3] or '').strip()[:MAX_SOURCE]}"
