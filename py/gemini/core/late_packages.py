"""Packages that load with the first call that needs them."""

from collections.abc import Sequence
from functools import partial

from gemini.core import ffi
from gemini.core.loading import SharedLoads, import_after_pause
from gemini.errors import GeminiError

_packages = SharedLoads()


async def load_package(
    package: str, modules: Sequence[str], problem: type[GeminiError], described: str
) -> None:
    """Load a package with its modules, unless it is loaded.

    Args:
        package: Its name in Pyodide's lock file.
        modules: The modules to import, in the order that splits the import into short pieces.
        problem: The error if it can't be fetched.
        described: The subject of that error's message, such as "the package that reads calendars".
    """
    await _packages.run(package, partial(_load_package, package, modules, problem, described))


async def _load_package(
    package: str, modules: Sequence[str], problem: type[GeminiError], described: str
) -> None:
    try:
        if ffi.IN_BROWSER:
            await ffi.install_packages([package])
        for name in modules:
            await import_after_pause(name)
    # Pyodide reports failed downloads only in the browser's console.
    except ModuleNotFoundError as error:
        raise problem(
            f"{described} couldn't be downloaded: {error}", hint="Check the connection, then try again."
        ) from error
