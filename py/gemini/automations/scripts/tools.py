"""The tools with which agents list and run automations."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

from gemini import tools
from gemini.tools import Effect, current_call

if TYPE_CHECKING:
    from gemini.automations.scripts.automations import Automations

declare = partial(tools.declare, group="automations")


class ListedAutomation(TypedDict):
    """An automation: `parameters` is a JSON Schema of its arguments. `problem` says why it can't be used."""

    name: str
    path: str
    description: str
    parameters: dict[str, Any]
    problem: str | None


class AutomationStep(TypedDict):
    """A step that is done: the tool and its arguments, long text shortened."""

    tool: str
    arguments: dict[str, Any]


class Automated(TypedDict):
    """The result of an automation, with its steps."""

    result: Any
    steps: list[AutomationStep]


class AutomationTools:
    """The automations for agents.

    Args:
        automations: Returns the surface's automations, which are created on first use.
    """

    def __init__(self, automations: "Callable[[], Automations]") -> None:
        self._automations = automations

    @declare(effect=Effect.READ, untrusted=True)
    def automation_list(self) -> list[ListedAutomation]:
        """List automations: saved scripts that repeat a task without a model."""
        return [{**row} for row in self._automations().rows()]

    @declare(effect=Effect.WRITE, untrusted=True, withholds="arguments")
    async def automation_run(self, name: str, arguments: dict[str, Any] | None = None) -> Automated:
        """Run an automation. If a step fails, the error has the steps that are done: continue from there yourself.

        Args:
            arguments: As its parameters say.
        """
        automations = self._automations()
        call = current_call()
        if call is not None and not automations.find(name).has_secrets:
            call.reveal()
        done = await automations.run(name, arguments or {})
        return {"result": done["result"], "steps": [{**step} for step in done["steps"]]}
