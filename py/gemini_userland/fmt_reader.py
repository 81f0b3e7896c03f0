"""Reads the paragraphs of `fmt`, and writes its lines, as GNU's does."""

from __future__ import annotations

import string
from dataclasses import dataclass, field

TAB = 8
HANGING = 3
END = ""


@dataclass(frozen=True)
class Style:
    """The options that say where paragraphs begin, and their prefix."""

    crown: bool
    tagged: bool
    splits: bool
    uniform: bool
    prefix: str


@dataclass
class Word:
    """A word, the blanks behind it, and its meaning for breaks of lines."""

    text: str
    space: int = 0
    is_final: bool = False
    opens: bool = False
    is_punctuated: bool = False
    ends_sentence: bool = False

    @property
    def length(self) -> int:
        """Its columns."""
        return len(self.text)


@dataclass
class Paragraph:
    """The words of a paragraph, and the columns where its first line and the others begin."""

    first_indent: int
    other_indent: int = 0
    words: list[Word] = field(default_factory=list[Word])


class Reader:
    """A text, and the output for it.

    Args:
        text: The text, with a character for each byte.
        style: The options.
    """

    def __init__(self, text: str, style: Style) -> None:
        self.output = ""
        self._text = text
        self._at = 0
        self._style = style
        self._lead = len(style.prefix) - len(style.prefix.lstrip(" "))
        self._full = len(style.prefix.lstrip(" "))
        self._prefix = style.prefix.strip(" ")
        self._tabs = False
        self._column = 0
        self._out = 0
        self._indent = 0
        self._next_indent = 0
        self._other = 0
        self._next = self._read_prefix()

    def _read(self) -> str:
        if self._at >= len(self._text):
            return END
        self._at += 1
        return self._text[self._at - 1]

    def _skip_blanks(self, one: str) -> str:
        while one == " " or one == "\t":
            if one == "\t":
                self._tabs = True
                self._column = self._column // TAB * TAB + TAB
            else:
                self._column += 1
            one = self._read()
        return one

    def _read_prefix(self) -> str:
        """Read the beginning of a line; return the first character behind it."""
        self._column = 0
        one = self._skip_blanks(self._read())
        if not self._prefix:
            self._next_indent = min(self._lead, self._column)
            return one
        self._next_indent = self._column
        for expected in self._prefix:
            if one != expected:
                return one
            self._column += 1
            one = self._read()
        return self._skip_blanks(one)

    def paragraph(self) -> Paragraph | None:
        """Copy the lines that are in no paragraph, and return the next paragraph; None at the end."""
        one = self._next
        while (
            one in ("\n", END)
            or self._next_indent < self._lead
            or self._column < self._next_indent + self._full
        ):
            one = self._copy(one)
            if one == END:
                self._next = END
                return None
            self.output += "\n"
            one = self._read_prefix()
        self._indent = self._next_indent
        found = Paragraph(self._column)
        one = self._read_line(found, one)
        found.other_indent = self._other = self._other_indent(found, one)
        style = self._style
        is_joined = not style.splits
        if style.tagged and not style.crown:
            is_joined = is_joined and self._column != found.first_indent
        while is_joined and self._continues(one) and self._column == self._other:
            one = self._read_line(found, one)
        found.words[-1].ends_sentence = found.words[-1].is_final = True
        self._next = one
        return found

    def _continues(self, one: str) -> bool:
        """Return whether the line that was begun belongs to the same paragraph."""
        is_prefixed = self._next_indent == self._indent and self._column >= self._next_indent + self._full
        return is_prefixed and one not in ("\n", END)

    def _other_indent(self, found: Paragraph, one: str) -> int:
        style, first = self._style, found.first_indent
        if style.splits:
            return first
        if style.crown:
            return self._column if self._continues(one) else first
        if style.tagged:
            if self._continues(one) and self._column != first:
                return self._column
            # A tag alone has the indentation of the paragraph before, unless that is its own.
            return self._other if self._other != first else HANGING if first == 0 else 0
        return first

    def _read_line(self, found: Paragraph, one: str) -> str:
        """Read the words of a line; return the first character of the next line."""
        while True:
            text = ""
            while True:
                text += one
                one = self._read()
                if one == END or one in " \t\n\r\v\f":
                    break
            word = Word(text)
            self._column += word.length
            _look_at(word)
            start = self._column
            one = self._skip_blanks(one)
            word.space = self._column - start
            word.is_final = one == END or (word.ends_sentence and (one == "\n" or word.space > 1))
            if one in ("\n", END) or self._style.uniform:
                word.space = 2 if word.is_final else 1
            found.words.append(word)
            if one in ("\n", END):
                return self._read_prefix() if one == "\n" else END

    def _copy(self, one: str) -> str:
        """Copy the rest of a line that is in no paragraph; return its end."""
        self._out = 0
        is_empty = one in ("\n", END)
        if self._column > self._next_indent or not is_empty:
            self._put_blanks(self._next_indent)
            shown = self._prefix[: max(0, self._column - self._out)]
            self.output += shown
            self._out += len(shown)
            if not is_empty:
                self._put_blanks(self._column - self._out)
            if one == END and self._column >= self._next_indent + len(self._prefix):
                self.output += "\n"
        while one not in ("\n", END):
            self.output += one
            one = self._read()
        return one

    def _put_blanks(self, count: int) -> None:
        """Append blanks, or tabs if the text has some."""
        target = self._out + count
        stop = target // TAB * TAB
        if self._tabs and self._out + 1 < stop:
            while self._out < stop:
                self.output += "\t"
                self._out = self._out // TAB * TAB + TAB
        self.output += " " * (target - self._out)
        self._out = target

    def put_line(self, words: list[Word], indent: int) -> None:
        """Append a line with these words."""
        self._out = 0
        self._put_blanks(self._indent)
        self.output += self._prefix
        self._out += len(self._prefix)
        self._put_blanks(indent - self._out)
        for number, word in enumerate(words, 1):
            self.output += word.text
            self._out += word.length
            if number < len(words):
                self._put_blanks(word.space)
        self.output += "\n"


def _look_at(word: Word) -> None:
    """Note whether a word opens a bracket, ends with punctuation, and ends a sentence."""
    word.opens = word.text[0] in "(['`\""
    word.is_punctuated = word.text[-1] in string.punctuation
    core = word.text[0] + word.text[1:].rstrip(")]'\"")
    word.ends_sentence = core[-1] in ".?!"
