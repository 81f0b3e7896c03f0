"""`ln`: make links.

Source: POSIX.1-2017, ln; the GNU coreutils manual.
"""

from __future__ import annotations

import errno
import os

from gemini_userland.backups import METHODS, set_aside
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.targets import agreed

SYNTAX = Syntax(
    short="bdFfiLnPrsS:t:Tv",
    long={
        "backup=?": "b",
        "directory": "d",
        "force": "f",
        "interactive": "i",
        "logical": "L",
        "no-dereference": "n",
        "physical": "P",
        "relative": "r",
        "symbolic": "s",
        "suffix=": "S",
        "target-directory=": "t",
        "no-target-directory": "T",
        "verbose": "v",
    },
    words={"b": METHODS},
    help="""
Usage: ln [OPTION]... TARGET LINK
       ln [OPTION]... TARGET
       ln [OPTION]... TARGET... FOLDER
Make LINK a link to TARGET; or make links with the names of the TARGETs in FOLDER or the working directory.

  -s, --symbolic        make symbolic links; files in the page have no others
  -f, --force           replace files that exist; -i asks first, -b keeps a copy with ~ (-S SUFFIX)
  -n, --no-dereference  treat LINK as a file, even if it is a link to a folder
  -r, --relative        with -s, make links relative to their places
  -t FOLDER, -T         put the links in FOLDER; treat LINK as a file always
  -v, --verbose         print the links
""",
)

LINK = Syntax(
    help="""
Usage: link TARGET LINK
Make a hard link. Files in the page have none: use ln -s.
""",
)
NO_HARD_LINKS = "files here have no hard links; make a symbolic one with -s"


async def ln(invocation: Invocation) -> int:
    """Make the links; return 1 if one of them can't be made."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if "r" in given and "s" not in given:
        invocation.error("cannot do --relative without --symbolic")
        return 1
    if "T" in given and "t" in given:
        invocation.error("cannot combine --target-directory and --no-target-directory")
        return 1
    pairs = _pairs(invocation, given)
    if isinstance(pairs, int):
        return pairs
    return max([await _link(invocation, given, target, place) for target, place in pairs])


def _pairs(invocation: Invocation, given: Arguments) -> list[tuple[str, str]] | int:
    """Return each target with the place of its link, or the exit code after an error."""
    names = list(given.operands)
    if not names:
        return SYNTAX.usage_error(invocation, "missing file operand")
    folder = given.last("t")
    if folder is None and "T" in given:
        if len(names) != 2:
            message = f"missing destination file operand after '{names[0]}'" if len(names) == 1 else None
            return SYNTAX.usage_error(invocation, message or f"extra operand '{names[2]}'")
        return [(names[0], names[1])]
    if folder is None and len(names) == 1:
        folder = "."
    elif folder is None:
        path = invocation.path(names[-1])
        is_folder = os.path.isdir(path) and not ("n" in given and os.path.islink(path))
        if len(names) == 2 and not is_folder:
            return [(names[0], names[1])]
        folder = names.pop()
    path = invocation.path(folder)
    if not os.path.isdir(path):
        reason = "Not a directory" if os.path.lexists(path) else "No such file or directory"
        invocation.error(f"target '{folder}': {reason}")
        return 1
    prefix = "" if folder == "." else f"{folder.rstrip('/')}/"
    return [(name, f"{prefix or './'}{os.path.basename(name.rstrip('/'))}") for name in names]


async def _link(invocation: Invocation, given: Arguments, target: str, place: str) -> int:
    path = invocation.path(place)
    symbolic = "s" in given
    if not symbolic and (problem := _refused(invocation, target)):
        invocation.error(problem)
        return 1
    if os.path.lexists(path) and not await _may_replace(invocation, given, target, place):
        return 1
    content, backup = target, None
    try:
        # A file is replaced only when its link is there.
        new = f"{path}.{os.urandom(4).hex()}" if os.path.lexists(path) else path
        if symbolic:
            if "r" in given:
                folder = os.path.realpath(os.path.dirname(path))
                content = os.path.relpath(os.path.realpath(invocation.path(target)), folder)
            os.symlink(content, new)
        else:
            hard_link(invocation.path(target), new, follow="L" in given)
        if new != path:
            backup = set_aside(invocation, given, place)
            os.replace(new, path)
    except OSError as error:
        kind = "symbolic link" if symbolic else "hard link"
        between = "" if symbolic else f" => '{target}'"
        invocation.error(f"failed to create {kind} '{place}'{between}: {error.strerror}")
        return 1
    if "v" in given:
        retained = "" if backup is None else f"'{backup}' ~ "
        invocation.print(f"{retained}'{place}' {'->' if symbolic else '=>'} '{content}'")
    return 0


def _refused(invocation: Invocation, target: str) -> str | None:
    path = invocation.path(target)
    if not os.path.lexists(path):
        return f"failed to access '{target}': No such file or directory"
    if os.path.isdir(path) and not os.path.islink(path):
        return f"{target}: hard link not allowed for directory"
    return None


def hard_link(target: str, path: str, *, follow: bool) -> None:
    """Make a hard link.

    Raises:
        OSError: That isn't possible; the message says what to do.
    """
    try:
        os.link(os.path.realpath(target) if follow else target, path)
    except (AttributeError, NotImplementedError, PermissionError) as error:
        raise OSError(0, NO_HARD_LINKS) from error
    except OSError as error:
        # Emscripten's file system says that there are too many links already.
        if os.lstat(target).st_nlink > 1 or os.path.lexists(path):
            raise
        raise OSError(0, NO_HARD_LINKS) from error


async def _may_replace(invocation: Invocation, given: Arguments, target: str, place: str) -> bool:
    """Return whether a file in the place of a link may be replaced; print why not."""
    path = invocation.path(place)
    kind = "symbolic link" if "s" in given else "hard link"
    chosen = given.last_of("f", "i")
    if chosen is None and "b" not in given and "S" not in given:
        invocation.error(f"failed to create {kind} '{place}': File exists")
        return False
    if os.path.isdir(path) and not os.path.islink(path):
        invocation.error(f"{place}: cannot overwrite directory")
        return False
    if "s" not in given and os.path.exists(path) and os.path.samefile(path, invocation.path(target)):
        invocation.error(f"'{target}' and '{place}' are the same file")
        return False
    return chosen != "i" or await agreed(invocation, f"replace '{place}'? ")


async def link(invocation: Invocation) -> int:
    """Make one hard link; return 1 if that isn't possible."""
    given = LINK.parse(invocation)
    if isinstance(given, int):
        return given
    names = given.operands
    if len(names) != 2:
        behind = f" after '{names[0]}'" if names else ""
        problem = f"extra operand '{names[2]}'" if len(names) > 2 else f"missing operand{behind}"
        return LINK.usage_error(invocation, problem)
    target, place = names
    try:
        if os.path.lexists(invocation.path(place)):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        hard_link(invocation.path(target), invocation.path(place), follow=False)
    except OSError as error:
        invocation.error(f"cannot create link '{place}' to '{target}': {error.strerror}")
        return 1
    return 0
