"""A full-text index in memory: SQLite's FTS5 (https://www.sqlite.org/fts5.html), ranked by bm25.

It can be made anew from what it indexes at any time, so nothing of it is kept.
"""

import re
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from gemini.search.found import Found
from gemini.search.marked import CLOSE, OPEN, best_line, in_one_line, marked_where, pieces_of

# Characters of a text that are one row: what a match is shown from is tokenized again.
PASSAGE = 16_384
# A word of a name weighs so much more than one of a text.
NAME_WEIGHT = 10.0
# Pages that one step of tidying writes, so that it takes some milliseconds.
TIDY_PAGES = 8
# Characters that are words by themselves: scripts without spaces between words.
UNSPACED = re.compile(
    r"(?<=[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af])(?=\w)|(?<=\w)"
    r"(?=[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af])"
)
# Of no width, and no part of a word to the tokenizer.
SEAM = "\u200b"
WORD = re.compile(r'"([^"]*)"?|(\S+)')


@dataclass(frozen=True)
class Entry:
    """What can be found.

    Attributes:
        kind: `file`, `folder`, `command`, …
        key: What it is, among its kind: a path, a number.
        name: Words that say more than those of the text.
        text: Any text.
        about: Told with what was found, and not searched.
    """

    kind: str
    key: str
    name: str
    text: str
    about: str = ""


class Index:
    """Entries by kind and key. Changes belong in `changing`."""

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
        connection.execute(
            "CREATE VIRTUAL TABLE words USING fts5(name, text, tokenize='unicode61 remove_diacritics 2')"
        )
        for option, value in (
            ("rank", f"bm25({NAME_WEIGHT}, 1.0)"),
            # Merging whenever a row comes would stop everything else for a tenth of a second; see `tidy`.
            ("automerge", 0),
            ("crisismerge", 1_999),
        ):
            connection.execute("INSERT INTO words(words, rank) VALUES (?, ?)", (option, value))

    @contextmanager
    def changing(self) -> Generator[None]:
        """Do what is done within at once."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            # Half of it is better than nothing: what is missing comes with the next look.
            self._connection.execute("COMMIT")

    def put(self, entry: Entry) -> None:
        """Add an entry, in the place of another of its kind and key."""
        self.remove(entry.kind, entry.key)
        for line, text in _passages(entry.text):
            added = self._connection.execute(
                "INSERT INTO passages (kind, key, name, about, line) VALUES (?, ?, ?, ?, ?)",
                (entry.kind, entry.key, entry.name, entry.about, line),
            )
            self._connection.execute(
                "INSERT INTO words (rowid, name, text) VALUES (?, ?, ?)",
                (added.lastrowid, _seamed(entry.name), _seamed(text)),
            )

    def remove(self, kind: str, key: str) -> None:
        """Take an entry out; one that isn't there stays so."""
        ids = self._connection.execute(
            "SELECT id FROM passages WHERE kind = ? AND key = ?", (kind, key)
        ).fetchall()
        if ids:
            self._connection.executemany("DELETE FROM words WHERE rowid = ?", ids)
            self._connection.executemany("DELETE FROM passages WHERE id = ?", ids)

    def tidy(self) -> bool:
        """Do a bit of what makes later searches quicker; whether there is more to do."""
        before = self._connection.total_changes
        self._connection.execute("INSERT INTO words(words, rank) VALUES ('merge', ?)", (TIDY_PAGES,))
        return self._connection.total_changes - before >= 2

    def find(self, text: str, kinds: Sequence[str], limit: int) -> list[Found]:
        """The entries that have every word of `text`, at least as the beginning of one; the best first.

        Words in double quotes have to follow each other. Case and accents don't matter.
        """
        query = match_query(text)
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
            # Of an entry's passages the best one comes first.
            if (kind, key) not in found:
                line, snippet = best_line(marked.replace(SEAM, ""))
                shown = in_one_line(name.replace(SEAM, ""))
                found[kind, key] = Found(kind, key, about, shown, first + line, snippet, score)
        return list(found.values())[:limit]

    def with_name_part(self, part: str, kinds: Sequence[str], limit: int) -> list[Found]:
        """The entries that have `part` anywhere in their names, the shortest first, with the score 0."""
        pattern = re.sub(r"([%_\\])", r"\\\1", part)
        rows = self._connection.execute(
            f"""SELECT DISTINCT kind, key, name, about FROM passages
                WHERE name LIKE ? ESCAPE '\\' AND kind IN ({", ".join("?" * len(kinds))})
                ORDER BY length(name) LIMIT ?""",
            (f"%{pattern}%", *kinds, limit),
        )
        return [
            Found(kind, key, about, marked_where(name, part), 1, pieces_of(""), 0.0)
            for kind, key, name, about in rows
        ]


def match_query(text: str) -> str | None:
    """What FTS5 is asked for a person's words; None where there is nothing to look for."""
    terms: list[str] = []
    for phrase, word in WORD.findall(text):
        said = _seamed((phrase or word).replace('"', " ").replace("\0", " "))
        if any(character.isalnum() for character in said):
            terms.append(f'"{said}"' if phrase else f'"{said}" *')
    return " AND ".join(terms) or None


def _seamed(text: str) -> str:
    return text if text.isascii() else UNSPACED.sub(SEAM, text)


def _passages(text: str) -> Generator[tuple[int, str]]:
    """A text in pieces of whole lines, where they aren't too long, each with the number of its first line."""
    line, start = 1, 0
    while True:
        end = len(text)
        if end - start > PASSAGE:
            end = text.rfind("\n", start, start + PASSAGE) + 1 or start + PASSAGE
        yield line, text[start:end]
        if end == len(text):
            return
        line += text.count("\n", start, end)
        start = end
