"""The packages that ask providers. They are large, and load when a model is first asked."""

import asyncio
from collections.abc import Callable
from importlib import import_module

from gemini.core import ffi
from gemini.errors import ModelUnavailable
from gemini.models.endpoint import Api

# What comes with others' needs counts as theirs.
SHARED = ("pydantic-ai-slim", "httpx2-jsfetch", "genai-prices")
# In this order Python gets through them in short pieces, with time for others in between.
MODULES = ("httpx2", "logfire_api", "griffe", "pydantic_graph", "pydantic_ai", "gemini.models.wire.client")

# Between two of them: no time at all would go to messages, but not to what waits for a moment to come.
PAUSE_S = 0.005

# Whoever else needs them waits for the same.
_loading: dict[Api, "asyncio.Task[None]"] = {}
_listeners: list[Callable[[int, int], None]] = []


def on_progress(listener: Callable[[int, int], None]) -> None:
    """Call `listener` with how many steps are done and how many there are, while they load."""
    _listeners.append(listener)


async def load_packages(api: Api) -> None:
    """Load what asks by an API, if it isn't there.

    Raises:
        ModelUnavailable: it can't be fetched now.
    """
    if not ffi.IN_BROWSER:
        return
    loading = _loading.get(api)
    if loading is None or (loading.done() and (loading.cancelled() or loading.exception() is not None)):
        loading = _loading[api] = asyncio.ensure_future(_load(api))
    # Who gives up doesn't stop what others wait for.
    await asyncio.shield(loading)


async def _load(api: Api) -> None:
    packages, modules = (*SHARED, api), (*MODULES, api, f"gemini.models.wire.{api}_api")
    total = len(packages) + len(modules)
    try:
        for done, name in enumerate(packages):
            _tell(done, total)
            await ffi.install_packages([name])
        for done, name in enumerate(modules, len(packages)):
            _tell(done, total)
            await asyncio.sleep(PAUSE_S)
            import_module(name)
    # Pyodide tells the browser's console alone what it couldn't load.
    except ModuleNotFoundError as error:
        raise ModelUnavailable(
            f"the packages that ask language models could not be fetched: {error}",
            hint="Check the connection, then try again.",
        ) from error
    finally:
        _tell(total, total)


def _tell(done: int, total: int) -> None:
    for listener in _listeners:
        listener(done, total)
