"""Parses the commands' options with getopt, in any order with operands, with GNU's messages."""

from __future__ import annotations

import getopt
import re
from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True)
class Syntax:
    """The options of a command.

    Attributes:
        help: The text that `--help` prints. Its first line is the usage.
        short: The letters, as for `getopt`: a colon follows a letter that takes a value, two colons one whose value is
            optional, which has a long name, too.
        long: The long names, each with the letter or name that it stands for. "=" ends a name that takes a value,
            "=?" a name whose value is optional.
        wrong_usage: The exit code for invalid options.
        advice: The line that follows an error message; by default it refers to `--help`.
        answer: The letters that stand for `help` and `version`.
        version: The text that `--version` prints; by default it names the command.
        numbers: The options whose value is a number.
        refused: GNU's options that are missing here, by letter or long name, each with what to use instead.
        words: The options whose value is one of some words, or the beginning of one; the empty value is valid where
            the value is optional.
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

    def parse(self, invocation: Invocation, arguments: Sequence[str] | None = None) -> Arguments | int:
        """Parse a command line.

        Args:
            invocation: The call, which gets help texts and error messages.
            arguments: The arguments; the invocation's by default.

        Returns:
            The arguments, or the exit code if `--help`, `--version` or an error message was printed.
        """
        try:
            items = self._read(list(invocation.argv[1:] if arguments is None else arguments))
        except getopt.GetoptError as error:
            return self.usage_error(invocation, self._message(error.opt))
        given = Arguments(items)
        if "help" in given:
            invocation.print(self.help.strip("\n"))
            return 0
        if "version" in given:
            default = f"{invocation.name}: part of the shell of gemini-surface, modelled on the GNU command"
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

    def _read(self, left: list[str]) -> list[tuple[str, str]]:
        left = self._with_optional_values(self._with_long_names(left))
        names = [name.removesuffix("?") for name in self._long]
        meaning = {**{name.rstrip("=?"): short for name, short in self._long.items()}, **self.answer}
        items: list[tuple[str, str]] = []
        while left:
            options, after = getopt.getopt(left, re.sub("[^:]::", "", self.short), names)
            items += [(meaning.get(name.lstrip("-"), name.lstrip("-")), value) for name, value in options]
            # getopt stops after "--", which it consumes, or before an operand, which it leaves.
            used = len(left) - len(after)
            ended = used > 0 and left[used - 1] == "--" and not (options and options[-1][1] == "--")
            operands = after if ended else after[:1]
            items += [("", operand) for operand in operands]
            left = after[len(operands) :]
        return items

    def _with_optional_values(self, arguments: list[str]) -> list[str]:
        # getopt supports optional values only since Python 3.14.
        optional = {"--" + name.removesuffix("=?") for name in self.long if name.endswith("=?")}
        end = arguments.index("--") if "--" in arguments else len(arguments)
        return [one + "=" if one in optional else one for one in arguments[:end]] + arguments[end:]

    def _with_long_names(self, arguments: list[str]) -> list[str]:
        """Replace letters whose value is optional with long names: getopt lacks them before Python 3.14."""
        optional = {letter: self._long_name(letter) for letter in re.findall("([^:])::", self.short)}
        if not optional:
            return arguments
        found: list[str] = []
        left = list(arguments)
        while left:
            word = left.pop(0)
            if word == "--":
                return [*found, word, *left]
            letters = word[1:] if word.startswith("-") and not word.startswith("--") else ""
            at = next((at for at, letter in enumerate(letters) if letter + ":" in self.short), None)
            if at is not None and letters[at] in optional:
                value = f"--{optional[letters[at]]}={letters[at + 1 :]}"
                found += [f"-{letters[:at]}", value] if at else [value]
                continue
            found.append(word)
            takes = at is not None and at + 1 == len(letters)
            if left and (takes or f"{word.removeprefix('--')}=" in self.long):
                found.append(left.pop(0))
        return found

    def _long_name(self, letter: str) -> str:
        return next(name.rstrip("=?") for name, short in self.long.items() if short == letter)

    def _message(self, option: str) -> str:
        if option in self.refused:
            dashes = "-" if len(option) == 1 else "--"
            return f"option '{dashes}{option}' isn't supported here: {self.refused[option]}"
        if len(option) == 1:
            problem = "option requires an argument" if option + ":" in self.short else "invalid option"
            return f"{problem} -- '{option}'"
        names = [name.rstrip("?") for name in self._long]
        matches = [name for name in names if name.startswith(option)]
        exact = [name for name in matches if name.rstrip("=") == option] or matches
        if not exact:
            return f"unrecognized option '--{option}'"
        if len(exact) > 1:
            return f"option '--{option}' is ambiguous; possibilities: " + " ".join(
                f"'--{name.rstrip('=')}'" for name in exact
            )
        name = exact[0]
        if name.endswith("="):
            return f"option '--{name.rstrip('=')}' requires an argument"
        return f"option '--{name}' doesn't allow an argument"
