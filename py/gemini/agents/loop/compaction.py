"""Compaction: keep a conversation within the model's context.

The user's words and the newest steps, each call with its result, stay verbatim. Each older step is reduced to one
line, below the plan and the facts that the model noted.
"""

from collections.abc import Sequence

from gemini.agents.guard.delimiters import Delimiters
from gemini.agents.loop.conversation import Conversation
from gemini.core.encoding import shorten
from gemini.models.interface.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from gemini.models.interface.model import ToolRow

# Shares of the context: above the first the conversation is compacted, to about the second.
COMPACT_ABOVE = 0.7
COMPACT_TO = 0.4
# A cautious estimate for English and code; each answer's usage refines it.
CHARS_PER_TOKEN = 3.5
MIN_CHARS_PER_TOKEN, MAX_CHARS_PER_TOKEN = 1.5, 4.0
MESSAGE_TOKENS = 6
# Providers count about 1,500 tokens for a picture of a million pixels.
IMAGE_CHARS = 5_000
MAX_LINES = 120
LINE_ARGUMENT_CHARS = 120
LINE_RESULT_CHARS = 160
SHORTENED_RESULT_CHARS = 500


class Gauge:
    """Estimates the tokens of requests from the usage that providers report."""

    def __init__(self) -> None:
        self._chars_per_token = CHARS_PER_TOKEN

    def tokens(self, messages: Sequence[Message], tools: Sequence[ToolRow] = ()) -> int:
        """Estimate the tokens of a request."""
        return int(characters_of(messages, tools) / self._chars_per_token) + MESSAGE_TOKENS * len(messages)

    def learn(self, messages: Sequence[Message], tools: Sequence[ToolRow], input_tokens: int) -> None:
        """Refine the estimate with the tokens that a request actually took."""
        if input_tokens > 0:
            measured = characters_of(messages, tools) / input_tokens
            self._chars_per_token = min(MAX_CHARS_PER_TOKEN, max(MIN_CHARS_PER_TOKEN, measured))


def compact(
    conversation: Conversation, gauge: Gauge, delimiters: Delimiters, target_tokens: float
) -> list[Message]:
    """Return the conversation's messages in about `target_tokens` tokens.

    The user's own words are never dropped, so the result can be larger.
    """
    pinned = [found for found in conversation.messages if _is_pinned(found)]
    groups = _groups([found for found in conversation.messages if not _is_pinned(found)])
    room = target_tokens - gauge.tokens(pinned)
    recent: list[list[Message]] = []
    for group in reversed(groups):
        tokens = gauge.tokens(group)
        if recent and tokens > room:
            break
        room -= tokens
        recent.insert(0, group)
    dropped = groups[: len(groups) - len(recent)]
    recent_messages = [message for group in recent for message in group]
    if gauge.tokens([*pinned, *recent_messages]) > target_tokens:
        recent_messages = [_shorten(message, delimiters) for message in recent_messages]
    summary = _summary(conversation, dropped, delimiters)
    return [*pinned, *([summary] if summary else []), *recent_messages]


def _is_pinned(message: Message) -> bool:
    """Return whether a message is a system message, the user's own words, or another agent's."""
    return isinstance(message, SystemMessage) or (
        isinstance(message, UserMessage) and message.purpose in ("task", "answer", "message")
    )


def _groups(messages: Sequence[Message]) -> list[list[Message]]:
    """Group each call with its results; every other message is a separate group."""
    groups: list[list[Message]] = []
    for message in messages:
        if isinstance(message, ToolMessage) and groups:
            groups[-1].append(message)
        else:
            groups.append([message])
    return groups


def _summary(
    conversation: Conversation, dropped: list[list[Message]], delimiters: Delimiters
) -> UserMessage | None:
    lines = [line for group in dropped for line in _lines(group)]
    if not lines and not conversation.facts:
        return None
    if len(lines) > MAX_LINES:
        lines = [f"({len(lines) - MAX_LINES} older steps)", *lines[-MAX_LINES:]]
    parts = ["Earlier messages were dropped to save room. This is a summary of them:"]
    if conversation.plan:
        parts.append(f"The plan:\n{conversation.plan}")
    if conversation.facts:
        noted = "\n".join(f"- {fact}" for fact in conversation.facts)
        parts.append(f"What you noted:\n{delimiters.wrap(noted, 'your notes')}")
    if lines:
        parts.append(f"What you did:\n{delimiters.wrap(chr(10).join(lines), 'your earlier steps')}")
    return UserMessage(text="\n\n".join(parts), purpose="summary")


def _lines(group: list[Message]) -> list[str]:
    first = group[0]
    if isinstance(first, UserMessage):
        return _old_lines(first)
    if not isinstance(first, AssistantMessage):
        return []
    results = {found.call_id: found for found in group if isinstance(found, ToolMessage)}
    lines = [f"- said: {shorten(first.text, LINE_RESULT_CHARS)}"] if first.text else []
    for call in first.calls:
        found = results.get(call.id)
        result = "no result" if found is None else _result_line(found)
        lines.append(f"- {call.name} {call.arguments[:LINE_ARGUMENT_CHARS]}: {result}")
    return lines


def _old_lines(message: UserMessage) -> list[str]:
    """Return the lines of an earlier summary; old observations and notes are dropped."""
    if message.purpose != "summary":
        return []
    return [
        line
        for line in message.text.partition("What you did:")[2].splitlines()
        if line.startswith("- ") or line.startswith("(")
    ]


def _result_line(message: ToolMessage) -> str:
    return f"{'failed' if message.failed else 'ok'}: {shorten(_plain_text(message), LINE_RESULT_CHARS)}"


def _plain_text(message: ToolMessage) -> str:
    return message.text if message.origin is None else strip_delimiters(message.text)


def strip_delimiters(text: str) -> str:
    """Return a delimited text without its delimiters."""
    return "\n".join(text.splitlines()[1:-1])


def _shorten(message: Message, delimiters: Delimiters) -> Message:
    if not isinstance(message, ToolMessage) or len(message.text) <= 2 * SHORTENED_RESULT_CHARS:
        return message
    text = _plain_text(message)
    cut = f"{text[:SHORTENED_RESULT_CHARS]}… (cut to save room: {len(text):,} characters in all)"
    wrapped = cut if message.origin is None else delimiters.wrap(cut, message.origin)
    return message.model_copy(update={"text": wrapped})


def characters_of(messages: Sequence[Message], tools: Sequence[ToolRow]) -> int:
    """Return the characters of a request; a picture counts for as many as its tokens."""
    total = sum(len(tool.name) + len(tool.description) + len(str(tool.schema)) for tool in tools)
    for message in messages:
        total += len(message.text)
        if isinstance(message, UserMessage | ToolMessage):
            total += IMAGE_CHARS * len(message.images)
        if isinstance(message, AssistantMessage):
            total += sum(len(call.name) + len(call.arguments) for call in message.calls)
            total += len(message.thought) if message.state is not None else 0
    return total
