"""The tokens of an awk program (POSIX, awk, "Lexical Conventions")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gemini_userland.awk.errors import BadProgram
from gemini_userland.characters import encoding

KEYWORDS = frozenset([
    "BEGIN", "END", "BEGINFILE", "ENDFILE", "function", "func", "if", "else", "while", "for", "do", "break",
    "continue", "next", "nextfile", "exit", "return", "delete", "in", "getline", "print", "printf", "switch",
    "case", "default",
])  # fmt: skip
BUILTINS = frozenset([
    "atan2", "close", "cos", "exp", "fflush", "gensub", "gsub", "index", "int", "length", "log", "match",
    "rand", "sin", "split", "sprintf", "sqrt", "srand", "sub", "substr", "system", "tolower", "toupper",
    "strftime", "systime", "mktime", "asort", "asorti", "patsplit", "and", "or", "xor", "compl", "lshift",
    "rshift", "strtonum", "typeof", "isarray", "mkbool",
])  # fmt: skip
# In names, what stands for `::`: Python takes it, too, and no name of awk has it.
QUALIFIED = "\u00b7"
_SPACE = re.compile(r"(?:[ \t\r]|\\\r?\n|#[^\n]*)*")
_TOKEN = re.compile(
    r"(?P<newline>\n)"
    r"|(?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)?)"
    r"|(?P<operator>\*\*=|\*\*|\+\+|--|\+=|-=|\*=|/=|%=|\^=|&&|\|\||\|&|<=|>=|==|!=|!~|>>|[-+*/%^!<>|?:~$=,;{}()\[\]@])"
)
_STRING = re.compile(r'"((?:[^"\\\n]|\\(?:\r\n|[\s\S]))*)"')
_REGEX_PIECE = re.compile(r"\\(?:\r\n|[\s\S])|\[\^?\]?(?:\[[:.=].*?[:.=]\]|\\.|[^\]\n\\])*\]|[^/\n]")
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,8})|(\r?\n)|([\s\S]))")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"} | {
    c: c for c in '\\"/'
}


def shown_name(name: str) -> str:
    """Return a name as a program writes it."""
    return name.replace(QUALIFIED, "::")


@dataclass(frozen=True)
class Token:
    """A token.

    Attributes:
        kind: `newline`, `number`, `string`, `regex`, `name`, `function` (a name directly before a parenthesis),
            `keyword`, `operator` or `end`.
        text: Its text; of strings, the characters that it stands for.
        line: Its line, from 1.
        start: Its position in the program.
    """

    kind: str
    text: str
    line: int
    start: int


def unescaped(text: str) -> str:
    """Replace the escapes of a string. An unknown one keeps its backslash, as in mawk."""
    if "\\" not in text:
        return text
    changed = _ESCAPE.sub(_character, text)
    # Bytes that were written one by one may form a character.
    return changed.encode("utf-8", "surrogateescape").decode(encoding(), "surrogateescape")


def _character(match: re.Match[str]) -> str:
    octal, hexadecimal, unicode, newline, letter = match.groups()
    if octal or hexadecimal:
        code = int(octal, 8) & 255 if octal else int(hexadecimal, 16)
        return bytes([code]).decode("utf-8", "surrogateescape")
    if unicode:
        return chr(min(int(unicode, 16), 0x10FFFF))
    return "" if newline else _LETTERS.get(letter, match[0])


class Lexer:
    """Reads one token after the other, because a slash divides or begins an expression by what precedes it.

    Attributes:
        namespace: The namespace of names that have none; "" is awk's own.
    """

    def __init__(self, text: str) -> None:
        self.namespace = ""
        self._text = text
        self._at = 0
        self._line = 1

    def _advance(self, end: int) -> str:
        passed = self._text[self._at : end]
        self._line += passed.count("\n")
        self._at = end
        return passed

    def next(self) -> Token:
        """Return the next token.

        Raises:
            BadProgram: There is no token that begins here.
        """
        space = _SPACE.match(self._text, self._at)
        self._advance(space.end() if space else self._at)
        start, line = self._at, self._line
        if start >= len(self._text):
            return Token("end", "", line, start)
        if self._text[start] == '"':
            return self._string(start, line)
        match = _TOKEN.match(self._text, start)
        if match is None:
            raise BadProgram(f"unexpected character '{self._text[start]}'", line)
        self._advance(match.end())
        kind, text = match.lastgroup or "", match[0]
        if kind == "name":
            called = self._text.startswith("(", match.end())
            kind = "keyword" if text in KEYWORDS else "function" if called else "name"
            text = self._qualify(text)
        if kind == "operator" and text.startswith("**"):
            text = text.replace("**", "^")
        return Token(kind, text, line, start)

    def _qualify(self, name: str) -> str:
        """Return a name with its namespace. Those in capital letters are awk's (gawk's manual, "Namespace Rules")."""
        space, colons, own = name.rpartition("::")
        if not colons and (not self.namespace or name.isupper() or name in KEYWORDS | BUILTINS):
            return name
        space = space if colons else self.namespace
        return own if space in ("", "awk") else f"{space}{QUALIFIED}{own}"

    def _string(self, start: int, line: int) -> Token:
        match = _STRING.match(self._text, start)
        if match is None:
            raise BadProgram("runaway string constant", line)
        self._advance(match.end())
        return Token("string", unescaped(match[1]), line, start)

    def regex(self, slash: Token) -> Token:
        """Read the expression that begins with `slash`, the last token.

        Raises:
            BadProgram: It has no end.
        """
        self._at, self._line = slash.start + 1, slash.line
        while not self._text.startswith("/", self._at):
            piece = _REGEX_PIECE.match(self._text, self._at)
            if piece is None:
                raise BadProgram("regular expression has no end", slash.line)
            self._advance(piece.end())
        source = self._text[slash.start + 1 : self._at]
        self._at += 1
        return Token(
            "regex",
            source.replace("\\/", "/").replace("\\\r\n", "").replace("\\\n", ""),
            slash.line,
            slash.start,
        )

    def follows(self, word: str) -> bool:
        """Return whether the next token is this word."""
        space = _SPACE.match(self._text, self._at)
        at = space.end() if space else self._at
        return re.compile(rf"{re.escape(word)}\b").match(self._text, at) is not None
