"""Unix commands in Python, for a shell without processes.

A command is a coroutine that takes an `Invocation` (arguments, standard input, working directory, environment,
streams) and returns its exit code. `LOCATIONS` lists the commands; `run` runs one. The package is independent of the
surface: it needs only a file system and a shell to call back.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from gemini_userland.characters import locale_of
from gemini_userland.invocation import Command, Invocation

FOLDER = f"{os.path.dirname(__file__)}{os.sep}"

LOCATIONS: Mapping[str, str] = {
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
    **dict.fromkeys(("ls", "dir", "vdir"), "gemini_userland.ls:ls"),
    "sort": "gemini_userland.sort:sort",
    "grep": "gemini_userland.grep:grep",
    "egrep": "gemini_userland.grep:egrep",
    "fgrep": "gemini_userland.grep:fgrep",
    "date": "gemini_userland.date:date",
    "timedatectl": "gemini_userland.timedatectl:timedatectl",
    "bc": "gemini_userland.bc:bc",
    "diff": "gemini_userland.diff:diff",
    "column": "gemini_userland.column:column",
    "factor": "gemini_userland.factor:factor",
    "numfmt": "gemini_userland.numfmt:numfmt",
    "gzip": "gemini_userland.gzip:gzip",
    "gunzip": "gemini_userland.gzip:gzip",
    "zcat": "gemini_userland.gzip:gzip",
    "cut": "gemini_userland.cut:cut",
    "cmp": "gemini_userland.cmp:cmp",
    "shuf": "gemini_userland.shuf:shuf",
    "sed": "gemini_userland.sed:sed",
    **dict.fromkeys(("awk", "gawk"), "gemini_userland.awk:awk"),
    "fmt": "gemini_userland.fmt:fmt",
    "touch": "gemini_userland.touch:touch",
    "cp": "gemini_userland.cp:cp",
    "mv": "gemini_userland.mv:mv",
    "rm": "gemini_userland.rm:rm",
    "mkdir": "gemini_userland.mkdir:mkdir",
    "du": "gemini_userland.du:du",
    "readlink": "gemini_userland.readlink:readlink",
    "tac": "gemini_userland.tac:tac",
    **dict.fromkeys(
        ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum"),
        "gemini_userland.checksums:checksum",
    ),
    "cksum": "gemini_userland.checksums:cksum",
    "sum": "gemini_userland.checksums:sum",
    **{
        name: f"gemini_userland.{name}:{name}"
        for name in ("tsort", "sync", "pathchk", "dd", "iconv", "getopt")
    },
    "arch": "gemini_userland.uname:arch",
    "chown": "gemini_userland.accounts:chown",
    "chgrp": "gemini_userland.accounts:chgrp",
    "link": "gemini_userland.ln:link",
    "logname": "gemini_userland.whoami:logname",
    "locale": "gemini_userland.locale:locale",
    "cat": "gemini_userland.cat:cat",
    "head": "gemini_userland.head:head",
    "tail": "gemini_userland.tail:tail",
    "tr": "gemini_userland.tr:tr",
    "paste": "gemini_userland.paste:paste",
    "nl": "gemini_userland.nl:nl",
    "fold": "gemini_userland.fold:fold",
    "rev": "gemini_userland.rev:rev",
    "comm": "gemini_userland.comm:comm",
    "join": "gemini_userland.join:join",
    "split": "gemini_userland.split:split",
    "csplit": "gemini_userland.csplit:csplit",
    "strings": "gemini_userland.strings:strings",
    "expr": "gemini_userland.expr:expr",
    "seq": "gemini_userland.seq:seq",
    "pr": "gemini_userland.pr:pr",
    "file": "gemini_userland.file:file",
    "expand": "gemini_userland.tabs:expand",
    "unexpand": "gemini_userland.tabs:unexpand",
    **dict.fromkeys(("base64", "base32", "basenc"), "gemini_userland.base_encoding:encode_base"),
    "basename": "gemini_userland.names:basename",
    "dirname": "gemini_userland.names:dirname",
    "unlink": "gemini_userland.names:unlink",
    "whoami": "gemini_userland.whoami:whoami",
    "groups": "gemini_userland.whoami:groups",
    "hostname": "gemini_userland.whoami:hostname",
    "tty": "gemini_userland.whoami:tty",
    "stty": "gemini_userland.whoami:stty",
    "truncate": "gemini_userland.sizes:truncate",
    "install": "gemini_userland.install:install",
    "od": "gemini_userland.od:od",
    "xxd": "gemini_userland.xxd:xxd",
    "hexdump": "gemini_userland.hexdump:hexdump",
    "hd": "gemini_userland.hexdump:hexdump",
    "patch": "gemini_userland.patch:patch",
    "sqlite3": "gemini_userland.sqlite:sqlite3",
    "zip": "gemini_userland.zip:zip_command",
    "unzip": "gemini_userland.zip:unzip",
    "envsubst": "gemini_userland.envsubst:envsubst",
    "cal": "gemini_userland.cal:cal",
    "openssl": "gemini_userland.openssl:openssl",
    "less": "gemini_userland.less:less",
    "more": "gemini_userland.less:less",
    **dict.fromkeys(("edit", "nano", "vi"), "gemini_userland.edit:edit"),
    "man": "gemini_userland.man:man",
    "watch": "gemini_userland.watch:watch",
    "tree": "gemini_userland.tree:tree",
    **{name: f"gemini_userland.{name}:{name}" for name in ("stat", "chmod", "ln", "rmdir", "clear")},
    "find": "gemini_userland.find:find",
    "rg": "gemini_userland.rg:rg",
    "nproc": "gemini_userland.system.clock:nproc",
    "uptime": "gemini_userland.system.clock:uptime",
    "df": "gemini_userland.system.df:df",
    "free": "gemini_userland.system.memory:free",
    "ps": "gemini_userland.system.processes:ps",
    "lsof": "gemini_userland.system.open_files:lsof",
    "pgrep": "gemini_userland.system.matching:pgrep",
    "pkill": "gemini_userland.system.matching:pkill",
    "killall": "gemini_userland.system.killall:killall",
}

NOT_FOUND = 127
INTERRUPTED = 130


class Commands(Mapping[str, Command]):
    """A mapping of command names to functions. A command's module is imported when the command first runs.

    Args:
        locations: For each name, `module:function`.
    """

    def __init__(self, locations: Mapping[str, str]) -> None:
        self._locations = dict(locations)

    def __getitem__(self, name: str) -> Command:
        module, _, function = self._locations[name].partition(":")
        return cast(Command, getattr(import_module(module), function))

    def __iter__(self) -> Iterator[str]:
        return iter(self._locations)

    def __len__(self) -> int:
        return len(self._locations)

    def __contains__(self, name: object) -> bool:
        return name in self._locations


COMMANDS = Commands(LOCATIONS)


async def run(invocation: Invocation, commands: Mapping[str, Command] = COMMANDS) -> int:
    """Run the command that `invocation.argv[0]` names and return its exit code.

    The exit code is 127 for an unknown command, 130 after an interrupt, and 1 after an OSError or MemoryError, which
    is printed to standard error as `name: path: reason`. Cancellation of the task is passed on to the caller.
    """
    if invocation.name not in commands:
        invocation.error("command not found")
        return NOT_FOUND
    try:
        with locale_of(invocation):
            return await commands[invocation.name](invocation)
    except OSError as error:
        invocation.error(_reason(error))
        return 1
    except MemoryError:
        invocation.error("out of memory")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def _reason(error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.filename is None:
        return reason
    return f"{os.fsdecode(error.filename)}: {reason}"
