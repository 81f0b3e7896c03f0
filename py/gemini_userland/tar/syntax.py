"""The options of tar, in all three styles."""

from __future__ import annotations

from gemini_userland.options import Syntax

OPERATIONS = "crtux"

_TAPES = "archives are files of one part, not tapes: split one with `split -b SIZE`"
_INCREMENTAL = "there are no incremental backups: choose files by --newer=DATE"
_ASKS = "it asks nothing: list the archive with -t before"
_PROGRAMS = "extract the files, and run the program with `find … -exec`"
_EXISTING = "extract into an empty folder with -C"
_NAMES = "names are printed as they are, with \\\\, \\n and \\t for odd characters"
_ACCEPTED = (
    "check-device", "no-check-device", "no-seek", "sparse", "hole-detection=", "sparse-version=", "force-local",
    "rmt-command=", "rsh-command=", "read-full-records", "record-size=", "acls", "no-acls", "selinux", "no-selinux",
    "xattrs", "no-xattrs", "xattrs-exclude=", "xattrs-include=", "check-links", "warning=", "atime-preserve=?",
    "delay-directory-restore", "no-delay-directory-restore", "same-owner", "same-order", "preserve-order",
    "overwrite-dir", "unlink-first", "restrict", "one-file-system", "verify", "no-null", "unquote",
    "no-verbatim-files-from", "no-ignore-command-error",
)  # fmt: skip
"""The options that change nothing here: there are no devices, attributes beside permissions, and other owners."""
_REFUSED = {
    **dict.fromkeys(("F", "L", "M", "volno-file", "V", "test-label", "R"), _TAPES),
    **dict.fromkeys(("g", "G", "level"), _INCREMENTAL),
    "w": _ASKS,
    "K": "name the members",
    **dict.fromkeys(("to-command", "ignore-command-error", "checkpoint", "checkpoint-action"), _PROGRAMS),
    **dict.fromkeys(
        ("backup", "suffix", "keep-directory-symlink", "no-overwrite-dir", "recursive-unlink"), _EXISTING
    ),
    **dict.fromkeys(("quoting-style", "quote-chars", "no-quote-chars"), _NAMES),
    **dict.fromkeys(("owner-map", "group-map"), "use --owner and --group"),
    **dict.fromkeys(("exclude-ignore", "exclude-ignore-recursive"), "use -X FILE"),
    "exclude-vcs-ignores": "use -X .gitignore, whose patterns are alike, or `git ls-files | tar -T -`",
    "A": "extract both archives into a folder, and archive that",
    "d": "extract it with -C elsewhere, and use `diff -r`",
    "delete": "extract it, and archive the other files; or --exclude them when extracting",
    "occurrence": "the last member with a name is what stays when extracting",
    "hard-dereference": "hard links stay links: copy the files before",
    **dict.fromkeys(("Z", "lzip", "lzop"), "use -z, -j, -J or --zstd"),
    "v7": "use --format=ustar",
    "pax-option": "use --mtime, --owner and --format",
    "totals": "`tar cf - … | wc -c` counts the bytes",
    "show-omitted-dirs": "`tar -t` lists all",
    **dict.fromkeys(("show-defaults", "show-snapshot-field-ranges"), "tar --help says what ours does"),
}

SYNTAX = Syntax(
    short="crtuxAdf:zjJaC:T:X:I:H:b:vOkmphPoSwWnBisUlRZGMg:F:L:K:N:V:",
    refused=_REFUSED,
    long={
        **{name: "ignored" for name in _ACCEPTED},
        "add-file=": "",
        "seek": "n",
        "ignore-zeros": "i",
        "no-auto-compress": "no-auto-compress",
        "posix": "posix",
        "mode=": "mode",
        "clamp-mtime": "clamp-mtime",
        "remove-files": "remove-files",
        "keep-newer-files": "keep-newer-files",
        "one-top-level=?": "one-top-level",
        "exclude-vcs": "exclude-vcs",
        "exclude-backups": "exclude-backups",
        **{f"exclude-tag{ending}=": f"exclude-tag{ending}" for ending in ("", "-under", "-all")},
        **{f"exclude-caches{ending}": f"exclude-caches{ending}" for ending in ("", "-under", "-all")},
        "verbatim-files-from": "ignored",
        "no-unquote": "ignored",
        "ignore-case": "ignore-case",
        "no-ignore-case": "no-ignore-case",
        "wildcards-match-slash": "wildcards-match-slash",
        "no-wildcards-match-slash": "no-wildcards-match-slash",
        "ignore-failed-read": "ignore-failed-read",
        "transform=": "transform",
        "xform=": "transform",
        "show-transformed-names": "show-transformed-names",
        "show-stored-names": "show-transformed-names",
        "usage": "help",
        "starting-file=": "K",
        "newer=": "N",
        "after-date=": "N",
        "newer-mtime=": "N",
        "full-time": "full-time",
        "utc": "utc",
        "index-file=": "index-file",
        "lzma": "lzma",
        **{
            name: name.rstrip("=?")
            for name in (
                "test-label",
                "level=",
                "to-command=",
                "ignore-command-error",
                "checkpoint=?",
                "checkpoint-action=",
                "backup=?",
                "suffix=",
                "keep-directory-symlink",
                "no-overwrite-dir",
                "recursive-unlink",
                "quoting-style=",
                "quote-chars=",
                "no-quote-chars=",
                "owner-map=",
                "group-map=",
                "exclude-ignore=",
                "exclude-ignore-recursive=",
                "exclude-vcs-ignores",
                "occurrence=?",
                "hard-dereference",
                "lzip",
                "lzop",
                "pax-option=",
                "totals=?",
                "show-omitted-dirs",
                "show-defaults",
                "show-snapshot-field-ranges",
                "volno-file=",
            )
        },  # fmt: skip
        "listed-incremental=": "g",
        "incremental": "G",
        "interactive": "w",
        "confirmation": "w",
        "info-script=": "F",
        "new-volume-script=": "F",
        "tape-length=": "L",
        "multi-volume": "M",
        "label=": "V",
        "block-number": "R",
        "compress": "Z",
        "uncompress": "Z",
        "old-archive": "v7",
        "portability": "v7",
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
        "no-same-owner": "no-same-owner",
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
      --mode=MODE       archive with these permissions
      --transform=s/PATTERN/TEXT/  change the names with sed's s
      --one-top-level[=DIR]  extract into a folder with the archive's name
  -N, --newer=DATE      archive only files that changed after DATE
      --remove-files    remove the files after archiving them
      --exclude-vcs, --exclude-backups, --exclude-tag=FILE, --exclude-caches
                        exclude files of git and its like, backups, folders with FILE, caches
      --full-time, --utc  list times with seconds, in UTC

Unless -P is given, nothing is extracted outside of the target directory: names with '..', links that lead out of
it and devices are refused and reported on standard error. On systems without hard links, they become copies. GNU
tar's -A, -d and --delete are not supported.
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
