"""Save the embeddings of passages, by model and by the hash of the text."""

from collections.abc import Mapping, Sequence

from gemini.storage.database import Database

# Vectors of all models. The oldest are deleted first; those in use are computed again.
MOST = 8_000
# Below SQLite's limit of 999 parameters in old versions.
AT_ONCE = 500
ADD = "INSERT OR REPLACE INTO embeddings (model, hash, vector) VALUES (?, ?, ?)"
PRUNE = "DELETE FROM embeddings WHERE id <= (SELECT max(id) FROM embeddings) - ?"


class EmbeddingStore:
    """Vectors as bytes. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, model: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the saved vectors of a model, by hash."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(hashes), AT_ONCE):
            some = hashes[start : start + AT_ONCE]
            where = f"model = ? AND hash IN ({', '.join('?' * len(some))})"
            found.update(
                self._database.rows(f"SELECT hash, vector FROM embeddings WHERE {where}", model, *some)
            )
        return found

    def add(self, model: str, vectors: Mapping[bytes, bytes]) -> None:
        """Save vectors of a model, by hash."""
        with self._database.transaction() as connection:
            connection.executemany(ADD, [(model, key, vector) for key, vector in vectors.items()])
            connection.execute(PRUNE, (MOST,))
