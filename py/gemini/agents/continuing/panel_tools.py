"""The actions with which the page shows, before a task is sent, whether it continues the last run."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # The modules of runs load on first use.
    from gemini.agents.record.journal import Journal
    from gemini.agents.runs.runs import Runs


class FollowUp(TypedDict):
    """The answer whether a message continues the last run.

    `run_id` and `task` are of that run, None and empty if there is none to continue. `sure`: a rule or a model has
    decided. `why` says so in a sentence.
    """

    run_id: str | None
    task: str
    continues: bool
    why: str
    sure: bool


class PanelFollowUpTools:
    """The actions of the boxes in which tasks are given.

    Args:
        runs: Returns the surface's runs, which are created on first use.
        journal: Returns the journal of stored runs.
    """

    def __init__(self, runs: "Callable[[], Runs]", journal: "Callable[[], Journal]") -> None:
        self._runs = runs
        self._journal = journal

    @declare(effect=Effect.READ, person_only=True, unlogged=True, action="guess_follow_up")
    def panel_follow_up_guess(self, message: str) -> FollowUp:
        """Return whether a message continues the last run, by rules.

        Args:
            message: The user's text so far.
        """
        from gemini.agents.continuing.candidate import find_candidate
        from gemini.agents.continuing.rules import guess

        found = find_candidate(self._journal())
        if found is None:
            return _new("There is no run of the last day to continue.")
        decided = guess(message, found.tasks)
        return {
            "run_id": found.run_id,
            "task": found.tasks[-1],
            "continues": decided.continues,
            "why": decided.why,
            "sure": decided.sure,
        }

    @declare(effect=Effect.READ, person_only=True, unlogged=True, action="ask_follow_up")
    async def panel_follow_up_ask(self, message: str, ticket: str | None = None) -> FollowUp:
        """Return whether a message continues the last run, by a model where the rules don't decide.

        Args:
            message: The user's text.
            ticket: The ticket of a press, for a model that costs money.
        """
        from gemini.agents.continuing.asking import ask_model
        from gemini.agents.continuing.candidate import find_candidate

        guessed = self.panel_follow_up_guess(message)
        found = find_candidate(self._journal())
        if guessed["sure"] or found is None:
            return guessed
        answer = await ask_model(self._runs(), message, found.tasks, ticket)
        if answer is None:
            return guessed
        return {**guessed, "continues": answer, "why": "The model says so.", "sure": True}


def _new(why: str) -> FollowUp:
    return {"run_id": None, "task": "", "continues": False, "why": why, "sure": True}
