"""`iconv`: convert text from one encoding to another.

Source: the manual of the GNU C library, "Generic Charset Conversion", and its `iconv --help`.
"""

from __future__ import annotations

import codecs
import unicodedata
from encodings.aliases import aliases

from gemini_userland.characters import encoding
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import STANDARD_INPUT, read

SYNTAX = Syntax(
    short="f:t:clo:s",
    long={
        "from-code=": "f",
        "to-code=": "t",
        "list": "l",
        "output=": "o",
        "silent": "s",
        "verbose": "verbose",
    },
    wrong_usage=64,
    advice="Try `iconv --help' or `iconv --usage' for more information.",
    help="""
Usage: iconv [OPTION]... [FILE]...
Convert the FILEs, or standard input, from one encoding to another.

  -f, --from-code=NAME  the encoding of the input (UTF-8)
  -t, --to-code=NAME    the encoding of the output (UTF-8); //TRANSLIT behind it writes characters that it lacks in
                        similar ones, //IGNORE leaves them out
  -c                    leave out what can't be converted
  -l, --list            list the encodings
  -o, --output=FILE     write to FILE
  -s, --silent          has no effect
      --verbose         print the names of the inputs
""",
)
# The names of glibc that Python lacks, or has for something else. UCS-4 has the order of the network.
NAMES = {
    **{"ucs2": "utf-16-le", "ucs2le": "utf-16-le", "ucs2be": "utf-16-be", "unicode": "utf-16"},
    **{"ucs4": "utf-32-be", "ucs4be": "utf-32-be", "ucs4le": "utf-32-le", "unicodelittle": "utf-16-le"},
    **{"mac": "mac_roman", "macintosh": "mac_roman", "ansix3.41968": "ascii", "646": "ascii"},
    **{"unicodebig": "utf-16-be", "sjis": "shift_jis", "eucjp": "euc_jp", "euckr": "euc_kr", "": "utf-8"},
}
# Python's own, which are no character sets.
OTHERS = frozenset(
    "base64 bz2 hex idna mbcs oem palmos punycode quopri raw_unicode_escape rot_13 tactis undefined "
    "unicode_escape utf_8_sig uu zlib".replace("_", "").split()
)
# What glibc writes instead of characters whose decomposition is something else.
SIMILAR = {
    **{"“": '"', "”": '"', "„": ",,", "‟": '"', "‘": "'", "’": "'", "‚": ",", "‛": "'", "«": "<<", "»": ">>"},
    **{"–": "-", "—": "--", "‒": "-", "―": "-", "‐": "-", "‑": "-", "−": "-", "•": "o", "€": "EUR", "·": "."},
    **{"←": "<-", "→": "->", "⇐": "<=", "⇒": "=>", "↔": "<->", "⇔": "<=>", "≤": "<=", "≥": ">=", "≠": "!="},
    **{"©": "(C)", "®": "(R)", "™": "(TM)", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "×": "x"},
    **{"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "þ": "th", "Þ": "TH", "ð": "d", "Ð": "D", "đ": "d", "Đ": "D"},
    **{
        "¢": "c",
        "¥": "JPY",
        "±": "+-",
        "¿": "?",
        "¡": "!",
        "÷": "/",
        "µ": "u",
        "☺": ":)",
        "‹": "<",
        "›": ">",
    },
    **{"½": " 1/2 ", "¼": " 1/4 ", "¾": " 3/4 ", "\u200b": "", "\u00ad": "-"},
}
UNKNOWN = "?"
INCOMPLETE = frozenset(("unexpected end of data", "truncated data", "incomplete multibyte sequence"))


async def iconv(invocation: Invocation) -> int:
    """Convert the inputs in turn."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if "l" in given:
        invocation.print("\n".join(f"{name.upper().replace('_', '-')}//" for name in _find()))
        return 0
    name, *extras = given.last("t", "").split("//")
    flags = {extra.upper() for extra in extras}
    source, target = _codec(given.last("f", "").split("//")[0] or encoding()), _codec(name or encoding())
    if source is None or target is None:
        invocation.error("failed to start conversion processing: No such file or directory")
        return 1
    converter = Converter(source, target, "TRANSLIT" in flags)
    data = _input(invocation, given.operands, verbose="verbose" in given)
    if data is None:
        return 1
    output = converter.convert(data, ignores="c" in given or "IGNORE" in flags)
    destination = given.last("o")
    if destination is None:
        invocation.stdout.write(output)
    else:
        with invocation.create(invocation.path(destination)) as file:
            file.write(output)
    problem = converter.problem
    if problem is None and converter.ignored_at is not None and "c" not in given:
        problem = f"illegal input sequence at position {len(data)}"
    if problem is not None:
        invocation.error(problem)
    return 0 if problem is None else 1


def _input(invocation: Invocation, operands: list[str], *, verbose: bool) -> bytes | None:
    found: list[bytes] = []
    for name in operands or ["-"]:
        if verbose:
            invocation.stderr.write(f"{name}:\n".encode())
        try:
            found.append(read(invocation, name))
        except OSError as error:
            kind = "unable to read" if name in STANDARD_INPUT else f"cannot open input file `{name}'"
            invocation.error(f"{kind}: {error.strerror}")
            return None
    return b"".join(found)


def _find() -> list[str]:
    return sorted({name for name in {*aliases, *aliases.values()} if _codec(name) is not None})


def _codec(name: str) -> codecs.CodecInfo | None:
    """Return the codec of an encoding, or None if there is none."""
    plain = name.lower().replace("-", "").replace("_", "")
    if plain in OTHERS:
        return None
    try:
        return codecs.lookup(NAMES.get(plain, name))
    except LookupError:
        return None


class Converter:
    """Converts data.

    Args:
        source: The codec of the input.
        target: The codec of the output.
        similar: Write similar characters instead of those that the output's encoding lacks.

    Attributes:
        problem: Why the conversion has ended early, in glibc's words, or None.
        ignored_at: The position of the first character that was left out, or None.
    """

    def __init__(self, source: codecs.CodecInfo, target: codecs.CodecInfo, similar: bool) -> None:
        self._source = source
        self._target = target
        self._similar = similar
        self.problem: str | None = None
        self.ignored_at: int | None = None

    def convert(self, data: bytes, *, ignores: bool) -> bytes:
        """Return the converted data, up to the first problem if it isn't ignored."""
        text = self._decode(data, ignores=ignores)
        try:
            return self._target.encode(text, "strict")[0]
        except UnicodeEncodeError:
            pass
        found: list[str] = []
        for at, character in enumerate(text):
            shown = self._encodable(character)
            if shown is not None:
                found.append(shown)
            elif ignores:
                self.ignored_at = at
            else:
                start = len(self._source.encode(text[:at], "replace")[0])
                self.problem = f"illegal input sequence at position {start}"
                break
        return self._target.encode("".join(found), "strict")[0]

    def _decode(self, data: bytes, *, ignores: bool) -> str:
        try:
            return self._source.decode(data, "strict")[0]
        except UnicodeDecodeError as error:
            if ignores:
                return self._source.decode(data, "ignore")[0]
            self.problem = (
                "incomplete character or shift sequence at end of buffer"
                if error.reason in INCOMPLETE
                else f"illegal input sequence at position {error.start}"
            )
            return self._source.decode(data[: error.start], "strict")[0]

    def _encodable(self, character: str) -> str | None:
        """Return the character, or similar ones, if the output's encoding has them."""
        candidates = [character]
        if self._similar:
            folded = unicodedata.normalize("NFKD", character)
            candidates += [SIMILAR[character]] if character in SIMILAR else []
            candidates.append("".join(part for part in folded if not unicodedata.combining(part)))
            candidates.append(UNKNOWN)
        for candidate in candidates:
            try:
                self._target.encode(candidate, "strict")
            except UnicodeEncodeError:
                continue
            return candidate
        return None
