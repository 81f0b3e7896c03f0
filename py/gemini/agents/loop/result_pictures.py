"""Pictures in results of tools: a model gets them as pictures, not as base64 in JSON."""

import json
from typing import Any, cast, get_args

from gemini.models.interface.messages import Image, Message, ToolMessage
from gemini.tools.content import split_picture

Row = dict[str, Any]
# Pictures of this many results stay in a conversation.
RETAINED = 2
DROPPED = "(an earlier picture, dropped: newer ones follow)"
MEDIA_TYPES = frozenset(get_args(Image.model_fields["media_type"].annotation))


def split_pictures(text: str) -> tuple[str, tuple[Image, ...]]:
    """Return a result without its pictures, and these.

    Args:
        text: The JSON of a result: a saved screenshot with its `data`, or `gemini.tools.content`.
    """
    if '"data":' not in text:
        return text, ()
    value: Any = json.loads(text)
    if not isinstance(value, dict):
        return text, ()
    row = cast(Row, value)
    if (found := split_picture(row)) is not None:
        kind, data, rest = found
        return _json(rest), (_image(kind, data),)
    if set(row) != {"content"} or not isinstance(row["content"], list):
        return text, ()
    return _split_content(cast("list[Row]", row["content"]))


def _split_content(blocks: list[Row]) -> tuple[str, tuple[Image, ...]]:
    images: list[Image] = []
    rest: list[Row] = []
    for block in blocks:
        if block.get("type") == "image" and block.get("mimeType") in MEDIA_TYPES:
            images.append(_image(block["mimeType"], block["data"]))
            rest.append({"type": "text", "text": f"(picture {len(images)})"})
        else:
            rest.append(block)
    return _json({"content": rest}), tuple(images)


def text_of(text: str) -> str:
    """Return the text of a result in the form of `gemini.tools.content`; any other result as it is."""
    if not text.startswith('{"content":['):
        return text
    blocks: list[Row] = json.loads(text)["content"]
    return "\n".join(str(block["text"]) if block.get("type") == "text" else _json(block) for block in blocks)


def with_newest_pictures(messages: list[Message]) -> list[Message]:
    """Return a conversation in which only the newest results have their pictures."""
    left = RETAINED
    newest_first: list[Message] = []
    for message in reversed(messages):
        if isinstance(message, ToolMessage) and message.images:
            left -= 1
            newest_first.append(message if left >= 0 else _without(message))
        else:
            newest_first.append(message)
    return newest_first[::-1]


def _without(message: ToolMessage) -> ToolMessage:
    return message.model_copy(update={"images": (), "text": f"{message.text}\n{DROPPED}"})


def _image(kind: str, data: str) -> Image:
    return Image.model_validate({"media_type": kind, "data": data})


def _json(value: Row) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
