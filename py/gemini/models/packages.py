"""The packages that ask providers. They are large, and load when a model is first asked."""

import asyncio
from collections.abc import Callable
from importlib import import_module

from gemini import ffi
from gemini.errors import ModelUnavailable

# With what they need themselves; the largest first.
NEEDED = ("pydantic-ai-slim", "openai", "anthropic", "genai-prices", "httpx2-jsfetch")

# Whoever else needs them waits for the same.
_loading: "asyncio.Task[None] | None" = None
_listeners: list[Callable[[int, int], None]] = []


def on_progress(listener: Callable[[int, int], None]) -> None:
    """Call `listener` with how many packages are there and how many there will be, while they load."""
    _listeners.append(listener)


async def load_packages() -> None:
    """Load them, if they aren't there.

    Raises:
        ModelUnavailable: they can't be fetched now.
    """
    global _loading  # noqa: PLW0603 - packages belong to the interpreter
    if not ffi.IN_BROWSER:
        return
    if _loading is None or (_loading.done() and _loading.exception() is not None):
        _loading = asyncio.ensure_future(_load())
    # Who gives up doesn't stop what others wait for.
    await asyncio.shield(_loading)


async def _load() -> None:
    try:
        _tell(0, len(NEEDED))
        for number, name in enumerate(NEEDED, 1):
            await ffi.install_packages([name])
            _tell(number, len(NEEDED))
        import_module("gemini.models.wire.client")
    # Pyodide tells the browser's console alone what it couldn't load.
    except ModuleNotFoundError as error:
        raise ModelUnavailable(
            f"the packages that ask language models could not be fetched: {error}",
            hint="Check the connection, then try again.",
        ) from error


def _tell(done: int, total: int) -> None:
    for listener in _listeners:
        listener(done, total)
