"""tar's options, in all three of its styles."""

from __future__ import annotations

from gemini.terminals.commands.options import Syntax

OPERATIONS = "crtux"

SYNTAX = Syntax(
    short="crtuxAdf:zjJaC:T:X:I:H:b:vOkmphPoSwW",
    long={
        "create": "c",
        "append": "r",
        "list": "t",
        "update": "u",
        "extract": "x",
        "get": "x",
        "catenate": "A",
        "concatenate": "A",
        "diff": "d",
        "compare": "d",
        "delete": "delete",
        "file=": "f",
        "gzip": "z",
        "gunzip": "z",
        "ungzip": "z",
        "bzip2": "j",
        "xz": "J",
        "zstd": "zstd",
        "auto-compress": "a",
        "use-compress-program=": "I",
        "directory=": "C",
        "files-from=": "T",
        "null": "null",
        "exclude=": "exclude",
        "exclude-from=": "X",
        "wildcards": "wildcards",
        "no-wildcards": "no-wildcards",
        "anchored": "anchored",
        "no-anchored": "no-anchored",
        "strip-components=": "strip-components",
        "verbose": "v",
        "to-stdout": "O",
        "keep-old-files": "k",
        "skip-old-files": "skip-old-files",
        "overwrite": "overwrite",
        "touch": "m",
        "preserve-permissions": "p",
        "same-permissions": "p",
        "no-same-permissions": "no-same-permissions",
        "no-same-owner": "o",
        "dereference": "h",
        "recursion": "recursion",
        "no-recursion": "no-recursion",
        "absolute-names": "P",
        "numeric-owner": "numeric-owner",
        "owner=": "owner",
        "group=": "group",
        "mtime=": "mtime",
        "format=": "H",
        "sort=": "sort",
        "blocking-factor=": "b",
    },
    wrong_usage=64,
    advice="Try 'tar --help' or 'tar --usage' for more information.",
    help="""
Usage: tar {-c|-x|-t|-r|-u} [OPTION]... [FILE]...
Save many files in one archive, list it, or restore files from it.

  tar -czf archive.tar.gz foo bar   create archive.tar.gz from files foo and bar
  tar -tvf archive.tar              list all files in archive.tar verbosely
  tar -xf archive.tar -C dir        extract all files into dir

  -c, --create   -x, --extract, --get   -t, --list   -r, --append   -u, --update (append what is newer)
  -f, --file=ARCHIVE       use the archive file; - is standard input or output, and the default
  -C, --directory=DIR      change to DIR before what follows
  -z, --gzip   -j, --bzip2   -J, --xz   --zstd   -a, --auto-compress (by the archive's suffix)
                           reading finds the compression out by itself
  -v, --verbose            list what is processed; twice: with details
  -T, --files-from=FILE    take names from FILE, one a line (--null: each ends with NUL)
      --exclude=PATTERN    leave out what matches;  -X, --exclude-from=FILE: patterns from FILE
      --wildcards          the names to list or extract are patterns
      --anchored           --exclude matches from the start of names only
      --strip-components=N drop the first N components of names when extracting
  -O, --to-stdout          write the files' contents to standard output
  -k, --keep-old-files     replacing a file is an error; --skip-old-files: or silently left out
  -m, --touch              do not restore modification times
  -p, --preserve-permissions  ignore the umask
  -h, --dereference        archive what links point to
  -P, --absolute-names     keep leading slashes and trust names, links and special files
      --no-recursion       do not descend into directories
      --owner=NAME  --group=NAME  --mtime=DATE  --numeric-owner  --sort=name
  -H, --format={gnu|pax|posix|ustar}

Members are extracted below the target directory only: a name with '..', a link that points out of it, or a
device is refused and named on standard error, unless -P is given. Where the system has no hard links, copies
are made. Of GNU tar's operations, -A, -d and --delete are not supported, nor are programs with -I.
""",
)


def unbundled(arguments: list[str]) -> list[str] | str:
    """Turn old-style options (`tar czf x.tgz dir`) into dashed ones; a str is a complaint."""
    if not arguments or arguments[0].startswith("-"):
        return arguments
    letters, left = arguments[0], arguments[1:]
    dashed: list[str] = []
    for letter in letters:
        dashed.append("-" + letter)
        if letter + ":" in SYNTAX.short:
            if not left:
                return f"Old option '{letter}' requires an argument."
            dashed.append(left.pop(0))
    return dashed + left
