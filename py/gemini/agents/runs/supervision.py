"""The part that a room above may take in a run: its limits, its questions, its messages, its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gemini.agents.loop.run_setup import Deliver, Reply

if TYPE_CHECKING:
    from gemini.agents.record.steps import Outcome
    from gemini.agents.runs.handle import Run


class Supervision:
    """Takes no part in a run; a room above overrides methods as needed.

    Attributes:
        prompt: Text added to the system prompt.
        prompt_origin: Where the prompt comes from, if its text isn't trusted.
        skills: The names of the skills; None for all that the user has allowed.
        python: The agent whose own Python the run uses; None for the Python of the code that starts the run.
        level: How many runs of the room led to this one.
        team: The id of the team that the run belongs to; None without one.
        family: The id of the run or team that a user began and that led to this run; None if that is this run.
        leader: The agent that answers the run's questions, or asks the user; None if the user answers them.
        attended: Whether questions are answered; None if that depends on a user at the page.
    """

    prompt: str = ""
    prompt_origin: str | None = None
    skills: Sequence[str] | None = None
    python: str | None = None
    level: int = 0
    team: str | None = None
    family: str | None = None
    leader: str | None = None
    attended: bool | None = None

    async def wait_while_paused(self, run: Run) -> None:
        """Wait while the user has paused the run."""
        await run.wait_while_paused()

    async def before_step(self, run: Run) -> None:
        """Wait until the next step may begin.

        Raises:
            BudgetSpent: The run must end.
        """

    def deliver(self, run: Run, deliver: Deliver) -> None:
        """Deliver messages to the run before its next step, by calling `deliver(sender, text, origin)` for each."""

    async def ask(self, run: Run, question: str) -> Reply:
        """Return the answer to a question of the run."""
        return await run.ask_person(question)

    def waits_for(self, run: Run) -> str | None:
        """Describe the run's current wait; None if it works."""
        if run.question is not None:
            return f"an answer of the user to “{run.question}”"
        if run.awaits_consent:
            return "the user's consent to a call"
        return "the user to resume the run" if run.held and not run.busy else None

    def end(self, run: Run, outcome: Outcome, save: Callable[[], None]) -> None:
        """Call `save`, which saves the outcome, together with what depends on it."""
        save()


def supervision_of(given: Supervision | None, attended: bool | None) -> Supervision:
    """Return the part that a room takes, or none, with `attended` if that isn't None."""
    supervision = given or Supervision()
    if attended is not None:
        supervision.attended = attended
    return supervision
