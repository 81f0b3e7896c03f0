"""Pictures, sounds and resources of answers as files."""

import base64
import binascii
import itertools
import mimetypes
import re
from pathlib import Path
from typing import Any, cast

from gemini.core.spill import make_room
from gemini.errors import McpProblem
from gemini.pages.mcp_servers.results import McpFile, McpLink, McpResult

Row = dict[str, Any]
FOLDER = Path("/tmp/mcp")
PLAIN = re.compile(r"[^A-Za-z0-9._-]+")
_numbers = itertools.count(1)


def result_of(answer: Row, name: str, folder: Path = FOLDER) -> McpResult:
    """Return the companion's answer for callers, with its parts saved below a folder.

    Args:
        answer: `{text, structured?, parts}` (`gemini_companion.mcp_servers.answers`).
        name: The beginning of the files' names.
        folder: The folder; the oldest files in it are deleted when there are too many.

    Raises:
        McpProblem: A file can't be written.
    """
    parts = cast("list[Row]", answer["parts"])
    files = [save(part, name, folder) for part in parts if part["kind"] != "link"]
    links = [
        McpLink(uri=part["uri"], name=part["name"], mime_type=part["mime_type"])
        for part in parts
        if part["kind"] == "link"
    ]
    result: McpResult = {}
    if "structured" in answer:
        result["structured"] = answer["structured"]
    elif answer["text"] or not (files or links):
        result["text"] = answer["text"]
    if files:
        result["files"] = files
    if links:
        result["links"] = links
    return result


def save(part: Row, name: str, folder: Path = FOLDER) -> McpFile:
    """Save a part of an answer, and return its row. Raises McpProblem if it can't be written."""
    kind = part["mime_type"] if isinstance(part["mime_type"], str) else ""
    # The name and the type are the server's, so neither decides where the file is.
    ending = mimetypes.guess_extension(kind.partition(";")[0].strip()) or (
        ".txt" if "text" in part else ".bin"
    )
    path = folder / f"{PLAIN.sub('_', name)[:80]}-{next(_numbers)}{ending}"
    try:
        make_room(folder)
        if "text" in part:
            path.write_text(str(part["text"]), encoding="utf-8", errors="replace")
        else:
            path.write_bytes(base64.b64decode(part["data"], validate=True))
    except (OSError, binascii.Error) as problem:
        raise McpProblem(f"a part of the answer can't be saved as {path}: {problem}") from None
    row: McpFile = {"path": str(path), "kind": part["kind"], "mime_type": part["mime_type"]}
    return {**row, "uri": part["uri"]} if "uri" in part else row
