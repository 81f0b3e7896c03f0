"""The package that reads the files of agents. It loads with the first file."""

from gemini.core import ffi
from gemini.core.loading import SharedLoads, import_after_pause
from gemini.errors import TeamProblem

PACKAGE = "ruamel-yaml"
MODULES = ("ruamel.yaml", "gemini.team.front_matter")

_loads = SharedLoads()


async def load_packages() -> None:
    """Load the package, unless it is loaded.

    Raises:
        TeamProblem: It can't be fetched.
    """
    await _loads.run(PACKAGE, _load)


async def _load() -> None:
    try:
        if ffi.IN_BROWSER:
            await ffi.install_packages([PACKAGE])
        for name in MODULES:
            await import_after_pause(name)
    # Pyodide reports failed downloads only in the browser's console.
    except ModuleNotFoundError as error:
        raise TeamProblem(
            f"the package that reads the files of agents couldn't be downloaded: {error}",
            hint="Check the connection, then try again.",
        ) from error
