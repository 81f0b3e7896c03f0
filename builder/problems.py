"""The error that stops a build."""

from __future__ import annotations


class BuildProblem(Exception):
    """A failure that the user can act on.

    Args:
        message: One sentence that names the problem and the fix.
        details: The output of the program that failed, if the user must read it (a syntax error, a failed check).
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details
