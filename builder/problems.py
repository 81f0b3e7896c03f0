"""What stops a build."""

from __future__ import annotations


class BuildProblem(Exception):
    """A failure that the person who started the build can act on.

    The message is one sentence that says what is wrong and what to do; `details` is the output of the program
    that failed, given only where the person has to read it (a syntax error in a source file, a failed check).
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details
