"""How the commands read their options: getopt, in order, with GNU's messages."""

from __future__ import annotations

import getopt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from gemini_userland.invocation import Invocation


@dataclass(frozen=True)
class Number:
    """What an option's value has to be when it is a whole number: decimal, or hexadecimal after 0x.

    Attributes:
        complaint: What standard error says of another value, which stands for "{}".
        least: The smallest number that the command can work with.
    """

    complaint: str
    least: int = 0

    def takes(self, value: str) -> bool:
        """Whether `value` is such a number."""
        return NUMBER.fullmatch(value) is not None and _number(value) >= self.least


NUMBER = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|[0-9]+)")


def _number(value: str) -> int:
    return int(value, 16 if "x" in value.lower() else 10)


@dataclass(frozen=True)
class Arguments:
    """What was given on a command line.

    Attributes:
        items: Options and operands in the order given, as (name, value). An option's name is its letter, or
            its long name when it has no letter; an operand's is "".
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
        """Return the value that option `name` was given last."""
        return next((value for given, value in reversed(self.items) if given == name), default)

    @overload
    def number(self, name: str) -> int | None: ...
    @overload
    def number(self, name: str, default: int) -> int: ...
    def number(self, name: str, default: int | None = None) -> int | None:
        """Return the value that option `name` was given last, one of its syntax's `numbers`."""
        value = self.last(name)
        return _number(value) if value else default

    def all(self, name: str) -> list[str]:
        """Return every value that option `name` was given."""
        return [value for given, value in self.items if given == name]

    def winner(self, *names: str) -> str | None:
        """Return which of the options `names` came last: it overrides the others."""
        return next((given for given, _ in reversed(self.items) if given in names), None)


@dataclass(frozen=True)
class Syntax:
    """The options of a command.

    Attributes:
        help: What `--help` prints. Its first line is the usage.
        short: Letters, as for `getopt`: a colon follows one that takes a value.
        long: Long names, each with the letter or name that it stands for; "=" ends one that takes a value,
            "=?" one that may.
        wrong_usage: Exit code when the options are wrong.
        advice: What standard error says after that, when not the usual sentence.
        answer: Letters that stand for `help` and `version`.
        version: What `--version` prints, when not the usual sentence.
        numbers: The options whose value is a number.
    """

    help: str
    short: str = ""
    long: Mapping[str, str] = field(default_factory=dict[str, str])
    wrong_usage: int = 1
    advice: str = ""
    answer: Mapping[str, str] = field(default_factory=dict[str, str])
    version: str = ""
    numbers: Mapping[str, Number] = field(default_factory=dict[str, Number])

    def parse(self, invocation: Invocation, arguments: Sequence[str] | None = None) -> Arguments | int:
        """Read `arguments` (the invocation's unless given), or answer `--help`, `--version` and mistakes.

        An int is the exit code of a call that is answered already.
        """
        try:
            items = self._read(list(invocation.argv[1:] if arguments is None else arguments))
        except getopt.GetoptError as mistake:
            return self.mistake(invocation, self._complaint(mistake.opt))
        given = Arguments(items)
        if "help" in given:
            invocation.print(self.help.strip("\n"))
            return 0
        if "version" in given:
            usual = f"{invocation.name}: part of the shell of gemini-surface, after the GNU command"
            invocation.print(self.version or usual)
            return 0
        optional = {name for option, name in self.long.items() if option.endswith("=?")}
        for name, value in items:
            number = self.numbers.get(name)
            if number is not None and not number.takes(value) and (value or name not in optional):
                invocation.error(number.complaint.replace("{}", value))
                return self.wrong_usage
        return given

    def mistake(self, invocation: Invocation, complaint: str) -> int:
        """Write `complaint` and where help is, and return the exit code."""
        invocation.error(complaint)
        advice = self.advice or f"Try '{invocation.name} --help' for more information."
        invocation.stderr.write(f"{advice}\n".encode("utf-8", "surrogateescape"))
        return self.wrong_usage

    @property
    def _long(self) -> dict[str, str]:
        return {**self.long, "help": "help", "version": "version"}

    def _read(self, left: list[str]) -> list[tuple[str, str]]:
        left = self._with_optional_values(left)
        names = [name.removesuffix("?") for name in self._long]
        meaning = {**{name.rstrip("=?"): short for name, short in self._long.items()}, **self.answer}
        items: list[tuple[str, str]] = []
        while left:
            options, after = getopt.getopt(left, self.short, names)
            items += [(meaning.get(name.lstrip("-"), name.lstrip("-")), value) for name, value in options]
            # getopt stops at "--", which it takes, or before an operand, which it leaves.
            used = len(left) - len(after)
            ended = used > 0 and left[used - 1] == "--" and not (options and options[-1][1] == "--")
            operands = after if ended else after[:1]
            items += [("", operand) for operand in operands]
            left = after[len(operands) :]
        return items

    def _with_optional_values(self, arguments: list[str]) -> list[str]:
        # getopt knows optional values from Python 3.14 on only.
        optional = {"--" + name.removesuffix("=?") for name in self.long if name.endswith("=?")}
        end = arguments.index("--") if "--" in arguments else len(arguments)
        return [one + "=" if one in optional else one for one in arguments[:end]] + arguments[end:]

    def _complaint(self, option: str) -> str:
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
