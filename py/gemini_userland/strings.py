"""`strings`: print the printable strings in files (GNU binutils manual)."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import encode, read

SYNTAX = Syntax(
    numbers={"n": Number("invalid minimum string length {}", minimum=1)},
    short="adfn:t:oe:s:wU:T:",
    long={
        "all": "a",
        "data": "d",
        "print-file-name": "f",
        "bytes=": "n",
        "radix=": "t",
        "encoding=": "e",
        "output-separator=": "s",
        "include-all-whitespace": "w",
        "unicode=": "U",
        "target=": "T",
    },
    help="""
Usage: strings [OPTION]... [FILE]...
Print each text of at least 4 printable characters in each FILE, or in standard input.

  -n, --bytes=N         print texts of at least N characters
  -t, --radix={o,d,x}   print where a text begins; -o is -t o
  -f, --print-file-name  print the name of the file before each text
  -e, --encoding=E      s (7 bits, the default), S (8 bits), b, l (16 bits, big or little endian), B, L (32 bits)
  -w, --include-all-whitespace  line breaks and the like are printable, too
  -s, --output-separator=TEXT   print TEXT after each text instead of a newline
  -a, --all             read the whole file, as always here
""",
)
WIDTHS = {"s": 1, "S": 1, "b": 2, "l": 2, "B": 4, "L": 4}
RADIXES = {"o": "%7o ", "d": "%7d ", "x": "%7x "}


async def strings(invocation: Invocation) -> int:
    """Print the strings; return 1 if a file can't be read."""
    arguments = [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in invocation.argv[1:]]
    given = SYNTAX.parse(invocation, arguments)
    if isinstance(given, int):
        return given
    encoding = given.last("e", "s")
    if encoding not in WIDTHS or given.last("t", "o") not in RADIXES:
        return SYNTAX.usage_error(
            invocation, "use one of s, S, b, l, B and L for -e, and of o, d and x for -t"
        )
    if given.last("U", "d") not in ("d", "default") or "T" in given or "d" in given:
        invocation.error("-d, -T and -U aren't supported: -a reads the whole file, -e chooses the encoding")
        return 1
    pattern = _pattern(encoding, given.number("n", 4), "w" in given)
    # A `-` stands for -a.
    names = [name for name in given.operands if name != "-"]
    if given.operands and not names:
        return SYNTAX.usage_error(invocation, "missing file: without one, `strings` reads standard input")
    status = 0
    for name in names or ["-"]:
        try:
            data = read(invocation, name)
        except FileNotFoundError:
            invocation.error(f"'{name}': No such file")
            status = 1
        except IsADirectoryError:
            invocation.error(f"Warning: '{name}' is a directory")
            status = 1
        except OSError as error:
            invocation.error(f"{name}: {error.strerror}")
            status = 1
        else:
            _print(invocation, given, "{standard input}" if name == "-" else name, data, pattern)
    return status


def _pattern(encoding: str, least: int, whitespace: bool) -> re.Pattern[bytes]:
    blanks = rb"\t-\r" if whitespace else rb"\t"
    high = rb"\x80-\xff" if encoding == "S" else b""
    character = rb"[ -~%s%s]" % (blanks, high)
    zeros = b"\\0" * (WIDTHS[encoding] - 1)
    character = zeros + character if encoding in "bB" else character + zeros
    return re.compile(rb"(?:%s){%d,}" % (character, least))


def _print(
    invocation: Invocation, given: Arguments, name: str, data: bytes, pattern: re.Pattern[bytes]
) -> None:
    radix = next((value or "o" for option, value in reversed(given.items) if option in ("t", "o")), None)
    wide = WIDTHS[given.last("e", "s")] > 1
    after = encode(given.last("s", "\n"))
    for match in pattern.finditer(data):
        head = encode(f"{name}: ") if "f" in given else b""
        place = (RADIXES[radix] % match.start()).encode() if radix else b""
        found = match[0].replace(b"\0", b"") if wide else match[0]
        invocation.stdout.write(head + place + found + after)
