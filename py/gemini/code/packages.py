"""The packages that analyse code. They are large, and load with the first question."""

import asyncio
from importlib import import_module

from gemini.core import ffi
from gemini.errors import CodeProblem

PACKAGE = "jedi"
# The order that splits the import into short pieces, to keep the page responsive.
MODULES = ("parso", "jedi", "gemini.code.analysis")
# The pause between two imports. Zero would let messages through, but no timers.
PAUSE_S = 0.005

# Concurrent callers share one load.
_loading: "dict[str, asyncio.Task[None]]" = {}


async def load_packages() -> None:
    """Load the packages, unless they are loaded.

    Raises:
        CodeProblem: They can't be fetched.
    """
    loading = _loading.get(PACKAGE)
    if loading is None or (loading.done() and (loading.cancelled() or loading.exception() is not None)):
        loading = _loading[PACKAGE] = asyncio.ensure_future(_load())
    # A cancelled caller must not stop the load for others.
    await asyncio.shield(loading)


async def _load() -> None:
    try:
        if ffi.IN_BROWSER:
            await ffi.install_packages([PACKAGE])
        for name in MODULES:
            await asyncio.sleep(PAUSE_S)
            import_module(name)
    # Pyodide reports failed downloads only in the browser's console.
    except ModuleNotFoundError as error:
        raise CodeProblem(
            f"the packages that analyse code couldn't be downloaded: {error}",
            hint="Check the connection, then try again.",
        ) from error
