"""A run's code uses the Python of the agent's file, or of the code that started the run."""

from __future__ import annotations

from gemini.agents import ScriptedModel, call, say
from gemini.agents.results import RunResult
from gemini.agents.runs.runs import Runs
from gemini.agents.runs.supervision import Supervision
from gemini.agents.tools import AgentTools
from gemini.computer.python.owners import own_python
from gemini.models.interface.messages import ToolMessage
from gemini.models.interface.model import Request
from gemini.models.interface.scripted import Turn
from gemini.tools import Registry, declare

NOBODY = "the shared"


class Room:
    @declare(effect="read", group="files")
    def whose(self) -> str:
        """Return whose Python the caller uses."""
        return own_python.get() or NOBODY


def report(request: Request) -> Turn:
    [*_, last] = [message for message in request.messages if isinstance(message, ToolMessage)]
    return say(last.text.strip('"'))


def loner() -> Supervision:
    part = Supervision()
    part.python = "loner"
    return part


async def no_team(task: str, leader: str | None, max_steps: int) -> RunResult:
    raise AssertionError(task)


async def whose(runs: Runs, **options: object) -> str:
    run = runs.start("Whose?", model=ScriptedModel([call("whose"), report]), **options)  # type: ignore[arg-type]
    return (await run).result or ""


async def test_it_is_that_of_the_agents_file_and_of_what_continues_its_run(
    registry: Registry, runs: Runs
) -> None:
    registry.add(Room().whose)
    assert await whose(runs) == NOBODY
    run = runs.start("Whose?", model=ScriptedModel([call("whose"), report]), supervision=loner())
    assert (await run).result == "loner"
    assert await whose(runs, continues=run) == "loner"
    assert await whose(runs) == NOBODY
    assert own_python.get() is None


async def test_an_agent_can_not_leave_it_by_starting_another_agent(registry: Registry, runs: Runs) -> None:
    registry.add(Room().whose)
    registry.add_room(AgentTools(lambda: runs, no_team))
    runs.model = ScriptedModel([call("agent_run", task="Whose?"), call("whose"), report, report])
    registry.consent.attended = True
    run = runs.start("Ask another", tools=["agent_run", "whose"], supervision=loner())
    assert '"result":"loner"' in ((await run).result or "")
