"""Save the questions of powers' owners that runs wait for, so that the user finds them after the page was closed.

Only their text for lists is saved. The owner of the power asks again, in its own words, when the run continues.
"""

from dataclasses import dataclass

from gemini.storage.database import Database


@dataclass(frozen=True)
class WaitingQuestion:
    """A question that the owner of a power asks the user in a run. `at` is in seconds since 1970."""

    run_id: str
    text: str
    at: float


class QuestionStore:
    """The questions. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[WaitingQuestion]:
        """Return the questions of runs that haven't ended, oldest first."""
        query = (
            "SELECT run_id, text, at FROM waiting_questions JOIN runs ON runs.id = run_id"
            " WHERE outcome IS NULL ORDER BY at, waiting_questions.seq"
        )
        return [WaitingQuestion(*row) for row in self._database.rows(query)]

    def replace(self, runs: list[str], questions: list[WaitingQuestion]) -> None:
        """Replace the questions of some runs."""
        with self._database.transaction() as connection:
            connection.executemany(
                "DELETE FROM waiting_questions WHERE run_id = ?", [(run_id,) for run_id in runs]
            )
            connection.executemany(
                "INSERT INTO waiting_questions (run_id, text, at) VALUES (?, ?, ?)",
                [(each.run_id, each.text, each.at) for each in questions],
            )
