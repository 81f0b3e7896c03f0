"""The spending of agents by day outside of teams: in runs of their own, and with answers in chats.

The queue counts the tasks of teams. A run that the end of its page interrupts loses at most the requests of one step.
"""

from gemini.agents.guard.budget import Spent
from gemini.agents.record.steps import Step
from gemini.agents.runs.handle import Run
from gemini.agents.teamwork.definitions import today
from gemini.core.clock import Clock
from gemini.storage.spending import SpendingStore


class Spending:
    """Counts what agents spend for their days.

    Args:
        store: Saves it.
        clock: Returns the time.
    """

    def __init__(self, store: SpendingStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def follow(self, run: Run) -> None:
        """Count a run with each of its steps, and at its end. A run of a team is ignored."""
        if run.team is not None:
            return
        counted = run.spent.model_copy()

        def count(event: object) -> None:
            if isinstance(event, Step) or run.outcome is not None:
                self.add(run.agent, run.spent, counted)
                counted.usage, counted.cost = run.spent.usage, run.spent.cost

        run.on_event(count)

    def add(self, agent: str, spent: Spent, counted: Spent | None = None) -> None:
        """Count what an agent has spent, besides what was counted before.

        Raises:
            StorageProblem, StorageFull: It can't be saved.
        """
        before = counted or Spent()
        tokens = spent.usage.total - before.usage.total
        cost = (spent.cost or 0.0) - (before.cost or 0.0)
        if (tokens, cost) != (0, 0.0):
            self._store.add(agent, tokens, cost, today(self._clock.wall()))
