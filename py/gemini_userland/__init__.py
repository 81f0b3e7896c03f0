"""Unix commands in Python, for a shell that has no processes.

A command is a coroutine that takes an `Invocation` (arguments, standard input, working directory, environment,
streams) and returns its exit code. `WHERE` lists them; `run` runs one. Nothing here knows the surface: the
package needs a file system and a shell to call back, no more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from gemini_userland.invocation import Command, Invocation

WHERE: Mapping[str, str] = {
    "tar": "gemini_userland.tar:tar",
    "make": "gemini_userland.make:make",
    "uname": "gemini_userland.uname:uname",
    "id": "gemini_userland.id:id",
    "realpath": "gemini_userland.realpath:realpath",
    "mktemp": "gemini_userland.mktemp:mktemp",
    "yes": "gemini_userland.yes:yes",
    "xargs": "gemini_userland.xargs:xargs",
    "uniq": "gemini_userland.uniq:uniq",
    "wc": "gemini_userland.wc:wc",
    "ls": "gemini_userland.ls:ls",
    "sort": "gemini_userland.sort:sort",
    "grep": "gemini_userland.grep:grep",
    "egrep": "gemini_userland.grep:egrep",
    "fgrep": "gemini_userland.grep:fgrep",
    "date": "gemini_userland.date:date",
    "bc": "gemini_userland.bc:bc",
    "diff": "gemini_userland.diff:diff",
    "column": "gemini_userland.column:column",
    "factor": "gemini_userland.numbers:factor",
    "numfmt": "gemini_userland.numbers:numfmt",
    "gzip": "gemini_userland.gzip:gzip",
    "gunzip": "gemini_userland.gzip:gzip",
    "zcat": "gemini_userland.gzip:gzip",
    "cut": "gemini_userland.cut:cut",
    "cmp": "gemini_userland.cmp:cmp",
    "shuf": "gemini_userland.shuf:shuf",
    "sed": "gemini_userland.sed:sed",
    "fmt": "gemini_userland.fmt:fmt",
    "touch": "gemini_userland.touch:touch",
    **dict.fromkeys(
        ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"),
        "gemini_userland.checksums:checksum",
    ),
    "truncate": "gemini_userland.sizes:truncate",
    "install": "gemini_userland.install:install",
    "od": "gemini_userland.dumps:od",
    "xxd": "gemini_userland.dumps:xxd",
    "hexdump": "gemini_userland.dumps:hexdump",
    "hd": "gemini_userland.dumps:hexdump",
}

NOT_FOUND = 127
INTERRUPTED = 130


class Commands(Mapping[str, Command]):
    """Commands by name. A command's module is imported when the command first runs.

    Args:
        where: For each name, `module:function`.
    """

    def __init__(self, where: Mapping[str, str]) -> None:
        self._where = dict(where)

    def __getitem__(self, name: str) -> Command:
        module, _, function = self._where[name].partition(":")
        return cast(Command, getattr(import_module(module), function))

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __len__(self) -> int:
        return len(self._where)

    def __contains__(self, name: object) -> bool:
        return name in self._where


COMMANDS = Commands(WHERE)


async def run(invocation: Invocation, commands: Mapping[str, Command] = COMMANDS) -> int:
    """Run the command that `invocation.argv[0]` names and return its exit code.

    127 when there is no such command, 130 when it was interrupted, 1 with `name: path: reason` on standard
    error when the system refused something. Cancellation of the calling task goes through to the caller.
    """
    if invocation.name not in commands:
        invocation.error("command not found")
        return NOT_FOUND
    try:
        return await commands[invocation.name](invocation)
    except OSError as error:
        invocation.error(_reason(error))
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def _reason(error: OSError) -> str:
    what = error.strerror or str(error)
    if error.filename is None:
        return what
    return f"{os.fsdecode(error.filename)}: {what}"
