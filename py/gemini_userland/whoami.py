"""`whoami`, `logname`, `groups`, `hostname`, `tty` and `stty`: the user, the machine and its terminal."""

from __future__ import annotations

import os

from gemini_userland.id import identity_of
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

WHOAMI = Syntax(
    help="""
Usage: whoami
Print the name of the user.
""",
)
LOGNAME = Syntax(
    help="""
Usage: logname
Print the name that the user logged in with. Nobody logs in to a page, so there is none.
""",
)
GROUPS = Syntax(
    help="""
Usage: groups [USER]...
Print the groups of the user, or of each USER.
""",
)
HOSTNAME = Syntax(
    short="sfadiIAy",
    long={
        "short": "s",
        "fqdn": "f",
        "long": "f",
        "alias": "a",
        "domain": "d",
        "ip-address": "i",
        "all-ip-addresses": "I",
        "all-fqdns": "A",
        "yp": "y",
        "nis": "y",
    },
    help="""
Usage: hostname [-s] [-f]
Print the name of the machine.

  -s, --short  print it up to the first dot
  -f, --fqdn, --long  print the whole name
""",
)
TTY = Syntax(
    short="s",
    long={"silent": "s", "quiet": "s"},
    wrong_usage=2,
    help="""
Usage: tty [-s]
Print the name of the terminal that standard input is. The exit code is 1 if it isn't one.

  -s, --silent, --quiet  print nothing
""",
)
STTY = Syntax(
    short="aF:g",
    long={"all": "a", "file=": "F", "save": "g"},
    help="""
Usage: stty [size | sane]
Print the rows and columns of the terminal (size). Its modes can't be changed.
""",
)


async def whoami(invocation: Invocation) -> int:
    """Print the name of the user."""
    given = WHOAMI.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        return WHOAMI.usage_error(invocation, f"extra operand '{given.operands[0]}'")
    found = identity_of(None, invocation.env)
    if found is None:
        invocation.error(f"cannot find name for user ID {os.geteuid()}")
        return 1
    invocation.print(found.user)
    return 0


async def logname(invocation: Invocation) -> int:
    """Print the error that there is no login; return 1."""
    given = LOGNAME.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        return LOGNAME.usage_error(invocation, f"extra operand '{given.operands[0]}'")
    invocation.error("no login name")
    return 1


async def groups(invocation: Invocation) -> int:
    """Print the groups of the user, or of each operand; return 1 if a user is unknown."""
    given = GROUPS.parse(invocation)
    if isinstance(given, int):
        return given
    status = 0
    for user in given.operands or [None]:
        found = identity_of(user, invocation.env)
        if found is None:
            invocation.error(f"'{user}': no such user")
            status = 1
            continue
        names = " ".join(found.groups.values())
        invocation.print(names if user is None else f"{user} : {names}")
    return status


async def hostname(invocation: Invocation) -> int:
    """Print the name of the machine; return 1 for what isn't known here."""
    given = HOSTNAME.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        invocation.error("you must be root to change the host name")
        return 1
    if unknown := [letter for letter in "adiIAy" if letter in given]:
        invocation.error(
            f"-{unknown[0]}: a page has no network addresses or domains: use -s, -f or no option"
        )
        return 1
    name = os.uname().nodename
    invocation.print(name.partition(".")[0] if "s" in given else name)
    return 0


def _terminal(invocation: Invocation) -> str | None:
    return f"/dev/pts/{invocation.machine.terminal}" if invocation.keyboard is not None else None


async def tty(invocation: Invocation) -> int:
    """Print the terminal's name; return 1 if standard input isn't a terminal."""
    given = TTY.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        return TTY.usage_error(invocation, f"extra operand '{given.operands[0]}'")
    terminal = _terminal(invocation)
    if "s" not in given:
        invocation.print(terminal or "not a tty")
    return int(terminal is None)


async def stty(invocation: Invocation) -> int:
    """Print the terminal's size; return 1 where standard input isn't a terminal, and for modes."""
    words = invocation.argv[1:]
    if words in (["--help"], ["--version"]):
        given = STTY.parse(invocation)
        return given if isinstance(given, int) else 0
    if _terminal(invocation) is None:
        invocation.error("'standard input': Inappropriate ioctl for device")
        return 1
    display = invocation.machine.display
    if words == ["size"] and display is not None:
        columns, rows = display.size()
        invocation.print(f"{rows} {columns}")
        return 0
    if words == ["sane"]:
        return 0
    shown = " ".join(words) or "speed and modes"
    invocation.error(
        f"{shown}: the terminal's modes can't be read or changed: `read -s` reads without echo, `stty size` works"
    )
    return 1
