"""What the panels ask about storage. No agent and no script can call this."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gemini.storage.usage import Used
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # SQLite loads on first use.
    from gemini.storage.store import Store


class StorageTools:
    """`store` gives what is kept beside files, opened when it is first asked for."""

    def __init__(self, store: Callable[[], "Store"]) -> None:
        self._store = store

    @declare(effect=Effect.READ, person_only=True, action="storage_usage")
    def storage_usage(self) -> list[Used]:
        """Tell what is kept in this browser, where, and how much it takes."""
        return self._store().usage()
