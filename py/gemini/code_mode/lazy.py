"""Code mode before its first use, which loads it."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gemini.code_mode.code_mode import CodeMode
    from gemini.code_mode.modules import Provider


class LazyCodeMode:
    """The modules and sessions of code mode, which are created on first use.

    Args:
        create: Creates them.

    Attributes:
        providers: Make the modules for tools that the registry doesn't have, by name; rooms add them.
        lost: What an earlier kernel has saved of the sessions.
    """

    def __init__(self, create: "Callable[[LazyCodeMode], CodeMode]") -> None:
        self.providers: dict[str, Callable[[], Provider]] = {}
        self.lost: Any = None
        self._create = create

    @cached_property
    def mode(self) -> "CodeMode":
        """The modules and sessions."""
        return self._create(self)

    def end(self, key: str) -> None:
        """End the session of a client or of an agent's run, if it has one."""
        if "mode" in vars(self):
            self.mode.end(key)
