"""Finds the program that a command runs, for a consent that covers more than one command.

Most programs can start others, or write what others run: `git -c core.pager=…`, `find -exec`, `make`, any interpreter.
To allow such a program is to allow everything; the grant of an hour is for that. So a command has a program only if it
is one of `READERS`, which only read and print, whatever their arguments, and if bash runs no other:

- one simple command, without operators, redirections, substitutions, assignments or escapes;
- resolved through the PATH that the terminal began with, in an environment that no command has changed;
- installed by the system: the file and its folder belong to root, and nobody else may write there.
"""

import os
import re
import shlex
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

# None has an option that runs a program or writes a file (`sort -o`, `uniq IN OUT`, `date -s`, `file -C` and
# `tree -o` do). bash runs its own echo and pwd, for which the same is true.
_READERS = """
basename cat cksum cmp comm cut df diff dirname du echo expand fold grep groups head id join ls md5sum nl nproc od paste
pwd readlink realpath rev seq sha1sum sha256sum sha512sum stat sum tac tail tr tsort uname unexpand uptime wc who whoami
"""
READERS = frozenset(_READERS.split())
# The names of single files that hold several commands.
BUNDLES = frozenset({"busybox", "coreutils", "toybox"})
# Characters that bash reads literally, and its globs, whose results are arguments at most. A newline, `;`, `$(…)`,
# a backtick, a backslash and a tilde are excluded.
SIMPLE = re.compile(r"""(?:[A-Za-z0-9_@%+:,./*?= \t-]|'[^'\x00-\x1f]*'|"[^"$`\\!\x00-\x1f]*")+""")
FIRST_WORD = re.compile(r"[ \t]*([A-Za-z0-9_./-]+)(?:[ \t]|$)")
# Where bash was before; no program is found by it.
HARMLESS = frozenset({"OLDPWD"})


def program_of(
    command: str, working_dir: str, environment: Mapping[str, str], began: Mapping[str, str]
) -> str | None:
    """Return the real path of the one program that a command runs; None if it may run others.

    Args:
        command: Shell script.
        working_dir: The directory where it would run.
        environment: The variables that it would see.
        began: The variables that its terminal began with.
    """
    first = FIRST_WORD.match(command)
    if first is None or SIMPLE.fullmatch(command) is None or _changed(environment, began):
        return None
    name = first[1]
    # A quote inside a word ends it for bash, but not for the pattern above.
    if shlex.split(command)[0] != name or Path(name).name not in READERS:
        return None
    return _find_installed(name, working_dir, environment.get("PATH", ""))


def _changed(environment: Mapping[str, str], began: Mapping[str, str]) -> bool:
    """Return whether a command left what may change the next one: PATH, a function, BASH_ENV, LD_PRELOAD."""
    differing = environment.items() ^ began.items()
    return any(name not in HARMLESS for name, _ in differing)


def _find_installed(name: str, working_dir: str, path: str) -> str | None:
    if not all(os.path.isabs(folder) for folder in path.split(os.pathsep)):
        return None
    found = os.path.join(working_dir, name) if "/" in name else shutil.which(name, path=path)
    if found is None:
        return None
    real = Path(found).resolve()
    if real.name not in {Path(name).name, *BUNDLES}:
        return None
    return str(real) if all(_is_of_system(each) for each in (real, real.parent)) else None


def _is_of_system(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return False
    return status.st_uid == 0 and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
