"""The command that starts a companion the way this one was started."""

import shutil
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

from gemini_companion.site import INSTALLED

SCRIPT = "control-surface"
PACKAGE = "gemini_companion"
WITHOUT_A_WINDOW = ("mcp", "--headless")


@dataclass(frozen=True)
class Command:
    """A program with its arguments, and the environment variables that it needs besides the usual ones."""

    program: str
    arguments: tuple[str, ...]
    variables: dict[str, str] = field(default_factory=dict[str, str])


def passing_command(client: str, port: int) -> Command:
    """Return `control-surface connect` with an absolute path, for a client's name and a companion's port."""
    return _command(("connect", client, "--port", str(port)))


def own_command(folder: Path) -> Command:
    """Return `control-surface mcp --headless` with absolute paths, so that it works from any folder.

    Args:
        folder: The built surface to serve.
    """
    site = () if folder.resolve() == INSTALLED.resolve() else ("--dist", str(folder.resolve()))
    return _command((*WITHOUT_A_WINDOW, *site))


def _command(arguments: tuple[str, ...]) -> Command:
    script = shutil.which(SCRIPT, path=sysconfig.get_path("scripts"))
    if script is not None:
        return Command(script, arguments)
    # In a source tree, Python wouldn't find the packages.
    packages = Path(__file__).parents[2]
    return Command(sys.executable, ("-m", PACKAGE, *arguments), {"PYTHONPATH": str(packages)})
