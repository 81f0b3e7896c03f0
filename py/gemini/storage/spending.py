"""Save what agents spend by day."""

from gemini.storage.database import Database

ADD = """
INSERT INTO agents (name, day, tokens, cost) VALUES (?, ?, ?, ?)
ON CONFLICT (name, day) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost
"""


class SpendingStore:
    """Tokens and US dollars by agent and day, `YYYY-MM-DD`.

    Every method raises StorageProblem or StorageFull if it fails.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, agent: str, tokens: int, cost: float, day: str) -> None:
        """Add to what an agent has spent on a day."""
        with self._database.transaction() as connection:
            connection.execute(ADD, (agent, day, tokens, cost))

    def on(self, agent: str, day: str) -> tuple[int, float]:
        """Return the tokens and the dollars that an agent has spent on a day."""
        rows = self._database.rows("SELECT tokens, cost FROM agents WHERE name = ? AND day = ?", agent, day)
        return rows[0] if rows else (0, 0.0)

    def days(self, agent: str, first: str) -> dict[str, tuple[int, float]]:
        """Return the tokens and the dollars that an agent has spent by day, from `first` on; other days are missing."""
        rows = self._database.rows(
            "SELECT day, tokens, cost FROM agents WHERE name = ? AND day >= ?", agent, first
        )
        return {day: (tokens, cost) for day, tokens, cost in rows}
