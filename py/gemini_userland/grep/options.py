"""The options of `grep`."""

from __future__ import annotations

import sys

from gemini_userland.options import Arguments, Number, Syntax

SYNTAX = Syntax(
    numbers={
        **{letter: Number("{}: invalid context length argument") for letter in "ABC"},
        "m": Number("invalid max count", minimum=-sys.maxsize),
    },
    short="aA:bB:cC:d:D:e:Ef:FGhHiIlLm:noPqrRsTUvVwxyzZ0123456789",
    long={
        "regexp=": "e",
        "file=": "f",
        "extended-regexp": "E",
        "fixed-strings": "F",
        "basic-regexp": "G",
        "perl-regexp": "P",
        "ignore-case": "i",
        "no-ignore-case": "no-ignore-case",
        "invert-match": "v",
        "word-regexp": "w",
        "line-regexp": "x",
        "count": "c",
        "color=?": "color",
        "colour=?": "color",
        "files-without-match": "L",
        "files-with-matches": "l",
        "max-count=": "m",
        "only-matching": "o",
        "quiet": "q",
        "silent": "q",
        "no-messages": "s",
        "byte-offset": "b",
        "with-filename": "H",
        "no-filename": "h",
        "line-number": "n",
        "line-buffered": "line-buffered",
        "label=": "label",
        "initial-tab": "T",
        "null": "Z",
        "null-data": "z",
        "after-context=": "A",
        "before-context=": "B",
        "context=": "C",
        "group-separator=": "separator",
        "no-group-separator": "no-separator",
        "text": "a",
        "binary": "U",
        "binary-files=": "binary-files",
        "directories=": "d",
        "devices=": "D",
        "recursive": "r",
        "dereference-recursive": "R",
        "include=": "include",
        "exclude=": "exclude",
        "exclude-from=": "exclude-from",
        "exclude-dir=": "exclude-dir",
    },
    answer={"V": "version"},
    wrong_usage=2,
    help="""
Usage: grep [OPTION]... PATTERN [FILE]...
Print the lines of each FILE, or of standard input, that match PATTERN.

  -E, -F, -P, -G          PATTERN is extended, plain text, Perl-compatible, basic (default)
  -e PATTERN, -f FILE     use PATTERN, may be repeated; read patterns from FILE, one per line
  -i, -v, -w, -x          ignore case; select lines that don't match; match whole words; match whole lines
  -c, -l, -L, -q          print counts; names of files with matches, without matches; nothing
  -o, -n, -b              print only the matches; with line numbers; with offsets in bytes
  -h, -H, -Z              print no file names; file names; a null byte after file names
  -T, --label=NAME        begin lines at a tab stop; NAME stands for standard input
  -A, -B, -C NUMBER       print NUMBER lines after, before, around each match
  --group-separator=TEXT  print TEXT between such groups instead of --; --no-group-separator prints nothing
  -m NUMBER               stop after NUMBER lines of a file
  -r, -R                  search directories; filter with --include, --exclude, --exclude-from, --exclude-dir
  -d, -D ACTION           read, recurse into (-d) or skip directories; read or skip devices
  -z                      lines end with a null byte
  -a, -I, -s              treat binary files as text; skip them; hide messages about unreadable files
  --color=WHEN            color matches: always, never, auto
  -U, -u, --line-buffered  accepted; they change nothing here
""",
)
_MATCHERS = "EFGP"
_CHOICES = {
    "d": ("read", "recurse", "skip"),
    "D": ("read", "skip"),
    "binary-files": ("binary", "text", "without-match"),
    "color": ("always", "yes", "force", "never", "no", "none", "auto", "tty", "if-tty", ""),
}
_WORDS = {
    "d": "invalid argument '{}' for '--directories'",
    "D": "unknown devices method",
    "binary-files": "unknown binary-files type",
    "color": "invalid argument '{}' for '--color': use always, never or auto",
}


def problem_with(given: Arguments) -> str | None:
    """Return the problem with the options' values, or None."""
    if len({name for name, _ in given.items if name and name in _MATCHERS}) > 1:
        return "conflicting matchers specified"
    for name, choices in _CHOICES.items():
        for value in given.all(name):
            if value not in choices:
                return _WORDS[name].replace("{}", value)
    return None


def binary_mode(given: Arguments) -> str:
    """Return what to do with binary files: `binary`, `text` or `without-match`."""
    modes = {"a": "text", "I": "without-match"}
    chosen = [modes.get(name, value) for name, value in given.items if name in ("a", "I", "binary-files")]
    return chosen[-1] if chosen else "binary"
