"""A session of the shell: the database, and the statements that run on it."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from gemini_userland.invocation import Invocation
from gemini_userland.sqlite.modes import Style, write

PREPARE, STEP = "in prepare", "stepping"
PRIMARY = 0xFF
ARROW_AT = 25
CONTEXT_WIDTH = 78
CONTEXT_BEFORE = 50


class SqlFailed(Exception):
    """A statement failed.

    Args:
        phase: PREPARE or STEP.
        message: The message, with the place in the statement.
        code: SQLite's primary result code.
    """

    def __init__(self, phase: str, message: str, code: int) -> None:
        super().__init__(message)
        self.phase = phase
        self.code = code


class DatabaseMissing(Exception):
    """The database can't be opened."""


@dataclass
class Session:
    """The state of the shell.

    Attributes:
        invocation: The call of the command.
        name: The database's file name.
        style: The settings of the output.
        readonly: The database is opened read-only.
        bail: The session ends at the first error.
        echo: Commands are printed before they run.
        shows_changes: The numbers of changed rows are printed.
        target: The path of the file that output goes to; None for standard output.
        once: The output goes back to standard output after the next command.
        errors: The number of failed commands.
    """

    invocation: Invocation
    name: str = ":memory:"
    style: Style = field(default_factory=Style)
    readonly: bool = False
    bail: bool = False
    echo: bool = False
    shows_changes: bool = False
    target: str | None = None
    once: bool = False
    errors: int = 0
    _connection: sqlite3.Connection | None = None

    @property
    def database(self) -> sqlite3.Connection:
        """The connection, which is opened on first use.

        Raises:
            DatabaseMissing: The file can't be opened.
        """
        return self._connection or self.open()

    @property
    def exists(self) -> bool:
        """True if the database's file is there."""
        return os.path.exists(self.invocation.path(self.name))

    def open(self) -> sqlite3.Connection:
        """Open the database.

        Raises:
            DatabaseMissing: The file can't be opened.
        """
        connection = self._connection = self._open(self.name)
        return connection

    def _open(self, name: str) -> sqlite3.Connection:
        in_memory = name in ("", ":memory:")
        path = ":memory:" if in_memory else name if name.startswith("file:") else self.invocation.path(name)
        try:
            if self.readonly and not in_memory:
                quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
                connection = sqlite3.connect(f"file:{quoted}?mode=ro", uri=True, isolation_level=None)
            else:
                connection = sqlite3.connect(path, uri=name.startswith("file:"), isolation_level=None)
        except sqlite3.Error as error:
            raise DatabaseMissing(f'Error: unable to open database "{name}": {error}') from error
        connection.text_factory = _decode
        connection.create_function("readfile", 1, self._read_file)
        connection.create_function("writefile", 2, self._write_file)
        return connection

    def _read_file(self, name: object) -> bytes | None:
        """Return the content of a file, for SQL; None if it can't be read."""
        try:
            with open(self.invocation.path(str(name)), "rb") as file:
                return file.read()
        except OSError:
            return None

    def _write_file(self, name: object, content: object) -> int | None:
        """Write a file, for SQL, and return its size; None if it can't be written."""
        data = content if isinstance(content, bytes) else "" if content is None else str(content)
        encoded = data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape")
        try:
            with self.invocation.create(self.invocation.path(str(name))) as file:
                return file.write(encoded)
        except OSError:
            return None

    def reopen(self, name: str) -> None:
        """Close the database and open another."""
        self.close()
        self.name = name

    def close(self) -> None:
        """Close the database, if it is open."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def write(self, text: str) -> None:
        """Write output to its target."""
        data = text.encode("utf-8", "surrogateescape")
        if self.target is None:
            self.invocation.stdout.write(data)
            return
        with open(self.target, "ab") as file:
            file.write(data)

    def complain(self, text: str) -> None:
        """Write a line to standard error."""
        self.invocation.stderr.write(f"{text}\n".encode("utf-8", "surrogateescape"))

    def redirect(self, path: str | None, *, once: bool = False) -> None:
        """Send output to a file, which is emptied, or to standard output for None."""
        self.target, self.once = path, once
        if path is not None:
            with open(path, "wb"):
                pass

    def end_once(self) -> None:
        """End a redirection of one command."""
        if self.once:
            self.redirect(None)

    def execute(self, script: str) -> None:
        """Run the statements of a script and print their results.

        Raises:
            SqlFailed: A statement failed; those after it don't run.
        """
        for statement, rest in statements(script):
            self._one(statement, rest)
        self.end_once()

    def _one(self, statement: str, rest: str) -> None:
        try:
            # Names of files in SQL are relative to the shell's folder.
            with _in_folder(self.invocation.cwd):
                cursor = self.database.execute(statement)
                rows = cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            raise self._failure(statement, rest, error) from error
        if cursor.description is not None:
            self.write(write(self.style, [column[0] for column in cursor.description], rows))
        if self.shows_changes:
            [(changes,)] = self.database.execute("SELECT changes()")
            self.write(f"changes: {changes}   total_changes: {self.database.total_changes}\n")

    def _failure(self, statement: str, rest: str, error: Exception) -> SqlFailed:
        code = getattr(error, "sqlite_errorcode", 1) & PRIMARY
        message = str(error)
        phase = PREPARE if code == 1 and not self._is_valid(statement) else STEP
        if code != 1:
            message += f" ({code})"
        if phase == PREPARE:
            message += self._context(statement, rest, message)
        return SqlFailed(phase, message, code)

    def _error_of(self, statement: str) -> str:
        try:
            self.database.execute("EXPLAIN " + statement).close()
        except (sqlite3.Error, sqlite3.Warning) as error:
            return str(error)
        return ""

    def _is_valid(self, statement: str) -> bool:
        return not self._error_of(statement)

    def _context(self, statement: str, rest: str, message: str) -> str:
        """Return the lines that show where a statement is wrong, or "" if that is unknown."""
        at = self._place(statement, message)
        if at is None:
            return ""
        text = re.sub(r"\s", " ", rest)
        if at > CONTEXT_BEFORE:
            text, at = text[at - CONTEXT_BEFORE :], CONTEXT_BEFORE
        text = text[:CONTEXT_WIDTH]
        arrow = " " * at + "^--- error here" if at < ARROW_AT else " " * (at - 14) + "error here ---^"
        return f"\n  {text}\n  {arrow}"

    def _place(self, statement: str, message: str) -> int | None:
        if near := re.match(r'near "(.*)": syntax error', message, re.DOTALL):
            # The text before the wrong token is the beginning of a statement.
            places = [one.start() for one in re.finditer(re.escape(near[1]), statement)]
            begins = (
                one for one in places if not one or "incomplete input" in self._error_of(statement[:one])
            )
            return next(begins, places[0] if places else None)
        if column := re.match(r"no such (?:column|function): (?:\w+\.)?(\w+)", message):
            found = re.search(rf"\b{re.escape(column[1])}\b", statement)
            if found is None:
                return None
            qualified = re.search(r"\w+\.$", statement[: found.start()])
            return qualified.start() if qualified else found.start()
        return None


@contextmanager
def _in_folder(path: str) -> Generator[None]:
    """Work in a folder, if it is still there. Nothing else runs meanwhile."""
    before = os.getcwd()
    with suppress(FileNotFoundError):
        os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def statements(script: str) -> Iterator[tuple[str, str]]:
    """Yield the statements of a script, each from its first character to its semicolon, and the text from there."""
    start = 0
    for match in re.finditer(";", script):
        text = script[start : match.end()]
        if sqlite3.complete_statement(text):
            if text.strip():
                yield text.lstrip(), script[start:].lstrip()
            start = match.end()
    rest = script[start:].strip()
    if rest:
        yield script[start:].lstrip(), script[start:].lstrip()
