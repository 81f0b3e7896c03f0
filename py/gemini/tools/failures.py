"""Exceptions of tools, as the errors that callers get."""

import asyncio
import json
import traceback

from gemini.core import interrupts
from gemini.core.encoding import encode
from gemini.errors import Cancelled, GeminiError, ToolFailed
from gemini.tools.tool import Tool


def to_failure(tool: Tool, error: BaseException) -> BaseException:
    """Return the exception to raise for one from a tool: unexpected ones become `ToolFailed`."""
    if isinstance(error, GeminiError):
        return error
    if isinstance(error, KeyboardInterrupt) and interrupts.is_request_cancelled():
        return Cancelled(f"the call of {tool.declaration.name} was interrupted")
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is None or task.cancelling():
            return error
    return _failure(tool, error)


def _failure(tool: Tool, error: BaseException) -> ToolFailed:
    frames = traceback.format_exception(error)
    return ToolFailed(
        f"{tool.declaration.name} raised {type(error).__name__}: {error}",
        hint="The tool itself has a bug; other arguments may avoid it.",
        data={"traceback": "".join(frames)[-4_000:]},
    )


def encode_failure(error: GeminiError) -> str:
    """Return an error as JSON text; `data` that JSON can't represent becomes text."""
    try:
        return encode(error.as_json())
    except GeminiError:
        error.data = str(error.data)
        return json.dumps(error.as_json())
