"""The options of `diff`, and which differences they ignore (GNU diffutils manual, 16.1)."""

from __future__ import annotations

import re
from collections.abc import Callable

from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.patterns import compile_posix

_LINES = Number("invalid context length '{}'")
SYNTAX = Syntax(
    numbers={
        "U": _LINES,
        "C": _LINES,
        "W": Number("invalid width '{}'", minimum=1),
        "tabsize": Number("invalid tabsize '{}'", minimum=1),
        "horizon-lines": Number("invalid horizon length '{}'"),
    },
    short="abBcC:dD:eEfF:hHiI:lL:nNpPqrsS:tTuU:vwW:x:X:yZ",
    long={
        "text": "a",
        "ignore-space-change": "b",
        "ignore-blank-lines": "B",
        "context=?": "C",
        "minimal": "d",
        "ifdef=": "D",
        "ed": "e",
        "ignore-tab-expansion": "E",
        "forward-ed": "f",
        "show-function-line=": "F",
        "speed-large-files": "H",
        "ignore-case": "i",
        "ignore-matching-lines=": "I",
        "paginate": "l",
        "label=": "label",
        "rcs": "n",
        "new-file": "N",
        "show-c-function": "p",
        "unidirectional-new-file": "unidirectional-new-file",
        "brief": "q",
        "recursive": "r",
        "report-identical-files": "s",
        "starting-file=": "S",
        "expand-tabs": "t",
        "initial-tab": "T",
        "unified=?": "U",
        "ignore-all-space": "w",
        "width=": "W",
        "exclude=": "x",
        "exclude-from=": "X",
        "side-by-side": "y",
        "ignore-trailing-space": "Z",
        "color=?": "color",
        "palette=": "palette",
        "from-file=": "from-file",
        "to-file=": "to-file",
        "horizon-lines=": "horizon-lines",
        "ignore-file-name-case": "ignore-file-name-case",
        "no-ignore-file-name-case": "no-ignore-file-name-case",
        "left-column": "left-column",
        "no-dereference": "no-dereference",
        "normal": "normal",
        "strip-trailing-cr": "strip-trailing-cr",
        "suppress-blank-empty": "suppress-blank-empty",
        "suppress-common-lines": "suppress-common-lines",
        "tabsize=": "tabsize",
        "line-format=": "line-format",
        **{f"{kind}-group-format=": "line-format" for kind in ("old", "new", "changed", "unchanged")},
        **{f"{kind}-line-format=": "line-format" for kind in ("old", "new", "unchanged")},
    },
    answer={"L": "label", "P": "unidirectional-new-file", "v": "version"},
    wrong_usage=2,
    help="""
Usage: diff [OPTION]... FILE1 FILE2
Compare two files line by line, or the files of two directories.

  --normal                the normal format (default)
  -u, -U NUMBER           the unified format, with NUMBER lines of context (default 3)
  -c, -C NUMBER           the context format, with NUMBER lines of context (default 3)
  -y, --side-by-side      two columns; -W NUMBER is their width, --left-column and --suppress-common-lines print less
  -e, -f, -n              an ed script, one in forward order, the format of RCS
  -q, --brief             only report whether files differ
  -s                      report identical files, too
  -r, --recursive         compare subdirectories
  -N, --new-file          treat missing files as empty; -P only missing first ones
  -x PATTERN, -X FILE     leave files out whose names match PATTERN, or one in FILE
  -S FILE                 start with FILE when comparing directories
  --from-file=FILE, --to-file=FILE  compare FILE with all operands
  -i, -b, -w, -B          ignore case, changes of white space, all white space, empty lines
  -E, -Z                  ignore tab expansion, white space at the end of lines
  -I REGEX                ignore changes whose lines all match REGEX
  --strip-trailing-cr     ignore carriage returns at the end of lines
  -p, -F REGEX            print the function, or the last line that matches REGEX, before each change
  --label=LABEL           use LABEL instead of the file name and time
  -a, --text              compare binary files as text
  -t, -T                  expand tabs, align tabs by one more
  -d, --minimal           find the smallest set of changes
  --color[=WHEN]          color the changes: always, never, auto (on a terminal); --palette=NAME=SGR:... changes colors
""",
)
FORMATS = {
    **{"u": "unified", "U": "unified", "c": "context", "C": "context", "y": "y"},
    **{"normal": "normal", "e": "e", "f": "f", "n": "n"},
}
_LINE_FORMATS = "line and group formats aren't supported: use -u, or difflib in Python"
UNSUPPORTED = {
    "D": "-D isn't supported: use `git merge-file`, or -u",
    "l": "-l isn't supported: use `diff FILE1 FILE2 | less`",
    "line-format": _LINE_FORMATS,
    "ignore-file-name-case": "--ignore-file-name-case isn't supported: rename the files first",
    "no-dereference": "--no-dereference isn't supported: use `readlink` for links",
}


def old_context(arguments: list[str]) -> list[str]:
    """Return arguments in which the number of `-5u` or `-2c` is the value of the format."""
    found: list[str] = []
    for word in arguments:
        match = re.fullmatch(r"-(\d+)([uc]?)(\w*)", word)
        if match is None:
            found.append(word)
        else:
            letter = match[2].upper()
            found += [f"-{letter or 'U'}{match[1]}" if letter else f"-U{match[1]}"]
            found += [f"-{match[3]}"] if match[3] else []
    return found


def normalizer(given: Arguments) -> Callable[[bytes], bytes]:
    """Return the function that normalizes lines for comparison."""

    def key(row: bytes) -> bytes:
        end = b"\n" if row.endswith(b"\n") else b""
        text = row.removesuffix(b"\n")
        if "w" in given:
            text, end = re.sub(rb"\s", b"", text), b"\n"
        elif "b" in given:
            text, end = re.sub(rb"\s+", b" ", text).rstrip(), b"\n"
        else:
            if "E" in given:
                text = text.expandtabs(given.number("tabsize", 8))
            if "Z" in given:
                text, end = text.rstrip(), b"\n"
        return (text.lower() if "i" in given else text) + end

    return key


def ignores(given: Arguments) -> Callable[[bytes], bool] | None:
    """Return whether a changed line is ignored, or None if none is."""
    patterns = [compile_posix(text, extended=False) for text in given.all("I")]
    if not patterns and "B" not in given:
        return None
    white = "b" in given or "w" in given or "Z" in given

    def ignored(line: bytes) -> bool:
        text = line.removesuffix(b"\n")
        if "B" in given and not (text.strip() if white else text):
            return True
        return any(pattern.search(text) for pattern in patterns)

    return ignored
