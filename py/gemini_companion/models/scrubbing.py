"""Removes a key from a provider's answers."""

from __future__ import annotations

import re
from urllib.parse import quote

from gemini_companion.models.keys import Key

# It has characters that no key has, so that it can't become part of another match.
REMOVED = "[the key was here]"


class Scrubber:
    """Replaces a key in a stream of bytes, however the chunks split it.

    Bytes are held back by a rule that depends only on the key's length: those after the last line break, up to the
    length of a key. A page that makes a provider echo guesses learns nothing from delays or lengths unless it guesses
    the full key at once. For the same reason, parts of a key aren't removed. Events and JSON lines end with a line
    break, and pass at once.

    Args:
        key: The key to replace, as it is and as URLs and JSON may write it; None lets everything pass.
    """

    def __init__(self, key: Key | None) -> None:
        forms = _forms(key.reveal()) if key else []
        self._pattern = re.compile("|".join(map(re.escape, forms)).encode()) if forms else None
        self._longest = max(map(len, forms), default=1)
        self._held = b""

    def feed(self, chunk: bytes) -> bytes:
        """Return the bytes that may pass now, of those held back and of `chunk`."""
        if self._pattern is None:
            return chunk
        known = self._pattern.sub(REMOVED.encode(), self._held + chunk)
        passing = max(known.rfind(b"\n") + 1, len(known) - self._longest + 1)
        self._held = known[passing:]
        return known[:passing]

    def finish(self) -> bytes:
        """Return the bytes that are still held back, at the end of the stream."""
        held, self._held = self._held, b""
        return held

    def text(self, text: str) -> str:
        """Return a complete text, such as a header, without the key."""
        return self._pattern.sub(REMOVED.encode(), text.encode()).decode() if self._pattern else text


def _forms(key: str) -> list[str]:
    quoted = quote(key, safe="")
    forms = {key, quoted, re.sub("%..", lambda escape: escape[0].lower(), quoted), key.replace("/", "\\/")}
    # The longest first, since it may begin with a shorter one.
    return sorted(forms, key=len, reverse=True)
