"""Objects of the running surface that scripts reach through their room's package."""

from collections.abc import Callable
from typing import Generic, TypeVar

from gemini.errors import NotStarted

T = TypeVar("T")


class Provided(Generic[T]):  # noqa: UP046 - Python 3.11 has no syntax for it
    """An object that the surface creates on first use. A room has one, since an interpreter has one surface."""

    def __init__(self) -> None:
        self._find: Callable[[], T] | None = None

    def provide(self, find: Callable[[], T] | None) -> None:
        """Set the function that returns the object. It is called when the object is first needed."""
        self._find = find

    def current(self) -> T:
        """Return the object of this interpreter's surface.

        Raises:
            NotStarted: The surface isn't running.
        """
        if self._find is None:
            raise NotStarted("the surface isn't running", hint="Run `await gemini.start()` first.")
        return self._find()
