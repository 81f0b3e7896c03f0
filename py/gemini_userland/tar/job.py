"""The state of a run of tar: its options and its errors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation, Output
from gemini_userland.options import Arguments
from gemini_userland.tar.listing import Lister
from gemini_userland.tar.selection import Named, excluder, named

FAILURE = 2


class UsageError(Exception):
    """The options are invalid; the message goes to standard error."""


class Fatal(Exception):
    """An error that ends the run; the message goes to standard error."""


@dataclass
class Job:
    """A run of tar, shared by reading and writing.

    Attributes:
        invocation: The call of the command.
        given: The parsed options.
        names: The names to archive, list or extract; when reading, an empty list means all.
        directory: The absolute path of the directory after the last -C.
        excluded: Matches excluded names.
        lister: Formats members.
        status: The exit code so far.
    """

    invocation: Invocation
    given: Arguments
    names: list[Named]
    directory: str
    excluded: re.Pattern[str] | None
    lister: Lister
    status: int = 0
    _warnings: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, invocation: Invocation, given: Arguments) -> Job:
        """Create a job from the options; reads name lists and directories.

        Raises:
            Fatal: A list or directory can't be read.
        """
        try:
            names, directory = named(invocation, given)
            excluded = excluder(invocation, given)
        except OSError as problem:
            shown = problem.filename if "C" not in given else given.last("C")
            raise Fatal(f"{shown}: Cannot open: {problem.strerror}") from problem
        zone = zone_of(invocation) if "v" in given and "utc" not in given else UTC
        verbosity = len(given.all("v")) + ("t" in given)
        lister = Lister(verbosity, "numeric-owner" in given, zone, with_seconds="full-time" in given)
        return cls(invocation, given, names, directory, excluded, lister)

    def fail(self, message: str) -> None:
        """Print an error and set the exit code; the run continues."""
        self.invocation.error(message)
        self.status = FAILURE

    def warn_once(self, warning: str) -> None:
        """Print a warning unless it was printed before; the exit code doesn't change."""
        if warning not in self._warnings:
            self._warnings.add(warning)
            self.invocation.error(warning)

    def finish(self) -> int:
        """Print the closing message after failures and return the exit code."""
        if self.status:
            self.invocation.error("Exiting with failure status due to previous errors")
        return self.status


def output_of(job: Job, *, to_stderr: bool) -> Output:
    """Return the stream for listings: standard output or error, or the file of --index-file.

    Raises:
        Fatal: The file can't be written.
    """
    name = job.given.last("index-file")
    if name is None:
        return job.invocation.stderr if to_stderr else job.invocation.stdout
    path = job.invocation.path(name)
    try:
        job.invocation.create(path).close()
    except OSError as problem:
        raise Fatal(f"{name}: Cannot open: {problem.strerror}") from problem

    def append(data: bytes) -> None:
        with open(path, "ab") as file:
            file.write(data)

    return Output(append)
