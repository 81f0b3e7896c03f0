"""The automations, whose folders are in the project's and in the home directory's."""

from pathlib import Path
from typing import TYPE_CHECKING

from gemini.automations import provide
from gemini.automations.scripts.panel_tools import PanelAutomationTools
from gemini.automations.scripts.tools import AutomationTools
from gemini.computer.shell.embedded import ENVIRONMENT

if TYPE_CHECKING:
    from gemini.automations.scripts.automations import Automations
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Register the tools of automations."""

    def automations() -> "Automations":
        return kernel.automations

    kernel.registry.add_room(AutomationTools(automations))
    kernel.registry.add_room(PanelAutomationTools(automations))
    kernel.on_start(lambda: provide(automations))


def create_automations(kernel: "Kernel") -> "Automations":
    """Create the automations. Their modules are loaded on first use."""
    from gemini.automations.scripts.automations import FOLDER, Automations

    folders = [Path(root, FOLDER) for root in (kernel.home, ENVIRONMENT["HOME"])]
    return Automations(
        kernel.registry, kernel.browser, lambda: kernel.runs, lambda: kernel.store.runs, folders
    )
