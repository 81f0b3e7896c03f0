"""What a running tool may ask the client that called it, over MCP.

https://modelcontextprotocol.io/specification/2025-11-25/client
"""

from typing import Any, TypeVar, cast, overload

from pydantic import TypeAdapter, ValidationError

from gemini.errors import InvalidArguments, NobodyToAsk, Refused
from gemini.tools.calls import Client, current_call

T = TypeVar("T")
# Enough for an answer in a few paragraphs; the client's own limit comes before it.
TOKENS = 1_000


@overload
async def ask_caller(message: str, answer: type[T], *, name: str | None = None) -> T: ...
@overload
async def ask_caller(message: str, answer: dict[str, Any], *, name: str | None = None) -> dict[str, Any]: ...
async def ask_caller(message: str, answer: Any, *, name: str | None = None) -> Any:
    """Have the client of the running tool ask its person something.

    Args:
        message: What the person reads.
        answer: A dataclass or pydantic model of texts, numbers, booleans and choices, whose instance is given
            back; or a JSON Schema of such an object, for a dictionary.
        name: What a client may know the question by.

    Raises:
        NobodyToAsk: nobody can be asked: the tool was called in the page, or by a client that can't.
        Refused: the person declined, or closed the question.
        InvalidArguments: the answer isn't of that kind.
    """
    told = isinstance(answer, dict)
    kind: TypeAdapter[Any] = TypeAdapter(dict[str, Any] if told else answer)
    schema = cast("dict[str, Any]", answer) if told else kind.json_schema()
    given = await _client().ask("caller/elicit", {"name": name, "message": message, "schema": schema})
    if given["action"] != "accept":
        raise Refused(
            f"the person who was asked chose to {given['action']}", hint="Go on without the answer."
        )
    try:
        return kind.validate_python(given.get("content") or {})
    except ValidationError as error:
        raise InvalidArguments(f"the answer doesn't fit the question: {error}") from None


async def ask_model(prompt: str, *, system: str | None = None, max_tokens: int = TOKENS) -> str:
    """Have the client of the running tool ask its language model, which may show its person the question first.

    Args:
        prompt: The question.
        system: What the model is to know beforehand.
        max_tokens: The longest answer.

    Raises:
        NobodyToAsk: as for `ask_caller`.
    """
    asked = {"prompt": prompt, "system": system, "max_tokens": max_tokens}
    return (await _client().ask("caller/sample", asked))["text"]


def _client() -> Client:
    call = current_call()
    if call is None or call.client is None:
        raise NobodyToAsk(
            "there is no client to ask: only a tool that an MCP client has called can do that",
            hint="Take what you need as an argument of the tool instead.",
        )
    return call.client
