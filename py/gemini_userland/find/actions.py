"""The actions of `find`: print, delete, and run commands.

Source: the GNU findutils manual, "Actions".
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from gemini_userland.find.entry import Entry
from gemini_userland.find.names import Predicate
from gemini_userland.find.query import Output, Query

# GNU's limit for the arguments of one command, in bytes.
MOST_ARGUMENTS = 1 << 17
MARK = "{}"
AsyncPredicate = Callable[[Entry], Awaitable[bool]]


def printing(output: Output, text: Callable[[Entry], str]) -> Predicate:
    """Return the action that prints a text about each file."""

    def action(entry: Entry) -> bool:
        output.add(text(entry))
        return True

    return action


def deletion(query: Query) -> Predicate:
    """Return the action that removes files and empty folders."""

    def action(entry: Entry) -> bool:
        if entry.path == ".":
            return True
        try:
            if entry.is_folder:
                os.rmdir(entry.place)
            else:
                os.unlink(entry.place)
        except OSError as error:
            query.complain(f"cannot delete ‘{entry.path}’: {error.strerror}")
            return False
        return True

    return action


@dataclass
class Runner:
    """A command of `-exec` or `-execdir`.

    Attributes:
        query: The call.
        words: The command and its arguments.
        inside: Whether it runs in the folder of each file.
    """

    query: Query
    words: Sequence[str]
    inside: bool
    _known: bool | None = None

    async def run(self, words: Sequence[str], folder: str) -> bool:
        """Run a command in a folder; return whether it succeeded."""
        query = self.query
        shell, env = query.invocation.shell, query.invocation.env
        query.flush()
        if self._known is None:
            self._known = await shell(f"type -P -- {shlex.quote(words[0])} >/dev/null", folder, env) == 0
        if not self._known:
            query.invocation.error(f"‘{words[0]}’: No such file or directory")
            return False
        # Functions and aliases of the shell aren't programs.
        return await shell(f"exec {shlex.join(words)}", folder, env) == 0

    def place_of(self, entry: Entry) -> tuple[str, str]:
        """Return the folder in which the command runs for a file, and the file's name there."""
        if not self.inside:
            return self.query.invocation.cwd, entry.path
        if entry.name == "/":
            return "/", "/"
        if entry.name in (".", ".."):
            return entry.place, "./" + entry.name
        return os.path.dirname(entry.place.rstrip("/")) or "/", "./" + entry.name


@dataclass
class Each(Runner):
    """A command that runs for each file."""

    async def act(self, entry: Entry) -> bool:
        """Run it for a file; return whether it succeeded."""
        folder, name = self.place_of(entry)
        return await self.run([word.replace(MARK, name) for word in self.words], folder)


@dataclass
class Together(Runner):
    """A command that runs for many files at once."""

    _names: list[str] = field(default_factory=list[str])
    _size: int = 0
    _folder: str = ""
    _alone: bool = False

    async def act(self, entry: Entry) -> bool:
        """Add a file to the next run's files."""
        folder, name = self.place_of(entry)
        size = len(os.fsencode(name)) + 1
        # With -execdir, a starting point is alone even if its content has the same folder.
        if self._names and (folder != self._folder or self._alone or self._size + size > MOST_ARGUMENTS):
            await self.finish()
        if not self._names:
            self._size = sum(len(os.fsencode(word)) + 1 for word in self.words)
        self._names.append(name)
        self._size += size
        self._folder = folder
        self._alone = self.inside and entry.depth == 0
        return True

    async def finish(self) -> None:
        """Run the command for the files that wait."""
        if not self._names:
            return
        names, self._names = self._names, []
        if not await self.run([*self.words, *names], self._folder):
            self.query.status = 1
