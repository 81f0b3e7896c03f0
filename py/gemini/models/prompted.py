"""Tools for models that have none: they stand in the prompt, and calls come as JSON in the text.

The model is told to write each call as `{"tool": name, "arguments": {...}}`, alone or in a fence of Markdown. What
small models make of that is read generously: several calls in a list or one after the other, prose before them, `name`
instead of `tool`, no arguments.
"""

import json
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, cast

from gemini.agents.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from gemini.agents.model import CallDelta, Model, ModelEvent, Request, Retried, Stopped, TextDelta, ToolRow

FENCE = "```"
# Where a block of code begins or ends.
FENCES = re.compile(r"```[a-z]*\n?")
BRACKET = re.compile(r"[{\[]")
# Small models write line breaks into strings.
DECODER = json.JSONDecoder(strict=False)
NAMES = ("tool", "name", "function")
# Forms of providers' own that models have learned.
WRAPPINGS = ("tool_calls", "calls", "function")
ARGUMENTS = ("arguments", "args", "parameters", "input")

TOOLS_PROMPT = """You have tools. To call one, write JSON in this form and nothing after it:
{"tool": "<its name>", "arguments": {<what its schema says>}}
For several calls write several such objects, one after the other. You are told the results in the next message; never \
make one up.
The tools, each with the JSON Schema of its arguments:
"""
MUST_CALL_PROMPT = "Answer with a call of one of these tools."


class Prompted:
    """A model that is told of tools in words.

    Args:
        model: The model itself, which is asked without tools.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def context_tokens(self) -> int:
        return self._model.context_tokens

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """See `gemini.agents.Model.stream`."""
        reader = CallReader(row.name for row in request.tools) if request.tools else None
        plain = replace(request, messages=in_words(request), tools=(), must_call=False)
        async with aclosing(self._model.stream(plain)) as events:
            async for event in events:
                match event:
                    case TextDelta(text) if reader is not None:
                        if prose := reader.feed(text):
                            yield TextDelta(prose)
                    case Retried() if reader is not None:
                        reader.reset()
                        yield event
                    case Stopped(reason) if reader is not None:
                        for part in reader.end():
                            yield part
                        yield Stopped("calls" if reader.calls and reason == "end" else reason)
                    case _:
                        yield event


def in_words(request: Request) -> list[Message]:
    """The conversation without calls and results of their own kinds."""
    messages = [_in_words(message) for message in request.messages]
    if not request.tools:
        return messages
    lead = (
        TOOLS_PROMPT
        + "\n".join(_row(row) for row in request.tools)
        + (f"\n{MUST_CALL_PROMPT}" if request.must_call else "")
    )
    match messages:
        case [SystemMessage(text=text), *rest]:
            return [SystemMessage(text=f"{text}\n\n{lead}"), *rest]
        case _:
            return [SystemMessage(text=lead), *messages]


def _in_words(message: Message) -> Message:
    match message:
        case AssistantMessage(calls=[_, *_]):
            calls = [call_as_json(call.name, call.arguments) for call in message.calls]
            return AssistantMessage(
                text="\n".join([*([message.text] if message.text.strip() else []), *calls])
            )
        case ToolMessage():
            how = "failed" if message.failed else "gave"
            return UserMessage(text=f"The call of {message.tool} {how}:\n{message.text}")
        case _:
            return message


def call_as_json(name: str, arguments: str) -> str:
    """A call as the model is to write it."""
    try:
        given: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        given = arguments
    return json.dumps({"tool": name, "arguments": given}, ensure_ascii=False)


def _row(row: ToolRow) -> str:
    return f"- {row.name}: {row.description}\n  {json.dumps(row.schema, ensure_ascii=False, separators=(',', ':'))}"


class CallReader:
    """Tells prose from calls in a text that comes in pieces, the same whatever the pieces are.

    Prose goes on as it comes. From the first bracket or fence that may begin a call on, text is held back until it is
    clear what it is: at a bracket's or a fence's end, or that of the text.

    Args:
        tools: The names that a call may have.

    Attributes:
        calls: How many were found, after the end.
    """

    def __init__(self, tools: "Iterator[str] | Sequence[str]") -> None:
        self._tools = frozenset(tools)
        self._held = ""
        self._found: list[CallDelta] = []

    @property
    def calls(self) -> int:
        return len(self._found)

    def reset(self) -> None:
        """Begin anew."""
        self._held = ""
        self._found.clear()

    def feed(self, text: str) -> str:
        """Take a piece, and give the prose that is clear by now."""
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
        """What is left of the prose, and the calls."""
        rest, self._held = self._held, ""
        prose = self._judge(rest)
        return [*([TextDelta(prose)] if prose else []), *self._found]

    def _judge(self, part: str) -> str:
        """Take the calls out of a part; give what is no call."""
        prose, found = "", list[CallDelta]()
        for piece in _values(part):
            calls = [] if isinstance(piece, str) else list(_calls(piece[1], self._tools))
            found += calls
            if not calls:
                prose += piece if isinstance(piece, str) else piece[0]
        if not found:
            return self._judge_broken(part)
        self._found += [
            replace(call, index=number, id=f"prompted-{number}")
            for number, call in enumerate(found, self.calls)
        ]
        return FENCES.sub("", prose) if FENCE in part else prose

    def _judge_broken(self, part: str) -> str:
        """A call whose JSON is broken goes to the loop as it is, which tells the model what is wrong with it."""
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
    """A text's JSON values, each with its own text, and what stands before, between and after them."""
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
    """Where a call may begin: at a bracket or a fence, or what may become one."""
    found = [at for at in (text.find("{"), text.find("["), text.find(FENCE)) if at >= 0]
    return min(found) if found else len(text.rstrip("`"))


def _whole(text: str) -> int | None:
    """The length of the fence or the JSON value that a text begins with; None where it isn't whole yet."""
    if text.startswith(FENCE):
        end = text.find(f"\n{FENCE}", len(FENCE))
        return None if end < 0 else end + 1 + len(FENCE)
    return None if text.startswith("`") else _balanced(text)


def _balanced(text: str) -> int | None:
    """Where the bracket that a text begins with is closed (RFC 8259, outside of strings)."""
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
    """The calls in a JSON value; those of unknown tools, too, where their form leaves no doubt."""
    if isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _calls(each, tools)
    elif isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        name = next((given[key] for key in NAMES if isinstance(given.get(key), str)), None)
        key = next((key for key in ARGUMENTS if key in given), None)
        if name is not None and (name in tools or ("tool" in given and given.keys() <= {"tool", key})):
            arguments: Any = given[key] if key else {}
            yield CallDelta(0, "", name, arguments if isinstance(arguments, str) else json.dumps(arguments))
        elif name is None:
            for key in WRAPPINGS:
                yield from _calls(given.get(key), tools)
