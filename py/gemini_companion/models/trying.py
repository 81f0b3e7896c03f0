"""The questions of the dialog's Try: what an agent needs of a model, before it is connected.

The answer is streamed, and its first words are enough: a model without an end of turn would never finish it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from gemini.models.interface.window import hint_of
from gemini.models.providers.forms import About

Row = dict[str, Any]
QUESTION = "Answer with the one word: ready"
# So many characters are an answer.
ENOUGH_CHARS = 60
# So many characters of reasoning show that the model thinks; its end may be far.
ENOUGH_THOUGHT_CHARS = 600
# Leave room for reasoning before the answer.
ANSWER_TOKENS = 2_000
# The tokens of an agent's first request, and of one with code mode's tools for a context below the second number
# (gemini.agents.loop.small_window).
FIRST_REQUEST, SMALL_CONTEXT, SMALL_REQUEST = 2_400, 8_000, 550
LEAST_CONTEXT = 1_024
TOOL: Row = {
    "type": "function",
    "function": {
        "name": "say_ready",
        "description": "Say that you are ready.",
        "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    },
}
# The members of reasoning: llama.cpp, vLLM and DeepSeek, OpenRouter and Ollama, Anthropic.
THOUGHTS = ("reasoning_content", "reasoning", "thinking")
SCHEMA: Row = {"type": "object", "properties": {"ready": {"type": "boolean"}}, "required": ["ready"]}


@dataclass(frozen=True)
class Words:
    """The beginning of an answer.

    Attributes:
        streamed: Whether it came in pieces.
        called: Whether it called a tool.
        thought: The beginning of its reasoning.
    """

    text: str
    streamed: bool = False
    called: bool = False
    thought: str = ""


def question(model: str, limit: str, more: Mapping[str, Any]) -> Row:
    """Return the body of a request for one word.

    Args:
        model: The model's name.
        limit: The member with the limit of the answer.
        more: Further members.
    """
    messages = [{"role": "user", "content": QUESTION}]
    return {"model": model, "messages": messages, limit: ANSWER_TOKENS, "stream": True, **more}


async def first_words(chunks: AsyncIterator[bytes], *, is_events: bool) -> Words:
    """Read an answer of either API until it is complete, or long enough.

    Raises:
        ValueError: It is no answer of a model.
    """
    if not is_events:
        content = b"".join([chunk async for chunk in chunks])
        return _whole(json.loads(content))
    text, thought, called, pieces = "", "", False, 0
    is_answer = False
    async for event in _events(chunks):
        is_answer = True
        piece, more_thought, calls = _piece(event)
        text, thought, called = text + piece, thought + more_thought, called or calls
        pieces += bool(piece or more_thought)
        if called or len(text.strip()) >= ENOUGH_CHARS or (not text and len(thought) >= ENOUGH_THOUGHT_CHARS):
            break
    if not is_answer:
        raise ValueError("a stream without an event")
    return Words(text.strip(), pieces > 1 or called, called, thought.strip())


async def _events(chunks: AsyncIterator[bytes]) -> AsyncIterator[Row]:
    """Yield the JSON objects of a stream of events; characters may be split over chunks."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(b"data:") and line[5:].strip() not in (b"", b"[DONE]"):
                event: Any = json.loads(line[5:])
                if isinstance(event, dict):
                    yield cast(Row, event)


def _piece(event: Row) -> tuple[str, str, bool]:
    """Return the text and the reasoning of an event of either API, and whether it calls a tool."""
    if "error" in event:
        raise ValueError("the stream reports an error")
    choices: Any = event.get("choices") or [{}]
    delta: Row = choices[0].get("delta") or event.get("delta") or {}
    text = delta.get("content") or delta.get("text")
    thought = next((delta[name] for name in THOUGHTS if delta.get(name)), None)
    return str(text or ""), str(thought or ""), bool(delta.get("tool_calls"))


def _whole(answer: Any) -> Words:
    try:
        if "choices" not in answer:
            return Words("".join(part.get("text", "") for part in answer["content"]).strip())
        message = answer["choices"][0]["message"]
        return Words(str(message.get("content") or "").strip(), called=bool(message.get("tool_calls")))
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError("no answer of a model") from error


def are_embeddings(content: bytes) -> bool:
    """Return whether an answer has a vector in the form of OpenAI's API.

    llama.cpp has another form below a base URL without `/v1`: a list of rows, each with a list of vectors.
    """
    try:
        vector: Any = json.loads(content)["data"][0]["embedding"]
    except (ValueError, KeyError, TypeError, IndexError):
        return False
    numbers = cast("list[Any]", vector) if isinstance(vector, list) else []
    return bool(numbers) and isinstance(numbers[0], int | float)


def follows_schema(text: str) -> bool:
    """Return whether a text follows the schema that was asked for."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        return False
    return isinstance(value, dict) and isinstance(cast(Row, value).get("ready"), bool)


def facts_of(about: About, words: Words, calls: bool | None, schema: bool | None) -> list[str]:
    """Return what an agent can expect of a model, as sentences for the user.

    Args:
        about: What the server says about it.
        words: Its answer.
        calls: Whether it called a tool, or the server would pass the tool on; None if that wasn't tried.
        schema: Whether it followed a schema; None if that wasn't tried.
    """
    facts = ["It streams its answers." if words.streamed else "It sends its answers as a whole."]
    if words.thought:
        facts.append(
            "It thinks before it answers." if words.text else "It was still thinking: no answer yet."
        )
    if calls is not None:
        prompted = " They are described in the prompt instead." if not calls else ""
        facts.append(f"It {'called' if calls else 'doesn’t call'} a tool of the API.{prompted}")
    if schema is not None:
        facts.append(
            "It follows a JSON schema, so calls can be required." if schema else "It follows no JSON schema."
        )
    if about.pictures is not None:
        facts.append("It takes pictures." if about.pictures else "It takes no pictures.")
    if about.tokens is not None:
        facts.append(context_fact(about.tokens, about.server))
    return facts


def first_request(context: int) -> int:
    """Return about how many tokens an agent's first request takes of a context."""
    return FIRST_REQUEST if context >= SMALL_CONTEXT else SMALL_REQUEST


def context_fact(tokens: int, server: str | None) -> str:
    """Return the sentence about a context, and about how much of it an agent's first request takes."""
    takes = first_request(tokens)
    if tokens < LEAST_CONTEXT:
        return (
            f"Its context of {tokens:,} tokens is too small: agents need {LEAST_CONTEXT:,}. {hint_of(server)}"
        )
    hint = f" {hint_of(server)}" if tokens < SMALL_CONTEXT else ""
    return f"Its context has {tokens:,} tokens; an agent’s first request takes about {takes:,}.{hint}"
