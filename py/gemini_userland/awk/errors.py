"""The errors of awk, and the exceptions by which its statements leave a function.

AwkError
├── BadProgram   the program can't be parsed or translated
└── RunError     a statement failed while the program ran
WrongUsage       the arguments are wrong
Leaving
├── NextRecord   `next` in a function
├── NextFile     `nextfile`
└── Exit         `exit`
"""

from __future__ import annotations


class AwkError(Exception):
    """The program is wrong or has failed.

    Attributes:
        message: The problem.
        line: The line of the program, from 1; 0 if it isn't known.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class BadProgram(AwkError):
    """The program can't be parsed or translated."""


class RunError(AwkError):
    """A statement failed while the program ran."""


class Leaving(Exception):
    """A statement that leaves all functions."""


class NextRecord(Leaving):
    """The rules continue with the next record."""


class NextFile(Leaving):
    """The rules continue with the next file."""


class Exit(Leaving):
    """The program ends; `code` is None if the statement names none."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class WrongUsage(ValueError):
    """The arguments are wrong; the message says how."""
