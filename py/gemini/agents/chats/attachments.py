"""Attachments of a message: text and pictures."""

import base64
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from gemini.agents.chats.messages import Attachment
from gemini.computer.files.uploads import Upload
from gemini.errors import AttachmentRefused, ChatMissing

MAX_TEXT_BYTES = 400_000
# The limit of providers for one picture.
MAX_PICTURE_BYTES = 5_000_000
MAX_WAITING = 40
MAX_PER_MESSAGE = 10


class Attachments:
    """The newest attachments that were loaded and not sent yet.

    Args:
        fetch: Returns the contents of a blob by its id.
    """

    def __init__(self, fetch: Callable[[str], Awaitable[bytes]]) -> None:
        self._fetch = fetch
        self._pending: OrderedDict[str, Attachment] = OrderedDict()

    async def load(self, files: Sequence[Upload]) -> list[Attachment]:
        """Read files that the page offers; either all of them or none.

        Raises:
            AttachmentRefused: A file is neither text nor a picture, or is too large.
        """
        loaded = [read_attachment(file.path, await self._fetch(file.blob)) for file in files]
        for attachment in loaded:
            self._pending[attachment.id] = attachment
        while len(self._pending) > MAX_WAITING:
            self._pending.popitem(last=False)
        return loaded

    def get(self, ids: Sequence[str]) -> list[Attachment]:
        """Return the attachments with these ids.

        Raises:
            AttachmentRefused: There are too many.
            ChatMissing: One doesn't exist, for example after a restart of Python.
        """
        if len(ids) > MAX_PER_MESSAGE:
            raise AttachmentRefused(
                f"a message can have at most {MAX_PER_MESSAGE} attachments, not {len(ids)}",
                hint="Remove some, or send several messages.",
            )
        for wanted in ids:
            if wanted not in self._pending:
                raise ChatMissing(
                    "an attachment is no longer available", hint="Remove it, attach the file again, and send."
                )
        return [self._pending[wanted] for wanted in ids]

    def remove(self, ids: Sequence[str]) -> None:
        """Remove attachments that were sent."""
        for sent in ids:
            self._pending.pop(sent, None)


def read_attachment(path: str, data: bytes) -> Attachment:
    """Return a file as an attachment.

    Raises:
        AttachmentRefused: The file is neither text nor a picture, or is too large.
    """
    name = path.rpartition("/")[2]
    media_type = _picture_type(data)
    if media_type is not None:
        _require_size(name, data, MAX_PICTURE_BYTES)
        text = base64.b64encode(data).decode()
    else:
        media_type, text = "text/plain", _text(name, data)
        _require_size(name, data, MAX_TEXT_BYTES)
    return Attachment(
        id=f"file-{secrets.token_hex(5)}", name=name, media_type=media_type, bytes=len(data), data=text
    )


def read_attachment_of(path: Path) -> Attachment:
    """Return a file of the page as an attachment; one that is too large isn't read.

    Raises:
        AttachmentRefused: As `read_attachment` does.
        OSError: It can't be read.
    """
    size = path.stat().st_size
    if size > MAX_PICTURE_BYTES:
        raise _too_large(path.name, size, MAX_PICTURE_BYTES)
    return read_attachment(str(path), path.read_bytes())


def _picture_type(data: bytes) -> str | None:
    """Return a picture's type by its first bytes (https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern)."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def _text(name: str, data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise AttachmentRefused(
            f"{name!r} is neither text nor a picture that models can read",
            hint="Attach UTF-8 text, or a PNG, JPEG, GIF or WebP picture.",
        )
    return text


def _require_size(name: str, data: bytes, limit: int) -> None:
    if len(data) > limit:
        raise _too_large(name, len(data), limit)


def _too_large(name: str, size: int, limit: int) -> AttachmentRefused:
    return AttachmentRefused(
        f"{name!r} has {size:,} bytes; the limit is {limit:,}",
        hint="Attach a part of it, or upload it to the files and ask about it there.",
    )
