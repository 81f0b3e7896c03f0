"""The command `patch`: its options, and one patch after another."""

from __future__ import annotations

import errno
import os

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.patch.hunks import PatchError, creating
from gemini_userland.patch.job import Job
from gemini_userland.patch.reading import PatchReader
from gemini_userland.text import read

TROUBLE = 2

SYNTAX = Syntax(
    numbers={
        "p": Number("**** strip count {} is not a number"),
        "F": Number("**** fuzz factor {} is not a number"),
    },
    short="bB:cd:D:eEfF:g:i:lnNo:p:r:RstTuvV:x:Y:z:Z",
    refused={
        "D": "use `git merge-file`, or edit the file",
        "e": "write a patch with `diff -u`",
        "g": "there is no RCS: leave it out",
        "merge": "it writes rejects, which -r FILE collects; `git apply -3` merges",
        "x": "use --verbose",
    },
    long={
        "backup": "b",
        "prefix=": "B",
        "basename-prefix=": "Y",
        "ifdef=": "D",
        "merge=?": "merge",
        "get=": "g",
        "quoting-style=": "quoting-style",
        "context": "c",
        "directory=": "d",
        "ed": "e",
        "remove-empty-files": "E",
        "force": "f",
        "fuzz=": "F",
        "input=": "i",
        "ignore-whitespace": "l",
        "normal": "n",
        "forward": "N",
        "output=": "o",
        "strip=": "p",
        "reject-file=": "r",
        "reverse": "R",
        "quiet": "s",
        "silent": "s",
        "batch": "t",
        "set-time": "T",
        "unified": "u",
        "version": "v",
        "version-control=": "V",
        "suffix=": "z",
        "set-utc": "Z",
        "dry-run": "dry-run",
        "verbose": "verbose",
        "binary": "binary",
        "posix": "posix",
        "backup-if-mismatch": "backup-if-mismatch",
        "no-backup-if-mismatch": "no-backup-if-mismatch",
        "reject-format=": "reject-format",
        "read-only=": "read-only",
        "follow-symlinks": "follow-symlinks",
    },
    answer={"v": "version"},
    wrong_usage=TROUBLE,
    advice="patch: Try 'patch --help' for more information.",
    help="""
Usage: patch [OPTION]... [ORIGFILE [PATCHFILE]]
Apply a patch in the unified, the context or the normal format, by default from standard input.

  -p NUM, --strip=NUM       strip NUM leading components from file names
  -F LINES, --fuzz=LINES    let up to LINES lines of context differ (default 2)
  -l, --ignore-whitespace   let runs of white space match each other
  -N, --forward             skip patches that seem to be reversed or already applied
  -R, --reverse             undo the patch
  -i FILE, --input=FILE     read the patch from FILE
  -o FILE, --output=FILE    write the patched file to FILE
  -r FILE, --reject-file=FILE  write rejected hunks to FILE
      --reject-format=FORMAT   use the unified or the context format for them
  -E, --remove-empty-files  remove files that are empty after the patch
  -b, --backup              save the original files; -z SUFFIX and -B PREFIX change their names
      --no-backup-if-mismatch  save none for patches that don't fit exactly
  -t, --batch, -f, --force  ask nothing; skip or apply patches that don't fit
  -s, --quiet               print only errors
      --verbose             print more
      --dry-run             change no files
  -d DIR, --directory=DIR   change the working directory to DIR first
""",
)


_STYLES = {"c": "context", "n": "normal", "u": "unified"}
_VERSION_CONTROLS = ("simple", "never", "numbered", "t", "existing", "nil")


async def patch(invocation: Invocation) -> int:
    """Apply a patch; return 0, 1 if a hunk doesn't fit, or 2 if the patch can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if len(given.operands) > 2:
        return SYNTAX.usage_error(invocation, f"{given.operands[2]}: extra operand")
    try:
        return _apply(invocation, given)
    except PatchError as error:
        invocation.error(f"**** {error}")
        return TROUBLE


def _check_output(invocation: Invocation, name: str) -> None:
    """Create the file of -o.

    Raises:
        PatchError: It can't be written.
    """
    path = invocation.path(name)
    if name != "-":
        with creating(name):
            if os.path.isdir(path):
                raise IsADirectoryError(errno.EISDIR, "Is a directory")
            # It is there also if nothing can be patched.
            with open(path, "ab"):
                pass


def _apply(invocation: Invocation, given: Arguments) -> int:
    if given.last("quoting-style", "shell") not in ("literal", "shell"):
        raise PatchError("--quoting-style isn't supported but for shell and literal: leave it out")
    if given.last("V", "simple") not in _VERSION_CONTROLS:
        raise PatchError(f"invalid argument '{given.last('V')}' for '--version-control'")
    directory = given.last("d")
    if directory is not None:
        invocation.cwd = os.path.abspath(invocation.path(directory))
        if not os.path.isdir(invocation.cwd):
            reason = "Not a directory" if os.path.exists(invocation.cwd) else "No such file or directory"
            raise PatchError(f"Can't change to directory {directory} : {reason}")
    operands = given.operands
    source = operands[1] if len(operands) > 1 else given.last("i", "-")
    try:
        data = read(invocation, source)
    except IsADirectoryError as error:
        raise PatchError(f"read error : {error.strerror}") from error
    except OSError as error:
        raise PatchError(f"Can't open patch file {source} : {error.strerror}") from error
    _check_output(invocation, given.last("o", "-"))
    job = Job(invocation, given, operands[0] if operands else None)
    count = 0
    for found in PatchReader(data, _STYLES.get(given.last_of("c", "n", "u") or "")):
        count += 1
        job.apply(found)
    if data and not count:
        raise PatchError("Only garbage was found in the patch input.")
    if count and "verbose" in given:
        invocation.print("done")
    return job.status
