"""The columns of `ps`, and which of them its formats have."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation, Process

UNKNOWN = "-"


def _elapsed(process: Process) -> str:
    seconds = max(0, int(time.time() - process.started))
    days, hours, minutes = seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60
    clock = f"{minutes:02d}:{seconds % 60:02d}"
    return (f"{days}-" if days else "") + (f"{hours:02d}:" if hours or days else "") + clock


def _start(process: Process, invocation: Invocation) -> str:
    return f"{datetime.fromtimestamp(process.started, zone_of(invocation)):%H:%M}"


def _long_start(process: Process, invocation: Invocation) -> str:
    return f"{datetime.fromtimestamp(process.started, zone_of(invocation)):%a %b %e %H:%M:%S %Y}"


def program_of(process: Process) -> str:
    """Return the name of a process's program."""
    return process.command.split(" ")[0].removesuffix(":")


_OWNERS = ("group", "egroup", "rgroup")

Column = tuple[str, int, Callable[[Process, Invocation], str]]
"""The heading of a column, its width (negative to align left), and the text of a process."""


def _own_number() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "0"


def _unknown(_: Process, __: Invocation) -> str:
    return UNKNOWN


COLUMNS: dict[str, Column] = {
    "pid": ("PID", 7, lambda process, _: str(process.pid)),
    "ppid": ("PPID", 7, lambda process, _: str(process.parent)),
    "pgid": ("PGID", 7, lambda process, _: str(process.group)),
    "sid": ("SID", 7, lambda process, _: str(process.session)),
    "user": ("USER", -8, lambda _, invocation: invocation.env.get("USER", "user")),
    "UID": ("UID", -8, lambda _, invocation: invocation.env.get("USER", "user")),
    **{
        name: (name.upper(), 5, lambda _, __: _own_number())
        for name in ("uid", "euid", "ruid", "gid", "egid", "rgid")
    },
    **{
        name: (name.upper(), -8, lambda _, invocation: invocation.env.get("USER", "user")) for name in _OWNERS
    },
    "tty": ("TTY", -8, lambda process, _: f"pts/{process.terminal}"),
    "stat": ("STAT", -4, lambda process, _: "Ss" if process.parent == 1 else "S"),
    "s": ("S", -1, lambda _, __: "S"),
    "nlwp": ("NLWP", 4, lambda _, __: "1"),
    "thcount": ("THCNT", 5, lambda _, __: "1"),
    "lstart": ("STARTED", 24, _long_start),
    "bsdstart": ("START", 6, _start),
    "start": ("START", 5, _start),
    "stime": ("STIME", 5, _start),
    "etime": ("ELAPSED", 11, lambda process, _: _elapsed(process)),
    "etimes": ("ELAPSED", 7, lambda process, _: str(max(0, int(time.time() - process.started)))),
    "time": ("TIME", 8, _unknown),
    "bsdtime": ("TIME", 6, _unknown),
    "f": ("F", 1, _unknown),
    "addr": ("ADDR", 4, _unknown),
    "sz": ("SZ", 5, _unknown),
    "wchan": ("WCHAN", -6, _unknown),
    "psr": ("PSR", 3, _unknown),
    "%cpu": ("%CPU", 4, _unknown),
    "%mem": ("%MEM", 4, _unknown),
    "vsz": ("VSZ", 6, _unknown),
    "rss": ("RSS", 5, _unknown),
    "c": ("C", 2, _unknown),
    "ni": ("NI", 3, _unknown),
    "pri": ("PRI", 3, _unknown),
    "comm": ("COMMAND", -15, lambda process, _: program_of(process)),
    "cmd": ("CMD", -27, lambda process, _: process.command),
    "args": ("COMMAND", -27, lambda process, _: process.command),
}
ALIASES = {
    "command": "args",
    "ucmd": "comm",
    "pgrp": "pgid",
    "sess": "sid",
    "session": "sid",
    "tname": "tty",
    "tt": "tty",
    "pcpu": "%cpu",
    "pmem": "%mem",
    "cputime": "time",
    "state": "s",
    "thcnt": "thcount",
    "start_time": "start",
    "uname": "user",
    "ruser": "user",
    "euser": "user",
}
# The columns of each format; BSD's have their letters without a dash.
SHORT, FULL = "pid tty time comm", "UID pid ppid c stime tty time cmd"
KINDS = {
    "f": FULL,
    "F": "UID pid ppid c sz rss psr stime tty time cmd",
    "j": "pid pgid sid tty time comm",
    "l": "f s uid pid ppid c pri ni addr sz wchan tty time comm",
    "ly": "s uid pid ppid c pri ni rss sz wchan tty time comm",
}
LONG = "user pid %cpu %mem vsz rss tty stat start bsdtime args"
BRIEF = "pid tty stat bsdtime args"
