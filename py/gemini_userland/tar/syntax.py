"""tar's options, in all three of its styles."""

from __future__ import annotations

from gemini_userland.options import Syntax

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
Pack files into an archive, or get them out of one.

  tar czf site.tgz public       pack the directory public, compressed
  tar tvf site.tgz              list what is in it
  tar xf site.tgz -C elsewhere  unpack it in elsewhere

What to do:
  -c, --create          make an archive of the FILEs
  -x, --extract, --get  unpack it, or the members named FILE
  -t, --list            list it, or the members named FILE
  -r, --append          add FILEs at its end
  -u, --update          add those FILEs that are newer than in it

With what:
  -f, --file=ARCHIVE    this archive; - is standard input or output, and is meant when -f isn't given
  -C, --directory=DIR   take the FILEs that follow from DIR, or unpack there
  -T, --files-from=LIST  read more FILEs from LIST, one a line (with --null: each ends with NUL)
      --exclude=PATTERN, -X, --exclude-from=LIST
                        leave out what PATTERN, or one in LIST, matches anywhere in its name
                        (with --anchored: from its start)
      --wildcards       FILEs are patterns, with -x and -t
  -z, --gzip  -j, --bzip2  -J, --xz  --zstd  -a, --auto-compress (as the archive's name ends)
                        how to compress; reading finds it out by itself

How:
  -v, --verbose         name each member; -vv, or -v with -t, with details
      --strip-components=N  drop the first N directories of each name
  -O, --to-stdout       print the contents instead of making files
  -k, --keep-old-files  fail for files that exist; --skip-old-files leaves them in peace
  -m, --touch           modified now, not when the archive says
  -p, --preserve-permissions  don't apply the umask
  -h, --dereference     pack what links point to
  -P, --absolute-names  keep names as they are, and trust those in the archive
      --no-recursion    pack directories without what is in them
      --owner=NAME[:ID]  --group=NAME[:ID]  --mtime=DATE
                        pack with this owner, group, time
      --numeric-owner   list IDs, not names
  -H, --format=gnu|pax|posix|ustar

Nothing is unpacked outside of the target directory: a name with '..', a link that points out of it, or a
device is refused and named on standard error, unless -P is given. Where the system has no hard links, copies
are made. -A, -d, --delete and -I of GNU tar are not supported.
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
