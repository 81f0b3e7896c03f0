"""Parses sed scripts.

Source: POSIX.1-2017, sed; for extensions, the manual of GNU sed 4.9.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gemini_userland.characters import encoding
from gemini_userland.patterns import BARE_CLASS
from gemini_userland.sed.expressions import ESCAPE, BadExpression, Expressions, character, unescaped
from gemini_userland.sed.substitution import Substitution, read_replacement
from gemini_userland.text import encode

USAGE = 4
SANDBOXED = "e/r/w commands disabled in sandbox mode"
NO_PROGRAMS = "`e' isn't supported: print the commands, and pipe them to `sh`"
SET = r"\[\^?+\]?+(?:\[([:.=])(?:(?!\1\])[^\n])*\1\]|(?!\[[:.=])[^\]\n])*\]"


class BadScript(ValueError):
    """A script is invalid.

    Args:
        message: GNU sed's message.
        exit_code: GNU sed's exit code.
    """

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True)
class Address:
    """An address: a line number, the last line, or a pattern.

    Attributes:
        number: The line number; 0 is before the first line.
        step: The distance of further lines.
        last: Whether it is the last line.
        pattern: The pattern.
        empty: Whether it is the empty pattern, which stands for the last one used.
        kind: In the second address of a range, "+" for a number of lines, "~" for a multiple.
    """

    number: int | None = None
    step: int | None = None
    last: bool = False
    pattern: re.Pattern[bytes] | None = None
    empty: bool = False
    kind: str = ""


@dataclass
class Command:
    """A command with its addresses.

    Attributes:
        name: The letter.
        first: The first address.
        second: The second address.
        negated: Whether the addresses are negated (!).
        text: The text of `a`, `i` or `c`.
        label: The label or file name.
        number: The numeric argument.
        end: The index of the command to jump to: after the block, or at the label.
        substitution: The substitution of `s`.
        table: The characters of `y`.
        active: Whether the range is active.
        until: The last line of the active range.
    """

    name: str
    first: Address | None = None
    second: Address | None = None
    negated: bool = False
    text: bytes = b""
    label: str = ""
    number: int | None = None
    end: int = 0
    substitution: Substitution | None = None
    table: Mapping[bytes, bytes] = field(default_factory=dict[bytes, bytes])
    active: bool = False
    until: int | None = None


def read_script(text: str, expressions: Expressions, *, sandboxed: bool = False) -> list[Command]:
    """Parse a script into its commands.

    Args:
        text: The script.
        expressions: The syntax of its expressions.
        sandboxed: Whether commands that read and write files are errors.

    Raises:
        BadScript: The script is invalid.
    """
    reader = _Reader(text, expressions, sandboxed=sandboxed)
    try:
        return reader.read()
    except BadExpression as problem:
        if str(problem) == BARE_CLASS:
            raise BadScript(BARE_CLASS, USAGE) from problem
        raise BadScript(f"-e expression #1, char {reader.place}: {problem}") from problem


class _Reader:
    def __init__(self, text: str, expressions: Expressions, *, sandboxed: bool) -> None:
        self._text = text
        self._sandboxed = sandboxed
        self._expressions = expressions
        self.at = 0
        self._commands: list[Command] = []
        self._blocks: list[int] = []

    def read(self) -> list[Command]:
        if self._text.startswith("#n\n") or self._text == "#n":
            self._expressions.quiet = True
        while True:
            self._skip(" \t\n;")
            if self.at >= len(self._text):
                break
            self._command()
        if self._blocks:
            self.at = 0
            raise self._error("unmatched `{'")
        self._resolve()
        return self._commands

    def _error(self, message: str) -> BadScript:
        return BadScript(f"-e expression #1, char {self.place}: {message}")

    @property
    def place(self) -> int:
        """The number of bytes that it has read."""
        return len(encode(self._text[: self.at]))

    @property
    def _here(self) -> str:
        return self._text[self.at : self.at + 1]

    def _skip(self, characters: str) -> None:
        while self._here and self._here in characters:
            self.at += 1

    def _take(self, pattern: str) -> str | None:
        match = re.compile(pattern).match(self._text, self.at)
        if match is None or match.end() == self.at:
            return None
        self.at = match.end()
        return match[0]

    def _command(self) -> None:
        command = Command("")
        command.first = self._address()
        self._skip(" \t")
        if command.first and self._here == ",":
            self.at += 1
            self._skip(" \t")
            command.second = self._address(second=True)
            if command.second is None:
                raise self._error("unexpected `,'")
        first, second = command.first, command.second
        if first and first.number == 0 and first.step is None and not (second and second.pattern):
            self.at += 1
            raise self._error("invalid usage of line address 0")
        self._skip(" \t")
        while self._here == "!":
            command.negated = True
            self.at += 1
            self._skip(" \t")
        command.name = self._here
        self.at += 1
        if not command.name:
            raise self._error("missing command")
        self._arguments(command)

    def _address(self, *, second: bool = False) -> Address | None:
        if second and self._here in ("+", "~") and (number := self._take(r"[+~]\d+")):
            return Address(number=int(number[1:]), kind=number[0])
        if number := self._take(r"\d+"):
            step = self._take(r"\s*~\s*\d+")
            return Address(number=int(number), step=int(step.strip(" ~")) if step else None)
        if self._here == "$":
            self.at += 1
            return Address(last=True)
        if self._here not in ("/", "\\") or not self._here:
            return None
        self.at += self._here == "\\"
        source = self._delimit("unterminated address regex")
        flags = self._take("[IM]+") or ""
        pattern = self._expressions.compile(source, flags)
        return Address(pattern=pattern, empty=not source)

    def _delimit(self, message: str, *, first: bool = True) -> str:
        """Read up to the delimiter, which is the current character, or the previous one for a second part.

        Bracket expressions may contain the delimiter.
        """
        if first:
            self._delimiter = self._here
            self.at += 1
        start = self.at
        while self._here and self._here != self._delimiter:
            if self._here == "\n" and first:
                break
            if self._here == "[" and first:
                if not self._take(SET):
                    self._take(r"[^\n]*")
                    break
            else:
                self._step()
        if self._here != self._delimiter:
            raise self._error(message)
        source = self._text[start : self.at]
        self.at += 1
        return unescaped(source, self._delimiter)

    def _step(self) -> None:
        self.at += 2 if self._here == "\\" else 1

    def _arguments(self, command: Command) -> None:
        readers: dict[str, Callable[[Command], None]] = {
            "{": self._open,
            "}": self._close,
            ":": self._label,
            "s": self._substitute,
            "y": self._transliterate,
            "#": self._comment,
            **dict.fromkeys("aic", self._added),
            **dict.fromkeys("btT", self._jump),
            **dict.fromkeys("rRwW", self._file),
            **dict.fromkeys("qQlL", self._numbered),
            "v": self._version,
            **dict.fromkeys("=dDgGhHnNpPxzF", self._ended),
        }
        if self._sandboxed and command.name in ("e", "r", "w"):
            raise self._error(SANDBOXED)
        if command.name == "e":
            raise self._error(NO_PROGRAMS)
        if command.name not in readers:
            raise self._error(f"unknown command: `{command.name}'")
        if command.name == "}" and command.first:
            raise self._error("} doesn't want any addresses")
        if command.name == ":" and command.first:
            raise self._error(": doesn't want any addresses")
        self._commands.append(command)
        readers[command.name](command)

    def _ended(self, command: Command) -> None:
        self._skip(" \t")
        if self._here and self._here not in "\n;}#":
            self.at += 1
            raise self._error("extra characters after command")

    def _version(self, command: Command) -> None:
        """Read `v VERSION`, which has no effect in a sed that is new enough."""
        self._commands.pop()
        self._take(r"[^\n;}]*")

    def _open(self, command: Command) -> None:
        self._blocks.append(len(self._commands) - 1)

    def _close(self, command: Command) -> None:
        if not self._blocks:
            raise self._error("unexpected `}'")
        self._commands[self._blocks.pop()].end = len(self._commands)
        self._ended(command)

    def _comment(self, command: Command) -> None:
        self._commands.pop()
        self._take(r"[^\n]*")

    def _label(self, command: Command) -> None:
        self._skip(" \t")
        command.label = (self._take(r"[^\n;]+") or "").rstrip()
        if not command.label:
            raise self._error('":" lacks a label')

    def _jump(self, command: Command) -> None:
        self._skip(" \t")
        command.label = (self._take(r"[^\n;}]+") or "").rstrip()

    def _file(self, command: Command) -> None:
        self._skip(" \t")
        command.label = self._take(r"[^\n]+") or ""
        if not command.label:
            raise self._error("missing filename in r/R/w/W commands")

    def _numbered(self, command: Command) -> None:
        self._skip(" \t")
        number = self._take(r"\d+")
        command.number = int(number) if number else None
        self._ended(command)

    def _added(self, command: Command) -> None:
        self._skip(" \t")
        if self._here == "\\":
            # Blanks after the backslash are part of the text, unless it begins on the next line.
            self.at += 1
            self._take(r"[ \t]*\n")
        if not self._here:
            raise self._error("expected \\ after `a', `c' or `i'")
        source = self._take(r"(?:\\[\s\S]|[^\n\\])*") or ""
        text = re.sub(r"\\([\s\S])", lambda match: {"t": "\t"}.get(match[1], match[1]), source)
        command.text = encode(text) + b"\n"

    def _substitute(self, command: Command) -> None:
        source = self._delimit("unterminated `s' command")
        replacement = self._delimit("unterminated `s' command", first=False)
        flags = self._take(r"(?:[gpeIiMm]|\d+)+") or ""
        path = ""
        if self._here == "w":
            self.at += 1
            self._skip(" \t")
            path = self._take(r"[^\n]+") or ""
        if self._sandboxed and (path or "e" in flags):
            raise self._error(SANDBOXED)
        if "e" in flags:
            raise self._error(NO_PROGRAMS)
        self._skip(" \t")
        if self._here and self._here not in "\n;}#":
            self.at += 1
            raise self._error("unknown option to `s'")
        pattern = self._expressions.compile(source, flags.replace("i", "I").replace("m", "M"))
        groups = pattern.groups if pattern else 9
        number = re.search(r"\d+", flags)
        if number and int(number[0]) == 0:
            raise self._error("number option to `s' command may not be zero")
        pieces = read_replacement(replacement)
        highest = max((piece for piece in pieces if isinstance(piece, int)), default=0)
        if highest > groups:
            raise self._error(f"invalid reference \\{highest} on `s' command's RHS")
        count = int(number[0]) if number else 1
        command.substitution = Substitution(
            pattern, pieces, count, every="g" in flags, prints="p" in flags, path=path
        )

    def _transliterate(self, command: Command) -> None:
        sources = [
            self._delimit("unterminated `y' command"),
            self._delimit("unterminated `y' command", first=False),
        ]
        one, other = (
            _as_characters(ESCAPE.sub(lambda match: character(match) or match[4], source))
            for source in sources
        )
        if len(one) != len(other):
            raise self._error("strings for `y' command are different lengths")
        command.table = {encode(key): encode(value) for key, value in zip(one, other, strict=True)}
        self._ended(command)

    def _resolve(self) -> None:
        labels = {one.label: at for at, one in enumerate(self._commands) if one.name == ":"}
        for command in self._commands:
            if command.name not in "btT":
                continue
            if command.label and command.label not in labels:
                raise BadScript(f"can't find label for jump to `{command.label}'", USAGE)
            command.end = labels.get(command.label, len(self._commands))


def _as_characters(text: str) -> str:
    """Return text whose escaped bytes make characters of the locale."""
    return encode(text).decode(encoding(), "surrogateescape")
