"""`touch`: set the times of files."""

from __future__ import annotations

import os
import re
import time
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.date_words import Description
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="acd:fhmr:t:",
    long={
        "no-create": "c",
        "date=": "d",
        "no-dereference": "h",
        "reference=": "r",
        "time=": "time",
    },
    help="""
Usage: touch [OPTION]... FILE...
Set the times of each FILE to now, and create missing files.

  -a, -m        set only the access time; only the modification time
  -c            don't create files
  -d TEXT       set the time that TEXT describes, as for date
  -h            set the times of a link, not of its target
  -r FILE       set the times of FILE
  -t STAMP      set the time [[CC]YY]MMDDhhmm[.ss]
""",
)
STAMP = re.compile(r"(?:(\d\d)?(\d\d))?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?")
KINDS = {"access": "a", "atime": "a", "use": "a", "modify": "m", "mtime": "m"}


async def touch(invocation: Invocation) -> int:
    """Set the times of the operands."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "missing file operand")
    if "t" in given and ("d" in given or "r" in given):
        return SYNTAX.usage_error(invocation, "cannot specify times from more than one source")
    kind = given.last("time")
    if kind is not None and kind not in KINDS:
        return SYNTAX.usage_error(invocation, f"invalid argument '{kind}' for '--time'")
    try:
        times = _times(invocation, given)
    except (ValueError, OverflowError):
        invocation.error(f"invalid date format '{given.last('t') or given.last('d')}'")
        return 1
    except OSError as error:
        invocation.error(f"failed to get attributes of '{given.last('r')}': {error.strerror}")
        return 1
    only = KINDS[kind] if kind else given.last_of("a", "m") if ("a" in given) != ("m" in given) else None
    return max([_touch(invocation, given, name, times, only) for name in given.operands])


def _times(invocation: Invocation, given: Arguments) -> tuple[int, int] | None:
    """Return the access and modification times to set, in nanoseconds, or None for when a file is touched.

    Raises:
        ValueError: The time is invalid.
    """
    now = datetime.now(zone_of(invocation))
    if (stamp := given.last("t")) is not None:
        return _both(_parse_stamp(stamp, now))
    reference = given.last("r")
    status = os.stat(invocation.path(reference)) if reference is not None else None
    text = given.last("d")
    if status is not None and text is None:
        return status.st_atime_ns, status.st_mtime_ns
    if text is None:
        return None
    start = datetime.fromtimestamp(status.st_mtime, now.tzinfo) if status else now
    return _both(Description(text).resolve(start))


def _both(when: datetime) -> tuple[int, int]:
    time_ns = round(when.timestamp() * 1_000_000) * 1000
    return time_ns, time_ns


def _parse_stamp(text: str, now: datetime) -> datetime:
    match = STAMP.fullmatch(text)
    if match is None:
        raise ValueError(text)
    century, short, month, day, hour, minute, second = (int(one) if one else None for one in match.groups())
    year = now.year
    if short is not None:
        year = (century if century is not None else 19 if short > 68 else 20) * 100 + short
    return datetime(year, month or 0, day or 0, hour or 0, minute or 0, second or 0, tzinfo=now.tzinfo)


def _touch(
    invocation: Invocation, given: Arguments, name: str, times: tuple[int, int] | None, only: str | None
) -> int:
    path = os.fsencode(invocation.path(name))
    follows = "h" not in given
    try:
        if not os.path.lexists(path) or (follows and not os.path.exists(path)):
            if "c" in given or not follows:
                return 0
            open(path, "ab").close()
            os.chmod(path, 0o666 & ~invocation.umask)
        status = os.stat(path, follow_symlinks=follows)
        now = time.time_ns()
        read, changed = times or (now, now)
        ns = (status.st_atime_ns if only == "m" else read, status.st_mtime_ns if only == "a" else changed)
        if follows or os.utime in os.supports_follow_symlinks:
            os.utime(path, ns=ns, follow_symlinks=follows)
        elif not os.path.islink(path):
            os.utime(path, ns=ns)
        else:
            raise OSError(0, "times of links can't be set here; without -h, those of the file are")
    except OSError as error:
        problem = "setting times of" if os.path.lexists(path) else "cannot touch"
        invocation.error(f"{problem} '{name}': {error.strerror}")
        return 1
    return 0
