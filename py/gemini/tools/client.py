"""Questions of a running tool to the MCP client that called it.

https://modelcontextprotocol.io/specification/2025-11-25/client
"""

from typing import Any, TypeVar, cast, overload

from pydantic import TypeAdapter, ValidationError

from gemini.errors import InvalidArguments, NobodyToAsk, Refused
from gemini.tools.calls import Client, current_call

T = TypeVar("T")
# A few paragraphs. Clients may set a lower limit.
MAX_TOKENS = 1_000


@overload
async def ask_caller(message: str, answer: type[T], *, name: str | None = None) -> T: ...
@overload
async def ask_caller(message: str, answer: dict[str, Any], *, name: str | None = None) -> dict[str, Any]: ...
async def ask_caller(message: str, answer: Any, *, name: str | None = None) -> Any:
    """Ask the user of the client that called the running tool.

    Args:
        message: The question to show.
        answer: The type of the answer, a dataclass or pydantic model of strings, numbers, booleans and choices; or
            a JSON Schema of such an object, for which a dictionary is returned.
        name: A name by which the client may recognise the question.

    Returns:
        An instance of `answer`, or a dictionary if `answer` is a schema.

    Raises:
        NobodyToAsk: The tool was called in the page, or by a client that doesn't support questions.
        Refused: The user declined or closed the question.
        InvalidArguments: The answer doesn't fit `answer`.
    """
    is_schema = isinstance(answer, dict)
    kind: TypeAdapter[Any] = TypeAdapter(dict[str, Any] if is_schema else answer)
    schema = cast("dict[str, Any]", answer) if is_schema else kind.json_schema()
    reply = await _client().ask("caller/elicit", {"name": name, "message": message, "schema": schema})
    if reply["action"] != "accept":
        raise Refused(f"the user chose to {reply['action']}", hint="Continue without the answer.")
    try:
        return kind.validate_python(reply.get("content") or {})
    except ValidationError as error:
        raise InvalidArguments(f"the answer doesn't fit the question: {error}") from None


async def ask_model(prompt: str, *, system: str | None = None, max_tokens: int = MAX_TOKENS) -> str:
    """Ask the language model of the client that called the running tool. The client may ask its user first.

    Args:
        prompt: The question.
        system: The system prompt.
        max_tokens: The maximum length of the answer.

    Raises:
        NobodyToAsk: The tool was called in the page, or by a client that offers no model.
    """
    asked = {"prompt": prompt, "system": system, "max_tokens": max_tokens}
    return (await _client().ask("caller/sample", asked))["text"]


async def ask_roots() -> list[dict[str, str]]:
    """Return the folders that the client which called the running tool works in, `{uri, name?}` of each.

    They are on the client's machine, where the page's Python can't read them.

    Raises:
        NobodyToAsk: The tool was called in the page, or by a client that doesn't tell its folders.
    """
    return (await _client().ask("caller/roots", {}))["roots"]


def _client() -> Client:
    call = current_call()
    if call is None or call.client is None:
        raise NobodyToAsk(
            "there is no client to ask: only a tool or prompt that an MCP client called can do this",
            hint="Make it an argument of the tool instead.",
        )
    return call.client
