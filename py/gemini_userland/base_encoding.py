"""`base64`, `base32` and `basenc`: encode bytes as text, and decode them (RFC 4648)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.options import Number, Syntax
from gemini_userland.text import read

KINDS = """
      --base64, --base64url, --base32, --base32hex, --base16  use the alphabet of RFC 4648
      --base2msbf, --base2lsbf  print bits, the highest or the lowest first"""
OPTIONS = """
  -d, --decode          decode
  -i, --ignore-garbage  when decoding, ignore what isn't of the alphabet
  -w, --wrap=N          break lines after N characters (default: 76); 0 means never"""
NAMES = ("base64", "base64url", "base32", "base32hex", "base16", "base2msbf", "base2lsbf", "z85")


@dataclass(frozen=True)
class Encoding:
    """An encoding.

    Attributes:
        alphabet: A set of its characters, for a regular expression.
        size: The number of characters in a group.
        encode, decode: Convert all data, and complete groups; decode raises ValueError.
        pads: Whether the last group is padded with `=`.
    """

    alphabet: bytes
    size: int
    encode: Callable[[bytes], bytes]
    decode: Callable[[bytes], bytes]
    pads: bool = True


def _bits(order: int) -> tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]:
    def encode(data: bytes) -> bytes:
        return b"".join(f"{byte:08b}"[::order].encode() for byte in data)

    def decode(text: bytes) -> bytes:
        return bytes(int(text[at : at + 8][::order], 2) for at in range(0, len(text), 8))

    return encode, decode


ENCODINGS = {
    "base64": Encoding(
        b"A-Za-z0-9+/", 4, base64.b64encode, lambda text: base64.b64decode(text, validate=True)
    ),
    "base64url": Encoding(
        b"A-Za-z0-9_-", 4, base64.urlsafe_b64encode, lambda text: base64.b64decode(text, b"-_", validate=True)
    ),
    "base32": Encoding(b"A-Z2-7", 8, base64.b32encode, base64.b32decode),
    "base32hex": Encoding(b"0-9A-V", 8, base64.b32hexencode, base64.b32hexdecode),
    "base16": Encoding(b"0-9A-F", 2, base64.b16encode, base64.b16decode, pads=False),
    "base2msbf": Encoding(b"01", 8, *_bits(1), pads=False),
    "base2lsbf": Encoding(b"01", 8, *_bits(-1), pads=False),
}


def _syntax(name: str) -> Syntax:
    kinds = {kind: kind for kind in NAMES} if name == "basenc" else {}
    return Syntax(
        numbers={"w": Number("invalid wrap size: '{}'")},
        short="diw:",
        long={"decode": "d", "ignore-garbage": "i", "wrap=": "w", **kinds},
        help=f"""
Usage: {name} [OPTION]... [FILE]
Print FILE, or standard input, encoded.
{OPTIONS}{KINDS if kinds else ""}
""",
    )


async def encode_base(invocation: Invocation) -> int:
    """Print the encoded or decoded input; return 1 if it is invalid or can't be read."""
    syntax = _syntax(invocation.name)
    given = syntax.parse(invocation)
    if isinstance(given, int):
        return given
    if len(given.operands) > 1:
        return syntax.usage_error(invocation, f"extra operand '{given.operands[1]}'")
    name = given.last_of(*NAMES) if invocation.name == "basenc" else invocation.name
    if name is None:
        return syntax.usage_error(invocation, "missing encoding type")
    if name == "z85":
        invocation.error("--z85 isn't supported: use --base64")
        return 1
    encoding = ENCODINGS[name]
    source = given.operands[0] if given.operands else "-"
    try:
        data = read(invocation, source)
    except OSError as error:
        # GNU opens a directory, and fails when it reads.
        invocation.error(
            f"{'read error' if isinstance(error, IsADirectoryError) else source}: {error.strerror}"
        )
        return 1
    if "d" not in given:
        text, width = encoding.encode(data), given.number("w", 76)
        rows = [text[at : at + width] + b"\n" for at in range(0, len(text), width)] if width else [text]
        invocation.stdout.write(b"".join(rows))
        return 0
    found, valid = decoded(data, encoding, ignores_garbage="i" in given)
    invocation.stdout.write(found)
    if not valid:
        invocation.error("invalid input")
    return int(not valid)


def decoded(data: bytes, encoding: Encoding, *, ignores_garbage: bool) -> tuple[bytes, bool]:
    """Return the decoded data up to the first error, and whether there is none."""
    known = encoding.alphabet + (b"=" if encoding.pads else b"")
    text = re.sub(rb"[^%s]" % known, b"", data) if ignores_garbage else data.replace(b"\n", b"")
    size = encoding.size
    whole = re.compile(rb"(?:[%s]{%d})*" % (encoding.alphabet, size)).match(text)
    end = whole.end() if whole else 0
    found = [encoding.decode(text[:end])] if end else []
    while end < len(text):
        group = text[end : end + size]
        try:
            if len(group) < size:
                raise ValueError(group)
            found.append(encoding.decode(group))
        except (ValueError, binascii.Error):
            found.append(_beginning(group) if size == 4 else b"")
            return b"".join(found), False
        end += size
    return b"".join(found), True


def _beginning(group: bytes) -> bytes:
    """Return the bytes of an invalid group of base64 that GNU prints before it sees the error."""
    group = group.replace(b"-", b"+").replace(b"_", b"/")
    letters = re.match(rb"[A-Za-z0-9+/]*", group)
    count = len(letters[0]) if letters else 0
    if count < 2:
        return b""
    return base64.b64decode(group[:count] + b"A" * (4 - count))[: count - 1]
