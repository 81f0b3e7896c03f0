"""The errors of a surface under test.

SurfaceError
├── ToolCallFailed   a tool returned an error
├── PythonFailed     code that ran in `Surface.python` raised an exception
└── PageError        the page did not start, or its JavaScript threw an error
"""

from typing import Any


class SurfaceError(Exception):
    """The base class of errors from the page; its attributes are the fields of the page's error.

    Attributes:
        type: The error's class, such as `FileMissing`.
        message: The description of the error.
        hint: The suggested solution, if there is one.
        data: Details of the error, as JSON values.
    """

    def __init__(self, type: str, message: str, hint: str | None = None, data: Any = None) -> None:
        super().__init__(f"{type}: {message}" + (f" ({hint})" if hint else ""))
        self.type = type
        self.message = message
        self.hint = hint
        self.data = data


class ToolCallFailed(SurfaceError):
    """A tool returned an error, or doesn't exist."""


class PythonFailed(SurfaceError):
    """Python code in the page raised an exception; `data` has the traceback."""


class PageError(SurfaceError):
    """The page did not start, or its JavaScript threw an error."""
