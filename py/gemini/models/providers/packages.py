"""The packages that talk to providers. They are large, and load with the first request to a model."""

from collections.abc import Callable
from functools import partial

from gemini.core import ffi
from gemini.core.loading import SharedLoads, import_after_pause
from gemini.errors import ModelUnavailable
from gemini.models.providers.endpoint import Api

# Dependencies load with these.
SHARED = ("pydantic-ai-slim", "httpx2-jsfetch", "genai-prices")
# The order that splits the import into the shortest pieces, to keep the page responsive.
MODULES = (
    "httpx2",
    "logfire_api",
    "griffe",
    "pydantic_graph",
    "pydantic_ai",
    "gemini.models.providers.wire.client",
)

_loads = SharedLoads()
_listeners: list[Callable[[int, int], None]] = []


def on_progress(listener: Callable[[int, int], None]) -> None:
    """Call `listener` with the number of finished steps and of all steps while packages load."""
    _listeners.append(listener)


async def load_packages(api: Api) -> None:
    """Load the packages for an API, unless they are loaded.

    Raises:
        ModelUnavailable: They can't be fetched.
    """
    if not ffi.IN_BROWSER:
        return
    await _loads.run(api, partial(_load, api))


async def _load(api: Api) -> None:
    packages, modules = (*SHARED, api), (*MODULES, api, f"gemini.models.providers.wire.{api}_api")
    total = len(packages) + len(modules)
    try:
        for done, name in enumerate(packages):
            _tell(done, total)
            await ffi.install_packages([name])
        for done, name in enumerate(modules, len(packages)):
            _tell(done, total)
            await import_after_pause(name)
    # Pyodide reports failed downloads only in the browser's console.
    except ModuleNotFoundError as error:
        raise ModelUnavailable(
            f"the packages for language models couldn't be downloaded: {error}",
            hint="Check the connection, then try again.",
        ) from error
    finally:
        _tell(total, total)


def _tell(done: int, total: int) -> None:
    for listener in _listeners:
        listener(done, total)
