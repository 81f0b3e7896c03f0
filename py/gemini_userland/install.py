"""`install`: copy files and set their modes."""

from __future__ import annotations

import filecmp
import os
import shutil
import stat

from gemini_userland.accounts import Owner, refused_owner
from gemini_userland.backups import METHODS, set_aside
from gemini_userland.invocation import Invocation
from gemini_userland.modes import parse_mode
from gemini_userland.options import Arguments, Syntax
from gemini_userland.targets import with_backup

SYNTAX = Syntax(
    short="bcCdDg:m:o:psS:t:TvZ",
    long={
        "backup=?": "b",
        "compare": "C",
        "context=?": "Z",
        "directory": "d",
        "group=": "g",
        "owner=": "o",
        "preserve-context": "preserve-context",
        "preserve-timestamps": "p",
        "strip": "s",
        "strip-program=": "strip-program",
        "suffix=": "S",
        "mode=": "m",
        "target-directory=": "t",
        "no-target-directory": "T",
        "verbose": "v",
    },
    words={"b": METHODS},
    help="""
Usage: install [OPTION]... SOURCE... TARGET
   or: install -d DIRECTORY...
Copy files and set their modes.

  -d       create directories, including their parents
  -b, -S SUFFIX  rename a file that is replaced (suffix ~); --backup=numbered uses .~1~, .~2~, ...
  -C       leave a TARGET that has the same content and mode
  -g, -o   check that the group and the owner are the user's
  -p       keep the times
  -s       isn't supported: there are no programs for processors here
  -D       create the parent directories of TARGET first
  -m MODE  set permissions, as for chmod (default 755)
  -t DIR   copy into DIR
  -T       treat TARGET as a file
  -v       print created files and directories
""",
)


async def install(invocation: Invocation) -> int:
    """Copy the sources, or create the directories."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        mode = parse_mode(given.last("m", "755"))
    except ValueError as problem:
        invocation.error(str(problem))
        return 1
    if problem := _refused(invocation, given):
        invocation.error(problem)
        return 1
    names = list(given.operands)
    if not names:
        return SYNTAX.usage_error(invocation, "missing file operand")
    if "preserve-context" in given:
        invocation.error("WARNING: ignoring --preserve-context; there is no SELinux here")
    if "d" in given:
        return max([_create_directory(invocation, given, name, mode) for name in names])
    target = given.last("t")
    if target is None and len(names) == 1:
        return SYNTAX.usage_error(invocation, f"missing destination file operand after '{names[0]}'")
    into = target is not None
    target = names.pop() if target is None else target
    if message := _target_error(invocation, given, names, target, into=into):
        invocation.error(message)
        return 1
    return max([_copy(invocation, given, name, target, mode) for name in names])


def _refused(invocation: Invocation, given: Arguments) -> str | None:
    """Return why an option can't be followed here, if one can't."""
    if "s" in given or "strip-program" in given:
        return "-s isn't supported: there is no strip: leave it out"
    if "C" in given and "p" in given:
        return "options --compare (-C) and --preserve-timestamps are mutually exclusive"
    owner = Owner(given.last("o"), given.last("g"), given.last("o", given.last("g", "")))
    return refused_owner(invocation, owner)


def _create_directory(invocation: Invocation, given: Arguments, name: str, mode: int) -> int:
    path = invocation.path(name)
    missing = [name]
    while (above := os.path.dirname(missing[0])) and not os.path.exists(invocation.path(above)):
        missing.insert(0, above)
    try:
        existed = os.path.isdir(path)
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        invocation.error(f"cannot create directory '{name}': {error.strerror}")
        return 1
    if "v" in given and not existed:
        for one in missing:
            invocation.print(f"install: creating directory '{one}'")
    os.chmod(path, mode)
    return 0


def _target_error(
    invocation: Invocation, given: Arguments, names: list[str], target: str, *, into: bool
) -> str | None:
    """Create the directories for -D, then return the problem with the target, if any."""
    whole = invocation.path(target)
    if "D" in given:
        os.makedirs(whole if into else os.path.dirname(whole), exist_ok=True)
    if os.path.isdir(whole):
        return None
    reason = "Not a directory" if os.path.exists(whole) else "No such file or directory"
    if into:
        return f"failed to access '{target}': {reason}"
    return f"target '{target}': {reason}" if len(names) > 1 else None


def _copy(invocation: Invocation, given: Arguments, name: str, target: str, mode: int) -> int:
    source, place = invocation.path(name), target
    if os.path.isdir(invocation.path(target)) and "T" not in given:
        place = os.path.join(target, os.path.basename(name))
    if problem := _conflict(invocation, name, place):
        invocation.error(problem)
        return 1
    path, backup = invocation.path(place), None
    if "C" in given and _is_same(source, path, mode):
        return 0
    try:
        if os.path.lexists(path):
            backup = set_aside(invocation, given, place)
        shutil.copyfile(source, path)
    except OSError as error:
        invocation.error(f"cannot create regular file '{place}': {error.strerror}")
        return 1
    os.chmod(path, mode)
    if "p" in given:
        about = os.stat(source)
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    if "v" in given:
        invocation.print(f"'{name}' -> '{place}'{with_backup(backup)}")
    return 0


def _conflict(invocation: Invocation, name: str, place: str) -> str | None:
    """Return why a file can't be copied to a place, if it can't."""
    source, path = invocation.path(name), invocation.path(place)
    if not os.path.exists(source):
        return f"cannot stat '{name}': No such file or directory"
    if os.path.isdir(source):
        return f"omitting directory '{name}'"
    if os.path.isdir(path):
        return f"cannot overwrite directory '{place}' with non-directory"
    if os.path.exists(path) and os.path.samefile(source, path):
        return f"'{name}' and '{place}' are the same file"
    return None


def _is_same(source: str, path: str, mode: int) -> bool:
    """Return whether a copy has the content and the mode already."""
    if not os.path.isfile(path) or os.path.islink(path):
        return False
    return stat.S_IMODE(os.stat(path).st_mode) == mode and filecmp.cmp(source, path, shallow=False)
