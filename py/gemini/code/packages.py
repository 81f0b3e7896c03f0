"""The packages that analyse code. They are large, and load with the first question."""

from gemini.core import ffi
from gemini.core.loading import SharedLoads, import_after_pause
from gemini.errors import CodeProblem

PACKAGE = "jedi"
# The order that splits the import into short pieces, to keep the page responsive.
MODULES = ("parso", "jedi", "gemini.code.analysis")

_loads = SharedLoads()


async def load_packages() -> None:
    """Load the packages, unless they are loaded.

    Raises:
        CodeProblem: They can't be fetched.
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
        raise CodeProblem(
            f"the packages that analyse code couldn't be downloaded: {error}",
            hint="Check the connection, then try again.",
        ) from error
