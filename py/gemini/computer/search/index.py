"""A full-text index in memory, with SQLite's FTS5 (https://www.sqlite.org/fts5.html), ranked by BM25.

The index isn't saved, because it can be rebuilt from its sources at any time.
"""

import re
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from gemini.computer.search.found import Found
from gemini.computer.search.grades import CONTENT
from gemini.computer.search.highlight import CLOSE, OPEN, best_line, highlight, snippet, split_pieces
from gemini.core.words import SEAM, TOKENIZER, all_words, any_word, seamed

# Characters of a text in one row. FTS5 tokenizes the full row again to highlight a match.
PASSAGE = 16_384
# Weight of a word in a name, relative to one in a text.
NAME_WEIGHT = 10.0
# Pages that one step of `tidy` writes, so that it takes a few milliseconds.
TIDY_PAGES = 8


@dataclass(frozen=True)
class Entry:
    """An item that can be found.

    Attributes:
        kind: `file`, `folder`, `command`, ….
        key: The identity among its kind, such as a path or a number.
        name: The name, which weighs more than the text.
        text: The text to search.
        about: Returned with the results, but not searched.
    """

    kind: str
    key: str
    name: str
    text: str
    about: str = ""


@dataclass(frozen=True)
class Passage:
    """A piece of an entry's text. `line` is its first line, from 1."""

    kind: str
    key: str
    name: str
    about: str
    line: int
    text: str


class Index:
    """Entries by kind and key. Change them within `changing`."""

    def __init__(self) -> None:
        self._connection = connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.execute(
            """CREATE TABLE passages (
                   id INTEGER PRIMARY KEY,
                   kind TEXT NOT NULL,
                   key TEXT NOT NULL,
                   name TEXT NOT NULL,
                   about TEXT NOT NULL,
                   line INTEGER NOT NULL  -- the first one of the passage, from 1
               )"""
        )
        connection.execute("CREATE INDEX passages_of ON passages (kind, key)")
        connection.execute(f"CREATE VIRTUAL TABLE words USING fts5(name, text, {TOKENIZER})")
        for option, value in (
            ("rank", f"bm25({NAME_WEIGHT}, 1.0)"),
            # Merging on insert would block everything for a tenth of a second; see `tidy`.
            ("automerge", 0),
            ("crisismerge", 1_999),
        ):
            connection.execute("INSERT INTO words(words, rank) VALUES (?, ?)", (option, value))

    @contextmanager
    def changing(self) -> Generator[None]:
        """Commit the changes of the block together."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            # Commit even after an error: the next scan adds the rest.
            self._connection.execute("COMMIT")

    def put(self, entry: Entry) -> None:
        """Add an entry, or replace the one with the same kind and key."""
        self.remove(entry.kind, entry.key)
        for line, text in _passages(entry.text):
            added = self._connection.execute(
                "INSERT INTO passages (kind, key, name, about, line) VALUES (?, ?, ?, ?, ?)",
                (entry.kind, entry.key, entry.name, entry.about, line),
            )
            self._connection.execute(
                "INSERT INTO words (rowid, name, text) VALUES (?, ?, ?)",
                (added.lastrowid, seamed(entry.name), seamed(text)),
            )

    def remove(self, kind: str, key: str) -> None:
        """Remove an entry if it exists."""
        ids = self._connection.execute(
            "SELECT id FROM passages WHERE kind = ? AND key = ?", (kind, key)
        ).fetchall()
        if ids:
            self._connection.executemany("DELETE FROM words WHERE rowid = ?", ids)
            self._connection.executemany("DELETE FROM passages WHERE id = ?", ids)

    def tidy(self) -> bool:
        """Merge a part of the index to speed up searches, and return whether there is more to merge."""
        before = self._connection.total_changes
        self._connection.execute("INSERT INTO words(words, rank) VALUES ('merge', ?)", (TIDY_PAGES,))
        return self._connection.total_changes - before >= 2

    def find(self, text: str, kinds: Sequence[str], limit: int, *, any_of_them: bool = False) -> list[Found]:
        """Return the entries that contain every word of `text`, at least as a prefix; the best first.

        Words in double quotes must be adjacent. Case and accents are ignored.

        Args:
            text: The words.
            kinds: The kinds to search.
            limit: The maximum number of entries.
            any_of_them: True for entries with any of the words, matched in full.
        """
        query = any_word(text) if any_of_them else all_words(text)
        if query is None:
            return []
        rows = self._connection.execute(
            f"""SELECT kind, key, about, line, highlight(words, 0, ?, ?), highlight(words, 1, ?, ?), -rank
                FROM words JOIN passages ON id = words.rowid
                WHERE words MATCH ? AND kind IN ({", ".join("?" * len(kinds))})
                ORDER BY rank LIMIT ?""",
            (OPEN, CLOSE, OPEN, CLOSE, query, *kinds, limit * 2),
        )
        found: dict[tuple[str, str], Found] = {}
        for kind, key, about, first, name, marked, score in rows:
            # The best passage of an entry comes first.
            if (kind, key) not in found:
                line, text_pieces = best_line(marked.replace(SEAM, ""))
                name_pieces = snippet(name.replace(SEAM, ""))
                found[kind, key] = Found(
                    kind, key, about, name_pieces, first + line, text_pieces, score, CONTENT
                )
        return list(found.values())[:limit]

    def passages(self, kinds: Sequence[str], length: int) -> Iterator[Passage]:
        """Yield the text in pieces of at most `length` characters, in the order in which the entries were added."""
        rows = self._connection.execute(
            f"""SELECT kind, key, passages.name, about, line, text FROM passages JOIN words ON id = words.rowid
                WHERE kind IN ({", ".join("?" * len(kinds))}) ORDER BY id""",
            tuple(kinds),
        )
        for kind, key, name, about, first, text in rows:
            for line, piece in _passages(text.replace(SEAM, ""), length):
                if piece.strip():
                    yield Passage(kind, key, name, about, first + line - 1, piece)

    def with_name_part(self, part: str, kinds: Sequence[str], limit: int) -> list[Found]:
        """Return the entries whose names contain `part`, the shortest first, with the score 0."""
        pattern = re.sub(r"([%_\\])", r"\\\1", part)
        rows = self._connection.execute(
            f"""SELECT DISTINCT kind, key, name, about FROM passages
                WHERE name LIKE ? ESCAPE '\\' AND kind IN ({", ".join("?" * len(kinds))})
                ORDER BY length(name) LIMIT ?""",
            (f"%{pattern}%", *kinds, limit),
        )
        return [
            Found(kind, key, about, highlight(name, part), 1, split_pieces(""), 0.0, CONTENT)
            for kind, key, name, about in rows
        ]


def _passages(text: str, length: int = PASSAGE) -> Generator[tuple[int, str]]:
    """Split a text into passages of complete lines, if possible, each with the number of its first line."""
    line, start = 1, 0
    while True:
        end = len(text)
        if end - start > length:
            end = text.rfind("\n", start, start + length) + 1 or start + length
        yield line, text[start:end]
        if end == len(text):
            return
        line += text.count("\n", start, end)
        start = end
