"""`cut`: print parts of lines."""

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
Print parts of each line of each FILE, or of standard input.

  -b, -c, -f LIST     select these bytes, characters or fields, such as 1,3-5,7-
  -d, --delimiter=C   use C as the field delimiter (default: tab)
  -s                  don't print lines without a delimiter
      --complement    print everything except the selection
      --output-delimiter=TEXT  print TEXT between the parts
  -z                  end lines with a null byte
""",
)
Spans = list[tuple[int, int]]
ENDLESS = 1 << 60


class BadList(ValueError):
    """A list of positions is invalid; the message says why."""


async def cut(invocation: Invocation) -> int:
    """Print the selected parts of each line."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    kinds = [name for name, _ in given.items if name in ("b", "c", "f")]
    if len(kinds) != 1:
        missing = "you must specify a list of bytes, characters, or fields"
        return SYNTAX.usage_error(invocation, "only one list may be specified" if kinds else missing)
    kind = kinds.pop()
    delimiter = given.last("d")
    if delimiter is not None and kind != "f":
        return SYNTAX.usage_error(
            invocation, "an input delimiter may be specified only when operating on fields"
        )
    if delimiter is not None and len(encode(delimiter)) > 1:
        return SYNTAX.usage_error(invocation, "the delimiter must be a single character")
    if "s" in given and kind != "f":
        problem = "suppressing non-delimited lines makes sense\n\tonly when operating on fields"
        return SYNTAX.usage_error(invocation, problem)
    try:
        spans = _spans(given.last(kind, ""), "field" if kind == "f" else "byte/character position")
    except BadList as problem:
        return SYNTAX.usage_error(invocation, str(problem))
    select = _selector(given, kind, _complement(spans) if "complement" in given else spans)
    end = b"\0" if "z" in given else b"\n"
    rows, failed = all_lines(invocation, given.operands, end)
    selected = [part for part in map(select, rows) if part is not None]
    invocation.stdout.write(b"".join(part + end for part in selected))
    return failed


def _spans(text: str, what: str) -> Spans:
    """Parse a list into spans of positions from 0, sorted and without overlaps."""
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


def _selector(given: Arguments, kind: str, spans: Spans) -> Callable[[bytes], bytes | None]:
    """Return a function from a line to its selected parts, or to None if the line isn't printed."""
    separator = given.last("output-delimiter")
    # GNU cut uses a null byte for an empty delimiter.
    glue = None if separator is None else encode(separator or "\0")
    if kind != "f":
        between = glue or b""
        # GNU cut counts bytes for -c, too.
        return lambda line: between.join(line[start:stop] for start, stop in spans if line[start:stop])
    delimiter = encode(given.last("d", "\t") or "\0")
    glue = delimiter if glue is None else glue

    def fields(line: bytes) -> bytes | None:
        parts = line.split(delimiter)
        if len(parts) == 1:
            return None if "s" in given else line
        return glue.join(part for start, stop in spans for part in parts[start:stop])

    return fields
