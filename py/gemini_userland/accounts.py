"""`chown` and `chgrp`: the owner and the group of files. All files here belong to one user, so nothing can change.

Source: POSIX.1-2017, "chown" and "chgrp"; the GNU coreutils manual.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from gemini_userland.find.owners import group_names, is_group, is_user, user_names
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

_LONG = {
    "changes": "c",
    "silent": "f",
    "quiet": "f",
    "verbose": "v",
    "dereference": "dereference",
    "no-dereference": "h",
    "no-preserve-root": "no-preserve-root",
    "preserve-root": "preserve-root",
    "reference=": "reference",
    "recursive": "R",
}
_OPTIONS = """
  -f, --silent, --quiet  print no errors
  -h, --no-dereference   mean links, not what they lead to
  -R, --recursive        mean everything in folders, too; -H, -L and -P say which links to folders are followed
  -v, --verbose          print each FILE; -c, --changes only what changes, which is none
      --reference=FILE   use the owner and the group of FILE
"""
CHOWN = Syntax(
    short="cfhHLPRv",
    long={**_LONG, "from=": "from"},
    help="Usage: chown [OPTION]... [OWNER][:[GROUP]] FILE...\n"
    "Check the owner and the group of each FILE. All files are the user's here: other owners are refused.\n"
    + _OPTIONS
    + "      --from=OWNER:GROUP  mean only files of these\n",
)
CHGRP = Syntax(
    short="cfhHLPRv",
    long=_LONG,
    help="Usage: chgrp [OPTION]... GROUP FILE...\n"
    "Check the group of each FILE. All files are the user's here: other groups are refused.\n" + _OPTIONS,
)


@dataclass(frozen=True)
class Owner:
    """The names or numbers of a user and a group; None for one that isn't given."""

    user: str | None
    group: str | None
    text: str


async def chown(invocation: Invocation) -> int:
    """Check the files; return 1 if one isn't there, or shall have another owner."""
    return _run(invocation, CHOWN)


async def chgrp(invocation: Invocation) -> int:
    """Check the files; return 1 if one isn't there, or shall have another group."""
    return _run(invocation, CHGRP)


def _run(invocation: Invocation, syntax: Syntax) -> int:
    given = syntax.parse(invocation)
    if isinstance(given, int):
        return given
    names = list(given.operands)
    if "reference" not in given:
        if len(names) < 2:
            behind = f" after '{names[0]}'" if names else ""
            return syntax.usage_error(invocation, f"missing operand{behind}")
        owner = _owner(names.pop(0), is_group_only=syntax is CHGRP)
        if problem := refused_owner(invocation, owner):
            invocation.error(problem)
            return 1
    else:
        owner = Owner(None, None, "")
    return max([_check(invocation, given, owner, name, syntax) for name in names], default=0)


def _owner(text: str, *, is_group_only: bool) -> Owner:
    if is_group_only:
        return Owner(None, text, text)
    user, colon, group = text.partition(":") if ":" in text else text.partition(".")
    # `root:` means the group of the user.
    return Owner(user or None, (group or user or None) if colon else None, text)


def refused_owner(invocation: Invocation, owner: Owner) -> str | None:
    """Return why files can't have this owner, if they can't."""
    env = invocation.env
    for name, number, exists, kind in (
        (owner.user, os.getuid(), is_user, "user"),
        (owner.group, os.getgid(), is_group, "group"),
    ):
        if name is None or name == str(number):
            continue
        if not name.isdigit() and not exists(env, name):
            return f"invalid {kind}: '{owner.text}'"
        known = user_names(env, number) if kind == "user" else group_names(env, number)
        if name not in (known, "root"):
            return f"changing {kind} to '{name}': all files are the user's here, so leave this out"
    return None


def _check(invocation: Invocation, given: Arguments, owner: Owner, name: str, syntax: Syntax) -> int:
    status = 0
    for one in _files(invocation, given, name):
        path = invocation.path(one)
        if not (os.path.lexists(path) if "h" in given else os.path.exists(path)):
            status = 1
            if "f" not in given:
                what = "cannot dereference" if os.path.islink(path) else "cannot access"
                invocation.error(f"{what} '{one}': No such file or directory")
            continue
        # The owner stays, but the file has the time of the change.
        os.chown(path, -1, -1, follow_symlinks="h" not in given)
        if given.last_of("v", "c") == "v":
            kind = "group" if syntax is CHGRP else "ownership"
            invocation.print(f"{kind} of '{one}' retained as {owner.text or _names(invocation, syntax)}")
    return status


def _names(invocation: Invocation, syntax: Syntax) -> str:
    group = group_names(invocation.env, os.getgid())
    return group if syntax is CHGRP else f"{user_names(invocation.env, os.getuid())}:{group}"


def _files(invocation: Invocation, given: Arguments, name: str) -> Iterator[str]:
    """Yield a name, after everything in it if that is asked for."""
    path = invocation.path(name)
    follows = given.last_of("H", "L", "P") in ("H", "L")
    if "R" in given and os.path.isdir(path) and (follows or not os.path.islink(path)):
        for one in sorted(os.listdir(path)):
            yield from _files(invocation, given, os.path.join(name, one))
    yield name
