"""One run of tar: what it was asked for, and what it has complained about."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.tar.listing import Lister
from gemini_userland.tar.selection import Named, excluder, named

FAILURE = 2


class Misuse(Exception):
    """Options that make no sense; the message is what standard error gets."""


class Fatal(Exception):
    """tar can't go on; the message is what standard error gets."""


@dataclass
class Job:
    """The options made ready, shared by reading and writing.

    Attributes:
        names: What to archive, list or extract; empty means everything when reading.
        directory: Absolute path of the directory that the last -C led to.
        status: The exit code so far.
    """

    invocation: Invocation
    given: Arguments
    names: list[Named]
    directory: str
    excluded: re.Pattern[str] | None
    lister: Lister
    status: int = 0
    _said: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, invocation: Invocation, given: Arguments) -> Job:
        """Read name lists and directories; raises `Fatal` when one can't be read."""
        try:
            names, directory = named(invocation, given)
            excluded = excluder(invocation, given)
        except OSError as problem:
            shown = problem.filename if "C" not in given else given.last("C")
            raise Fatal(f"{shown}: Cannot open: {problem.strerror}") from problem
        lister = Lister(len(given.all("v")) + ("t" in given), "numeric-owner" in given)
        return cls(invocation, given, names, directory, excluded, lister)

    def fail(self, complaint: str) -> None:
        """Complain and go on; the exit code tells."""
        self.invocation.error(complaint)
        self.status = FAILURE

    def warn_once(self, warning: str) -> None:
        """Say something that doesn't change the exit code, one time."""
        if warning not in self._said:
            self._said.add(warning)
            self.invocation.error(warning)

    def finish(self) -> int:
        """Return the exit code, having summed the failures up."""
        if self.status:
            self.invocation.error("Exiting with failure status due to previous errors")
        return self.status
