"""Parses the command lines of `zip` and `unzip`, whose options can take lists."""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field


class ArchiveError(Exception):
    """The command failed; the message is printed as it is.

    Args:
        message: The text.
        exit_code: The exit code of the command.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Refused(Exception):
    """An option that ours doesn't have; the text says what to use instead."""


@dataclass
class Words:
    """A parsed command line.

    Attributes:
        letters: How often each option is given, by its letter or long name.
        values: The values of the options that take them.
        operands: The other words.
    """

    letters: dict[str, int] = field(default_factory=dict[str, int])
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    operands: list[str] = field(default_factory=list[str])

    def __contains__(self, letter: str) -> bool:
        return letter in self.letters

    def count(self, letter: str) -> int:
        """Return how often an option is given."""
        return self.letters.get(letter, 0)

    def last(self, letter: str) -> str | None:
        """Return the last value of an option."""
        return self.values.get(letter, [None])[-1]


@dataclass(frozen=True)
class Grammar:
    """The options of a command.

    Attributes:
        flags: The options without a value.
        valued: The options with one value.
        lists: The options that take all words up to the next option or `@`.
        long: The letters that long names stand for.
        refused: The options that ours doesn't have, each with what to use instead.
    """

    flags: Collection[str]
    valued: Collection[str]
    lists: Collection[str]
    long: Mapping[str, str]
    refused: Mapping[str, str] = field(default_factory=dict[str, str])

    def parse(self, arguments: Sequence[str]) -> Words:
        """Parse a command line.

        Raises:
            KeyError: An option is unknown or lacks its value.
            Refused: Ours doesn't have an option.
        """
        words = Words()
        rest = iter(arguments)
        takes: str | None = None
        for word in rest:
            if word == "--":
                words.operands += rest
            elif word == "@":
                takes = None
            elif word.startswith("-") and word != "-":
                takes = self._option(words, word, rest)
            elif takes:
                words.values.setdefault(takes, []).append(word)
            else:
                words.operands.append(word)
        return words

    def _option(self, words: Words, word: str, rest: Iterator[str]) -> str | None:
        """Take in one word of options; return the option whose list follows."""
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if (letter := self.long[name]) in self.refused:
                raise Refused(f"--{name} isn't supported: {self.refused[letter]}")
            return self._one(words, letter, value if equals else None, rest)
        letters = word[1:]
        while letters:
            # The longest name of an option comes first, as in -FS or -qq.
            letter = next((letters[:size] for size in (2, 1) if self._knows(letters[:size])), letters[0])
            letters = letters[len(letter) :]
            if letter in self.refused:
                raise Refused(f"-{letter} isn't supported: {self.refused[letter]}")
            if letter in self.flags:
                words.letters[letter] = words.count(letter) + 1
            else:
                return self._one(words, letter, letters or None, rest)
        return None

    def _knows(self, letter: str) -> bool:
        return any(letter in known for known in (self.flags, self.valued, self.lists, self.refused))

    def _one(self, words: Words, letter: str, value: str | None, rest: Iterator[str]) -> str | None:
        if not self._knows(letter):
            raise KeyError(letter)
        words.letters[letter] = words.count(letter) + 1
        if letter in self.lists:
            words.values.setdefault(letter, []).extend([value] if value else [])
            return letter
        if letter in self.valued:
            found = value if value is not None else next(rest, None)
            if found is None:
                raise KeyError(letter)
            words.values.setdefault(letter, []).append(found)
        return None


def matches(name: str, patterns: Sequence[str], *, ignores_case: bool = False) -> bool:
    """Return whether a name matches one of the patterns; `*` matches slashes, too."""
    if ignores_case:
        name, patterns = name.lower(), [pattern.lower() for pattern in patterns]
    return any(fnmatch.fnmatchcase(name, pattern.replace("[^", "[!")) for pattern in patterns)
