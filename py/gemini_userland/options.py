"""Parses the commands' options, in any order with operands, as getopt_long does, with GNU's messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from gemini_userland.invocation import Invocation


@dataclass(frozen=True)
class Number:
    """The constraint on an option whose value is an integer, decimal or hexadecimal (0x).

    Attributes:
        message: The error message for an invalid value, which replaces "{}".
        minimum: The smallest valid number.
    """

    message: str
    minimum: int = 0

    def accepts(self, value: str) -> bool:
        """Return whether `value` is valid."""
        return NUMBER.fullmatch(value) is not None and _number(value) >= self.minimum


NUMBER = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|[0-9]+)")


def _number(value: str) -> int:
    return int(value, 16 if "x" in value.lower() else 10)


Words = Mapping[str, str]
"""The words that an option's value can be, each with the first of its synonyms."""


def synonyms(*groups: str) -> Words:
    """Return the words of groups such as `never no none`, each with the first of its group."""
    return {word: group.split()[0] for group in groups for word in group.split()}


@dataclass(frozen=True)
class Arguments:
    """A parsed command line.

    Attributes:
        items: Options and operands in their order, as (name, value). An option's name is its letter, or its long
            name if it has no letter; an operand's is "".
    """

    items: Sequence[tuple[str, str]]

    @property
    def operands(self) -> list[str]:
        """The arguments that are not options."""
        return [value for name, value in self.items if not name]

    def __contains__(self, name: str) -> bool:
        return any(name == given for given, _ in self.items)

    @overload
    def last(self, name: str) -> str | None: ...
    @overload
    def last(self, name: str, default: str) -> str: ...
    def last(self, name: str, default: str | None = None) -> str | None:
        """Return the last value of an option."""
        return next((value for given, value in reversed(self.items) if given == name), default)

    @overload
    def number(self, name: str) -> int | None: ...
    @overload
    def number(self, name: str, default: int) -> int: ...
    def number(self, name: str, default: int | None = None) -> int | None:
        """Return the last value of an option in the syntax's `numbers`, as an integer."""
        value = self.last(name)
        return _number(value) if value else default

    def all(self, name: str) -> list[str]:
        """Return every value of an option, in order."""
        return [value for given, value in self.items if given == name]

    def last_of(self, *names: str) -> str | None:
        """Return which of the options came last; it overrides the others."""
        return next((given for given, _ in reversed(self.items) if given in names), None)


class _WrongUsage(Exception):
    """An option that is unknown, or whose value is missing or too much."""


class _Refused(Exception):
    """An option that ours doesn't have; the message says what to use instead."""


@dataclass(frozen=True)
class Syntax:
    """The options of a command.

    Attributes:
        help: The text that `--help` prints. Its first line is the usage.
        short: The letters, as for `getopt`: a colon follows a letter that takes a value, two follow one whose value
            is optional and in the same word.
        long: The long names, each with the letter or name that it stands for. "=" ends a name that takes a value,
            "=?" a name whose value is optional.
        wrong_usage: The exit code for invalid options.
        advice: The line that follows an error message; by default it refers to `--help`.
        answer: The letters that stand for `help` and `version`.
        version: The text that `--version` prints; by default it names the command.
        numbers: The options whose value is a number.
        refused: The options that ours doesn't have, by letter or long name, each with what to use instead. They may
            be listed above, too, which tells whether they take a value.
        words: The options whose value is one of some words, or the beginning of one; the empty value is valid where
            the value is optional.
        stops: True if the options end at the first operand.
    """

    help: str
    short: str = ""
    long: Mapping[str, str] = field(default_factory=dict[str, str])
    wrong_usage: int = 1
    advice: str = ""
    answer: Mapping[str, str] = field(default_factory=dict[str, str])
    version: str = ""
    numbers: Mapping[str, Number] = field(default_factory=dict[str, Number])
    words: Mapping[str, Words] = field(default_factory=dict[str, Words])
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    stops: bool = False

    def parse(self, invocation: Invocation, arguments: Sequence[str] | None = None) -> Arguments | int:
        """Parse a command line.

        Args:
            invocation: The call, which gets help text and error messages.
            arguments: The arguments; the invocation's by default.

        Returns:
            The arguments, or the exit code if `--help`, `--version` or an error message was printed.
        """
        try:
            items = self._read(list(invocation.argv[1:] if arguments is None else arguments))
            if not any(name in ("help", "version") for name, _ in items):
                for name, _ in items:
                    self._check_refused(name)
        except _WrongUsage as error:
            return self.usage_error(invocation, str(error))
        except _Refused as error:
            invocation.error(str(error))
            return self.wrong_usage
        given = Arguments(items)
        if "help" in given:
            invocation.print(self.help.strip("\n"))
            return 0
        if "version" in given:
            default = f"{invocation.name}: part of the shell of control-surface, modelled on the GNU command"
            invocation.print(self.version or default)
            return 0
        optional = {name for option, name in self.long.items() if option.endswith("=?")}
        for name, value in items:
            number = self.numbers.get(name)
            if number is not None and not number.accepts(value) and (value or name not in optional):
                invocation.error(number.message.replace("{}", value))
                return self.wrong_usage
        try:
            return Arguments([(name, self._word(name, value, name in optional)) for name, value in items])
        except ValueError as problem:
            self.usage_error(invocation, str(problem))
            return 1

    def _word(self, name: str, value: str, optional: bool) -> str:
        """Return the first synonym of an option's value; an unambiguous beginning is valid, as in GNU's programs."""
        words = self.words.get(name)
        if words is None or (optional and value == ""):
            return value
        if value in words:
            return words[value]
        found = {first for word, first in words.items() if word.startswith(value)}
        if len(found) == 1:
            return found.pop()
        groups: dict[str, list[str]] = {}
        for word, first in words.items():
            groups.setdefault(first, []).append(f"'{word}'")
        shown = next((long.rstrip("=?") for long, short in self.long.items() if short == name), name)
        valid = "".join(f"\n  - {', '.join(group)}" for group in groups.values())
        problem = "ambiguous" if found else "invalid"
        raise ValueError(f"{problem} argument '{value}' for '--{shown}'\nValid arguments are:{valid}")

    def usage_error(self, invocation: Invocation, message: str) -> int:
        """Print an error message and the advice, and return the exit code."""
        invocation.error(message)
        advice = self.advice or f"Try '{invocation.name} --help' for more information."
        invocation.stderr.write(f"{advice}\n".encode("utf-8", "surrogateescape"))
        return self.wrong_usage

    @property
    def _long(self) -> dict[str, str]:
        return {**self.long, "help": "help", "version": "version"}

    def _read(self, left: Sequence[str]) -> list[tuple[str, str]]:
        items: list[tuple[str, str]] = []
        words = iter(left)
        for word in words:
            if word == "--":
                items += [("", operand) for operand in words]
            elif word.startswith("--"):
                items.append(self._long_option(word[2:], words))
            elif word.startswith("-") and word != "-":
                items += self._letters(word[1:], words)
            elif self.stops:
                return [*items, ("", word), *(("", operand) for operand in words)]
            else:
                items.append(("", word))
        return items

    def _letters(self, letters: str, words: Iterator[str]) -> Iterator[tuple[str, str]]:
        """Yield the options of a word such as `-xfFILE`."""
        for at, letter in enumerate(letters, 1):
            kind = re.search(f"{re.escape(letter)}(:{{0,2}})", self.short)
            if kind is None or letter == ":":
                self._check_refused(letter)
                raise _WrongUsage(f"invalid option -- '{letter}'")
            name = self.answer.get(letter, letter)
            if kind[1] == "":
                yield name, ""
                continue
            value = letters[at:]
            if not value and kind[1] == ":":
                value = next(words, None)
            if value is None:
                raise _WrongUsage(f"option requires an argument -- '{letter}'")
            yield name, value
            return

    def _long_option(self, text: str, words: Iterator[str]) -> tuple[str, str]:
        given, equals, value = text.partition("=")
        found = self._named(given)
        name = found.rstrip("=?")
        meaning = self._long[found]
        if found.endswith("=") and not equals:
            following = next(words, None)
            if following is None:
                raise _WrongUsage(f"option '--{name}' requires an argument")
            return meaning, following
        if equals and "=" not in found:
            raise _WrongUsage(f"option '--{name}' doesn't allow an argument")
        return meaning, value

    def _named(self, given: str) -> str:
        """Return the long name that `given` is, or begins."""
        matches = [name for name in self._long if name.startswith(given)]
        found = [name for name in matches if name.rstrip("=?") == given]
        if not found:
            # It may also be the beginning of another one.
            self._check_refused(given)
            found = matches
        if not found:
            raise _WrongUsage(f"unrecognized option '--{given}'")
        if len({self._long[name] for name in found}) > 1:
            listed = " ".join(f"'--{name.rstrip('=?')}'" for name in found)
            raise _WrongUsage(f"option '--{given}' is ambiguous; possibilities: {listed}")
        return found[0]

    def _check_refused(self, name: str) -> None:
        """Raise `_Refused` if ours doesn't have an option, by letter or long name."""
        if name in self.refused:
            dashes = "-" if len(name) == 1 else "--"
            raise _Refused(f"{dashes}{name} isn't supported: {self.refused[name]}")
