"""The actions for the agents' files in the Team panel. They go through the registry; only the user can call them."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import TypedDict

from gemini import tools
from gemini.errors import InvalidArguments
from gemini.tools import Effect, Registry

if TYPE_CHECKING:
    # The modules of teams load on first use.
    from gemini.agents.teamwork.definitions import Definition
    from gemini.agents.teamwork.teams import Teams

declare = partial(tools.declare, group="team")


class AgentFields(TypedDict):
    """The fields of an agent's file; docs/team.md describes them. Limits that are missing or None don't apply."""

    role: str
    model: str | None
    tools: list[str] | None
    skills: list[str]
    python: Literal["shared", "own"]
    strategy: Literal["react", "plan", "code"]
    budgets: dict[str, dict[str, float | None]]
    color: str
    prompt: str


class DayRow(TypedDict):
    """The spending of an agent's tasks on a day, `YYYY-MM-DD` in UTC; `cost` is in US dollars."""

    day: str
    tokens: int
    cost: float


class AgentShown(TypedDict):
    """An agent with its file. `version` changes with the file; `days` are the last 30, oldest first."""

    name: str
    path: str
    version: str
    fields: AgentFields
    days: list[DayRow]


class PanelAgentTools:
    """The actions for the agents' files.

    Args:
        teams: Returns the surface's teams, which are created on first use.
        registry: The registry whose tools an agent may have.
    """

    def __init__(self, teams: "Callable[[], Teams]", registry: Registry) -> None:
        self._teams = teams
        self._registry = registry

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="show_agent")
    async def agent_show(self, agent: str) -> AgentShown:
        """Read an agent's file, and the agent's spending by day."""
        return self._describe((await self._teams().files.read()).get(agent))

    @declare(person_only=True, action="create_agent")
    async def agent_create(self, agent: str, fields: AgentFields) -> AgentShown:
        """Write the file of a new agent."""
        files = self._teams().files
        found = await files.read()
        if agent in found.agents or agent in found.broken:
            raise _refused({"name": f"There is an agent {agent} already."})
        self._require(agent, fields)
        return self._describe(files.create(agent, **_given(fields)))

    @declare(person_only=True, action="save_agent")
    async def agent_save(self, agent: str, fields: AgentFields, version: str) -> AgentShown:
        """Change an agent's file.

        Args:
            agent: The agent.
            fields: All its fields.
            version: The version of the file that they were made from.
        """
        files = self._teams().files
        before = (await files.read()).get(agent)
        return self._describe(files.change(before, self._require(agent, fields), version))

    def _require(self, name: str, fields: AgentFields) -> "Definition":
        """Return the agent that fields describe. Raises InvalidArguments with the problem of each field."""
        from gemini.agents.teamwork.definitions import new_definition

        definition = new_definition(name=name, **_given(fields))
        declared = [tool.declaration for tool in self._registry if not tool.declaration.person_only]
        names = {each.name for each in declared} | {each.group for each in declared}
        spending = {each.name for each in declared if each.effect is Effect.SPEND}
        wanted = set(definition.tools or ())
        if unknown := sorted(wanted - names):
            raise _refused({"tools": f"There is no tool or group {', '.join(unknown)}."})
        if refused := sorted(wanted & spending):
            raise _refused({"tools": f"A file can't grant {', '.join(refused)}, which spends money."})
        return definition

    def _describe(self, found: "Definition") -> AgentShown:
        teams = self._teams()
        days: list[DayRow] = [
            {"day": day, "tokens": tokens, "cost": cost} for day, tokens, cost in teams.spending(found.name)
        ]
        fields: AgentFields = {
            "role": found.role,
            "model": found.model,
            "tools": found.tools,
            "skills": found.skills,
            "python": found.python,
            "strategy": found.strategy,
            "budgets": found.budgets.model_dump(),
            "color": found.color,
            "prompt": found.prompt,
        }
        version = teams.files.version(found)
        return {
            "name": found.name,
            "path": found.path or "",
            "version": version,
            "fields": fields,
            "days": days,
        }


def _given(fields: AgentFields) -> dict[str, Any]:
    budgets = {
        kind: {name: limit for name, limit in limits.items() if limit is not None}
        for kind, limits in fields["budgets"].items()
    }
    return {**fields, "budgets": budgets}


def _refused(fields: dict[str, str]) -> InvalidArguments:
    [first, *_] = fields
    return InvalidArguments(f"{first}: {fields[first]}", data={"fields": fields})
