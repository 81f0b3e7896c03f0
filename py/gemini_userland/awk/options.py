"""The arguments of awk (gawk's manual, "Command-Line Options")."""

from __future__ import annotations

from dataclasses import dataclass, field

from gemini_userland.awk.errors import WrongUsage
from gemini_userland.awk.main_input import assignment

HELP = """
Usage: awk [OPTION]... 'PROGRAM' [FILE|NAME=VALUE]...
       awk [OPTION]... -f PROGRAMFILE [FILE|NAME=VALUE]...
Run PROGRAM for the records of each FILE, or of standard input.

  -f, --file=FILE             read the program from FILE; with several, from all of them
  -F, --field-separator=TEXT  set FS
  -v, --assign=NAME=VALUE     set a variable before the program begins
  -e, --source=TEXT           the program, or a part of it
  -E, --exec=FILE             as -f, and the options end here
  -i, --include=FILE          read functions from FILE; `-i inplace` changes the input files
  -k, --csv                   the input is comma-separated values
  -n, --non-decimal-data      0x1F and 017 in the input are numbers
  -S, --sandbox               refuse commands and output to files
      --version               print the version
"""
# What can't be done here, and what to do instead.
_REFUSED = {
    "-M": "-M isn't supported: use bc or python3 for large numbers",
    "-b": "-b isn't supported: characters are counted; use wc -c, od or python3 for bytes",
    "-l": "-l isn't supported: there are no extension libraries",
    "-D": "-D isn't supported: there is no debugger",
    "-o": "-o isn't supported: programs can't be printed",
    "-p": "-p isn't supported: programs can't be profiled",
    "-d": "-d isn't supported: variables can't be listed; print them in END",
    "-g": "-g isn't supported: there are no translations",
}
# The long options and their letters. `?` stands for what changes nothing here.
_LONG = {
    "file": "f", "field-separator": "F", "assign": "v", "source": "e", "exec": "E", "include": "i", "csv": "k",
    "characters-as-bytes": "b", "non-decimal-data": "n", "sandbox": "S", "version": "V", "help": "h",
    "bignum": "M", "load": "l", "debug": "D", "pretty-print": "o", "profile": "p", "dump-variables": "d",
    "gen-pot": "g", "posix": "P", "traditional": "c", "re-interval": "r", "use-lc-numeric": "N", "lint": "?",
    "lint-old": "t", "optimize": "O", "no-optimize": "s", "trace": "I",
}  # fmt: skip
_IGNORED = "PcrNtOsIL?"
_FLAGS = "kbnSVhMDopdg"
_VALUED = "fFveEil"


@dataclass
class CommandLine:
    """The arguments.

    Attributes:
        parts: The program: the letter of the option (`f`, `e` or `i`) and its value.
        settings: The values of -F and -v, in their order.
        operands: The files and assignments.
        flags: The letters of the options without a value.
        in_place: The output for each file replaces the file.
    """

    parts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    settings: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    operands: list[str] = field(default_factory=list[str])
    flags: set[str] = field(default_factory=set[str])
    in_place: bool = False

    def given(self) -> frozenset[str]:
        """Return the names of the variables that the arguments set."""
        operands = (found[0] for word in self.operands if (found := assignment(word)) is not None)
        return frozenset([*(name for name, _ in self.settings), *operands])


def read_arguments(words: list[str]) -> CommandLine:
    """Parse the arguments.

    Raises:
        WrongUsage: An option is unknown, refused or lacks its value, or there is no program.
    """
    line = CommandLine()
    left = list(words)
    executed = False
    while left and left[0].startswith("-") and left[0] != "-" and not executed:
        word = left.pop(0)
        if word == "--":
            break
        if line.parts and _is_unknown(word):
            # As in gawk, it is an argument of the program of -f.
            left.insert(0, word)
            break
        if word.startswith("-W"):
            word = f"--{word[2:] or (left.pop(0) if left else '')}"
        executed = (_long if word.startswith("--") else _short)(line, word, left)
        if line.flags & {"V", "h"}:
            return line
    if not any(letter in "fe" for letter, _ in line.parts):
        if not left:
            raise WrongUsage("no program")
        line.parts.append(("e", left.pop(0)))
    line.operands = left
    return line


def _long(line: CommandLine, word: str, left: list[str]) -> bool:
    name, equals, value = word[2:].partition("=")
    found = {letter for known, letter in _LONG.items() if known == name} or {
        letter for known, letter in _LONG.items() if name and known.startswith(name)
    }
    if name in ("interactive", "interactiv", "i"):
        # mawk's: its output isn't buffered.
        return False
    if len(found) != 1:
        raise WrongUsage(f"not an option: {word}")
    letter = found.pop()
    if letter in _VALUED and not equals:
        value = _next(word, left)
    return _take(line, letter, value)


def _is_unknown(word: str) -> bool:
    return not word.startswith("-W") and word[1:2] not in frozenset("-L" + _VALUED + _FLAGS + _IGNORED)


def _short(line: CommandLine, word: str, left: list[str]) -> bool:
    """Take the options of a word such as `-vx=1` or `-bf`; return whether it was the last one."""
    for at, letter in enumerate(word[1:], 1):
        if letter in _VALUED:
            return _take(line, letter, word[at + 1 :] or _next(word, left))
        if letter == "L":
            return False
        if letter not in _FLAGS + _IGNORED or letter == "?":
            raise WrongUsage(f"not an option: -{letter}")
        _take(line, letter, "")
    return False


def _next(word: str, left: list[str]) -> str:
    if not left:
        raise WrongUsage(f"option {word} requires a value")
    return left.pop(0)


def _take(line: CommandLine, letter: str, value: str) -> bool:
    if (reason := _REFUSED.get(f"-{letter}")) is not None:
        raise WrongUsage(reason)
    if letter == "i" and value in ("inplace", "inplace.awk"):
        line.in_place = True
    elif letter in "feiE":
        line.parts.append(("f" if letter == "E" else letter, value))
    elif letter in "Fv":
        given = assignment(f"FS={value}" if letter == "F" else value)
        if given is None:
            raise WrongUsage(f"improper assignment: -v {value}")
        line.settings.append(given)
    elif letter not in _IGNORED:
        line.flags.add(letter)
    return letter == "E"
