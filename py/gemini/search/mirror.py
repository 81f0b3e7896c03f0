"""The index follows a list of something that doesn't change but comes and goes, such as calls and commands."""

from collections.abc import Callable, Mapping

from gemini.search.index import Entry, Index

Source = Callable[[], Mapping[str, Callable[[], Entry]]]
"""Gives what there is: by its key, what makes the entry."""


class Mirror:
    """Entries of one kind.

    Args:
        index: Where they go.
        kind: Theirs.
        source: What there is now.
    """

    def __init__(self, index: Index, kind: str, source: Source) -> None:
        self._index = index
        self._kind = kind
        self._source = source
        self._known: set[str] = set()

    def look(self) -> None:
        """Bring the index up to date."""
        there = self._source()
        for key in self._known - there.keys():
            self._index.remove(self._kind, key)
        for key, entry in there.items():
            if key not in self._known:
                self._index.put(entry())
        self._known = set(there)
