"""Values in bytes: each encoding, however the bytes are divided, and nothing else."""

from __future__ import annotations

import base64
import html
import json
import random
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from gemini_companion.secrets import Masked, Masker

TOKEN = "ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA2c"
SIGNS = "p@ss/w+rd\"=<&>\\ it's;50%"
SHORT = "aB3-dE5."
VALUES = (TOKEN, SIGNS, SHORT)


def _base64(before: int, after: int, wrapped: int = 0) -> Callable[[str], bytes]:
    def encode(value: str) -> bytes:
        text = base64.b64encode(b"u" * before + value.encode() + b"v" * after)
        if not wrapped:
            return text
        return b"\r\n".join(text[index : index + wrapped] for index in range(0, len(text), wrapped))

    return encode


def _each(form: str) -> Callable[[str], bytes]:
    return lambda value: "".join(form.format(ord(each)) for each in value).encode()


FORMS: dict[str, Callable[[str], bytes]] = {
    "plain": str.encode,
    "upper": lambda value: value.upper().encode(),
    "quoted": lambda value: quote(value, safe="").encode(),
    "quoted as a path": lambda value: quote(value).encode(),
    "quoted twice": lambda value: quote(quote(value, safe=""), safe="").encode(),
    "of a form": lambda value: quote_plus(value).encode(),
    "in small escapes": lambda value: quote(value, safe="").lower().encode(),
    "every character quoted": _each("%{:02X}"),
    "JSON": lambda value: json.dumps(value)[1:-1].encode(),
    "JSON, with slashes": lambda value: json.dumps(value)[1:-1].replace("/", "\\/").encode(),
    "JSON, all escaped": _each("\\u{:04x}"),
    "JSON in JSON": lambda value: json.dumps(json.dumps(value))[3:-3].encode(),
    "HTML": lambda value: html.escape(value).encode(),
    "HTML, decimal": _each("&#{};"),
    "HTML, hexadecimal": _each("&#x{:X};"),
    "C": _each("\\x{:02x}"),
    "octal": _each("\\{:03o}"),
    "quoted-printable": _each("={:02X}"),
    "hex": lambda value: value.encode().hex().encode(),
    "hex, upper": lambda value: value.encode().hex().upper().encode(),
    "hex, with colons": lambda value: value.encode().hex(":").encode(),
    "hex, with spaces": lambda value: value.encode().hex(" ").encode(),
    "reversed": lambda value: value[::-1].encode(),
    "UTF-16": lambda value: value.encode("utf-16-le"),
    "UTF-16, big": lambda value: value.encode("utf-16-be"),
    "UTF-32": lambda value: value.encode("utf-32-le"),
    **{f"base64 at {at}, {after} after": _base64(at, after) for at in range(4) for after in range(3)},
    "base64 of URLs": lambda value: base64.urlsafe_b64encode(b"??" + value.encode()),
    "base64, quoted": lambda value: quote(base64.b64encode(value.encode()), safe="").encode(),
    "base64 in lines": _base64(7, 50, wrapped=20),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_value_is_found_in_each_form_wherever_chunks_end(name: str) -> None:
    for value in VALUES:
        given = FORMS[name](value)
        text = b"before " + given + b" after"
        mask = Masked.of(value, "[it]")
        whole = Masker([mask]).whole(text)
        assert b"[it]" in whole, (name, value, whole)
        assert len(_left(whole)) <= _edges(name), (name, value, whole)
        for size in (1, 3, 16):
            masker = Masker([mask])
            pieces = [masker.feed(text[at : at + size]) for at in range(0, len(text), size)]
            assert b"".join(pieces) + masker.finish() == whole, (name, value, size)


def _left(whole: bytes) -> bytes:
    return whole.replace(b"before", b"").replace(b"after", b"").replace(b"[it]", b"").strip()


def _edges(name: str) -> int:
    """Return how many bytes that aren't of the value a form has around it."""
    return {"base64 in lines": 90, "UTF-16, big": 1, "JSON in JSON": 2}.get(
        name, 9 if "base64" in name else 3
    )


def test_what_remains_of_base64_has_no_bit_of_the_value() -> None:
    mask = Masked.of(TOKEN, "")
    for before in range(3):
        for after in range(3):
            surroundings = {
                Masker([mask]).whole(
                    base64.b64encode(b"u" * before + bytes([byte]) + TOKEN.encode()[1:] + b"v" * after)
                )
                for byte in range(33, 127)
            }
            # With another first character it isn't the value, so that only the right one is removed.
            removed = Masker([mask]).whole(base64.b64encode(b"u" * before + TOKEN.encode() + b"v" * after))
            assert len(removed) <= 4 + after * 2
            assert removed not in surroundings - {removed}


def test_other_texts_pass_unchanged() -> None:
    masker = Masker([Masked.of(each, "[it]") for each in VALUES])
    source = random.Random(1)
    for text in (source.randbytes(200_000), base64.b64encode(source.randbytes(200_000)), TOKEN[:-1].encode()):
        assert masker.whole(text) == text


def test_delays_depend_on_lengths_alone() -> None:
    # A page could make a server echo guesses, and learn from what is held back.
    mask = Masked.of(TOKEN, "[it]")
    passed: set[int] = set()
    for guess in (TOKEN[:20], "x" * 20, TOKEN[:19] + "x", "%67" * 6 + "xx"):
        passed.add(len(Masker([mask]).feed(b"-" * 2000 + guess.encode())))
    assert len(passed) == 1


def test_lines_of_events_pass_at_once() -> None:
    masker = Masker([Masked.of(TOKEN, "[it]")], by_line=True)
    assert masker.feed(b"data: 1\n") == b"data: 1\n"
    assert masker.feed(f"data: {TOKEN[:9]}".encode()) == b""
    assert masker.feed(f"{TOKEN[9:]}!\n".encode()) == b"data: [it]!\n"


def test_several_values_are_masked_in_one_text() -> None:
    masker = Masker(
        [Masked.of(TOKEN, "[one]"), Masked.of(SIGNS, "[two]"), Masked.of(TOKEN + "-more", "[three]")]
    )
    text = masker.text(f"{SIGNS} {TOKEN} {TOKEN}-more é")
    assert text == "[two] [one] [one] é"
