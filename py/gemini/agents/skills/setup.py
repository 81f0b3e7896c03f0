"""The skills, whose folders are in the project's and in the home directory's."""

from pathlib import Path
from typing import TYPE_CHECKING

from gemini.agents.skills.panel_tools import PanelSkillTools
from gemini.agents.skills.provided import ProvidedSkills
from gemini.agents.skills.skills import FOLDERS, Skills
from gemini.computer.shell.embedded import ENVIRONMENT

if TYPE_CHECKING:
    from gemini.agents.runs.runs import Runs
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Create the skills, which runs follow."""
    roots = [Path(root, folder) for root in (kernel.home, ENVIRONMENT["HOME"]) for folder in FOLDERS]
    provided = ProvidedSkills(Path(ENVIRONMENT["HOME"], FOLDERS[0]), lambda: kernel.store.settings)
    kernel.skills = skills = Skills(lambda: kernel.store.skills, roots, kernel.events, provided)
    kernel.registry.add_room(PanelSkillTools(skills))

    def serve(runs: "Runs") -> None:
        runs.skills = skills

    kernel.on_runs(serve)
