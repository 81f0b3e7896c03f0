"""`mv`: move or rename files and folders."""

from __future__ import annotations

import os
import shutil

from gemini_userland.backups import set_aside
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.targets import LONG, SHORT, WORDS, find_target, may_replace, with_backup

SYNTAX = Syntax(
    short=SHORT,
    long={**LONG, "context": "Z"},
    words=WORDS,
    help="""
Usage: mv [OPTION]... SOURCE TARGET
   or: mv [OPTION]... SOURCE... FOLDER
   or: mv [OPTION]... -t FOLDER SOURCE...
Rename SOURCE, or move files and folders into a folder.

  -b, -S SUFFIX  rename a file that is replaced (suffix ~); --backup=numbered uses .~1~, .~2~, ...
  -f, -i, -n     replace files without a question; ask first; replace none
  -t, -T         move into a folder; treat TARGET as a file
  -u             replace only older files
  -v             print what is renamed
""",
)


async def mv(invocation: Invocation) -> int:
    """Move the sources; return 1 if one of them can't be moved."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    target = find_target(invocation, given, SYNTAX)
    if isinstance(target, int):
        return target
    status = 0
    for source in target.sources:
        if problem := await _move(invocation, given, source, target.place_of(source)):
            invocation.error(problem)
            status = 1
    return status


async def _move(invocation: Invocation, given: Arguments, source: str, place: str) -> str | None:
    """Move a file or a folder; return the problem if that isn't possible."""
    path, target = invocation.path(source.rstrip("/") or source), invocation.path(place.rstrip("/") or place)
    if not os.path.lexists(path):
        return f"cannot stat '{source}': No such file or directory"
    if problem := _conflict(path, target, source, place):
        return problem
    if not await may_replace(invocation, given, source, place):
        return None
    backup = None
    try:
        if os.path.lexists(target):
            backup = set_aside(invocation, given, place.rstrip("/") or place)
        if _is_folder(path) and _is_folder(target):
            os.rmdir(target)
        if os.path.lexists(target):
            os.replace(path, target)
        else:
            shutil.move(path, target)
    except OSError as error:
        return f"cannot move '{source}' to '{place}': {error.strerror}"
    if "v" in given:
        invocation.print(f"renamed '{source}' -> '{place}'{with_backup(backup)}")
    return None


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _conflict(path: str, target: str, source: str, place: str) -> str | None:
    """Return why the target is in the way, if it is."""
    if _is_folder(path) and os.path.realpath(target).startswith(os.path.realpath(path) + "/"):
        return f"cannot move '{source}' to a subdirectory of itself, '{place}'"
    if not os.path.lexists(target):
        return None
    if os.path.realpath(path) == os.path.realpath(target) and not os.path.islink(path):
        return f"'{source}' and '{place}' are the same file"
    if _is_folder(target) and not _is_folder(path):
        return f"cannot overwrite directory '{place}' with non-directory"
    if _is_folder(path) and not _is_folder(target):
        return f"cannot overwrite non-directory '{place}' with directory '{source}'"
    if _is_folder(target) and os.listdir(target):
        return f"cannot move '{source}' to '{place}': Directory not empty"
    return None
