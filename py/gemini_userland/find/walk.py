"""The walk of `find` through folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import attrgetter

from gemini_userland.find.entry import Entry
from gemini_userland.find.expression import Node
from gemini_userland.find.query import Query

_NAME = attrgetter("name")


class Walk:
    """A walk through the folders below starting points.

    Args:
        query: The call.
        expression: What happens to each file.
    """

    def __init__(self, query: Query, expression: Node) -> None:
        self._query = query
        self._expression = expression

    async def visit(self, top: str) -> None:
        """Visit a starting point and the files below it; names are in the order of their bytes."""
        query, check = self._query, self._expression.check
        for entry in self._entries(top):
            try:
                if check is not None:
                    check(entry)
                else:
                    await self._expression.ask(entry)
            except OSError as error:
                query.complain(f"‘{entry.path}’: {error.strerror}")

    def _entries(self, top: str) -> Iterator[Entry]:
        """Yield the files; what happens to a folder before the next one is asked for may prune it."""
        query = self._query
        start = self._start(top)
        left = [] if start is None else [start]
        # Folders whose content has been put before them.
        opened: set[Entry] = set()
        least, most, bottom_up = query.least, query.most, query.bottom_up
        while left:
            entry = left.pop()
            descends = entry.depth != most and entry not in opened and self._has_content(entry)
            if descends and bottom_up:
                opened.add(entry)
                left.append(entry)
                left += self._content(entry)
                continue
            opened.discard(entry)
            if entry.depth >= least:
                yield entry
            if descends and not entry.pruned:
                left += self._content(entry)

    def _start(self, top: str) -> Entry | None:
        place = self._query.invocation.path(top)
        entry = Entry(
            top,
            place,
            top.rstrip("/").rpartition("/")[2] or top[:1],
            0,
            top,
            self._query.follow != "P" or top.endswith("/"),
        )
        try:
            if top == "":
                os.lstat("")
            return entry if entry.status else None
        except OSError as error:
            self._query.complain(f"‘{top}’: {error.strerror}")
            return None

    def _has_content(self, entry: Entry) -> bool:
        try:
            if not entry.is_folder:
                return False
        except OSError:
            return False
        return not (self._query.stays and self._leaves(entry))

    def _leaves(self, entry: Entry) -> bool:
        return entry.parent is not None and entry.status.st_dev != entry.parent.status.st_dev

    def _content(self, entry: Entry) -> list[Entry]:
        """Return the files in a folder, the last one first."""
        try:
            with os.scandir(entry.place) as found:
                names = sorted(found, key=_NAME, reverse=True)
        except OSError as error:
            self._query.complain(f"‘{entry.path}’: {error.strerror}")
            return []
        path = entry.path if entry.path.endswith("/") else entry.path + "/"
        place = entry.place if entry.place.endswith("/") else entry.place + "/"
        follows, depth, top = self._query.follow == "L", entry.depth + 1, entry.top
        children = [
            Entry(path + one.name, place + one.name, one.name, depth, top, follows, entry, one)
            for one in names
        ]
        return [child for child in children if not self._is_loop(child)] if follows else children

    def _is_loop(self, entry: Entry) -> bool:
        """Return whether links lead to a folder that the entry is in, and say so."""
        if not entry.is_folder:
            return False
        above = entry.parent
        while above is not None:
            if os.path.samestat(above.status, entry.status):
                self._query.complain(
                    f"File system loop detected; ‘{entry.path}’ is part of the same file system loop as "
                    f"‘{above.path}’."
                )
                return True
            above = above.parent
        return False
