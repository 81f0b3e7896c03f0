"""Tool results beyond JSON: a sequence of text, images, sounds and documents.

https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result
"""

import base64
from dataclasses import dataclass
from typing import Any, cast

Row = dict[str, Any]
# The MIME types of a picture in a result, in base64 as its `data`, by the result's `format`.
PICTURES = {"png": "image/png", "jpeg": "image/jpeg"}


@dataclass(frozen=True)
class Image:
    """An image; `data` is the file's bytes."""

    data: bytes
    mime_type: str = "image/png"

    def row(self) -> Row:
        """Return the block in MCP's form."""
        return {"type": "image", "data": _base64(self.data), "mimeType": self.mime_type}


@dataclass(frozen=True)
class Audio:
    """A sound; `data` is the file's bytes."""

    data: bytes
    mime_type: str = "audio/wav"

    def row(self) -> Row:
        """Return the block in MCP's form."""
        return {"type": "audio", "data": _base64(self.data), "mimeType": self.mime_type}


@dataclass(frozen=True)
class Document:
    """A document with its URI."""

    uri: str
    content: str | bytes
    mime_type: str = "text/plain"

    def row(self) -> Row:
        """Return the block in MCP's form."""
        return {"type": "resource", "resource": contents_row(self.uri, self.mime_type, self.content)}


Block = str | Image | Audio | Document


@dataclass(init=False)
class Content:
    """A result of several blocks: `Content("Before and after:", Image(before), Image(after))`.

    Its JSON is `{"content": [{"type": "text", "text"}, {"type": "image", "data", "mimeType"}, …]}`.
    """

    content: list[Row]

    def __init__(self, *blocks: Block) -> None:
        self.content = [
            {"type": "text", "text": block} if isinstance(block, str) else block.row() for block in blocks
        ]

    @property
    def has_media(self) -> bool:
        """Return whether any block isn't text; such blocks can't be truncated."""
        return any(block["type"] != "text" for block in self.content)


def has_media(value: Any) -> bool:
    """Return whether a tool's value has a picture, a sound or a document, which can't be truncated."""
    if isinstance(value, Content):
        return value.has_media
    return isinstance(value, dict) and split_picture(cast(Row, value)) is not None


def split_picture(row: Row) -> tuple[str, str, Row] | None:
    """Split a result that is a picture with facts, such as a saved screenshot.

    Returns:
        The MIME type, the picture in base64, and the facts; None for any other result.
    """
    kind, data = PICTURES.get(str(row.get("format"))), row.get("data")
    if kind is None or not isinstance(data, str):
        return None
    return kind, data, {name: member for name, member in row.items() if name != "data"}


def contents_row(uri: str, mime_type: str, content: str | bytes) -> Row:
    """Return a resource's contents as `{uri, mimeType, text}`, with `blob` in base64 instead of `text` for bytes."""
    body = {"text": content} if isinstance(content, str) else {"blob": _base64(content)}
    return {"uri": uri, "mimeType": mime_type, **body}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
