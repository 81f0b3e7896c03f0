"""Results of foreign tools as pages get them: `{structured?, text, parts, is_error}`, all of it text from outside.

`parts` are the pictures, sounds, resources and links of the answer:

    {kind: "image" | "audio", mime_type, data}       `data` in base64
    {kind: "resource", uri, mime_type, data | text}
    {kind: "link", uri, name, mime_type}
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import mcp_types as types

from gemini_companion.mcp_servers.errors import McpServerProblem

Row = dict[str, Any]
# Characters of an answer as JSON. A page's connection carries 64 MB.
LONGEST_ANSWER = 32 * 1024 * 1024
MAX_PARTS = 1_000


def answer_row(result: types.CallToolResult) -> Row:
    """Return a result for pages. Raises McpServerProblem if it is too large."""
    if len(result.content) > MAX_PARTS:
        raise McpServerProblem(f"the answer has {len(result.content):,} parts, more than {MAX_PARTS:,}")
    texts = [block.text for block in result.content if isinstance(block, types.TextContent)]
    row: Row = {
        "text": "\n".join(texts),
        "parts": [part for block in result.content if (part := _part(block)) is not None],
        "is_error": bool(result.is_error),
    }
    if result.structured_content is not None:
        row["structured"] = result.structured_content
    _check_size(row)
    return row


def contents_rows(contents: Sequence[types.TextResourceContents | types.BlobResourceContents]) -> Row:
    """Return a resource's contents for pages: `{parts}`. Raises McpServerProblem if they are too large."""
    if len(contents) > MAX_PARTS:
        raise McpServerProblem(f"the resource has {len(contents):,} parts, more than {MAX_PARTS:,}")
    row: Row = {"parts": [_resource(each) for each in contents]}
    _check_size(row)
    return row


def _check_size(row: Row) -> None:
    size = len(json.dumps(row))
    if size > LONGEST_ANSWER:
        raise McpServerProblem(
            f"the answer has {size:,} characters, more than {LONGEST_ANSWER:,}",
            hint="Ask for less, for example for one page of results.",
        )


def _part(block: types.ContentBlock) -> Row | None:
    match block:
        case types.ImageContent():
            return {"kind": "image", "mime_type": block.mime_type, "data": block.data}
        case types.AudioContent():
            return {"kind": "audio", "mime_type": block.mime_type, "data": block.data}
        case types.EmbeddedResource():
            return _resource(block.resource)
        case types.ResourceLink():
            return {
                "kind": "link",
                "uri": str(block.uri),
                "name": block.name,
                "mime_type": block.mime_type,
            }
        case _:
            return None


def _resource(contents: types.TextResourceContents | types.BlobResourceContents) -> Row:
    body = (
        {"text": contents.text}
        if isinstance(contents, types.TextResourceContents)
        else {"data": contents.blob}
    )
    return {"kind": "resource", "uri": str(contents.uri), "mime_type": contents.mime_type, **body}
