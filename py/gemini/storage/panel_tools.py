"""The storage action of the panels. Agents and scripts can't call it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gemini.storage.usage import Used
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # SQLite loads on first use.
    from gemini.storage.store import Store


class StorageTools:
    """The storage action.

    Args:
        store: Returns the surface's storage, which opens on first use.
    """

    def __init__(self, store: Callable[[], "Store"]) -> None:
        self._store = store

    @declare(effect=Effect.READ, person_only=True, action="storage_usage")
    def storage_usage(self) -> list[Used]:
        """List the data stored in this browser, with its location and size."""
        return self._store().usage()
