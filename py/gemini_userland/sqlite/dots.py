"""The commands of the shell that begin with a dot."""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
from collections.abc import Awaitable, Callable

from gemini_userland.sqlite import dump
from gemini_userland.sqlite.load import ImportFailed, import_file
from gemini_userland.sqlite.modes import MODES
from gemini_userland.sqlite.session import Session

ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\", '"': '"', "'": "'"}


class DotFailed(Exception):
    """A command failed; the message is printed as it is."""


class Quit(Exception):
    """The session ends.

    Args:
        exit_code: The exit code of the command.
    """

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


Read = Callable[[str], Awaitable[None]]
"""Runs the lines of a text."""


def split(line: str) -> list[str]:
    """Split a line into words; double quotes allow escapes."""
    words: list[str] = []
    for match in re.finditer(r"'([^']*)'|\"((?:\\.|[^\"\\])*)\"|(\S+)", line):
        if match[2] is not None:
            words.append(re.sub(r"\\(.)", lambda one: ESCAPES.get(one[1], one[1]), match[2]))
        else:
            words.append(match[1] if match[1] is not None else match[3])
    return words


class Dots:
    """Runs dot commands.

    Args:
        session: The session.
        read: Runs the lines of a file.
    """

    def __init__(self, session: Session, read: Read) -> None:
        self._session = session
        self._read = read
        self._commands: dict[str, Callable[[list[str]], Awaitable[None]]] = {
            "backup": self._backup,
            "bail": self._bail,
            "changes": self._changes,
            "databases": self._databases,
            "dump": self._dump,
            "echo": self._echo,
            "exit": self._quit,
            "headers": self._headers,
            "help": self._help,
            "import": self._import,
            "indexes": self._indexes,
            "indices": self._indexes,
            "mode": self._mode,
            "nullvalue": self._nullvalue,
            "once": self._once,
            "open": self._open,
            "output": self._output,
            "print": self._print,
            "quit": self._quit,
            "read": self._read_file,
            "restore": self._restore,
            "save": self._backup,
            "schema": self._schema,
            "separator": self._separator,
            "shell": self._system,
            "show": self._show,
            "system": self._system,
            "tables": self._tables,
            "timeout": self._ignore,
            "width": self._width,
        }

    async def run(self, line: str) -> None:
        """Run a command.

        Raises:
            DotFailed: It failed.
            Quit: It ends the session.
        """
        words = split(line[1:])
        name, arguments = (words[0], words[1:]) if words else ("", [])
        known = [one for one in self._commands if one.startswith(name)] if name else []
        method = self._commands.get(name) or (self._commands[known[0]] if known else None)
        if method is None:
            raise DotFailed(f'Error: unknown command or invalid arguments:  "{name}". Enter ".help" for help')
        try:
            await method(arguments)
        except ImportFailed as error:
            raise DotFailed(f"Error: {error}") from error
        except sqlite3.Error as error:
            raise DotFailed(f"Error: {error}") from error
        finally:
            if name not in ("once", "output", "o"):
                self._session.end_once()

    async def _tables(self, arguments: list[str]) -> None:
        pattern = arguments[0] if arguments else None
        self._session.write(dump.names(self._session.database, "'table','view'", "name", pattern))

    async def _indexes(self, arguments: list[str]) -> None:
        pattern = arguments[0] if arguments else None
        self._session.write(dump.names(self._session.database, "'index'", "tbl_name", pattern))

    async def _schema(self, arguments: list[str]) -> None:
        patterns = [word for word in arguments if not word.startswith("-")]
        for text in dump.schema(self._session.database, patterns[0] if patterns else None):
            self._session.write(text)

    async def _dump(self, arguments: list[str]) -> None:
        for text in dump.dump(self._session.database, arguments):
            self._session.write(text)

    async def _databases(self, _: list[str]) -> None:
        for _number, name, path in self._session.database.execute("PRAGMA database_list").fetchall():
            shown = path or '""'
            access = "r/o" if self._session.readonly else "r/w"
            self._session.write(f"{name}: {shown} {access}\n")

    async def _mode(self, arguments: list[str]) -> None:
        style = self._session.style
        names = [word for word in arguments if not word.startswith("-")]
        if not names:
            self._session.write(f"current output mode: {style.mode}\n")
            return
        found = [mode for mode in MODES if mode.startswith(names[0])]
        mode = (
            names[0]
            if names[0] in MODES
            else found[0]
            if found
            else {"lines": "line", "columns": "column"}.get(names[0])
        )
        if mode is None:
            raise DotFailed(f"Error: mode should be one of: {' '.join(MODES)}")
        style.set_mode(mode)
        style.table = names[1] if len(names) > 1 else "table"
        if style.headers is None and mode == "column":
            style.headers = True

    async def _headers(self, arguments: list[str]) -> None:
        self._session.style.headers = _switch("headers", arguments)

    async def _echo(self, arguments: list[str]) -> None:
        self._session.echo = _switch("echo", arguments)

    async def _bail(self, arguments: list[str]) -> None:
        self._session.bail = _switch("bail", arguments)

    async def _changes(self, arguments: list[str]) -> None:
        self._session.shows_changes = _switch("changes", arguments)

    async def _separator(self, arguments: list[str]) -> None:
        if not 1 <= len(arguments) <= 2:
            raise DotFailed("Usage: .separator COL ?ROW?")
        self._session.style.separator = _unescape(arguments[0])
        if len(arguments) > 1:
            self._session.style.newline = _unescape(arguments[1])

    async def _nullvalue(self, arguments: list[str]) -> None:
        if len(arguments) != 1:
            raise DotFailed("Usage: .nullvalue STRING")
        self._session.style.null = arguments[0]

    async def _width(self, arguments: list[str]) -> None:
        self._session.style.widths = [int(word) for word in arguments if re.fullmatch(r"[-+]?\d+", word)]

    async def _output(self, arguments: list[str]) -> None:
        self._redirect(arguments, once=False)

    async def _once(self, arguments: list[str]) -> None:
        self._redirect(arguments, once=True)

    def _redirect(self, arguments: list[str], *, once: bool) -> None:
        name = arguments[0] if arguments else "stdout"
        try:
            self._session.redirect(
                None if name == "stdout" else self._session.invocation.path(name), once=once
            )
        except OSError as error:
            raise DotFailed(f'Error: cannot open "{name}"') from error

    async def _read_file(self, arguments: list[str]) -> None:
        if len(arguments) != 1:
            raise DotFailed("Usage: .read FILE")
        try:
            with open(self._session.invocation.path(arguments[0]), "rb") as file:
                text = file.read().decode("utf-8", "surrogateescape")
        except OSError as error:
            raise DotFailed(f'Error: cannot open "{arguments[0]}"') from error
        await self._read(text)

    async def _import(self, arguments: list[str]) -> None:
        import_file(self._session, arguments)

    async def _print(self, arguments: list[str]) -> None:
        self._session.write(" ".join(arguments) + "\n")

    async def _open(self, arguments: list[str]) -> None:
        names = [word for word in arguments if not word.startswith("-")]
        self._session.readonly = "--readonly" in arguments or "-readonly" in arguments
        self._session.reopen(names[0] if names else ":memory:")

    async def _backup(self, arguments: list[str]) -> None:
        if not arguments:
            raise DotFailed("missing FILENAME argument on .backup")
        with sqlite3.connect(self._session.invocation.path(arguments[-1])) as target:
            self._session.database.backup(target)
        target.close()

    async def _restore(self, arguments: list[str]) -> None:
        if not arguments:
            raise DotFailed("Usage: .restore ?DB? FILE")
        path = self._session.invocation.path(arguments[-1])
        if not os.path.exists(path):
            raise DotFailed(f'Error: cannot open "{arguments[-1]}"')
        with sqlite3.connect(path) as source:
            source.backup(self._session.database)
        source.close()

    async def _system(self, arguments: list[str]) -> None:
        invocation = self._session.invocation
        await invocation.shell(shlex.join(arguments), invocation.cwd, invocation.env)

    async def _quit(self, arguments: list[str]) -> None:
        raise Quit(int(arguments[0]) if arguments and arguments[0].isdigit() else 0)

    async def _show(self, _: list[str]) -> None:
        style = self._session.style
        for name, value in (
            ("echo", "on" if self._session.echo else "off"),
            ("headers", "on" if style.headers else "off"),
            ("mode", style.mode),
            ("nullvalue", f'"{style.null}"'),
            ("output", self._session.target or "stdout"),
            ("colseparator", '"' + style.separator.encode("unicode_escape").decode() + '"'),
            ("rowseparator", '"' + style.newline.encode("unicode_escape").decode() + '"'),
            ("filename", self._session.name),
        ):
            self._session.write(f"{name:>12}: {value}\n")

    async def _help(self, _: list[str]) -> None:
        for name in self._commands:
            self._session.write(f".{name}\n")

    async def _ignore(self, _: list[str]) -> None:
        """Accept a setting that has no effect here."""


def _switch(name: str, arguments: list[str]) -> bool:
    if len(arguments) != 1:
        raise DotFailed(f"Usage: .{name} on|off")
    word = arguments[0].lower()
    if word not in ("on", "off", "yes", "no", "1", "0"):
        raise DotFailed(f'ERROR: Not a boolean value: "{arguments[0]}". Assuming "no".')
    return word in ("on", "yes", "1")


def _unescape(text: str) -> str:
    return re.sub(r"\\([tnr\\])", lambda one: ESCAPES[one[1]], text)
