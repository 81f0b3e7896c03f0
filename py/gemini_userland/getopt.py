"""`getopt`: put a script's options in order, as util-linux's getopt(1) does with glibc's getopt_long(3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

FAILED = 1
WRONG_USAGE = 2
# The exit code of -T, by which a script tells this getopt from older ones.
ENHANCED = 4
SHELLS = {"sh": False, "bash": False, "csh": True, "tcsh": True}
# csh expands these characters even in quotes, so each is escaped; a newline becomes `\n`.
_CSH = {"'": "'\\''", "\\": "\\\\", "!": "'\\!'", "\n": "\\n", **{one: f"'\\{one}'" for one in " \t\v\f\r"}}
_SH = {"'": "'\\''"}
SYNTAX = Syntax(
    short="ao:l:n:qQs:TuhV",
    long={
        "alternative": "a",
        "options=": "o",
        "longoptions=": "l",
        "name=": "n",
        "quiet": "q",
        "quiet-output": "Q",
        "shell=": "s",
        "test": "T",
        "unquoted": "u",
    },
    answer={"h": "help", "V": "version"},
    wrong_usage=WRONG_USAGE,
    stops=True,
    help="""
Usage: getopt OPTSTRING [WORD]...
  or:  getopt [OPTION]... [--] OPTSTRING [WORD]...
  or:  getopt [OPTION]... -o OPTSTRING [OPTION]... [--] [WORD]...
Print WORDs with the options first, then --, then the operands, so that a script can read them in order.
A colon follows an option that takes a value, two follow one whose value is optional.

  -a, --alternative        long options may have one dash
  -l, --longoptions NAMES  the long options, with commas between
  -n, --name NAME          the name in error messages
  -o, --options OPTSTRING  the short options
  -q, --quiet              print no error messages
  -Q, --quiet-output       print only error messages
  -s, --shell SHELL        quote for sh, bash, csh or tcsh
  -T, --test               only exit with 4
  -u, --unquoted           don't quote
""",
)


class WrongOption(Exception):
    """An option of the words is unknown, or has a value too few or too many; the text says which."""


class WrongUsage(Exception):
    """An option of getopt itself has a wrong value; the text says which."""


@dataclass(frozen=True)
class Options:
    """The options of a script.

    Attributes:
        letters: For each letter, how many colons follow it: 0 for none, 1 for a value, 2 for an optional one.
        names: The same for the long names, in their order.
        order: "+" if the options end at the first operand, "-" if operands keep their places, or "".
        alternative: True if long options may have one dash.
    """

    letters: Mapping[str, int]
    names: Mapping[str, int] = field(default_factory=dict[str, int])
    order: str = ""
    alternative: bool = False


Piece = tuple[str, str | None]
"""An option with its dashes, or "" for an operand; and its value, or None if it takes none."""


def parse(words: Sequence[str], options: Options) -> Iterator[Piece | WrongOption]:
    """Yield options, errors, and at the end (in place for the order "-") operands."""
    rest = iter(words)
    operands: list[str] = []
    for word in rest:
        if word == "--":
            break
        if not word.startswith("-") or word == "-":
            if options.order == "+":
                operands.append(word)
                break
            if options.order == "-":
                yield "", word
            else:
                operands.append(word)
            continue
        yield from _option(word, rest, options)
    yield "--", None
    yield from (("", word) for word in (*operands, *rest))


def _option(word: str, rest: Iterator[str], options: Options) -> Iterator[Piece | WrongOption]:
    try:
        if word.startswith("--"):
            yield _long(word, "--", rest, options)
        elif options.alternative and (len(word) > 2 or word[1] not in options.letters):
            found = _long(word, "-", rest, options)
            if found[0]:
                yield found
            else:
                yield from _short(word, rest, options)
        else:
            yield from _short(word, rest, options)
    except WrongOption as error:
        yield error


def _short(word: str, rest: Iterator[str], options: Options) -> Iterator[Piece | WrongOption]:
    for at, letter in enumerate(word[1:], 2):
        colons = options.letters.get(letter)
        if colons is None:
            # The letters behind it are read all the same.
            yield WrongOption(f"invalid option -- '{letter}'")
            continue
        if not colons:
            yield f"-{letter}", None
            continue
        value = word[at:] or (next(rest, None) if colons == 1 else "")
        if value is None:
            raise WrongOption(f"option requires an argument -- '{letter}'")
        yield f"-{letter}", value
        return


def _long(word: str, dashes: str, rest: Iterator[str], options: Options) -> Piece:
    """Return a long option; with one dash, ("", None) if its first letter is a short option's."""
    given, equals, value = word[len(dashes) :].partition("=")
    name = _named(given, dashes, options)
    if name is None:
        if dashes == "-" and word[1] in options.letters:
            return "", None
        raise WrongOption(f"unrecognized option '{word}'")
    colons = options.names[name]
    if not colons:
        if equals:
            raise WrongOption(f"option '{dashes}{name}' doesn't allow an argument")
        return f"--{name}", None
    if not equals and colons == 1:
        following = next(rest, None)
        if following is None:
            raise WrongOption(f"option '{dashes}{name}' requires an argument")
        return f"--{name}", following
    return f"--{name}", value


def _named(given: str, dashes: str, options: Options) -> str | None:
    """Return the long name that `given` is, or alone begins."""
    if given in options.names:
        return given
    found = [name for name in options.names if name.startswith(given)]
    if len(found) > 1:
        listed = " ".join(f"'{dashes}{name}'" for name in found)
        raise WrongOption(f"option '{dashes}{given}' is ambiguous; possibilities: {listed}")
    return found[0] if found else None


def _letters(text: str) -> dict[str, int]:
    """Return the letters of an option string with their colons; of one that is there twice, the first counts."""
    found: dict[str, int] = {}
    for letter, colons in re.findall(r"([^:])(:{0,2})", text, re.DOTALL):
        found.setdefault(letter, len(colons))
    return found


def _names(texts: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in re.findall(r"[^, \t\n]+", ",".join(texts)):
        colons = 2 if name.endswith("::") else int(name.endswith(":"))
        if colons == len(name):
            raise WrongUsage("empty long option after -l or --long argument")
        found.setdefault(name[: len(name) - colons], colons)
    return found


def _quote(text: str, replaced: Mapping[str, str] | None) -> str:
    return text if replaced is None else "'" + "".join(replaced.get(one, one) for one in text) + "'"


def _format(piece: Piece, replaced: Mapping[str, str] | None) -> str:
    option, value = piece
    return f" {option}" * bool(option) + (f" {_quote(value, replaced)}" if value is not None else "")


@dataclass(frozen=True)
class _Call:
    options: Options
    words: Sequence[str]
    name: str
    silent: bool = False
    replaced: Mapping[str, str] | None = None
    prints: bool = True


def _run(invocation: Invocation, call: _Call) -> int:
    """Print the words in order; return 1 if one of their options is wrong."""
    code = 0
    text = ""
    for piece in parse(call.words, call.options):
        if not isinstance(piece, WrongOption):
            text += _format(piece, call.replaced)
            continue
        code = FAILED
        if not call.silent:
            invocation.stderr.write(f"{call.name}: {piece}\n".encode("utf-8", "surrogateescape"))
    if call.prints:
        invocation.print(text)
    return code


def _options(text: str, names: Mapping[str, int], posix: bool, alternative: bool) -> tuple[Options, bool]:
    """Return the options of an option string, and whether it begins with the colon of silence."""
    order = text[:1] if text[:1] in ("+", "-") else ""
    letters = text[len(order) :]
    options = Options(_letters(letters), names, order or ("+" if posix else ""), alternative)
    return options, letters.startswith(":")


async def getopt(invocation: Invocation) -> int:
    """Print the words of a command line with their options first."""
    words = invocation.argv[1:]
    posix = "POSIXLY_CORRECT" in invocation.env
    compatible = "GETOPT_COMPATIBLE" in invocation.env
    if compatible and not words:
        invocation.print(" --")
        return 0
    if words and (compatible or not words[0].startswith("-")):
        options, silent = _options(words[0].lstrip("+-"), {}, posix, False)
        return _run(invocation, _Call(options, words[1:], "getopt", silent))
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        names = _names(given.all("l"))
        shell = next((shell for shell in given.all("s") if shell not in SHELLS), None)
        if shell is not None:
            raise WrongUsage("unknown shell after -s or --shell argument")
        if "T" in given:
            return ENHANCED
        words = given.operands
        text = given.last("o")
        if text is None:
            if not words:
                raise WrongUsage("missing optstring argument")
            text, words = words[0], words[1:]
    except WrongUsage as error:
        return SYNTAX.usage_error(invocation, str(error))
    options, silent = _options(text, names, posix, "a" in given)
    replaced = None if "u" in given else _CSH if SHELLS[given.last("s", "sh")] else _SH
    name = given.last("n", "getopt")
    return _run(invocation, _Call(options, words, name, silent or "q" in given, replaced, "Q" not in given))
