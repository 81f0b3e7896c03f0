"""The inbox, and the questions that runs wait for."""

from typing import TYPE_CHECKING

from gemini.automations.inbox.panel_tools import InboxTools
from gemini.automations.inbox.questions import Questions

if TYPE_CHECKING:
    from gemini.agents.runs.runs import Runs
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Create the questions, and register the actions of the inbox."""
    kernel.questions = questions = Questions(lambda: kernel.store, kernel.events)
    kernel.registry.add_room(
        InboxTools(
            questions,
            lambda: kernel.runs,
            lambda: kernel.teams,
            kernel.memories,
            lambda: kernel.schedules,
            kernel.run_feed.away,
        )
    )

    def follow(runs: "Runs") -> None:
        runs.on_start(lambda run: questions.forget(run.id))
        questions.on_wait(runs.note_consent)

    kernel.on_runs(follow)
