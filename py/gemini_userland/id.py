"""`id`: print user and group IDs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="agGnruz",
    long={"group": "g", "groups": "G", "name": "n", "real": "r", "user": "u", "zero": "z"},
    help="""
Usage: id [OPTION]... [USER]...
Print the user and group IDs of the current user, or of each USER.

  -u, --user     print only the user's ID
  -g, --group    print only the group's ID
  -G, --groups   print the IDs of all groups
  -n, --name     print names instead of IDs, with -u, -g or -G
  -r, --real     print real instead of effective IDs, with -u, -g or -G (the same here)
  -z, --zero     separate entries with NUL characters, with -u, -g or -G
  -a             ignored

In the page there is only one user, named $USER.
""",
)


@dataclass(frozen=True)
class Identity:
    """A user's IDs and names. `groups` begins with the user's primary group."""

    uid: int
    gid: int
    user: str
    groups: Mapping[int, str]

    def describe(self) -> str:
        """Return the line that `id` prints without options."""
        groups = ",".join(f"{number}({name})" for number, name in self.groups.items())
        return f"uid={self.uid}({self.user}) gid={self.gid}({self.groups[self.gid]}) groups={groups}"


async def id(invocation: Invocation) -> int:  # noqa: A001 the command's name
    """Print the identity of the current user, or of each operand."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    selected = [letter for letter in "ugG" if letter in given]
    if message := _conflict(given, selected):
        invocation.error(message)
        return 1
    status = 0
    for user in given.operands or [None]:
        identity = identity_of(user, invocation.env)
        if identity is None:
            invocation.error(f"'{user}': no such user")
            status = 1
            continue
        entry = _only(identity, selected[0], "n" in given, "z" in given) if selected else identity.describe()
        invocation.print(entry, end="\0" if "z" in given else "\n")
    return status


def _conflict(given: Arguments, selected: list[str]) -> str | None:
    if len(selected) > 1:
        return 'cannot print "only" of more than one choice'
    if not selected and ("n" in given or "r" in given):
        return "cannot print only names or real IDs in default format"
    if not selected and "z" in given:
        return "option --zero not permitted in default format"
    return None


def _only(identity: Identity, letter: str, names: bool, zero: bool) -> str:
    if letter == "u":
        return identity.user if names else str(identity.uid)
    numbers = [identity.gid] if letter == "g" else list(identity.groups)
    entries = [identity.groups[number] if names else str(number) for number in numbers]
    return ("\0" if zero else " ").join(entries)


def identity_of(user: str | None, env: Mapping[str, str]) -> Identity | None:
    """Return the identity of a user, or of the current one; None if there is no such user."""
    try:
        import grp
        import pwd
    except ModuleNotFoundError:  # Emscripten has no user database
        name = env.get("USER") or env.get("LOGNAME") or "user"
        if user not in (None, name):
            return None
        return Identity(os.getuid(), os.getgid(), name, {os.getgid(): name})
    try:
        entry = pwd.getpwuid(os.geteuid()) if user is None else pwd.getpwnam(user)
    except KeyError:
        return None
    gid = os.getegid() if user is None else entry.pw_gid
    members = os.getgroups() if user is None else os.getgrouplist(entry.pw_name, gid)
    names = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    groups = {number: names.get(number, str(number)) for number in [gid, *members]}
    return Identity(entry.pw_uid, gid, entry.pw_name, groups)
