"""Restoring a run's state from its journal."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gemini.agents.guard.taint import Taint
from gemini.agents.loop.compaction import strip_delimiters
from gemini.agents.loop.conversation import Conversation
from gemini.agents.loop.toolbox import Toolbox
from gemini.agents.record.journal import Entry, Kind
from gemini.models.interface.messages import MESSAGES, AssistantMessage, Message, ToolMessage, UserMessage

T = TypeVar("T")


def replay(entries: Sequence[Entry], conversation: Conversation, taint: Taint, toolbox: Toolbox) -> None:
    """Restore the conversation, the tools that were found, and the taint, including the taint of dropped messages."""
    messages: list[Message] = []
    for kind, body in entries:
        if kind == "message":
            [message] = MESSAGES.validate_python([body])
            messages.append(message)
            _restore_taint(message, taint)
        elif kind == "messages":
            messages = MESSAGES.validate_python(body)
        elif kind == "fact":
            conversation.facts.append(body["text"])
        elif kind == "tools":
            toolbox.load(body)
        elif kind == "narrowed":
            toolbox.narrow(body)
    conversation.replace(messages)


def last(entries: Sequence[Entry], kind: Kind, read: Callable[[Any], T]) -> T | None:
    """Return the newest entry of a kind, parsed by `read`; None if there is none."""
    found = next((body for of, body in reversed(entries) if of == kind), None)
    return None if found is None else read(found)


def interrupted_calls(entries: Sequence[Entry]) -> frozenset[str]:
    """Return the ids of the calls that were about to be made."""
    return frozenset(body["call_id"] for kind, body in entries if kind == "intent")


def _restore_taint(message: Message, taint: Taint) -> None:
    if isinstance(message, ToolMessage):
        if message.origin is not None:
            taint.remember_json(message.origin, strip_delimiters(message.text))
    elif isinstance(message, UserMessage):
        if message.purpose == "observation":
            taint.remember("what was seen", message.text)
        elif message.origin is not None:
            taint.remember(message.origin, message.text)
        elif message.purpose in ("task", "answer"):
            taint.trust(message.text)
    elif isinstance(message, AssistantMessage):
        for call in message.calls:
            arguments = call.arguments_or_empty()
            if found := taint.find(arguments):
                taint.taint_outputs(arguments, found)
            else:
                taint.trust(arguments)
