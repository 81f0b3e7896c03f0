"""The actions of the Automations panel. They go through the registry as all tools do, but only the user calls them."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NotRequired

from typing_extensions import TypedDict

from gemini import tools
from gemini.automations.scripts.tools import AutomationStep, ListedAutomation
from gemini.models.interface.tickets import Tickets, use_tickets
from gemini.tools import Effect

if TYPE_CHECKING:
    from gemini.automations.scripts.automations import Automations

declare = partial(tools.declare, group="automations")


class AutomationRan(TypedDict):
    """The result as JSON text, the steps, and the run of a model that continued after a failure."""

    result: str
    steps: list[AutomationStep]
    run_id: NotRequired[str]


class SavedAutomation(TypedDict):
    """The path of the file that was written."""

    path: str


class PanelAutomationTools:
    """The actions of the Automations panel.

    Args:
        automations: Returns the surface's automations, which are created on first use.
    """

    def __init__(self, automations: "Callable[[], Automations]") -> None:
        self._automations = automations

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_automations")
    def panel_automation_list(self) -> list[ListedAutomation]:
        """List all automations."""
        return [{**row} for row in self._automations().rows()]

    @declare(person_only=True, withholds="arguments", action="run_automation")
    async def panel_automation_run(
        self, name: str, arguments: dict[str, Any], ticket: str | None = None
    ) -> AutomationRan:
        """Run an automation. A model, if one is set up, continues from a step that fails.

        Args:
            name: The automation's name.
            arguments: Its arguments.
            ticket: The ticket that the companion issued when the user pressed the button.
        """
        import json

        with use_tickets(Tickets("", ticket)):
            done = await self._automations().run(name, arguments, recover=True)
        ran: AutomationRan = {
            "result": json.dumps(done["result"], ensure_ascii=False, indent=1),
            "steps": [{**step} for step in done["steps"]],
        }
        return {**ran, "run_id": done["run_id"]} if "run_id" in done else ran

    @declare(person_only=True, action="save_automation")
    def panel_automation_save(self, run_id: str, name: str) -> SavedAutomation:
        """Save the calls of a run as an automation."""
        return {"path": str(self._automations().save(run_id, name))}
