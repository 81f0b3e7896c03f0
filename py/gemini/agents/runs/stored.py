"""Runs as the journal stores them, including runs of earlier sessions."""

from gemini.agents.record.journal import Entry, Journal, Row
from gemini.agents.record.steps import Outcome
from gemini.agents.runs.spec import RunSpec
from gemini.errors import RunMissing, RunProblem

# What a run that continues another one, or was forked from it, takes over.
CONVERSATION = ("message", "messages", "fact", "tools", "narrowed")


class StoredRuns:
    """The runs of a journal.

    Args:
        journal: The journal.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def find(self, run_id: str) -> tuple[RunSpec, bool]:
        """Return the parameters of a run, and whether it has ended. Raises RunMissing."""
        row, outcome = self._find(run_id)
        return RunSpec.model_validate(row), outcome is not None

    def ended_spec(self, run_id: str) -> RunSpec:
        """Return the parameters of a run. Raises RunMissing, or RunProblem if the run hasn't ended."""
        spec, ended = self.find(run_id)
        if not ended:
            raise RunProblem(f"the run {run_id} hasn't ended", hint="Wait until it ends, or cancel it.")
        return spec

    def outcome(self, run_id: str) -> Outcome | None:
        """Return the outcome of a run; None if it hasn't ended. Raises RunMissing."""
        _, outcome = self._find(run_id)
        return None if outcome is None else Outcome.model_validate(outcome)

    def family(self, run_id: str) -> str | None:
        """Return the run or team that a user began and that led to a run; None if it isn't stored."""
        found = self._journal.find(run_id)
        return None if found is None else found[0].get("family") or run_id

    def earlier_entries(self, spec: RunSpec) -> list[Entry]:
        """Return the conversation of the runs that a run continues, or was forked from."""
        fork = spec.fork
        before = spec.continues if fork is None else fork.run
        if before is None:
            return []
        earlier, _ = self.find(before)
        own = self._journal.entries(before)[: None if fork is None else fork.entries]
        return [*self.earlier_entries(earlier), *(entry for entry in own if entry[0] in CONVERSATION)]

    def _find(self, run_id: str) -> tuple[Row, Row | None]:
        found = self._journal.find(run_id)
        if found is None:
            raise RunMissing(f"there is no run {run_id[:60]!r}")
        return found
