"""Teams of agents: files that describe agents, a queue of their tasks, and the orchestrator that divides the work.

The functions for scripts are in `gemini.agents`. Everything is loaded on first use.
"""

from typing import TYPE_CHECKING

from gemini.core.loading import Provided

if TYPE_CHECKING:
    from gemini.agents.teamwork.teams import Teams

_teams: "Provided[Teams]" = Provided()
provide, current = _teams.provide, _teams.current
