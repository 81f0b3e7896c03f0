"""Packages that load with the first call that needs them."""

from collections.abc import Sequence
from functools import partial

from gemini.core import ffi
from gemini.core.loading import SharedLoads, import_after_pause
from gemini.errors import GeminiError

_packages = SharedLoads()


async def load_packages(
    packages: Sequence[str], modules: Sequence[str], problem: type[GeminiError], described: str
) -> None:
    """Load packages with their modules, unless they are loaded.

    Args:
        packages: Their names in Pyodide's lock file.
        modules: The modules to import, in the order that splits the import into short pieces.
        problem: The error if they can't be fetched.
        described: The subject of that error's message, such as "the packages that read calendars".
    """
    await _packages.run(" ".join(packages), partial(_load, packages, modules, problem, described))


async def _load(
    packages: Sequence[str], modules: Sequence[str], problem: type[GeminiError], described: str
) -> None:
    try:
        if ffi.IN_BROWSER:
            await ffi.install_packages(list(packages))
        for name in modules:
            await import_after_pause(name)
    # Pyodide reports failed downloads only in the browser's console.
    except ModuleNotFoundError as error:
        raise problem(
            f"{described} couldn't be downloaded: {error}", hint="Check the connection, then try again."
        ) from error
