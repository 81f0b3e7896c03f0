"""The environment of make: the shell, the directory and the output."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.make.scan import Location, MakeError


@dataclass
class Host:
    """The environment that make runs in.

    Attributes:
        invocation: The call of the command.
        directory: The absolute working directory, after -C.
        name: The prefix of messages: `make`, or `make[1]` in a recursive call.
        environment: The environment of `$(shell …)`.
        muted: Whether failures are hidden because make continues without the file.
        reason: The message to print before the next failure: why the file is needed.
    """

    invocation: Invocation
    directory: str
    name: str
    environment: Mapping[str, str]
    muted: bool = False
    reason: tuple[str, Location | None] | None = None

    def print(self, text: str) -> None:
        """Write a line to standard output."""
        self.invocation.print(text)

    def say(self, text: str) -> None:
        """Write a message of make to standard output."""
        self.invocation.print(f"{self.name}: {text}")

    def report(self, text: str, where: Location | None = None) -> None:
        """Write a message of make, or about a line of a makefile, to standard error."""
        line = f"{self.name if where is None else where}: {text}\n"
        self.invocation.stderr.write(line.encode("utf-8", "surrogateescape"))

    def fail(self, text: str, where: Location | None = None) -> None:
        """Report a failure."""
        if self.muted:
            return
        if self.reason is not None:
            self.report(*self.reason)
            self.reason = None
        self.report(f"*** {text}", where)

    def path(self, name: str) -> str:
        """Return the absolute path of a file."""
        if name.startswith("/"):
            return self.invocation.path(name)
        return os.path.join(self.directory, name)

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        return self.mtime(name) is not None

    def mtime(self, name: str) -> int | None:
        """Return a file's modification time in nanoseconds, or None if it doesn't exist."""
        try:
            return os.stat(self.path(name)).st_mtime_ns
        except (OSError, ValueError):  # ValueError: a NUL in the name
            return None

    def glob(self, pattern: str) -> list[str]:
        """Return the sorted names that match a shell pattern, or the name without wildcards if it exists."""
        if pattern.startswith("~"):
            pattern = self.home(pattern)
        if not glob.has_magic(pattern):
            return [pattern] if os.path.lexists(self.path(pattern)) else []
        return sorted(glob.glob(pattern, root_dir=self.directory))

    def home(self, name: str) -> str:
        """Expand a leading ~ to the terminal's HOME."""
        if name == "~" or name.startswith("~/"):
            return self.invocation.env.get("HOME", "~") + name[1:]
        return name

    def read(self, name: str) -> str:
        """Return a file's text with newlines as line ends.

        Raises:
            OSError: The file can't be read.
        """
        with open(self.path(name), "rb") as file:
            text = file.read().decode("utf-8", "surrogateescape")
        return text.removeprefix("\ufeff").replace("\r\n", "\n")

    async def run(self, script: str, environment: Mapping[str, str]) -> int:
        """Run a script and return its exit code; its output becomes part of make's."""
        return await self.invocation.shell(script, self.directory, environment)

    async def capture(self, script: str) -> tuple[int, str]:
        """Run a script and return its exit code and standard output."""
        handle, path = tempfile.mkstemp(prefix="make-")
        os.close(handle)
        try:
            # The newline ends a comment or here-document in the script.
            status = await self.run(f"( {script}\n) > '{path}'", self.environment)
            with open(path, "rb") as file:
                return status, file.read().decode("utf-8", "surrogateescape")
        finally:
            os.unlink(path)

    def write(self, name: str, text: str, append: bool) -> None:
        """Write a file for `$(file …)`.

        Raises:
            MakeError: The file can't be written.
        """
        try:
            with open(self.path(name), "ab" if append else "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
        except OSError as problem:
            raise MakeError(f"open: {name}: {problem.strerror}") from problem
