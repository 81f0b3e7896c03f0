"""The sources of results and of arguments: files, addresses, and text from outside."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from gemini.agents.record.steps import Step
from gemini.agents.runs.handle import Run
from gemini.models.interface.messages import ToolMessage, UserMessage
from gemini.tools import current_call
from gemini.tools.calls import acting_call

URL = re.compile(r"https?://[^\s\"'<>\\)\]]+")
# The argument that names a file in tools that write one.
PATH = "path"
MAX_SOURCES = 50


def sources_of(run: Run, writes: Iterable[str]) -> dict[str, list[str]]:
    """Return `{files: [path], urls: [address], tainted: [path]}` of a run.

    `tainted` has the files if the run has read text from outside, which may be in them.

    Args:
        run: The run.
        writes: The names of the tools that write files.
    """
    names = set(writes)
    files: dict[str, None] = {}
    urls: dict[str, None] = {}
    for arguments, tool in _calls(run.steps):
        path = arguments.get(PATH)
        if tool in names and isinstance(path, str):
            files[path] = None
        for text in arguments.values():
            if isinstance(text, str):
                urls |= dict.fromkeys(URL.findall(text))
    written = list(files)[:MAX_SOURCES]
    return {
        "files": written,
        "urls": list(urls)[:MAX_SOURCES],
        "tainted": written if has_read_outside(run) else [],
    }


def has_read_outside(run: Run) -> bool:
    """Return whether a run has got text from outside."""
    return any(
        message.origin is not None if isinstance(message, ToolMessage) else _is_from_outside(message)
        for message in run.messages
    )


def _is_from_outside(message: object) -> bool:
    return isinstance(message, UserMessage) and (
        message.origin is not None or message.purpose in ("observation", "summary")
    )


def _calls(steps: Iterable[Step]) -> Iterator[tuple[dict[str, Any], str]]:
    for step in steps:
        for call in step.calls:
            if call.failed:
                continue
            try:
                arguments: Any = json.loads(call.arguments)
            except ValueError:
                continue
            if isinstance(arguments, dict):
                yield cast("dict[str, Any]", arguments), call.tool


def origin_of_script() -> str | None:
    """Return the source of the running script's words: None for the user's, else the agent whose code it is."""
    call = acting_call()
    return None if call is None or call.run is None else f"{call.tool} of {call.caller}"


def origin_of_arguments(*names: str) -> str | None:
    """Return the source of text from outside in these arguments of the running call; None if there is none."""
    call = current_call()
    origins = () if call is None else call.origins
    found = [each["origin"] for each in origins if each["argument"] in names]
    return ", ".join(dict.fromkeys(found)) or None
