"""llama.cpp's progress of a long prompt: `prompt_progress` in its stream, if `return_progress` asks for it.

https://github.com/ggml-org/llama.cpp/blob/00dc8057ab28/tools/server/README.md
"""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_ai.messages import PartDeltaEvent, TextPartDelta


class Progress(BaseModel):
    """The prompt's tokens, and those that were read by now."""

    total: int
    processed: int


@dataclass(repr=False, kw_only=True)
class PromptProgress(PartDeltaEvent):
    """An event of no part: the server has read more of the prompt."""

    progress: Progress


def progress_in(given: Any) -> PromptProgress | None:
    """Return the event for a member `prompt_progress`; None for another server's member of that name."""
    try:
        progress = Progress.model_validate(given)
    except ValidationError:
        return None
    return PromptProgress(index=-1, delta=TextPartDelta(content_delta=""), progress=progress)
