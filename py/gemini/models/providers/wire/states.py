"""The state of an answer, which its provider wants back unchanged with the next request.

https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks,
https://ai.google.dev/gemini-api/docs/thought-signatures, https://api-docs.deepseek.com/guides/thinking_mode.
"""

from collections.abc import Sequence

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import ModelResponsePart, ThinkingPart

from gemini.models.interface.messages import ProviderState

PARTS = TypeAdapter(list[ModelResponsePart])


def state_of(parts: Sequence[ModelResponsePart], model: str) -> ProviderState | None:
    """Return the state of an answer; None if its text and its calls are all that the provider needs.

    Args:
        parts: The parts of the answer.
        model: The model that has given it.
    """
    if not any(isinstance(part, ThinkingPart) or getattr(part, "provider_details", None) for part in parts):
        return None
    return ProviderState(model=model, parts=tuple(PARTS.dump_python(list(parts), mode="json")))


def parts_of(state: ProviderState) -> list[ModelResponsePart]:
    """Return the parts of a state; none if another version has written it."""
    try:
        return PARTS.validate_python(list(state.parts))
    except ValidationError:
        return []
