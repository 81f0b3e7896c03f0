"""Tools for models without tool support: tools are described in the prompt, and calls are JSON in the text.

The model is instructed to write each call as `{"tool": name, "arguments": {...}}`, alone or in a Markdown fence. The
parser is lenient, for small models: several calls in a list or in a row, prose before them, `name` instead of `tool`,
missing arguments.
"""

import json
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, cast

from gemini.models.interface.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from gemini.models.interface.model import (
    CallDelta,
    Model,
    ModelEvent,
    Request,
    Retried,
    Stopped,
    TextDelta,
    ToolRow,
)

FENCE = "```"
# The start or the end of a code block.
FENCES = re.compile(r"```[a-z]*\n?")
BRACKET = re.compile(r"[{\[]")
# Small models write line breaks into strings.
DECODER = json.JSONDecoder(strict=False)
NAMES = ("tool", "name", "function")
# Providers' own formats, which models have learned.
WRAPPINGS = ("tool_calls", "calls", "function")
ARGUMENTS = ("arguments", "args", "parameters", "input")

TOOLS_PROMPT = """You have tools. To call one, write JSON in this form and nothing after it:
{"tool": "<its name>", "arguments": {<what its schema says>}}
For several calls write several such objects, one after another. The next message has the results; never invent them.
The tools, each with the JSON Schema of its arguments:
"""
MUST_CALL_PROMPT = "Answer with a call to one of these tools."


class Prompted:
    """A model that gets its tools in the prompt.

    Args:
        model: The model, which is asked without tools.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def context_tokens(self) -> int:
        """The model's context in tokens."""
        return self._model.context_tokens

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the answer; see `gemini.agents.Model.stream`."""
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
    """Return the conversation with tools, calls and results written as text."""
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
            how = "failed" if message.failed else "returned"
            return UserMessage(
                text=f"The call to {message.tool} {how}:\n{message.text}", images=message.images
            )
        case _:
            return message


def call_as_json(name: str, arguments: str) -> str:
    """Return a call as the model should write it."""
    try:
        given: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        given = arguments
    return json.dumps({"tool": name, "arguments": given}, ensure_ascii=False)


def _row(row: ToolRow) -> str:
    return f"- {row.name}: {row.description}\n  {json.dumps(row.schema, ensure_ascii=False, separators=(',', ':'))}"


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
            return self._judge_broken(part)
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
    """Return the position where a call may start: a bracket, a fence, or the start of one."""
    found = [at for at in (text.find("{"), text.find("["), text.find(FENCE)) if at >= 0]
    return min(found) if found else len(text.rstrip("`"))


def _whole(text: str) -> int | None:
    """Return the length of the fence or the JSON value at the start of a text; None if it is incomplete."""
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
        name = next((given[key] for key in NAMES if isinstance(given.get(key), str)), None)
        key = next((key for key in ARGUMENTS if key in given), None)
        if name is not None and (name in tools or ("tool" in given and given.keys() <= {"tool", key})):
            arguments: Any = given[key] if key else {}
            yield CallDelta(0, "", name, arguments if isinstance(arguments, str) else json.dumps(arguments))
        elif name is None:
            for key in WRAPPINGS:
                yield from _calls(given.get(key), tools)
