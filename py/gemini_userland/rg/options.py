"""The options of `rg`.

Source: ripgrep's manual page, rg(1).
"""

from __future__ import annotations

import sys

from gemini_userland.options import Number, Syntax

_FLAGS = """
auto-hybrid-regex binary block-buffered column count-matches crlf debug files files-without-match
glob-case-insensitive heading ignore-file-case-insensitive include-zero json line-buffered max-columns-preview mmap
multiline-dotall no-config no-heading no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global
no-ignore-messages no-ignore-parent no-ignore-vcs no-messages no-mmap no-pcre2-unicode no-require-git no-unicode
one-file-system passthru pcre2-version pcre2-unicode stats trace trim type-list vimgrep
no-column no-hidden no-context-separator no-ignore-case no-trim no-stats no-json no-crlf no-follow no-text ignore
no-binary no-pcre2 unicode messages require-git no-block-buffered no-line-buffered no-multiline no-multiline-dotall
no-fixed-strings no-pre no-search-zip
"""
_VALUES = """
color colors context-separator engine field-context-separator field-match-separator iglob ignore-file max-depth
max-filesize path-separator pre pre-glob sort sortr type-add type-clear dfa-size-limit regex-size-limit
"""
LETTERS = {
    **{"after-context=": "A", "before-context=": "B", "context=": "C", "encoding=": "E", "file=": "f"},
    **{
        "regexp=": "e",
        "glob=": "g",
        "max-columns=": "M",
        "max-count=": "m",
        "replace=": "r",
        "threads=": "j",
    },
    **{"type=": "t", "type-not=": "T", "byte-offset": "b", "case-sensitive": "s", "count": "c"},
    **{"files-with-matches": "l", "fixed-strings": "F", "follow": "L", "hidden": ".", "ignore-case": "i"},
    **{"invert-match": "v", "line-number": "n", "line-regexp": "x", "multiline": "U", "no-filename": "I"},
    **{"no-line-number": "N", "null": "0", "null-data": "null-data", "only-matching": "o", "pcre2": "P"},
    **{"pretty": "p", "quiet": "q", "search-zip": "z", "smart-case": "S", "text": "a", "unrestricted": "u"},
    **{"with-filename": "H", "word-regexp": "w", "maxdepth=": "max-depth", "passthrough": "passthru"},
}
COUNTS = {
    letter: Number("error: Invalid value for '-" + letter + "': invalid digit found in string")
    for letter in "ABC"
}
SYNTAX = Syntax(
    short="A:B:C:E:f:e:g:M:m:r:j:t:T:bscFL.iIlNn0oPpqzSauHwxUvVh",
    long={
        **LETTERS,
        **{name: name for name in _FLAGS.split()},
        **{f"{name}=": name for name in _VALUES.split()},
    },
    numbers={
        **COUNTS,
        "M": Number("error: Invalid value for '-M': invalid digit found in string"),
        "m": Number("error: Invalid value for '-m': invalid digit found in string", minimum=-sys.maxsize),
        "max-depth": Number("error: Invalid value for '--max-depth': invalid digit found in string"),
    },
    answer={"V": "version", "h": "help"},
    version="ripgrep 13.0.0 (part of the shell of control-surface, modelled on it)",
    wrong_usage=2,
    help="""
Usage: rg [OPTION]... PATTERN [PATH]...
       rg [OPTION]... --files [PATH]...
Search files below each PATH, by default the working directory, for lines that match PATTERN. Hidden and binary
files and those that .gitignore, .ignore and .rgignore name are left out.

  -e PATTERN, -f FILE        use PATTERN, may be repeated; read patterns from FILE
  -F, -i, -s, -S             plain text; ignore case; don't; ignore it unless PATTERN has capitals
  -w, -x, -v                 match whole words; whole lines; print the other lines
  -U, --multiline-dotall     let matches span lines; let `.` match line breaks
  -P                         allow look-around and back-references
  -c, --count-matches, -l, --files-without-match, -q, --files   print counts; names; nothing; files to search
  -o, -r TEXT                print only the matches; replace them, with groups as $1 or ${name}
  -n, -N, --column, -b       print line numbers; don't; columns; offsets
  -H, -I, --heading, -0      print file names; don't; above their lines; with a null byte after them
  -A, -B, -C NUM             print NUM lines after, before, around each match
  -m, -M NUM                 stop after NUM lines of a file; leave out lines longer than NUM bytes
  -g, --iglob GLOB           search only files that match, or with ! in front, that don't
  -t, -T TYPE                search only files of TYPE; don't; --type-list lists the types, --type-add adds one
  -., -u, -uu, -uuu          search hidden files; ignored files; both; binary files, too
  --no-ignore, --no-ignore-vcs, --ignore-file FILE, --max-depth NUM, --max-filesize SIZE, -L
  --sort, --sortr path|modified|accessed|created|none     the order, by default of paths
  -a, --binary, --crlf, --null-data, -E ENCODING
  --json, --vimgrep, --stats, --passthru, --trim, -p, --color=always|never|auto
""",
)
REFUSED = {
    "z": "-z isn't supported: search the output of `zcat FILE` instead",
    "pre": "--pre isn't supported: pipe the output of the command to rg instead",
    "pcre2-version": "--pcre2-version isn't supported: -P is Python's re, with look-around and back-references",
}
