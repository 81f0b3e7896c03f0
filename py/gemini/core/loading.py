"""Loading on first use: a package's names, large packages, and the objects of the running surface."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Generic, TypeVar

from gemini.core import ffi
from gemini.errors import GeminiError, NotStarted

# The pause between two imports. Zero would let messages through, but no timers.
PAUSE_S = 0.005
T = TypeVar("T")


def lazy_attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package (PEP 562).

    Args:
        package: The package's name.
        modules: The module that defines each name.
    """

    def load(name: str) -> Any:
        if name in modules:
            return getattr(import_module(modules[name]), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


class Provided(Generic[T]):  # noqa: UP046 - Python 3.11 has no syntax for it
    """An object that the surface creates on first use. A room has one, since an interpreter has one surface."""

    def __init__(self) -> None:
        self._find: Callable[[], T] | None = None

    def provide(self, find: Callable[[], T] | None) -> None:
        """Set the function that returns the object. It is called when the object is first needed."""
        self._find = find

    def current(self) -> T:
        """Return the object of this interpreter's surface.

        Raises:
            NotStarted: The surface isn't running.
        """
        if self._find is None:
            raise NotStarted("the surface isn't running", hint="Run `await gemini.start()` first.")
        return self._find()


class SharedLoads:
    """Loads that concurrent callers share, by key. One that failed is tried again."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def run(self, key: str, load: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Wait for the load of `key`, which `load` starts unless it has ended or runs.

        Raises:
            Exception: The load failed, with its error.
        """
        task = self._tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tasks[key] = asyncio.ensure_future(load())
        # A cancelled caller must not stop the load for others.
        await asyncio.shield(task)


async def import_after_pause(name: str) -> None:
    """Import a module after a pause in which the page handles events."""
    await asyncio.sleep(PAUSE_S)
    with ffi.own_load():
        import_module(name)


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
