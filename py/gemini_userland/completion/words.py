"""The command around the cursor, and the quoting of its last word (Bash manual, 3.1.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

# The words after these are a command.
KEYWORDS = frozenset(["if", "then", "else", "elif", "do", "while", "until", "!", "{", "in"])
SPECIAL = re.compile(r"([\s!\"#$&'()*;<>?\[\\\]^`{|}])")
IN_DOUBLE_QUOTES = re.compile(r'(["$`\\])')
BLANKS = " \t"
ENDS_OF_COMMANDS = "\n;|&()`"


@dataclass(frozen=True)
class Word:
    """The word before the cursor.

    Attributes:
        raw: The text as typed, with its quotes.
        value: The text that the quotes stand for.
        quote: The quote that is open at the cursor: `"`, `'` or none.
        offset: The number of characters of `value` that aren't part of the path, as in `--file=`.
    """

    raw: str = ""
    value: str = ""
    quote: str = ""
    offset: int = 0

    def after(self, separator: str) -> Word:
        """Return the word whose path begins after the first `separator`."""
        return replace(self, offset=self.value.index(separator) + 1)


@dataclass(frozen=True)
class Command:
    """The simple command before the cursor.

    Attributes:
        words: The words before the one at the cursor, without quotes and redirections.
        word: The word at the cursor, perhaps empty.
        redirects: The word is the file of a redirection.
        comment: The cursor is in a comment.
    """

    words: list[str] = field(default_factory=list[str])
    word: Word = Word()
    redirects: bool = False
    comment: bool = False


def current_command(text: str) -> Command:
    """Return the command that `text` ends with."""
    return _Scanner(text).scan()


def quoted(word: Word, value: str, end: str) -> str:
    """Return the typed word continued to `value`, followed by its closing quote and `end`."""
    rest = value[len(word.value) - word.offset :]
    if word.quote == "'":
        rest = rest.replace("'", "'\\''")
    elif word.quote:
        rest = IN_DOUBLE_QUOTES.sub(r"\\\1", rest)
    else:
        rest = SPECIAL.sub(r"\\\1", rest)
    return word.raw + rest + (word.quote if end == " " else "") + end


def is_open_double(word: Word) -> bool:
    """Return whether a double quote is open at the cursor."""
    return word.quote == '"'


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.comment = False
        # The commands that a substitution interrupts: inside of `"$(`, the quote doesn't count.
        self.outer: list[tuple[list[str], str]] = []
        self._begin()

    def _begin(self) -> None:
        self.words: list[str] = []
        self._begin_word()
        self.redirects = False
        self.quote = ""

    def _begin_word(self) -> None:
        self.start = self.at
        self.value = ""
        self.written = False

    def scan(self) -> Command:
        while self.at < len(self.text):
            self._step(self.text[self.at])
        raw = self.text[self.start :] if self.written else ""
        return Command(self.words, Word(raw, self.value, self.quote), self.redirects, self.comment)

    def _step(self, character: str) -> None:
        if self.quote == "'":
            self._in_single_quotes(character)
        elif character == "\\" and self._escape():
            return
        elif self.text.startswith("$(", self.at):
            self.outer.append((self.words, self.quote))
            self.at += 2
            self._begin()
            return
        elif character == '"' or (character == "'" and not self.quote):
            self.quote = "" if self.quote else character
            self._write("")
        elif self.quote:
            self._write(character)
        else:
            self._unquoted(character)
        self.at += 1

    def _in_single_quotes(self, character: str) -> None:
        if character == "'":
            self.quote = ""
        else:
            self.value += character

    def _escape(self) -> bool:
        """Read a backslash and the characters it escapes; return False where the backslash is a character itself."""
        following = self.text[self.at + 1 : self.at + 2]
        if self.quote and following not in '"$`\\\n':
            return False
        self._write(following)
        self.at += 2
        return True

    def _write(self, text: str) -> None:
        if not self.written:
            self.start, self.written = self.at, True
        self.value += text

    def _unquoted(self, character: str) -> None:
        if character in BLANKS:
            self._end_word()
        elif character in "<>":
            # The number of a descriptor belongs to the redirection.
            self.written = self.written and not self.value.isdigit()
            self._end_word()
            self.redirects = True
        elif character == "&" and self.text[self.at - 1 : self.at] in ("<", ">"):
            self.redirects = True
        elif character == ")" and self.outer:
            self._return()
        elif character in ENDS_OF_COMMANDS:
            self.at += 1
            self._begin()
            self.at -= 1
        elif character == "#" and not self.written:
            end = self.text.find("\n", self.at)
            self.comment = end < 0
            self.at = (len(self.text) if end < 0 else end) - 1
        else:
            self._write(character)

    def _return(self) -> None:
        """Continue the word around a substitution. Its value is unknown, so only what follows is completed."""
        words, quote = self.outer.pop()
        self.words, self.quote, self.redirects = words, quote, False
        self.value, self.written = "", True
        self.start = self.at + 1

    def _end_word(self) -> None:
        if self.written:
            if not self.redirects and (self.words or self.value not in KEYWORDS):
                self.words.append(self.value)
            self.redirects = False
        self._begin_word()
