"""The command `sqlite3`: its options, and the commands from arguments and standard input."""

from __future__ import annotations

import asyncio
import os
import sqlite3 as driver

from gemini_userland.clock import in_zone
from gemini_userland.invocation import Invocation, Keyboard, LineRequest, ReadInterrupted
from gemini_userland.sqlite.dots import DotFailed, Dots, Quit
from gemini_userland.sqlite.modes import MODES
from gemini_userland.sqlite.session import PREPARE, STEP, DatabaseMissing, Session, SqlFailed

HELP = """\
Usage: sqlite3 [OPTIONS] FILENAME [SQL]
FILENAME is the name of an SQLite database. A new database is created if the file does not exist.

  -ascii, -box, -column, -csv, -html, -json, -line, -list, -markdown, -quote, -table, -tabs
                       set the output mode
  -bail                stop after an error
  -cmd COMMAND         run COMMAND before reading standard input
  -echo                print commands before they run
  -[no]header          turn headers on or off
  -init FILENAME       read FILENAME first
  -newline SEP         set the row separator
  -nullvalue TEXT      set the text for NULL
  -readonly            open the database read-only
  -separator SEP       set the column separator
  -version             show the version of SQLite
"""
VALUED = ("cmd", "init", "newline", "nullvalue", "separator")
WITHOUT_EFFECT = ("batch", "interactive")
# Sizes of memory make no difference to answers: for each, the number of values.
SIZES = {"lookaside": 2, "maxsize": 1, "mmap": 1, "pagecache": 2}
REFUSED = {
    "A": "use tar or zip for archives",
    "append": "use a file of its own",
    "deserialize": "open the file itself, or copy it with `.backup`",
    "memtrace": "leave it out",
    "nonce": "there is no safe mode: leave it out",
    "safe": "use -readonly, and no text of others as a command",
    "stats": "leave it out",
    "vfs": "files are the page's: leave it out",
    "zip": "use unzip",
}
PROMPT, CONTINUATION = "sqlite> ", "   ...> "
PROBLEMS = {PREPARE: "Parse error", STEP: "Runtime error"}


class UsageError(Exception):
    """The command line is invalid."""


class Shell:
    """Runs the commands of a call.

    Args:
        invocation: The call of sqlite3.
    """

    def __init__(self, invocation: Invocation) -> None:
        self._invocation = invocation
        self.session = Session(invocation)
        self._dots = Dots(self.session, self.read)
        self._first: list[str] = []
        self._commands: list[str] = []
        self._has_name = False
        self._follows = True
        self._asks = False

    def take(self, arguments: list[str]) -> None:
        """Take in the options and operands.

        Raises:
            UsageError: An option is unknown or lacks its value.
        """
        rest = iter(arguments)
        later: list[tuple[str, str]] = []
        for word in rest:
            if word.startswith("-") and word != "-":
                name = word.lstrip("-")
                if name in SIZES:
                    for _ in range(SIZES[name]):
                        next(rest, None)
                elif name in VALUED:
                    value = next(rest, None)
                    if value is None:
                        raise UsageError(f"sqlite3: Error: missing argument to {word}")
                    later.append((name, value))
                else:
                    self._flag(name)
            elif not self._has_name:
                self.session.name, self._has_name = word, True
            else:
                self._commands.append(word)
        for name, value in later:
            self._valued(name, value)
        name = self.session.name
        if not self._follows and os.path.islink(self._invocation.path(name)):
            raise UsageError(
                f'Error: unable to open database "{name}": it is a link, and -nofollow was given'
            )

    def _flag(self, name: str) -> None:
        session, style = self.session, self.session.style
        if name in MODES:
            style.set_mode(name)
            style.newline = "\x1e" if name == "ascii" else "\n"
        elif name in ("header", "noheader"):
            style.headers = name == "header"
        elif name in ("readonly", "bail", "echo"):
            setattr(session, name, True)
        elif name == "nofollow":
            self._follows = False
        elif name in REFUSED:
            raise UsageError(f"sqlite3: Error: -{name} isn't supported: {REFUSED[name]}")
        elif name not in WITHOUT_EFFECT:
            raise UsageError(f"sqlite3: Error: unknown option: -{name}\nUse -help for a list of options.")

    def _valued(self, name: str, value: str) -> None:
        if name == "cmd":
            self._first.append(value)
        elif name == "init":
            self._first.append(f'.read "{value}"')
        else:
            setattr(self.session.style, {"nullvalue": "null"}.get(name, name), value)

    async def run(self) -> int:
        """Run all commands and return the exit code."""
        try:
            if self.session.exists:
                self.session.open()
            for command in self._first + self._commands:
                exit_code = await self._argument(command)
                if exit_code:
                    return exit_code
            if not self._commands and self._invocation.keyboard is not None:
                await self._prompt(self._invocation.keyboard)
                return 0
            if not self._commands:
                await self.read(self._invocation.stdin.decode("utf-8", "surrogateescape"))
        except Quit as quit_:
            return quit_.exit_code
        except DatabaseMissing as error:
            self.session.complain(str(error))
            return 1
        finally:
            self.session.close()
        return int(self.session.errors > 0)

    async def _prompt(self, keyboard: Keyboard) -> None:
        """Run statements typed at the terminal, up to the end of the input."""
        self._asks = True
        self.session.write(f'SQLite version {driver.sqlite_version}\nEnter ".help" for usage hints.\n')
        if self.session.name == ":memory:":
            self.session.write("Connected to a transient in-memory database.\n")
            self.session.write('Use ".open FILENAME" to reopen on a persistent database.\n')
        request = LineRequest(PROMPT, history=[], is_complete=_is_complete, continuation=CONTINUATION)
        while True:
            try:
                line = await keyboard.read_line(request)
            except ReadInterrupted:
                keyboard.take_interrupt()
                continue
            if line is None:
                return
            await self.read(line)

    async def _argument(self, command: str) -> int:
        """Run a command of the command line and return the exit code."""
        try:
            if command.startswith("."):
                await self._dots.run(command)
            else:
                with in_zone(self._invocation):
                    self.session.execute(command)
        except DotFailed as error:
            self.session.complain(str(error))
            return 1
        except SqlFailed as error:
            self.session.complain(f"Error: {error.phase}, {error}")
            return error.code
        return 0

    async def read(self, text: str) -> None:
        """Run the lines of a text: SQL statements and dot commands."""
        pending: list[str] = []
        start = 0
        for number, line in enumerate(text.split("\n"), 1):
            if not pending and (
                line.startswith((".", "#")) or not line.strip() or line.lstrip().startswith("--")
            ):
                if line.startswith("."):
                    await self._dot(line, number)
                continue
            if not pending:
                start = number
            pending.append(line)
            script = "\n".join(pending)
            if ";" in line and driver.complete_statement(script):
                # Let other terminals run, and time limits take effect.
                await asyncio.sleep(0)
                self._statements(script, start)
                pending = []
        if "".join(pending).strip():
            self._statements("\n".join(pending), start)

    async def _dot(self, line: str, number: int) -> None:
        try:
            await self._dots.run(line)
        except DotFailed as error:
            self._failed(str(error))

    def _statements(self, script: str, line: int) -> None:
        if self.session.echo:
            self.session.write(script + "\n")
        try:
            with in_zone(self._invocation):
                self.session.execute(script)
        except SqlFailed as error:
            place = "" if self._asks else f" near line {line}"
            self._failed(f"{PROBLEMS[error.phase]}{place}: {error}")

    def _failed(self, message: str) -> None:
        self.session.complain(message)
        self.session.errors += 1
        if self.session.bail:
            raise Quit(1)


def _is_complete(text: str) -> bool:
    """Return whether Enter runs the text: dot commands, comments and empty lines, or statements with a semicolon."""
    start = text.lstrip()
    return not start or start.startswith((".", "#", "--")) or driver.complete_statement(text)


async def sqlite3(invocation: Invocation) -> int:
    """Run SQL and dot commands on a database; return SQLite's code of the first error of an argument, else 0 or 1."""
    arguments = invocation.argv[1:]
    if "-version" in arguments or "--version" in arguments:
        with driver.connect(":memory:") as database:
            [(source,)] = database.execute("SELECT sqlite_source_id()")
        database.close()
        invocation.print(f"{driver.sqlite_version} {source}")
        return 0
    if "-help" in arguments or "--help" in arguments:
        invocation.print(HELP, end="")
        return 0
    shell = Shell(invocation)
    try:
        shell.take(arguments)
    except UsageError as error:
        shell.session.complain(str(error))
        return 1
    return await shell.run()
