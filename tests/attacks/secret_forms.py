"""An independent search for a value: it decodes all of what Python received, and knows nothing of how it was masked."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote, unquote_plus

RUN_OF_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}")
RUN_OF_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){4,}")
ESCAPE = re.compile(r"\\+(?:u00|x)([0-9a-fA-F]{2})")
DEEPEST = 2
# So many characters of a value in a row count as a leak.
PART = 8


def shows(text: str, value: str) -> bool:
    """Return whether a part of a value can be read in a text, in an encoding or in two of them."""
    lower = value.lower()
    parts = [lower[at : at + PART] for at in range(len(lower) - PART + 1)]
    parts += [each[::-1] for each in parts]
    found = {text}
    for _ in range(DEEPEST):
        found |= {decoded for each in found for decoded in _decoded(each)}
    return any(part in each.lower() for each in found for part in parts)


def _decoded(text: str) -> Iterator[str]:
    yield unquote(text)
    yield unquote_plus(text)
    yield html.unescape(text)
    yield ESCAPE.sub(lambda code: chr(int(code[1], 16)), text)
    yield text.replace("\\", "")
    for run in RUN_OF_HEX.findall(text):
        yield bytes.fromhex(re.sub("[ :]", "", run)).decode("latin-1")
    for run in RUN_OF_BASE64.findall(text):
        plain = run.translate(str.maketrans("-_", "+/"))
        for start in range(4):
            cut = plain[start:]
            try:
                yield base64.b64decode(cut[: len(cut) // 4 * 4]).decode("latin-1")
            except binascii.Error:
                continue
