"""The actions of the Team panel. They go through the registry as all tools do, but only the user can call them."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from typing_extensions import TypedDict

from gemini import tools
from gemini.agents.mentions.mentions import Mentions, with_notes
from gemini.models.interface.tickets import Tickets, use_tickets
from gemini.tools import Effect

if TYPE_CHECKING:
    # The modules of teams load on first use.
    from gemini.agents.teamwork.definitions import Definition
    from gemini.agents.teamwork.handle import Team
    from gemini.agents.teamwork.teams import Teams
    from gemini.errors import AgentFileBroken
    from gemini.storage.team import Task

declare = partial(tools.declare, group="team")

# The newest teams that the panel shows.
MOST_SHOWN = 20
PART = "Do only the part of this task that names you, @{agent}."
ASKED = (
    "\n\n(Each of these agents has a task already, for its part; `task_wait` returns the results: {agents}.)"
)


class AgentRow(TypedDict):
    """An agent, or a file that describes none because of a `problem`. Tokens and cost in dollars are today's."""

    name: str
    role: str
    model: str | None
    tools: list[str] | None
    color: str
    path: str | None
    problem: str | None
    tokens: int
    cost: float


class TeamTaskRow(TypedDict):
    """A task; `after` has the tasks that must be done first, `blocked_by` the one that can't be.

    `waits_for` is in words, None if the task works or has ended.
    """

    id: str
    agent: str
    brief: str
    expects: str
    status: str
    after: list[str]
    blocked_by: str | None
    waits_for: str | None
    question: str | None
    result: str | None
    reason: str | None
    files: list[str]
    urls: list[str]
    failures: int
    tokens: int
    cost: float
    run_id: str | None


class TeamRow(TypedDict):
    """A team. `resumable`: its page was closed, and nothing works on it. The first task is the leader's."""

    id: str
    resumable: bool
    tasks: list[TeamTaskRow]


class TeamsShown(TypedDict):
    """All agents by name, and the newest teams, the newest first."""

    agents: list[AgentRow]
    teams: list[TeamRow]


class TeamStarted(TypedDict):
    """The id of a team."""

    team: str


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class PanelTeamTools:
    """The actions of the Team panel.

    Args:
        teams: Returns the surface's teams, which are created on first use.
        mentions: The agents, files and tabs that tasks mention.
    """

    def __init__(self, teams: "Callable[[], Teams]", mentions: Mentions) -> None:
        self._teams = teams
        self._mentions = mentions

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_teams")
    async def team_list(self) -> TeamsShown:
        """List agents and teams."""
        teams = self._teams()
        found = await teams.files.read()
        agents = [self._agent(each) for each in found.agents.values()]
        agents += [_broken(name, error) for name, error in found.broken.items()]
        return {
            "agents": sorted(agents, key=lambda row: row["name"]),
            "teams": [_team(teams.get(team), teams.is_open(team)) for team in teams.newest(MOST_SHOWN)],
        }

    def _agent(self, found: "Definition") -> AgentRow:
        tokens, cost = self._teams().spent_today(found.name)
        return {
            "name": found.name,
            "role": found.role,
            "model": found.model,
            "tools": found.tools,
            "color": found.color,
            "path": found.path,
            "problem": None,
            "tokens": tokens,
            "cost": cost,
        }

    @declare(person_only=True, action="start_team")
    async def team_start(
        self,
        task: str,
        agent: str = "orchestrator",
        budget: dict[str, float] | None = None,
        ticket: str | None = None,
    ) -> TeamStarted:
        """Start a team on a task.

        Args:
            task: The task.
            agent: The agent that leads.
            budget: Limits of all runs together: tokens, cost (in dollars), minutes; steps of the leader.
            ticket: The ticket that the companion issued when the user pressed the button, as in the other actions.
        """
        teams = self._teams()
        (await teams.files.read()).get(agent)
        found = await self._mentions.find(task)
        asked = [each.target for each in found if each.kind == "agent" and each.target != agent]
        text = with_notes(task, found)
        if asked:
            text += ASKED.format(agents=", ".join(asked))
        with use_tickets(Tickets("", ticket)):
            team = teams.start(text, agent=agent, budget=budget)
        for name in asked:
            brief = f"{with_notes(task, found)}\n\n{PART.format(agent=name)}"
            await team.add(name, brief, f"what the task asks of @{name}")
        return {"team": team.id}

    @declare(person_only=True, action="resume_team")
    def team_resume(self, team: str, ticket: str | None = None) -> Done:
        """Resume a team whose page was closed."""
        with use_tickets(Tickets("", ticket)):
            self._teams().resume(team)
        return {"success": True}

    @declare(person_only=True, action="cancel_team")
    def team_cancel(self, team: str) -> Done:
        """Cancel a team with all its tasks."""
        self._teams().get(team).cancel()
        return {"success": True}

    @declare(person_only=True, action="answer_task")
    async def task_reply(self, team: str, task: str, text: Annotated[str, Field(min_length=1)]) -> Done:
        """Answer the question of a task."""
        self._teams().get(team).answer(task, await self._mentions.noted(text))
        return {"success": True}

    @declare(person_only=True, action="edit_task")
    async def task_edit(self, team: str, task: str, brief: str) -> Done:
        """Change the brief of a task that waits."""
        found = await self._mentions.find(brief)
        self._teams().get(team).edit(task, brief=with_notes(brief, found, agents=True))
        return {"success": True}

    @declare(person_only=True, action="link_tasks")
    def task_link(self, team: str, task: str, after: str) -> Done:
        """Let a task that waits come after another one.

        Args:
            team: The team.
            task: The task that waits.
            after: The task that must be done first.
        """
        found = self._teams().get(team)
        found.order(task, [*found.task(task).after, after])
        return {"success": True}

    @declare(person_only=True, action="unlink_tasks")
    def task_unlink(self, team: str, task: str, after: str) -> Done:
        """Let a task that waits no longer come after another one.

        Args:
            team: The team.
            task: The task that waits.
            after: The task that it doesn't need any more.
        """
        found = self._teams().get(team)
        found.order(task, [each for each in found.task(task).after if each != after])
        return {"success": True}

    @declare(person_only=True, action="stop_task")
    def task_stop(self, team: str, task: str) -> Done:
        """Cancel a task."""
        self._teams().get(team).stop(task)
        return {"success": True}

    @declare(person_only=True, action="retry_task")
    def task_retry(self, team: str, task: str, ticket: str | None = None) -> Done:
        """Let a task run again that failed too often, reached a limit or was cancelled."""
        with use_tickets(Tickets("", ticket)):
            self._teams().get(team).retry(task)
        return {"success": True}


def _broken(name: str, error: "AgentFileBroken") -> AgentRow:
    return {
        "name": name,
        "role": "",
        "model": None,
        "tools": None,
        "color": "",
        "path": error.data["path"],
        "problem": error.message,
        "tokens": 0,
        "cost": 0.0,
    }


def _team(team: "Team", is_open: bool) -> TeamRow:
    tasks, blocked, waits = team.tasks, team.blocked, team.waits_for_user()
    return {
        "id": team.id,
        "resumable": not is_open and not all(task.is_ended for task in tasks),
        "tasks": [_task(task, blocked.get(task.id), waits.get(task.id)) for task in tasks],
    }


def _task(task: "Task", blocked_by: str | None, waits_for: str | None) -> TeamTaskRow:
    return {
        "id": task.id,
        "agent": task.agent,
        "brief": task.brief,
        "expects": task.expects,
        "status": task.status,
        "after": list(task.after),
        "blocked_by": blocked_by,
        "waits_for": waits_for,
        "question": task.question if task.answer is None else None,
        "result": task.result,
        "reason": task.reason,
        "files": task.sources.get("files", []),
        "urls": task.sources.get("urls", []),
        "failures": task.failures,
        "tokens": task.tokens,
        "cost": task.cost,
        "run_id": task.run_id,
    }
