"""The options of `lsof`, as lsof(8) describes them: signs before letters, optional values, lists with exclusions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

# Options without a value, with one, and with one that may be left out or be the next word.
PLAIN = "abhlnNOPQRtUvVwX?"
VALUED = "cdpue"
OPTIONAL = "FgisSTL"
# Options that are refused, with what to use instead.
REFUSED = {
    "-A": "leave it out",
    "-D": "there is no cache of devices: leave it out",
    "-E": "pipes and local sockets aren't listed: leave it out",
    "+E": "pipes and local sockets aren't listed: leave it out",
    "-K": "processes have one thread: leave it out",
    "+L": "there are no hard links: use `find -links`",
    "+M": "there is no registry of ports: leave it out",
    "-Z": "there are no security contexts: leave it out",
    "-e": "there is one file system: leave it out",
    "-f": "put -- before the names",
    "+f": "flags of files aren't known: leave it out",
    "-k": "there is no kernel: leave it out",
    "-m": "there is one file system: leave it out",
    "+m": "there is one file system: leave it out",
    "-o": "the position in a file isn't known: leave it out",
    "-r": "use `watch lsof`",
    "+r": "use `watch lsof`",
    "-x": "links aren't followed: leave it out",
}
# The fields of -F that are known: of a process, and of a file.
OF_PROCESS, OF_FILE = "pgRcuL", "fatsPn"
_ADDRESS = re.compile(
    r"(?P<version>[46])?(?P<protocol>[A-Za-z]+)?(?:@(?P<host>[^:]*))?(?::(?P<ports>.*))?", re.DOTALL
)
_PORTS = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*")


class WrongOption(Exception):
    """An option is unknown, refused, or has a wrong value; the text says what to do."""


@dataclass(frozen=True)
class Words:
    """The words of a list, and those that are excluded by a ^."""

    wanted: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()

    def __or__(self, other: Words) -> Words:
        return Words(self.wanted | other.wanted, self.excluded | other.excluded)


@dataclass(frozen=True)
class Address:
    """Ports: of which version of IP, protocol and host, each "" for any, in which ranges, of which none means all."""

    version: str
    protocol: str
    host: str | None
    ranges: tuple[tuple[int, int], ...]


@dataclass
class Request:
    """A parsed command line.

    Attributes:
        flags: The letters of the options without a value, and of `-s`, `-g` and `-T` if they stand alone.
        lists: The values of -p, -u, -d and -g.
        programs: Tests of programs' names: whether each excludes, and its function.
        addresses: The values of -i.
        folders: The values of +d and +D: a path, and whether it includes everything below.
        states: The states of sockets that are wanted (-s TCP:LISTEN); None for all.
        fields: The letters of -F, or "".
        width: The width of the names of programs; 0 for all of them.
        names: The operands.
    """

    flags: set[str] = field(default_factory=set[str])
    lists: dict[str, Words] = field(default_factory=dict[str, Words])
    programs: list[tuple[bool, Callable[[str], bool]]] = field(
        default_factory=list[tuple[bool, Callable[[str], bool]]]
    )
    addresses: list[Address] = field(default_factory=list[Address])
    folders: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    states: Words | None = None
    fields: str = ""
    width: int = 9
    names: list[str] = field(default_factory=list[str])


def parse(words: Sequence[str]) -> Request:
    """Return what a command line asks for.

    Raises:
        WrongOption: An option is unknown or refused, or has a wrong value.
    """
    request = Request()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            request.names += rest
            break
        if len(word) < 2 or word[0] not in "+-":
            request.names.append(word)
            continue
        _bundle(word[0], word[1:], rest, request)
    return request


def _bundle(sign: str, letters: str, rest: list[str], request: Request) -> None:
    """Take the options of a word, and their values from the rest of the line."""
    for at, letter in enumerate(letters, 1):
        value = letters[at:]
        if f"{sign}{letter}" in REFUSED:
            raise WrongOption(f"{sign}{letter} isn't supported: {REFUSED[f'{sign}{letter}']}")
        if sign == "+":
            return _plus(letter, value or (rest.pop(0) if rest else ""), request)
        if letter in PLAIN or letter == "M":
            request.flags.add(letter)
            continue
        if letter in VALUED:
            if not value and not rest:
                raise WrongOption(f"missing -{letter} option value")
            _value(letter, value or rest.pop(0), request)
        elif letter in OPTIONAL:
            if not value and rest and rest[0][:1] not in ("-", "+", "") and _takes_next(letter, rest[0]):
                value = rest.pop(0)
            _value(letter, value, request)
        else:
            raise WrongOption(f"illegal option character: {letter}")
        return None
    return None


def _takes_next(letter: str, word: str) -> bool:
    """Return whether the next word is an option's value, which for most must have its form."""
    forms = {"g": r"\^?\d[\d,^]*", "s": r"\w+:.*", "S": r"\d+", "T": r"[fqs]+", "L": r"\d+"}
    return letter not in forms or re.fullmatch(forms[letter], word) is not None


def _plus(letter: str, value: str, request: Request) -> None:
    if letter == "w":
        # Its next word was no value.
        if value:
            request.names.append(value)
    elif letter == "c":
        if not value.isdigit():
            raise WrongOption(f"+c width must be a number, not '{value}'")
        request.width = int(value)
    elif letter in "dD":
        if not value:
            raise WrongOption(f"missing +{letter} option value")
        request.folders.append((value, letter == "D"))
    else:
        raise WrongOption(f"illegal option character: {letter}")


def _value(letter: str, value: str, request: Request) -> None:
    if letter == "c":
        request.programs.append(_program(value))
    elif letter == "i":
        request.addresses.append(_address(value))
    elif letter == "F":
        request.fields = _fields(value)
    elif letter == "s" and value:
        request.states = _states(value)
    elif letter in "pudg" and value:
        request.lists[letter] = request.lists.get(letter, Words()) | _words(letter, value)
    if letter in "sgT":
        request.flags.add(letter)


def _words(letter: str, value: str) -> Words:
    words = [word for word in value.split(",") if word]
    if letter in "pg":
        wrong = next((word for word in words if not word.removeprefix("^").isdigit()), None)
        if wrong is not None:
            kind = "process" if letter == "p" else "process group"
            raise WrongOption(f"illegal {kind} ID: {wrong}")
    wanted, excluded = set[str](), set[str]()
    for word in words:
        bare = word.removeprefix("^")
        span = re.fullmatch(r"(\d+)-(\d+)", bare) if letter == "d" else None
        named = {str(number) for number in range(int(span[1]), int(span[2]) + 1)} if span else {bare}
        (excluded if word.startswith("^") else wanted).update(named)
    return Words(frozenset(wanted), frozenset(excluded))


def _program(value: str) -> tuple[bool, Callable[[str], bool]]:
    """Return whether the programs of a name are left out, and a test of names: a beginning, or a pattern."""
    pattern = re.fullmatch(r"/(.*)/([bix]*)", value, re.DOTALL)
    if pattern is None:
        name = value.removeprefix("^")
        return value.startswith("^"), lambda program: program.startswith(name)
    try:
        regex = re.compile(pattern[1], re.IGNORECASE if "i" in pattern[2] else 0)
    except re.error as problem:
        raise WrongOption(f"invalid regular expression: {value}: {problem}") from None
    return False, lambda program: regex.search(program) is not None


def _address(value: str) -> Address:
    match = _ADDRESS.fullmatch(value)
    if match is None:
        raise WrongOption(f"unacceptable Internet address in: -i {value}")
    protocol = (match["protocol"] or "").lower()
    if protocol not in ("", "tcp", "udp", "udplite"):
        raise WrongOption(f"unknown protocol name ({match['protocol']}) in: -i {value}")
    ports = match["ports"]
    if ports is not None and not _PORTS.fullmatch(ports):
        raise WrongOption(f"-i {value} isn't supported: name ports by their numbers, as in -i :8000")
    spans = [one.partition("-") for one in (ports or "").split(",") if one]
    ranges = tuple((int(first), int(last or first)) for first, _, last in spans)
    return Address(match["version"] or "", protocol, match["host"], ranges)


def _states(value: str) -> Words:
    protocol, _, names = value.partition(":")
    if protocol.lower() not in ("tcp", "udp") or not names:
        raise WrongOption(f"unknown -s protocol: {value}")
    # No port of UDP is open.
    return _words("s", names.upper()) if protocol.lower() == "tcp" else Words(frozenset({""}))


def _fields(value: str) -> str:
    known = OF_PROCESS + OF_FILE
    unknown = next((letter for letter in value if letter not in known), None)
    if not value or unknown is not None:
        problem = f"the field {unknown} isn't known" if value else "not all fields are known"
        raise WrongOption(f"-F {value}".rstrip() + f" isn't supported: {problem}: name some of {known}")
    return value
