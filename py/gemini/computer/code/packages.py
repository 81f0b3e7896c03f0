"""The package that analyses code. It is large, and loads with the first question."""

from pathlib import Path

from gemini.core import loading
from gemini.errors import CodeProblem

STUBS = Path("/usr/share/control-surface/stubs")
"""The stub files of code mode (`gemini.code_mode.stubs`)."""
PREFIX = "control_surface_stub_"
"""The stub `api.pyi` imports the others by this prefix and their names; nothing else has such names."""
# The order that splits the import into short pieces, to keep the page responsive.
MODULES = ("parso", "jedi", "gemini.computer.code.analysis")


async def load_packages() -> None:
    """Load the package, unless it is loaded.

    Raises:
        CodeProblem: It can't be fetched.
    """
    await loading.load_packages(("jedi",), MODULES, CodeProblem, "the package that analyses code")
