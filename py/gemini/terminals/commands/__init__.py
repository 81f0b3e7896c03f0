"""Commands that the embedded shell lacks, written in Python.

A command's module is imported when the command first runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from gemini.terminals.commands.invocation import Command, Invocation

_WHERE = {
    "python": "gemini.terminals.commands.python:run_python",
    "python3": "gemini.terminals.commands.python:run_python",
    "pip": "gemini.terminals.commands.pip:pip",
    "pip3": "gemini.terminals.commands.pip:pip",
    "tar": "gemini.terminals.commands.tar:tar",
    "make": "gemini.terminals.commands.make:make",
    "uname": "gemini.terminals.commands.uname:uname",
    "id": "gemini.terminals.commands.id:id",
    "realpath": "gemini.terminals.commands.realpath:realpath",
    "mktemp": "gemini.terminals.commands.mktemp:mktemp",
    "yes": "gemini.terminals.commands.yes:yes",
    "xargs": "gemini.terminals.commands.xargs:xargs",
    "uniq": "gemini.terminals.commands.uniq:uniq",
    "wc": "gemini.terminals.commands.wc:wc",
    "ls": "gemini.terminals.commands.ls:ls",
    "sort": "gemini.terminals.commands.sort:sort",
    "grep": "gemini.terminals.commands.grep:grep",
    "egrep": "gemini.terminals.commands.grep:egrep",
    "fgrep": "gemini.terminals.commands.grep:fgrep",
    "date": "gemini.terminals.commands.date:date",
    "bc": "gemini.terminals.commands.bc:bc",
    "diff": "gemini.terminals.commands.diff:diff",
    "column": "gemini.terminals.commands.column:column",
    "factor": "gemini.terminals.commands.numbers:factor",
    "numfmt": "gemini.terminals.commands.numbers:numfmt",
    "gzip": "gemini.terminals.commands.gzip:gzip",
    "gunzip": "gemini.terminals.commands.gzip:gzip",
    "zcat": "gemini.terminals.commands.gzip:gzip",
    "cut": "gemini.terminals.commands.cut:cut",
    "cmp": "gemini.terminals.commands.cmp:cmp",
    "shuf": "gemini.terminals.commands.shuf:shuf",
    "sed": "gemini.terminals.commands.sed:sed",
    "fmt": "gemini.terminals.commands.fmt:fmt",
    "touch": "gemini.terminals.commands.touch:touch",
    **dict.fromkeys(
        ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"),
        "gemini.terminals.commands.checksums:checksum",
    ),
    "truncate": "gemini.terminals.commands.sizes:truncate",
    "install": "gemini.terminals.commands.install:install",
    "od": "gemini.terminals.commands.dumps:od",
    "xxd": "gemini.terminals.commands.dumps:xxd",
    "hexdump": "gemini.terminals.commands.dumps:hexdump",
    "hd": "gemini.terminals.commands.dumps:hexdump",
}

NOT_FOUND = 127
INTERRUPTED = 130


class _Commands(Mapping[str, Command]):
    """Name to command, each imported on first use."""

    def __getitem__(self, name: str) -> Command:
        module, _, function = _WHERE[name].partition(":")
        return cast(Command, getattr(import_module(module), function))

    def __iter__(self) -> Iterator[str]:
        return iter(_WHERE)

    def __len__(self) -> int:
        return len(_WHERE)

    def __contains__(self, name: object) -> bool:
        return name in _WHERE


COMMANDS: Mapping[str, Command] = _Commands()


async def run(invocation: Invocation) -> int:
    """Run the command that `invocation.argv[0]` names and return its exit code.

    127 when there is no such command, 130 when it was interrupted, 1 with `name: path: reason` on standard
    error when the system refused something. Cancellation of the calling task goes through to the caller.
    """
    if invocation.name not in COMMANDS:
        invocation.error("command not found")
        return NOT_FOUND
    try:
        return await COMMANDS[invocation.name](invocation)
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
