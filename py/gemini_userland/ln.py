"""`ln`: make links.

Source: POSIX.1-2017, ln; the GNU coreutils manual.
"""

from __future__ import annotations

import os

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


async def ln(invocation: Invocation) -> int:
    """Make the links; return 1 if one of them can't be made."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
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
    if os.path.lexists(path) and not await _make_room(invocation, given, target, place):
        return 1
    try:
        if symbolic:
            content = target
            if "r" in given:
                content = os.path.relpath(
                    os.path.realpath(invocation.path(target)), os.path.realpath(os.path.dirname(path))
                )
            os.symlink(content, path)
        else:
            _hard_link(invocation.path(target), path, follow="L" in given)
            content = target
    except OSError as error:
        kind = "symbolic link" if symbolic else "hard link"
        between = "" if symbolic else f" => '{target}'"
        invocation.error(f"failed to create {kind} '{place}'{between}: {error.strerror}")
        return 1
    if "v" in given:
        invocation.print(f"'{place}' {'->' if symbolic else '=>'} '{content}'")
    return 0


def _refused(invocation: Invocation, target: str) -> str | None:
    path = invocation.path(target)
    if not os.path.lexists(path):
        return f"failed to access '{target}': No such file or directory"
    if os.path.isdir(path) and not os.path.islink(path):
        return f"{target}: hard link not allowed for directory"
    return None


def _hard_link(target: str, path: str, *, follow: bool) -> None:
    try:
        os.link(os.path.realpath(target) if follow else target, path)
    except (AttributeError, NotImplementedError, PermissionError) as error:
        raise OSError(0, "files here have no hard links; make a symbolic one with -s") from error
    except OSError as error:
        # Emscripten's file system says that there are too many links already.
        if os.lstat(target).st_nlink > 1 or os.path.lexists(path):
            raise
        raise OSError(0, "files here have no hard links; make a symbolic one with -s") from error


async def _make_room(invocation: Invocation, given: Arguments, target: str, place: str) -> bool:
    """Remove, or rename, a file in the place of a link; return whether the place is free."""
    path = invocation.path(place)
    kind = "symbolic link" if "s" in given else "hard link"
    chosen = given.last_of("f", "i")
    backs_up = "b" in given or "S" in given
    if chosen is None and not backs_up:
        between = "" if "s" in given else f" => '{target}'"
        invocation.error(f"failed to create {kind} '{place}'{between}: File exists")
        return False
    if os.path.isdir(path) and not os.path.islink(path):
        invocation.error(f"{place}: cannot overwrite directory")
        return False
    if "s" not in given and os.path.exists(path) and os.path.samefile(path, invocation.path(target)):
        invocation.error(f"'{target}' and '{place}' are the same file")
        return False
    if chosen == "i" and not await agreed(invocation, f"replace '{place}'? "):
        return False
    try:
        if backs_up:
            os.replace(path, path + given.last("S", "~"))
        else:
            os.unlink(path)
    except OSError as error:
        invocation.error(f"cannot remove '{place}': {error.strerror}")
        return False
    return True
