"""Agents' runs: their tools, the actions of their panel, and their feed for the page."""

from typing import TYPE_CHECKING

from gemini.agents import provide
from gemini.agents.continuing.panel_tools import PanelFollowUpTools
from gemini.agents.feed import RunFeed
from gemini.agents.panel_tools import PanelRunTools
from gemini.agents.tools import AgentTools
from gemini.kernel.person_actions import PersonActions

if TYPE_CHECKING:
    from gemini.agents.record.journal import Journal
    from gemini.agents.runs.runs import Runs
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Create the feed of runs. What runs them is loaded on first use."""

    def runs() -> "Runs":
        return kernel.runs

    def journal() -> "Journal":
        return kernel.store.runs

    kernel.run_feed = feed = RunFeed(kernel.events.publish, journal)
    kernel.terminals.is_live = feed.is_live
    registry = kernel.registry
    registry.add_room(PanelFollowUpTools(runs, journal))
    registry.add_room(AgentTools(runs, lambda task, leader, steps: kernel.teams.run(task, leader, steps)))  # noqa: PLW0108 - it loads on first use
    registry.add_room(
        PanelRunTools(
            runs,
            journal,
            feed,
            PersonActions(kernel.events, kernel.terminals.terminals.values),
            lambda team: kernel.teams.resume(team),  # noqa: PLW0108 - it loads on first use
            kernel.downloads.offer,
            kernel.mentions.noted,
        )
    )
    kernel.on_start(lambda: provide(runs))


def create_runs(kernel: "Kernel") -> "Runs":
    """Create the runs, and let the other rooms follow them before the page does."""
    from gemini.agents.runs.runs import Runs

    runs = Runs(kernel.registry, kernel.store.runs, kernel.browser.snapshot, kernel.browser.screenshot)
    kernel.follow_runs(runs)
    return kernel.run_feed.follow(runs)
