"""The options of tar, in all three styles."""

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
Create, list, extract and update archives.

  tar czf site.tgz public       create a compressed archive of the directory public
  tar tvf site.tgz              list its contents
  tar xf site.tgz -C elsewhere  extract it to elsewhere

Operations:
  -c, --create          create an archive of the FILEs
  -x, --extract, --get  extract all members, or those named FILE
  -t, --list            list all members, or those named FILE
  -r, --append          append the FILEs
  -u, --update          append the FILEs that are newer than in the archive

Files:
  -f, --file=ARCHIVE    use ARCHIVE; - is standard input or output (default)
  -C, --directory=DIR   change to DIR for the FILEs that follow, or for extraction
  -T, --files-from=LIST  read more FILEs from LIST, one per line (with --null: separated with NUL)
      --exclude=PATTERN, -X, --exclude-from=LIST
                        exclude names that contain a match of PATTERN, or of a pattern in LIST
                        (with --anchored: that begin with a match)
      --wildcards       FILEs are patterns, with -x and -t
  -z, --gzip  -j, --bzip2  -J, --xz  --zstd  -a, --auto-compress (by the archive's suffix)
                        select the compression; when reading it is detected

Options:
  -v, --verbose         print the name of each member; -vv, or -v with -t, prints details
      --strip-components=N  remove the first N directories of each name
  -O, --to-stdout       print the contents instead of writing files
  -k, --keep-old-files  fail for existing files; --skip-old-files skips them
  -m, --touch           don't restore modification times
  -p, --preserve-permissions  don't apply the umask
  -h, --dereference     archive the targets of links
  -P, --absolute-names  don't change unsafe names, and trust those in the archive
      --no-recursion    archive directories without their contents
      --owner=NAME[:ID]  --group=NAME[:ID]  --mtime=DATE
                        archive with this owner, group, time
      --numeric-owner   list IDs instead of names
  -H, --format=gnu|pax|posix|ustar
                        select the format

Unless -P is given, nothing is extracted outside of the target directory: names with '..', links that lead out of
it and devices are refused and reported on standard error. On systems without hard links, they become copies. GNU
tar's -A, -d, --delete and -I are not supported.
""",
)


def unbundled(arguments: list[str]) -> list[str] | str:
    """Convert old-style options (`tar czf x.tgz dir`) to dashed ones; a str is an error message."""
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
