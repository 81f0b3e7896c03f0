"""Thinking in OpenAI's format that its provider wants back signed, and the progress of a prompt.

litellm streams Claude's as `thinking_blocks` (https://docs.litellm.ai/docs/reasoning_content), OpenRouter thinking of
several providers as `reasoning_details`
(https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks).
"""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any

from openai.types.chat import ChatCompletionAssistantMessageParam, ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import Choice
from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import ModelResponseStreamEvent, ThinkingPart
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse

from gemini.models.providers.wire.progress import PromptProgress, progress_in

Block = dict[str, Any]
BLOCKS = TypeAdapter(list[Block])

FIELDS = ("thinking_blocks", "reasoning_details")
# These values of a block come in pieces, the others at once.
PIECES = {"thinking", "text", "summary", "data"}
# Claude's API refuses what litellm adds.
ADDED = {"thinking_blocks": {"index"}}


class SignedThinkingModel(OpenAIChatModel):
    """A model whose signed thinking is sent back with the next request."""

    @dataclass
    class _MapModelResponseContext(OpenAIChatModel._MapModelResponseContext):  # pyright: ignore[reportPrivateUsage]
        signed: dict[str, list[Block]] = field(default_factory=dict[str, list[Block]])

        def _map_response_thinking_part(self, item: ThinkingPart) -> None:
            if item.id in FIELDS and item.provider_details is not None:
                self.signed[item.id] = item.provider_details["blocks"]
            else:
                super()._map_response_thinking_part(item)

        def _into_message_param(self) -> ChatCompletionAssistantMessageParam | None:
            message = super()._into_message_param()
            if message is not None:
                message.update(self.signed)  # pyright: ignore[reportCallIssue, reportArgumentType]
            return message

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return _Streamed


@dataclass
class _Streamed(OpenAIStreamedResponse):
    """Collects the blocks in a separate part, next to the part with their text."""

    _blocks: dict[str, list[Block]] = field(default_factory=dict[str, list[Block]], init=False)
    _progress: PromptProgress | None = field(default=None, init=False)

    async def _validate_response(self) -> AsyncIterator[ChatCompletionChunk]:
        async for chunk in self._response:
            self._progress = progress_in((chunk.model_extra or {}).get("prompt_progress"))
            yield chunk

    def _map_part_delta(self, choice: Choice) -> Iterable[ModelResponseStreamEvent]:
        if self._progress is not None:
            yield self._progress
        yield from super()._map_part_delta(choice)

    def _map_thinking_delta(self, choice: Choice) -> Iterable[ModelResponseStreamEvent]:
        yield from super()._map_thinking_delta(choice)
        for name in FIELDS:
            try:
                pieces = BLOCKS.validate_python(getattr(choice.delta, name, None) or [])
            except ValidationError:
                # Another server's field of this name.
                continue
            if not pieces:
                continue
            blocks = self._blocks.setdefault(name, [])
            for piece in pieces:
                _join(blocks, {key: value for key, value in piece.items() if key not in ADDED.get(name, ())})
            yield from self._parts_manager.handle_thinking_delta(
                vendor_part_id=("signed", name),
                id=name,
                content="",
                provider_name=self.provider_name,
                provider_details={"blocks": blocks},
            )


def _join(blocks: list[Block], piece: Block) -> None:
    """Add a piece to the last block if it belongs there; a signature ends a block."""
    last = blocks[-1] if blocks else None
    if (
        last is None
        or last.get("signature")
        or any(last.get(key) != piece.get(key) for key in ("type", "index"))
    ):
        blocks.append(piece)
        return
    for key, value in piece.items():
        if key in PIECES and isinstance(value, str):
            last[key] = (last.get(key) or "") + value
        elif value is not None:
            last[key] = value
