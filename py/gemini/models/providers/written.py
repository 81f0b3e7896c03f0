"""Reads calls that a model has written as text.

Models write them as the prompt says, or as they have learned: in a list or in a row, in a Markdown fence or between
tags, with prose before them, with other names of the members, with the arguments next to the tool's name.
"""

import json
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, cast

from gemini.models.interface.model import CallDelta, ModelEvent, Retried, Stopped, TextDelta, ToolRow

FENCE = "```"
# The start or the end of a code block.
FENCES = re.compile(r"```[a-z_]*\n?")
# What models that were trained with tools put around a call; it is no part of their prose.
TAGS = (
    "<tool_call>",
    "</tool_call>",
    "<function_call>",
    "</function_call>",
    "<|python_tag|>",
    "[TOOL_CALLS]",
)
# A member that names a tool, or the start of a call in another format.
ATTEMPT = re.compile(
    r"""["'](tool|tool_name|tool_calls?|function|arguments)["']\s*:|<tool_call|<function|\[TOOL_CALLS"""
)
BRACKET = re.compile(r"[{\[]")
# Small models write line breaks into strings.
DECODER = json.JSONDecoder(strict=False)
NAMES = ("tool", "name", "function")
# Providers' own formats, which models have learned.
WRAPPINGS = ("tool_calls", "calls", "function")
ARGUMENTS = ("arguments", "args", "parameters", "input")
# With a name and one of these, an object is a call, even if there is no such tool.
SURE_ARGUMENTS = frozenset({"arguments", "parameters"})


class CallReader:
    """Separates prose from calls in streamed text. The result doesn't depend on how the text is split into pieces.

    Prose is passed on as it comes. From a bracket or a fence that may start a call, text is held back until the bracket
    or the fence is closed, or the text ends.

    Args:
        tools: The names of the tools.
    """

    def __init__(self, tools: "Iterator[str] | Sequence[str]") -> None:
        self._tools = frozenset(tools)
        self._held = ""
        self._found: list[CallDelta] = []

    @property
    def calls(self) -> int:
        """The number of calls found."""
        return len(self._found)

    def reset(self) -> None:
        """Start over."""
        self._held = ""
        self._found.clear()

    def feed(self, text: str) -> str:
        """Add a piece, and return the prose that is certain by now."""
        self._held += text
        prose = ""
        while True:
            begin = _beginning(self._held)
            prose, self._held = prose + self._held[:begin], self._held[begin:]
            if not self._held:
                return prose
            part = _whole(self._held)
            if part is None:
                return prose
            prose += self._judge(self._held[:part])
            self._held = self._held[part:]

    def end(self) -> list[ModelEvent]:
        """Return the remaining prose and the calls."""
        rest, self._held = self._held, ""
        prose = self._judge(rest)
        return [*([TextDelta(prose)] if prose else []), *self._found]

    def _judge(self, part: str) -> str:
        """Collect the calls in a part of the text; return the rest."""
        prose, found = "", list[CallDelta]()
        for piece in _values(part):
            calls = [] if isinstance(piece, str) else list(_calls(piece[1], self._tools))
            found += calls
            if not calls:
                prose += piece if isinstance(piece, str) else piece[0]
        if not found:
            return "" if part.strip() in TAGS else self._judge_broken(part)
        self._found += [
            replace(call, index=number, id=f"prompted-{number}")
            for number, call in enumerate(found, self.calls)
        ]
        return FENCES.sub("", prose) if FENCE in part else prose

    def _judge_broken(self, part: str) -> str:
        """Collect a call with invalid JSON as it is, so that the loop reports the error to the model."""
        text = FENCES.sub("", part).strip()
        name = next(
            (tool for tool in self._tools if text.startswith("{") and f'"{tool}"' in text[: len(tool) + 40]),
            None,
        )
        if name is None or not any(f'"{key}"' in text[:20] for key in NAMES):
            return part
        self._found.append(CallDelta(self.calls, f"prompted-{self.calls}", name, text))
        return ""


def _values(text: str) -> Iterator[str | tuple[str, Any]]:
    """Yield the JSON values of a text, each with its source, and the text between them."""
    at = 0
    while found := BRACKET.search(text, at):
        try:
            value, end = DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            end = found.end()
            yield text[at:end]
        else:
            yield text[at : found.start()]
            yield text[found.start() : end], value
        at = end
    yield text[at:]


def _beginning(text: str) -> int:
    """Return the position where a call may start: a bracket, a tag, a fence, or the start of one."""
    starts = (text.find("{"), text.find("["), text.find("<"), text.find(FENCE))
    found = [at for at in starts if at >= 0]
    return min(found) if found else len(text.rstrip("`"))


def _whole(text: str) -> int | None:
    """Return the length of the fence, the tag or the JSON value at the start of a text; None if it is incomplete."""
    if text.startswith("<"):
        tag = next((tag for tag in TAGS if text.startswith(tag)), None)
        return len(tag) if tag else None if any(tag.startswith(text) for tag in TAGS) else 1
    if text.startswith(FENCE):
        end = text.find(f"\n{FENCE}", len(FENCE))
        return None if end < 0 else end + 1 + len(FENCE)
    return None if text.startswith("`") else _balanced(text)


def _balanced(text: str) -> int | None:
    """Return the end of the bracket at the start of a text (RFC 8259, outside of strings)."""
    depth, in_string, escaped = 0, False, False
    for at, char in enumerate(text):
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
    return None


def _calls(value: Any, tools: frozenset[str]) -> Iterator[CallDelta]:
    """Yield the calls in a JSON value, and calls of unknown tools if their format leaves no doubt."""
    if isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _calls(each, tools)
    elif isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        key = next((key for key in NAMES if isinstance(given.get(key), str)), None)
        if key is not None and _is_call(given, key, tools):
            yield CallDelta(0, "", given[key], _arguments(given, key))
        elif key is None:
            for wrapping in WRAPPINGS:
                yield from _calls(given.get(wrapping), tools)
            if len(given) == 1 and (name := next(iter(given))) in tools and isinstance(given[name], dict):
                yield CallDelta(0, "", name, json.dumps(given[name], ensure_ascii=False))


def _is_call(given: dict[str, Any], key: str, tools: frozenset[str]) -> bool:
    schema = given.get("parameters")
    if isinstance(schema, dict) and {"type", "properties"} <= schema.keys():
        # The tool's own description, which the model repeats.
        return False
    if given[key] in tools:
        return True
    others = given.keys() - {key, "type", "id"}
    if key == "tool":
        return others <= {next((each for each in ARGUMENTS if each in given), "")}
    return len(others) == 1 and others <= SURE_ARGUMENTS


def _arguments(given: dict[str, Any], key: str) -> str:
    """Return the arguments of a call as JSON; without a member for them, they are all other members."""
    inside = next((each for each in ARGUMENTS if each in given), None)
    arguments: Any = {name: each for name, each in given.items() if name != key}
    if inside is not None and (key == "tool" or not isinstance(given[inside], int | float | bool)):
        arguments = given[inside]
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def written_calls(text: str, tools: Sequence[str]) -> tuple[list[CallDelta], str]:
    """Return the calls that a complete text has, and its prose."""
    reader = CallReader(tools)
    prose, calls = reader.feed(text), list[CallDelta]()
    for event in reader.end():
        if isinstance(event, CallDelta):
            calls.append(event)
        elif isinstance(event, TextDelta):
            prose += event.text
    return calls, prose


def attempted_call(text: str, tools: Sequence[str]) -> bool:
    """Return whether a text without any call looks like one: broken JSON, a tag, or Python."""
    return ATTEMPT.search(text) is not None or any(
        re.search(rf"(?<!\w){re.escape(tool)}\(", text) for tool in tools
    )


async def calls_from_text(
    stream: AsyncGenerator[ModelEvent], tools: Sequence[ToolRow]
) -> AsyncGenerator[ModelEvent]:
    """Stream an answer; if it has no call, but its text is nothing else than calls, they are made.

    Calls among prose aren't: a model that knows how to call may have quoted them.
    """
    text, has_called = "", not tools
    async with aclosing(stream) as events:
        async for event in events:
            match event:
                case TextDelta(piece):
                    text += piece
                case CallDelta():
                    has_called = True
                case Retried():
                    text = ""
                case Stopped("end") if not has_called:
                    calls, prose = written_calls(text, [row.name for row in tools])
                    if calls and not prose.strip():
                        for call in calls:
                            yield call
                        yield Stopped("calls")
                        continue
                case _:
                    pass
            yield event
