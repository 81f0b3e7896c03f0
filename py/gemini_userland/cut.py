"""`cut`: parts of lines."""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import all_lines, encode

SYNTAX = Syntax(
    short="b:c:d:f:nsz",
    long={
        "bytes=": "b",
        "characters=": "c",
        "delimiter=": "d",
        "fields=": "f",
        "only-delimited": "s",
        "complement": "complement",
        "output-delimiter=": "output-delimiter",
        "zero-terminated": "z",
    },
    help="""
Usage: cut OPTION... [FILE]...
Print parts of each line of FILE, or of what is piped in.

  -b, -c, -f LIST     these bytes, characters or fields, as in 1,3-5,7-
  -d, --delimiter=C   fields end with C, not with a tab
  -s                  no lines without a delimiter
      --complement    all but these
      --output-delimiter=TEXT  between the parts
  -z                  lines end with a null byte
""",
)
Spans = list[tuple[int, int]]
ENDLESS = 1 << 60


class BadList(ValueError):
    """A list of positions that makes no sense; the message says why."""


async def cut(invocation: Invocation) -> int:
    """Print what the list chooses of each line."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    kinds = {name for name, _ in given.items if name in ("b", "c", "f")}
    if len(kinds) != 1:
        few = "you must specify a list of bytes, characters, or fields"
        return SYNTAX.mistake(invocation, "only one list may be specified" if kinds else few)
    kind = kinds.pop()
    delimiter = given.last("d")
    if delimiter is not None and kind != "f":
        return SYNTAX.mistake(invocation, "an input delimiter may be specified only when operating on fields")
    if delimiter is not None and len(delimiter) > 1:
        return SYNTAX.mistake(invocation, "the delimiter must be a single character")
    try:
        spans = _spans(given.last(kind, ""), "field" if kind == "f" else "byte/character position")
    except BadList as problem:
        return SYNTAX.mistake(invocation, str(problem))
    choose = _choice(given, kind, _complement(spans) if "complement" in given else spans)
    end = b"\0" if "z" in given else b"\n"
    rows, failed = all_lines(invocation, given.operands, end)
    chosen = [part for part in map(choose, rows) if part is not None]
    invocation.stdout.write(b"".join(part + end for part in chosen))
    return failed


def _spans(text: str, what: str) -> Spans:
    """Return the positions of a list from 0 on, in order and without overlaps."""
    found: Spans = []
    for piece in text.replace(" ", ",").split(","):
        low, dash, high = piece.partition("-")
        if piece == "-":
            raise BadList("invalid range with no endpoint: -")
        if not all(part == "" or part.isdigit() for part in (low, high)):
            raise BadList(f"invalid {'field value' if what == 'field' else what} '{piece}'")
        start = int(low or (1 if dash else 0))
        stop = int(high or ENDLESS) if dash else start
        if start == 0:
            raise BadList(f"{what}s are numbered from 1")
        if stop < start:
            raise BadList("invalid decreasing range")
        found.append((start - 1, stop))
    joined: Spans = []
    for start, stop in sorted(found):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


def _complement(spans: Spans) -> Spans:
    starts = [0, *(stop for _, stop in spans)]
    stops = [*(start for start, _ in spans), ENDLESS]
    return [(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]


def _choice(given: Arguments, kind: str, spans: Spans) -> Callable[[bytes], bytes | None]:
    """Return what makes a line into its parts; None is a line that isn't printed."""
    chosen = given.last("output-delimiter")
    # GNU's takes an empty one for a null byte.
    glue = None if chosen is None else encode(chosen or "\0")
    if kind != "f":
        between = glue or b""
        # GNU's counts bytes for -c, too.
        return lambda line: between.join(line[start:stop] for start, stop in spans if line[start:stop])
    delimiter = encode(given.last("d", "\t") or "\0")
    glue = delimiter if glue is None else glue

    def fields(line: bytes) -> bytes | None:
        parts = line.split(delimiter)
        if len(parts) == 1:
            return None if "s" in given else line
        return glue.join(part for start, stop in spans for part in parts[start:stop])

    return fields
