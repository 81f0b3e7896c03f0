"""Teams of agents, whose files are in the project's and in the home directory's folder, and what agents spend."""

from pathlib import Path
from typing import TYPE_CHECKING

from gemini.agents.teamwork import provide
from gemini.agents.teamwork.agent_panel_tools import PanelAgentTools
from gemini.agents.teamwork.events import TeamsChanged
from gemini.agents.teamwork.panel_tools import PanelTeamTools
from gemini.computer.shell.embedded import ENVIRONMENT

if TYPE_CHECKING:
    from gemini.agents.runs.runs import Runs
    from gemini.agents.teamwork.spending import Spending
    from gemini.agents.teamwork.teams import Teams
    from gemini.kernel.kernel import Kernel

FOLDER = ".agents"


def setup(kernel: "Kernel") -> None:
    """Register the actions of teams and agents."""

    def teams() -> "Teams":
        return kernel.teams

    kernel.registry.add_room(PanelTeamTools(teams, kernel.mentions))
    kernel.registry.add_room(PanelAgentTools(teams, kernel.registry))
    kernel.on_start(lambda: provide(teams))

    def follow(runs: "Runs") -> None:
        runs.on_start(lambda run: kernel.spending.follow(run))  # noqa: PLW0108 - it loads on first use

    kernel.on_runs(follow)


def create_teams(kernel: "Kernel") -> "Teams":
    """Create the teams."""
    from gemini.agents.teamwork.teams import Teams

    folders = [Path(root, FOLDER) for root in (kernel.home, ENVIRONMENT["HOME"])]
    teams = Teams(kernel.runs, kernel.registry, kernel.store.team, folders)
    kernel.questions.on_wait(teams.note_consent)
    teams.on_change(lambda _: kernel.events.publish(TeamsChanged()))
    return teams


def create_spending(kernel: "Kernel") -> "Spending":
    """Create the spending of agents by day, outside of teams."""
    from gemini.agents.teamwork.spending import Spending

    return Spending(kernel.store.team.spending, kernel.runs.clock)
