"""What can go wrong with a surface under test.

SurfaceError
├── ToolCallFailed   a tool answered with an error
├── PythonFailed     code given to `Surface.python` raised
└── PageError        the page itself: it did not start, or its JavaScript threw
"""

from typing import Any


class SurfaceError(Exception):
    """Base of all of them; the attributes are the members of the error as the page tells it.

    Attributes:
        type: The error's class, such as `FileMissing`.
        message: What was wrong.
        hint: What can be done about it, if anything.
        data: Facts about it, as JSON has them.
    """

    def __init__(self, type: str, message: str, hint: str | None = None, data: Any = None) -> None:
        super().__init__(f"{type}: {message}" + (f" ({hint})" if hint else ""))
        self.type = type
        self.message = message
        self.hint = hint
        self.data = data


class ToolCallFailed(SurfaceError): ...


class PythonFailed(SurfaceError): ...


class PageError(SurfaceError): ...
