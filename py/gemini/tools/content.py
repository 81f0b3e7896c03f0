"""What a tool gives where that is more than JSON: text, pictures, sound and documents, one after the other.

https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result
"""

import base64
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Image:
    """A picture; `data` is its file's bytes."""

    data: bytes
    mime_type: str = "image/png"

    def row(self) -> Row:
        return {"type": "image", "data": _base64(self.data), "mimeType": self.mime_type}


@dataclass(frozen=True)
class Audio:
    """A sound; `data` is its file's bytes."""

    data: bytes
    mime_type: str = "audio/wav"

    def row(self) -> Row:
        return {"type": "audio", "data": _base64(self.data), "mimeType": self.mime_type}


@dataclass(frozen=True)
class Document:
    """Something that has a URI, with what stands in it."""

    uri: str
    content: str | bytes
    mime_type: str = "text/plain"

    def row(self) -> Row:
        return {"type": "resource", "resource": contents_row(self.uri, self.mime_type, self.content)}


Block = str | Image | Audio | Document


@dataclass(init=False)
class Content:
    """Blocks for the caller to read, see and hear: `Content("Before and after:", Image(one), Image(other))`.

    As JSON it is `{"content": [{"type": "text", "text"}, {"type": "image", "data", "mimeType"}, …]}`.
    """

    content: list[Row]

    def __init__(self, *blocks: Block) -> None:
        self.content = [
            {"type": "text", "text": block} if isinstance(block, str) else block.row() for block in blocks
        ]

    @property
    def has_media(self) -> bool:
        """Whether there is anything but text, which is of no use when it is cut."""
        return any(block["type"] != "text" for block in self.content)


def contents_row(uri: str, mime_type: str, content: str | bytes) -> Row:
    """What stands at a URI, as `{uri, mimeType, text}`, or `blob` in base64 for bytes."""
    told = {"text": content} if isinstance(content, str) else {"blob": _base64(content)}
    return {"uri": uri, "mimeType": mime_type, **told}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
