"""Converts results of a page's tools to MCP (https://modelcontextprotocol.io/specification/2025-11-25/server/tools)."""

import json
from typing import Any, cast

import mcp_types as types
from pydantic import TypeAdapter, ValidationError

from gemini.errors import GeminiError
from gemini.tools.content import split_picture

Row = dict[str, Any]
BLOCKS = TypeAdapter(list[types.ContentBlock])


# The shape of a result that was too long: the remaining part, and the place of the full result.
CUT: Row = {
    "type": "object",
    "properties": {"cut": {"type": "object", "properties": {"total_chars": {"type": "integer"}}}},
    "required": ["cut"],
}


def structured_schema(schema: Row | None) -> Row | None:
    """Return the schema of a tool's structured content, which is an object, from the schema of its result.

    Args:
        schema: The result's schema in the page's `tools/list`; None if the tool has none.
    """
    if schema is None:
        return None
    result = dict(schema)
    definitions = result.pop("$defs", None)
    wrapped: Row = {"type": "object", "properties": {"result": result}, "required": ["result"]}
    kind = result.get("type")
    # If the type may or may not be an object, the value decides whether it is wrapped.
    forms = [result] if kind == "object" else [wrapped, result] if kind is None else [wrapped]
    combined: Row = {"type": "object", "anyOf": [*forms, CUT]}
    return combined if definitions is None else {**combined, "$defs": definitions}


def result_of(value: Any) -> types.CallToolResult:
    """Return the MCP result for a tool's value, or for its failure: `{"isError": true, "error": {…}}`."""
    if isinstance(value, dict):
        row = cast(Row, value)
        content = _content(row)
        if content is not None:
            return types.CallToolResult(content=content)
        if row.get("isError") is True and isinstance(row.get("error"), dict):
            return failure(cast(Row, row["error"]))
        return _structure(row)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # Structured content must be an object.
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content={"result": value})


def _content(row: Row) -> list[types.ContentBlock] | None:
    """Return the blocks of a tool that returned content (see `gemini.tools.content`); None for any other result."""
    if set(row) != {"content"} or not isinstance(row["content"], list):
        return None
    try:
        return BLOCKS.validate_python(row["content"])
    except ValidationError:
        return None


def failure(error: Row | GeminiError) -> types.CallToolResult:
    """Return the MCP result for a failure, which tells the model what was wrong and what to do.

    The text has all of the structured content, because some clients show their model only one of the two.
    """
    details = cast(Row, error.as_json()["error"]) if isinstance(error, GeminiError) else error
    text = f"{details.get('type')}: {details.get('message')}"
    if details.get("hint"):
        text += f" ({details['hint']})"
    data = details.get("data")
    # Data that isn't JSON is text (gemini.tools.failures).
    members = cast(Row, data) if isinstance(data, dict) else {} if data is None else {"data": data}
    parts = [text, *(_named(name, member) for name, member in members.items() if member != "")]
    return types.CallToolResult(
        content=[types.TextContent(text="\n".join(parts))],
        structured_content={"error": details},
        is_error=True,
    )


def _named(name: str, member: Any) -> str:
    """Return a member of an error's data as text: lines as they are, anything else as JSON."""
    if isinstance(member, str):
        return f"{name}:\n{member.rstrip()}" if "\n" in member else f"{name}: {member}"
    return f"{name}: {json.dumps(member, ensure_ascii=False)}"


def _structure(row: Row) -> types.CallToolResult:
    content: list[types.ContentBlock] = []
    if (found := split_picture(row)) is not None:
        kind, data, row = found
        content.append(types.ImageContent(data=data, mime_type=kind))
    content.append(types.TextContent(text=json.dumps(row, ensure_ascii=False)))
    return types.CallToolResult(content=content, structured_content=row)
