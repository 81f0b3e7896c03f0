"""The object that the page's worker provides, with its modules and files."""

import asyncio
import base64
import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from gemini.core.ffi.values import js_callback, to_js_bytes, to_js_object
from gemini.errors import FileMissing, NoPage, TimedOut


def kernel_host() -> Any | None:
    """Return the object that the page's worker provides (web/kernel/worker.ts), or None in any other Pyodide."""
    try:
        return import_module("gemini_host")
    except ModuleNotFoundError:
        return None


def take_network_failures() -> list[dict[str, str]]:
    """Return the requests that failed since the last call: `host`, `problem` (the door's name) and `message` each."""
    take = getattr(kernel_host(), "takeFailures", None)
    return [] if take is None else json.loads(take())


def set_clock(changes: Sequence[Sequence[object]] | None, names: tuple[str, str]) -> None:
    """Set the zone of Python's and JavaScript's local time (web/kernel/clock.ts); do nothing without the page's worker.

    Args:
        changes: The changes of its clock; None for the browser's zone.
        names: Its names in winter and in summer.
    """
    host = kernel_host()
    if host is not None:
        rows = None if changes is None else to_js_object([list(change) for change in changes])
        host.setClock(rows, to_js_object(list(names)))


async def import_packaged_module(package: str, name: str) -> Any:
    """Import an ES module from a Python package and return its JavaScript namespace object.

    Raises:
        OSError: The package doesn't contain the module.
        ImportError: The browser can't load the module.
    """
    from pyodide.ffi import JsException

    host = kernel_host()
    try:
        if host is not None:
            # The page serves it as a file (builder/preinstall.py) and has already loaded it.
            return await host.importModule(name)
        # Imported on first use, because the page's worker does without.
        from importlib.resources import files

        text = files(package).joinpath(name).read_text(encoding="utf-8")
        return await _import_text()(text)
    except JsException as error:
        raise ImportError(str(error)) from error


def linux_folder() -> str | None:
    """Return the address of the folder with Linux, or None if there is no page, or its build has none."""
    host = kernel_host()
    return None if host is None or host.linux is None else str(host.linux)


def meaning_folder() -> str | None:
    """Return the address of the folder with the model for search by meaning; None without a page or the model."""
    host = kernel_host()
    folder = getattr(host, "meaning", None)
    return None if folder is None else str(folder)


class DeviceModel:
    """The worker that computes embeddings on the device (web/meaning).

    Args:
        folder: The address of its folder.
    """

    def __init__(self, folder: str) -> None:
        self._worker: Any = _page_host().openEmbedder(folder)

    async def ask(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text.

        Raises:
            OSError: The model can't be downloaded or run.
        """
        from pyodide.ffi import JsException

        try:
            answer = await self._worker.ask(to_js_object(list(texts)))
        except JsException as error:
            raise OSError(error.message) from error
        if hasattr(answer, "problem"):
            raise OSError(str(answer.message))
        numbers: list[float] = answer.vectors.to_py().tolist()
        size = len(numbers) // max(1, len(texts))
        return [numbers[start : start + size] for start in range(0, len(numbers), size)]

    def end(self) -> None:
        """End the worker, which frees its memory."""
        self._worker.end()


async def ask_worker(module: str, data: bytes, *, seconds: float, **request: str) -> Any:
    """Send a request with the member `bytes` to a new worker, and return its answer.

    Args:
        module: The file name of the worker's module.
        data: The bytes.
        seconds: The maximum time.
        request: The other members.

    Raises:
        NoPage: There is no page that has the module.
        TimedOut: The worker took longer.
        OSError: The worker can't be loaded.
    """
    host = _page_host()
    from pyodide.ffi import JsException

    message = to_js_object(request)
    message.bytes = to_js_bytes(data)
    try:
        answer = await host.askWorker(module, message, seconds * 1000)
    except JsException as error:
        raise OSError(f"{error.message}; check the connection to the page's server and try again") from error
    if answer is None:
        raise TimedOut(f"it took longer than {seconds:g} seconds")
    return json.loads(answer)


def _import_text() -> Any:
    """Return JavaScript's `import()` for the text of a module.

    It needs `run_js`, which a strict content security policy forbids.
    """
    from pyodide.code import run_js

    return run_js(
        """async (text) => {
             if (globalThis.process?.versions?.node) {
               // Node imports no blob: addresses.
               return await import("data:text/javascript;base64," + Buffer.from(text).toString("base64"));
             }
             const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
             try { return await import(url); } finally { URL.revokeObjectURL(url); }
           }"""
    )


@contextmanager
def own_load() -> Generator[None]:
    """Tell the page that the surface's own code loads meanwhile, which isn't the user's to stop."""
    report = getattr(kernel_host(), "reportLoad", None)
    if report is None:
        yield
        return
    report(1)
    try:
        yield
    finally:
        report(-1)


async def load_programs() -> None:
    """Load the userland, and modules that only users' programs import (web/kernel/deferred.ts), if they are missing.

    Raises:
        OSError: They can't be downloaded.
    """
    host = kernel_host()
    # Any other Pyodide has the complete package.
    if host is None or host.programs.loaded:
        return
    with _download():
        await host.programs.load()


def load_programs_now() -> None:
    """Load what `load_programs` loads before this returns, for an import, which can't wait.

    Raises:
        OSError: They can't be downloaded.
    """

    def digest(data: Any) -> str:
        return base64.b64encode(sha256(data.to_bytes()).digest()).decode()

    host = kernel_host()
    if host is None or host.programs.loaded:
        return
    with _download():
        host.programs.loadNow(digest)


@contextmanager
def _download() -> Generator[None]:
    """Report a download of the surface's own code, and raise an OSError if it fails."""
    from pyodide.ffi import JsException

    try:
        with own_load():
            yield
    except JsException as error:
        problem = f"{error.message.rstrip('.')}; check the connection to the page's server and try again"
        raise OSError(problem) from error


def set_caller_description(describe: Callable[[], str]) -> None:
    """Set the function that describes the caller of a network request, as JSON (web/kernel/network.ts)."""
    host = kernel_host()
    if host is not None:
        host.describeCallerBy(js_callback(describe))


def data_folder() -> tuple[Path | None, str | None]:
    """Return the folder whose files are stored as soon as they are written, or None and the reason if known."""
    host = kernel_host()
    if host is None:
        return None, None
    folder, problem = host.database.folder, host.database.problem
    return (Path(folder), None) if folder else (None, str(problem))


def persistent_roots() -> list[Path]:
    """Return the directories whose files the page's worker saves."""
    host = kernel_host()
    return [] if host is None else [Path(root) for root in host.roots]


def offer_download(data: bytes, media_type: str) -> str:
    """Offer `data` to the page as a download and return its id, valid until `withdraw_download`."""
    import js
    from pyodide.ffi import to_js

    blob = js.Blob.new(to_js([data]), to_js_object({"type": media_type}))
    return str(_page_host().blobs.offer(blob))


def withdraw_download(blob_id: str) -> None:
    """Release the data of a download."""
    _page_host().blobs.withdraw(blob_id)


async def fetch_upload(blob_id: str) -> bytes:
    """Return the content of the file that the page offers under an id (web/kernel/blobs.ts).

    Raises:
        FileMissing: The page no longer offers the file.
    """
    from pyodide.ffi import JsException

    try:
        blob = await _page_host().blobs.take(blob_id)
        return (await blob.arrayBuffer()).to_bytes()
    except JsException as error:
        raise FileMissing(f"the page's file can't be read: {error}", hint="Choose the file again.") from error


def _page_host() -> Any:
    host = kernel_host()
    if host is None:
        raise NoPage(
            "there is no page to exchange files with",
            hint="Open the surface's page, or read and write files in Python.",
        )
    return host


StartRequest = Callable[[str, str, list[tuple[str, str]], bytes], "asyncio.Task[dict[str, Any]]"]
"""Sends a request (URL, method, headers, body); see gemini.computer.servers.requests."""


def serve_local_requests(start: StartRequest) -> Callable[[int, bool], None]:
    """Let `start` send the kernel's requests to servers in the page (web/kernel/local_servers.ts).

    Returns:
        A function that takes a port, and whether it listens now.
    """
    from pyodide.ffi import create_proxy

    host = kernel_host()
    if host is None:
        # In any other Pyodide, the browser sends the requests.
        return lambda port, listens: None

    def answer(url: str, method: str, headers: Any, body: Any, settle: Any) -> Any:
        pairs = [(str(name), str(value)) for name, value in headers.to_py()]
        # `get_context` is newer than the oldest Python that the package is checked for.
        task: Any = start(url, method, pairs, body.to_bytes() if body else b"")

        def done(task: asyncio.Task[dict[str, Any]]) -> None:
            if not task.cancelled():
                settle(to_js_object(task.result()))

        task.add_done_callback(done, context=task.get_context())
        # A future's own proxy is destroyed as soon as JavaScript waits for it.
        return create_proxy(task.cancel)

    host.servers.answerBy(create_proxy(answer))
    note: Callable[[int, bool], None] = host.servers.note
    return note
