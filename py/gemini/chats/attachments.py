"""What a person puts beside a message: texts and pictures."""

import base64
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from gemini.chats.messages import Attachment
from gemini.errors import AttachmentRefused, ChatMissing
from gemini.files.uploads import Upload

MAX_TEXT_BYTES = 400_000
# What providers take at most of one picture.
MAX_PICTURE_BYTES = 5_000_000
MAX_WAITING = 40
MAX_OF_A_MESSAGE = 10


class Attachments:
    """Those that were brought and not sent yet, the newest of them.

    Args:
        fetch: Gives what the page offers under an id.
    """

    def __init__(self, fetch: Callable[[str], Awaitable[bytes]]) -> None:
        self._fetch = fetch
        self._pending: OrderedDict[str, Attachment] = OrderedDict()

    async def load(self, files: Sequence[Upload]) -> list[Attachment]:
        """Read what the page offers; all of it, or nothing.

        Raises:
            AttachmentRefused: one is neither text nor a picture, or too large.
        """
        loaded = [read_attachment(file.path, await self._fetch(file.blob)) for file in files]
        for attachment in loaded:
            self._pending[attachment.id] = attachment
        while len(self._pending) > MAX_WAITING:
            self._pending.popitem(last=False)
        return loaded

    def get(self, ids: Sequence[str]) -> list[Attachment]:
        """Those of these ids.

        Raises:
            AttachmentRefused: they are too many.
            ChatMissing: one isn't there, as after a restart of Python.
        """
        if len(ids) > MAX_OF_A_MESSAGE:
            raise AttachmentRefused(f"a message takes {MAX_OF_A_MESSAGE} attachments at most")
        for wanted in ids:
            if wanted not in self._pending:
                raise ChatMissing("an attachment is gone", hint="Remove it, attach the file again, and send.")
        return [self._pending[wanted] for wanted in ids]

    def remove(self, ids: Sequence[str]) -> None:
        """Those of these ids were sent."""
        for sent in ids:
            self._pending.pop(sent, None)


def read_attachment(path: str, data: bytes) -> Attachment:
    """A file as an attachment.

    Raises:
        AttachmentRefused: it is neither text nor a picture, or too large.
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


def _picture_type(data: bytes) -> str | None:
    """By its first bytes: names lie (https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern)."""
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
            f"{name!r} is neither text nor a picture that models read",
            hint="Attach text in UTF-8, or a PNG, JPEG, GIF or WebP picture.",
        )
    return text


def _require_size(name: str, data: bytes, most: int) -> None:
    if len(data) > most:
        raise AttachmentRefused(
            f"{name!r} has {len(data):,} bytes; {most:,} are the most",
            hint="Attach a part of it, or put it among the files and ask about it there.",
        )
