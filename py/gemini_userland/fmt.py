"""`fmt`: fill paragraphs to a width.

Source: the GNU coreutils manual, "fmt invocation". Lines are broken where the sum of the costs of all lines is least
(Knuth and Plass, "Breaking Paragraphs into Lines"), with GNU's costs.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemini_userland.fmt_reader import Paragraph, Reader, Style, Word
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import STANDARD_INPUT, encode, read

SYNTAX = Syntax(
    short="cg:p:stuw:",
    long={
        "crown-margin": "c",
        "goal=": "g",
        "prefix=": "p",
        "split-only": "s",
        "tagged-paragraph": "t",
        "uniform-spacing": "u",
        "width=": "w",
    },
    help="""
Usage: fmt [-WIDTH] [OPTION]... [FILE]...
Fill the lines of each paragraph.

  -c, --crown-margin      keep the indentation of the first two lines
  -g, --goal=WIDTH        aim at lines of WIDTH columns (93% of the width)
  -p, --prefix=TEXT       fill only lines that begin with TEXT, and put it before each line
  -s, --split-only        split long lines, but don't join short ones
  -t, --tagged-paragraph  the first line's indentation differs from that of the others
  -u, --uniform-spacing   one blank between words, two after sentences
  -w, --width=WIDTH       use lines of at most WIDTH columns (75)
""",
)
WIDTH, MOST, LEEWAY_PERCENT, GOAL_MARGIN = 75, 2500, 7, 10
LINE, SENTENCE, NO_BREAK, PUNCTUATION, BRACKET = 70**2, 50**2, 600**2, 40**2, 40**2
WIDOW, ORPHAN = 200**2, 150**2


@dataclass(frozen=True)
class Widths:
    """The most columns of a line, and those to aim at."""

    most: int
    goal: int


async def fmt(invocation: Invocation) -> int:
    """Print the filled paragraphs; return 1 if a file can't be read."""
    arguments = invocation.argv[1:]
    if arguments and arguments[0][:1] == "-" and arguments[0][1:].isdigit():
        arguments = [f"-w{arguments[0][1:]}", *arguments[1:]]
    given = SYNTAX.parse(invocation, arguments)
    if isinstance(given, int):
        return given
    try:
        widths = _widths(given)
    except ValueError as problem:
        invocation.error(str(problem))
        return 1
    style = Style(
        "c" in given, "t" in given, "s" in given, "u" in given, encode(given.last("p", "")).decode("latin-1")
    )
    status = 0
    for name in given.operands or ["-"]:
        try:
            data = read(invocation, name)
        except OSError as error:
            if name in STANDARD_INPUT:
                raise
            invocation.error(f"cannot open '{name}' for reading: {error.strerror}")
            status = 1
            continue
        reader = Reader(data.decode("latin-1"), style)
        while (paragraph := reader.paragraph()) is not None:
            _print(reader, paragraph, widths)
        invocation.stdout.write(reader.output.encode("latin-1"))
    return status


def _widths(given: Arguments) -> Widths:
    """Return the widths.

    Raises:
        ValueError: One of them is invalid; the message is GNU's.
    """
    goal = _number(given.last("g"), MOST)
    width = _number(given.last("w"), MOST)
    if width is None:
        width = WIDTH if goal is None else goal + GOAL_MARGIN
    elif goal is not None and goal > width:
        raise ValueError(f"invalid width: '{given.last('g')}': Numerical result out of range")
    return Widths(width, width * (2 * (100 - LEEWAY_PERCENT) + 1) // 200 if goal is None else goal)


def _number(text: str | None, most: int) -> int | None:
    if text is None:
        return None
    if not text.isdecimal():
        raise ValueError(f"invalid width: '{text}'")
    if int(text) > most:
        raise ValueError(f"invalid width: '{text}': Numerical result out of range")
    return int(text)


def _print(reader: Reader, paragraph: Paragraph, widths: Widths) -> None:
    """Append the lines of a paragraph to the output."""
    breaks = _breaks(paragraph, widths)
    start, indent = 0, paragraph.first_indent
    while start < len(paragraph.words):
        end = breaks[start]
        reader.put_line(paragraph.words[start:end], indent)
        start, indent = end, paragraph.other_indent


def _breaks(paragraph: Paragraph, widths: Widths) -> list[int]:
    """Return for each word where the line that begins with it ends best: the number of the next line's first word."""
    words = paragraph.words
    count = len(words)
    costs, following, lengths = [0] * (count + 1), [count] * (count + 1), [0] * (count + 1)
    for start in range(count - 1, -1, -1):
        length = (paragraph.other_indent if start else paragraph.first_indent) + words[start].length
        best: int | None = None
        for end in range(start + 1, count + 1):
            cost = costs[end]
            if end < count:
                cost += ((widths.goal - length) * 10) ** 2
                if following[end] != count:
                    cost += ((length - lengths[end]) * 10) ** 2 // 2
            if best is None or cost < best:
                best, following[start], lengths[start] = cost, end, length
            if end == count:
                break
            length += words[end - 1].space + words[end].length
            if length >= widths.most:
                break
        costs[start] = (best or 0) + _base_cost(words, start)
    return following


def _base_cost(words: list[Word], start: int) -> int:
    """Return the cost of a break before a word."""
    cost = LINE
    if start:
        before = words[start - 1]
        if before.ends_sentence:
            cost += -SENTENCE if before.is_final else NO_BREAK
        elif before.is_punctuated:
            cost -= PUNCTUATION
        elif start > 1 and words[start - 2].is_final:
            cost += WIDOW // before.length
    word = words[start]
    if word.opens:
        cost -= BRACKET
    elif word.is_final:
        cost += ORPHAN // word.length
    return cost
