"""Mirror a list in the index, such as calls or commands. Its items are added and removed but never change."""

from collections.abc import Callable, Mapping

from gemini.computer.search.index import Entry, Index

Source = Callable[[], Mapping[str, Callable[[], Entry]]]
"""Returns the current items: for each key, a function that creates the entry."""


class Mirror:
    """The entries of one kind.

    Args:
        index: The index to update.
        kind: The kind of the entries.
        source: Returns the current items.
    """

    def __init__(self, index: Index, kind: str, source: Source) -> None:
        self._index = index
        self._kind = kind
        self._source = source
        self._known: set[str] = set()

    def update(self) -> None:
        """Bring the index up to date."""
        current = self._source()
        for key in self._known - current.keys():
            self._index.remove(self._kind, key)
        for key, entry in current.items():
            if key not in self._known:
                self._index.put(entry())
        self._known = set(current)
