"""The options of `ls`, `dir` and `vdir`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gemini_userland.block_sizes import HUMAN, SI, BlockSize, parse_block_size
from gemini_userland.counts import BadValue
from gemini_userland.options import Arguments, Syntax, synonyms
from gemini_userland.quoting import STYLES

SYNTAX = Syntax(
    short="1aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ",
    long={
        "all": "a",
        "almost-all": "A",
        "author": "author",
        "escape": "b",
        "block-size=": "block-size",
        "ignore-backups": "B",
        "color=?": "color",
        "directory": "d",
        "dired": "D",
        "classify=?": "classify",
        "file-type": "file-type",
        "format=": "format",
        "full-time": "full-time",
        "group-directories-first": "group-directories-first",
        "no-group": "G",
        "human-readable": "h",
        "si": "si",
        "dereference-command-line": "H",
        "dereference-command-line-symlink-to-dir": "to-dir",
        "hide=": "hide",
        "hyperlink=?": "hyperlink",
        "indicator-style=": "indicator-style",
        "inode": "i",
        "ignore=": "I",
        "kibibytes": "k",
        "dereference": "L",
        "numeric-uid-gid": "n",
        "literal": "N",
        "hide-control-chars": "q",
        "show-control-chars": "show-control-chars",
        "quote-name": "Q",
        "quoting-style=": "quoting-style",
        "reverse": "r",
        "recursive": "R",
        "size": "s",
        "sort=": "sort",
        "time=": "time",
        "time-style=": "time-style",
        "tabsize=": "T",
        "width=": "w",
        "context": "Z",
        "zero": "zero",
    },
    words={
        **dict.fromkeys(
            ("color", "classify", "hyperlink"),
            synonyms("always yes force", "never no none", "auto tty if-tty"),
        ),
        "format": synonyms("verbose long", "commas", "horizontal across", "vertical", "single-column"),
        "indicator-style": synonyms("none", "slash", "file-type", "classify"),
        "quoting-style": synonyms(*STYLES),
        "sort": synonyms("none", "time", "size", "extension", "version", "width"),
        "time": synonyms("atime access use", "ctime status", "birth creation"),
    },
    wrong_usage=2,
    help="""
Usage: ls [OPTION]... [FILE]...
List the files and the contents of the directories; by default the working directory.

  -a, --all                 include names that begin with a dot; -A, --almost-all leaves out . and ..
  -B, -I, --hide=PATTERN    leave out names that end with ~; that match PATTERN (--hide: not with -a or -A)
  -d, --directory           list directories themselves, not their contents
  -R, --recursive           list subdirectories
  -H, -L                    list what links lead to: of operands; of all
Format:
  -1, -C, -x, -m            one name per line; columns; rows; commas (--format=WORD); -w COLUMNS, -T COLUMNS
  -l                        permissions, links, owner, group, size, time and name; -g omits the owner, -o and -G
                            the group; -n prints IDs; --author, --full-time, --time-style=STYLE
  -F, --classify[=WHEN]     mark directories (/), links (@) and executables (*); -p marks only directories
                            (--file-type, --indicator-style=WORD)
  -h, --si, --block-size=N  print sizes such as 1.5K or 2M; in powers of 1000; in units
  -i, -s, -Z                print inode numbers; allocated sizes (-k: in KiB); security contexts (?)
  -b, -N, -q, -Q            escape names; print them as they are; with ? for control characters; in quotes
                            (--quoting-style=WORD)
      --color[=WHEN], --hyperlink[=WHEN], --zero
Order:
  -S, -t, -v, -X, -U        sort by size, time, version, extension, or not at all (--sort=WORD)
  -c, -u, --time=WORD       use the time of the status or of access
  -f                        print all names unsorted
  -r, --reverse             reverse the order
      --group-directories-first
""",
)
_FORMATS = {"C": "vertical", "x": "horizontal", "m": "commas", "1": "single-column", "zero": "single-column"}
_LONG = ("l", "g", "n", "o", "full-time")
_SORTS = {"S": "size", "t": "time", "v": "version", "X": "extension", "U": "none", "f": "none"}
_QUOTES = {"b": "escape", "N": "literal", "Q": "c", "zero": "literal"}
_INDICATORS = {"p": "slash", "file-type": "file-type", "F": "classify"}
# GNU's own columns and tab stops, if neither an option nor the environment says others.
_COLUMNS, _TAB = 80, 8


@dataclass(frozen=True)
class Choices:
    """The meaning of a call's options together; the last of those that contradict each other counts.

    Attributes:
        form: `verbose`, `vertical`, `horizontal`, `commas` or `single-column`.
        sort: A word of `--sort`, or `name`.
        time: `mtime`, `atime`, `ctime` or `birth`.
        quoting: A style of names.
        indicators: A word of `--indicator-style`.
        sizes: The unit of files' sizes.
        blocks: The unit of allocated sizes.
        columns: The width of a line; 0 is endless.
        tab: The distance of tab stops; 0 for blanks only.
    """

    form: str
    sort: str
    time: str
    quoting: str
    indicators: str
    sizes: BlockSize
    blocks: BlockSize
    columns: int
    tab: int


def choices(given: Arguments, name: str, env: Mapping[str, str], terminal: int | None = None) -> Choices:
    """Return the meaning of the options.

    Args:
        given: The options.
        name: The command's name.
        env: The environment.
        terminal: The columns of the terminal that the output is shown on; None if it is no terminal.

    Raises:
        BadValue: A value is invalid.
    """
    form = _form(
        given,
        {"dir": "vertical", "vdir": "verbose"}.get(name, "single-column" if terminal is None else "vertical"),
    )
    time = _last(given, {"c": "ctime", "u": "atime"}, "time", "mtime")
    # Without -l, the options that choose a time also sort by it.
    by_default = "time" if time != "mtime" and form != "verbose" else "name"
    quoting = env.get("QUOTING_STYLE", "")
    if quoting not in STYLES:
        quoting = "literal" if terminal is None else "shell-escape"
    sizes, blocks = _units(given)
    variable = env.get("COLUMNS", "")
    width = terminal or (int(variable) if variable.isdecimal() else _COLUMNS)
    variable = env.get("TABSIZE", "")
    # GNU's aligns colored names with blanks only.
    tab = 0 if is_shown(given, "color", terminal) else int(variable) if variable.isdecimal() else _TAB
    return Choices(
        form,
        _last(given, _SORTS, "sort", by_default),
        time,
        _last(given, _QUOTES, "quoting-style", "escape" if name in ("dir", "vdir") else quoting),
        _indicators(given, terminal),
        sizes,
        blocks,
        _number(given, "w", width, "invalid line width"),
        _number(given, "T", tab, "invalid tab size"),
    )


def is_shown(given: Arguments, option: str, terminal: int | None) -> bool:
    """Return whether an option with a WHEN, such as `--color`, is on.

    Args:
        given: The options.
        option: Its name.
        terminal: The columns of the output's terminal, or None.
    """
    if option == "color" and given.last_of("color", "f") == "f":
        return False
    when = given.last(option)
    return when in ("", "always") or (when == "auto" and terminal is not None)


def _form(given: Arguments, default: str) -> str:
    form = ""
    for option, value in given.items:
        if option in _LONG:
            form = "verbose"
        elif option == "format":
            form = value
        elif option == "f" and form == "verbose":
            form = ""
        # -1 has no effect behind -l.
        elif option in _FORMATS and not (option == "1" and form == "verbose"):
            form = _FORMATS[option]
    return form or default


def _last(given: Arguments, letters: Mapping[str, str], word: str, default: str) -> str:
    """Return the word that the last of some letters, or of a long option, means."""
    found = default
    for option, value in given.items:
        found = letters.get(option, value if option == word else found)
    return found


def _indicators(given: Arguments, terminal: int | None) -> str:
    found = "none"
    for option, value in given.items:
        if option == "classify":
            is_on = value in ("", "always") or (value == "auto" and terminal is not None)
            found = "classify" if is_on else found
        elif option == "indicator-style":
            found = value
        else:
            found = _INDICATORS.get(option, found)
    return found


def _units(given: Arguments) -> tuple[BlockSize, BlockSize]:
    sizes, blocks = BlockSize(), BlockSize(1024)
    for option, value in given.items:
        if option in ("h", "si"):
            sizes = blocks = HUMAN if option == "h" else SI
        elif option == "block-size":
            sizes = blocks = parse_block_size(value, "--block-size")
    return sizes, blocks


def _number(given: Arguments, letter: str, default: int, problem: str) -> int:
    value = given.last(letter)
    if value is None:
        return default
    if not re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", value):
        raise BadValue(f"{problem}: '{value}'")
    return int(value, 0) if value[1:2] in ("x", "X") else int(value, 8 if value.startswith("0") else 10)
