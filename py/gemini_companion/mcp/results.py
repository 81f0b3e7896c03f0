"""What a page's tool gave, as MCP tells it (https://modelcontextprotocol.io/specification/2025-11-25/server/tools)."""

import json
from typing import Any, cast

import mcp_types as types
from pydantic import TypeAdapter, ValidationError

from gemini.errors import GeminiError

Row = dict[str, Any]
BLOCKS = TypeAdapter(list[types.ContentBlock])
# A picture among a result's members, in base64, by the member that names its format.
PICTURES = {"png": "image/png", "jpeg": "image/jpeg"}


# A result that was too long: what is left of it, with the place of the whole.
CUT: Row = {
    "type": "object",
    "properties": {"cut": {"type": "object", "properties": {"total_chars": {"type": "integer"}}}},
    "required": ["cut"],
}


def structured_schema(schema: Row | None) -> Row | None:
    """The schema of a tool's structured content, which is an object, from that of its result.

    Args:
        schema: Of the result, as `tools/list` of the page has it; None where the tool has none.
    """
    if schema is None:
        return None
    result = dict(schema)
    definitions = result.pop("$defs", None)
    wrapped: Row = {"type": "object", "properties": {"result": result}, "required": ["result"]}
    kind = result.get("type")
    # A type that may be an object or something else is wrapped or not, as the value is.
    forms = [result] if kind == "object" else [wrapped, result] if kind is None else [wrapped]
    told: Row = {"type": "object", "anyOf": [*forms, CUT]}
    return told if definitions is None else {**told, "$defs": definitions}


def result_of(value: Any) -> types.CallToolResult:
    """A result, or a failure as tools tell it: `{"isError": true, "error": {…}}`."""
    if isinstance(value, dict):
        row = cast(Row, value)
        content = _content(row)
        if content is not None:
            return types.CallToolResult(content=content)
        if row.get("isError") is True and isinstance(row.get("error"), dict):
            return failure(cast(Row, row["error"]))
        return _structured(row)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # Structured content is an object.
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content={"result": value})


def _content(row: Row) -> list[types.ContentBlock] | None:
    """The blocks of a tool that gave content (see `gemini.tools.content`); None for any other result."""
    if set(row) != {"content"} or not isinstance(row["content"], list):
        return None
    try:
        return BLOCKS.validate_python(row["content"])
    except ValidationError:
        return None


def failure(error: Row | GeminiError) -> types.CallToolResult:
    """A tool's failure, which the model reads: what was wrong, and what to do."""
    told = cast(Row, error.as_json()["error"]) if isinstance(error, GeminiError) else error
    text = f"{told.get('type')}: {told.get('message')}"
    if told.get("hint"):
        text += f" ({told['hint']})"
    return types.CallToolResult(
        content=[types.TextContent(text=text)], structured_content={"error": told}, is_error=True
    )


def _structured(row: Row) -> types.CallToolResult:
    content: list[types.ContentBlock] = []
    kind = PICTURES.get(str(row.get("format")))
    if kind is not None and isinstance(row.get("data"), str):
        content.append(types.ImageContent(data=row["data"], mime_type=kind))
        row = {name: member for name, member in row.items() if name != "data"}
    content.append(types.TextContent(text=json.dumps(row, ensure_ascii=False)))
    return types.CallToolResult(content=content, structured_content=row)
