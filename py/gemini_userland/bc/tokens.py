"""The tokens of bc's language (GNU bc manual, "Basic Elements")."""

from __future__ import annotations

import re

SPACE = re.compile(r"(?:[ \t\r\f\v]|\\\n|/\*.*?\*/|#[^\n]*)+", re.DOTALL)
TOKEN = re.compile(
    r"""(?P<number>(?:[\dA-F]|\\\n)+(?:\.(?:[\dA-F]|\\\n)*)?|\.(?:[\dA-F]|\\\n)+)|(?P<name>[a-z][a-z0-9_]*)
    |(?P<text>"[^"]*")|(?P<sign>&&|\|\||[=!<>]=|\+\+|--|[-+*/%^]=|[-+*/%^=!<>()\[\]{},;.\n])""",
    re.VERBOSE,
)
_KEYWORDS = "auto break continue define else for halt if limits print quit return void warranty while"
KEYWORDS = frozenset(_KEYWORDS.split())

Token = tuple[str, str]
END: Token = ("end", "")


class SyntaxProblem(ValueError):
    """The text isn't valid; the message is GNU's.

    Attributes:
        line: The line of the text.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Scanner:
    """Reads a text token by token.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._token: Token = END
        self._start = 0
        self._advance()

    def extend(self, text: str) -> None:
        """Continue with more text after the text read so far."""
        self._text += text
        if self._token == END:
            self._advance()

    def _recover(self) -> None:
        end = self._text.find("\n", self._start)
        self._at = len(self._text) if end < 0 else end + 1
        self._advance()

    def _problem(self, message: str = "syntax error") -> SyntaxProblem:
        ends = self._token in (END, ("sign", "\n"))
        return SyntaxProblem(message, self._text.count("\n", 0, self._start) + 1 + ends)

    def _advance(self) -> Token:
        """Read the next token, and return the one before it."""
        token = self._token
        if space := SPACE.match(self._text, self._at):
            self._at = space.end()
        self._start = self._at
        found = TOKEN.match(self._text, self._at)
        if found is None:
            self._token = END if self._at >= len(self._text) else ("wrong", self._text[self._at])
            return token
        self._at = found.end()
        self._token = (found.lastgroup or "", found[0])
        return token

    def _is(self, *signs: str) -> bool:
        return self._token[0] == "sign" and self._token[1] in signs

    def _take(self, sign: str) -> bool:
        if not self._is(sign):
            return False
        self._advance()
        return True

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise self._problem()

    def _ends(self) -> bool:
        return self._token == END or self._is("\n")

    def _separate(self) -> None:
        if not self._ends() and not self._is(";"):
            raise self._problem()

    def _skip_lines(self) -> None:
        while self._take("\n"):
            pass
