"""Linux machines in the page: their memory, and their data in the browser's storage (web/linux)."""

from collections.abc import Awaitable, Generator
from contextlib import contextmanager
from errno import EIO, ENOSPC
from typing import Any

from gemini.core.ffi.machine import emscripten_fs
from gemini.core.ffi.page import kernel_host
from gemini.core.ffi.values import to_js_object

MODULE = "linux_machine.mjs"
FULL = "StorageFull"


@contextmanager
def _os_errors() -> Generator[None]:
    from pyodide.ffi import JsException

    try:
        yield
    except JsException as error:
        raise OSError(ENOSPC if error.name == FULL else EIO, error.message) from error


class LinuxHost:
    """Starts machines, and lists and deletes their stored data. Each method raises OSError if it fails."""

    async def start(self, folder: str, root: str, name: str, copy: Any = None) -> Any:
        """Start a machine, which has the folder `root` of this filesystem, and return it (web/linux/machine.ts).

        Args:
            folder: The address of the build's machine.
            root: The shared folder.
            name: The machine's name.
            copy: The state of another machine to continue, from its method `copy`.
        """
        with _os_errors():
            module = await self._module()
            place = to_js_object({"folder": folder, "root": root, "name": name})
            return await module.Machine.start(emscripten_fs(), place, _page().machines, copy)

    async def ask(self, answer: Awaitable[Any]) -> Any:
        """Wait for an answer of a machine; ENOSPC means that the browser's storage is full."""
        with _os_errors():
            return await answer

    async def stored(self) -> list[dict[str, Any]]:
        """List the machines that have files: `{name, changes, savedAt, savedBytes}`, in bytes and ms since 1970."""
        with _os_errors():
            found: list[dict[str, Any]] = (await (await self._module()).listMachines()).to_py()
            return found

    async def delete(self, name: str, *, entirely: bool) -> None:
        """Delete the disk and the saved state of a machine that doesn't run, and unless `entirely`, list it still."""
        with _os_errors():
            await (await self._module()).deleteMachine(name, entirely)

    async def roll_back(self, name: str) -> None:
        """Return to the disk of the saved state; the machine may not run, and its next start continues the state."""
        with _os_errors():
            await (await self._module()).rollBackMachine(name)

    async def export_disk(self, name: str, path: str) -> None:
        """Write the file with a machine's changes to a path; the machine may not run meanwhile."""
        with _os_errors():
            await (await self._module()).exportDisk(emscripten_fs(), name, path)

    async def import_disk(self, name: str, path: str) -> None:
        """Replace the changes of a machine that doesn't run by such a file, and delete its saved state."""
        with _os_errors():
            await (await self._module()).importDisk(emscripten_fs(), name, path)

    async def _module(self) -> Any:
        return await _page().importModule(MODULE)


def _page() -> Any:
    host = kernel_host()
    if host is None:
        raise OSError(EIO, "machines need a page")
    return host
