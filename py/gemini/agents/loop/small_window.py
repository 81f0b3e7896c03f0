"""A run with a model whose context is small: its first request shrinks, and nothing is sent that can't fit."""

import re
from collections.abc import Sequence
from typing import Any, cast

from gemini.agents.loop import prompts
from gemini.agents.loop.controls import ASK, DONE, FAIL, FIND
from gemini.agents.loop.conversation import Conversation
from gemini.errors import ContextExceeded, ModelProblem, WindowTooSmall
from gemini.models.interface.messages import Message, SystemMessage
from gemini.models.interface.model import Model, Prepares, ToolRow
from gemini.models.interface.window import LARGER, too_small

# Below it, a run gets a short prompt, the tools of code mode or brief and few ones, and snapshots only if its task is
# about pages.
SMALL_TOKENS = 8_000
# The share of a small context that the tools may take, in characters of about 4 to a token.
TOOLS_SHARE, CHARS_PER_TOKEN = 0.3, 4
# An answer with one short call.
LEAST_ANSWER = 160
# No tokenizer makes fewer tokens of English and JSON, so a request that doesn't fit by this estimate doesn't fit.
MOST_CHARS_PER_TOKEN = 5.0
# The answer's limit that the gateway sets by default (gemini_companion.models.model_request).
USUAL_ANSWER = 8_192
CONTROLS = (DONE, FAIL, ASK, FIND)
SENTENCE = re.compile(r"^.*?[.!?](?=\s|$)", re.DOTALL)


def is_small(context: int) -> bool:
    """Return whether a context, in tokens, is small."""
    return context < SMALL_TOKENS


def tool_room(context: int) -> int:
    """Return the most characters of the tools for a small context."""
    return int(context * TOOLS_SHARE * CHARS_PER_TOKEN)


def shorten_prompt(conversation: Conversation, delimiters: str, *, code: bool) -> None:
    """Replace the usual rules in the system prompt by the short ones; what the user has added stays.

    Args:
        conversation: The conversation.
        delimiters: The rule about text from outside.
        code: Whether the agent has the tools of code mode.
    """
    short = prompts.SHORT_CODE if code else prompts.SHORT_SYSTEM
    conversation.replace([_shortened(message, delimiters, short) for message in conversation.messages])


def _shortened(message: Message, delimiters: str, short: str) -> Message:
    if isinstance(message, SystemMessage):
        for how in (prompts.REACT, prompts.PLAN, prompts.CODE):
            usual = prompts.SYSTEM.format(strategy=how, delimiters=delimiters)
            if message.text.startswith(usual):
                rest = message.text.removeprefix(usual)
                return SystemMessage(text=short.format(delimiters=delimiters) + rest)
    return message


def brief(row: ToolRow) -> ToolRow:
    """Return a tool with the first sentence of its description, and its schema without any."""
    first = SENTENCE.match(row.description)
    return ToolRow(row.name, first[0] if first else row.description, _bare(row.schema))


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        schema = cast("dict[str, Any]", value)
        # A property may be called `description` or `title`; its value is a schema, and no string.
        return {
            key: _bare(each)
            for key, each in schema.items()
            if not (key in ("description", "title") and isinstance(each, str))
        }
    return [_bare(each) for each in cast("list[Any]", value)] if isinstance(value, list) else value


def room_for_answer(context: int, request_tokens: int) -> int | None:
    """Return the most tokens of an answer that the context has room for; None if that is no limit."""
    left = context - request_tokens
    return None if left >= USUAL_ANSWER else max(LEAST_ANSWER, left)


def require_room(model: Model, chars: int) -> None:
    """Check that a request can fit.

    Args:
        model: The model.
        chars: The characters of the request.

    Raises:
        WindowTooSmall: It can't.
    """
    needed = int(chars / MOST_CHARS_PER_TOKEN) + LEAST_ANSWER
    if needed > model.context_tokens:
        raise no_room(model, int(chars / CHARS_PER_TOKEN) + LEAST_ANSWER)


def no_room(model: Model, needed: int, refused: ContextExceeded | None = None) -> ModelProblem:
    """Return the problem of a request that doesn't fit.

    Args:
        model: The model.
        needed: The tokens that the request needs, about.
        refused: The server's refusal, if it was asked.
    """
    hint = model.window_hint if isinstance(model, Prepares) else LARGER
    if refused is not None and needed < model.context_tokens:
        # Its context isn't known, but the server's words say how large it is.
        return ContextExceeded(refused.message, hint=hint, data=refused.data)
    return WindowTooSmall(too_small(needed, model.context_tokens), hint=hint)


def few(names: Sequence[str]) -> list[str]:
    """Return those of the controls that a small context has room for."""
    return [name for name in names if name in CONTROLS]
