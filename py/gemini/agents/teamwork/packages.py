"""The package that reads the files of agents. It loads with the first file."""

from gemini.core import loading
from gemini.errors import TeamProblem

MODULES = ("ruamel.yaml", "gemini.agents.teamwork.front_matter")


async def load_packages() -> None:
    """Load the package, unless it is loaded.

    Raises:
        TeamProblem: It can't be fetched.
    """
    await loading.load_packages(
        ("ruamel-yaml",), MODULES, TeamProblem, "the package that reads the files of agents"
    )
