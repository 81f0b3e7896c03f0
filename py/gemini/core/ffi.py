"""The only importer of `js` and `pyodide`, with substitutes for CPython.

The rest of the package is plain Python, so that it runs under pytest on any machine.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, cast

from gemini.errors import FileMissing, NoPage

IN_BROWSER = sys.platform == "emscripten"
DISTRIBUTION = "pyodide-distribution.json"
HTTP_OK = 200


class Port(Protocol):
    """A MessagePort or a substitute: delivers text in order, both ways."""

    def postMessage(self, message: Any) -> None:  # noqa: N802 - the browser's name
        """Send a message to the other port."""
        ...


def start_eagerly(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run `coroutine` until it first waits, and return a task for the rest.

    A call that never waits needs no turn of the event loop. Before Python 3.12, which introduced eager tasks, the
    coroutine starts on the loop's next turn.
    """
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        return asyncio.Task(coroutine, loop=loop, eager_start=True)
    return loop.create_task(coroutine)


def listen(port: Any, receive: Callable[[Any], None]) -> Callable[[], None]:
    """Call `receive` with the data of each message on a JavaScript MessagePort.

    Text arrives as str, an object as a dict. The returned function closes the port and releases `receive`.
    """
    from pyodide.ffi import JsProxy, create_proxy

    def on_message(event: Any) -> None:
        data = event.data
        receive(data.to_py() if isinstance(data, JsProxy) else data)

    proxy = port.onmessage = create_proxy(on_message)

    def close() -> None:
        port.onmessage = None
        port.close()
        proxy.destroy()

    return close


def to_js_object(value: dict[str, Any]) -> Any:
    """Convert a dict to a plain JavaScript object, recursively."""
    import js
    from pyodide.ffi import to_js

    return to_js(value, dict_converter=js.Object.fromEntries)


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
        text = files(package).joinpath(name).read_text(encoding="utf-8")
        return await _import_text()(text)
    except JsException as error:
        raise ImportError(str(error)) from error


def _import_text() -> Any:
    """Return JavaScript's `import()` for the text of a module.

    It needs `run_js`, which a strict content security policy forbids.
    """
    from pyodide.code import run_js

    return run_js(
        """async (text) => {
             const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
             try { return await import(url); } finally { URL.revokeObjectURL(url); }
           }"""
    )


async def load_programs() -> None:
    """Load the userland, and modules that only users' programs import (web/kernel/deferred.js), if they are missing.

    Raises:
        OSError: They can't be downloaded.
    """
    host = kernel_host()
    # Any other Pyodide has the whole package.
    if host is None or host.programs.loaded:
        return
    from pyodide.ffi import JsException

    try:
        await host.programs.load()
    except JsException as error:
        problem = f"{error.message.rstrip('.')}; check the connection to the page's server and try again"
        raise OSError(problem) from error


def kernel_host() -> Any | None:
    """Return the object that the page's worker provides (web/kernel/worker.js), or None in any other Pyodide."""
    try:
        return import_module("gemini_host")
    except ModuleNotFoundError:
        return None


def memory() -> tuple[int, int] | None:
    """Return the size of Python's memory and the most that 32 bits address, in bytes; None outside of browsers."""
    if not IN_BROWSER:
        return None
    import pyodide_js

    return int(pyodide_js._module.HEAPU8.length), 1 << 32


def own_origin() -> str:
    """Return the origin that Python runs on, such as `http://127.0.0.1:8865`, or "" outside of browsers."""
    if not IN_BROWSER:
        return ""
    import js

    return str(js.location.origin)


def set_caller_description(describe: Callable[[], str]) -> None:
    """Set the function that describes the caller of a network request, as JSON (web/kernel/network.js)."""
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


def emscripten_fs() -> Any:
    """Return Pyodide's filesystem object (https://emscripten.org/docs/api_reference/Filesystem-API.html)."""
    import pyodide_js

    return pyodide_js.FS


def set_link_times(path: str, time_ns: int) -> None:
    """Set the times of a symbolic link itself, which Emscripten's system calls can't do."""
    if not IN_BROWSER:
        os.utime(path, ns=(time_ns, time_ns), follow_symlinks=False)
        return
    node = emscripten_fs().lookupPath(path, to_js_object({"follow": False})).node
    time_ms = time_ns // 1_000_000
    node.node_ops.setattr(node, to_js_object({"atime": time_ms, "mtime": time_ms}))


def set_interrupt_buffer(buffer: Any) -> None:
    """Have CPython check `buffer[0]` for a pending signal, hundreds of times a second while code runs."""
    import pyodide_js

    pyodide_js.setInterruptBuffer(buffer)


async def install_packages(requirements: list[str]) -> None:
    """Load packages that the surface needs on first use."""
    import pyodide_js

    await pyodide_js.loadPackage(requirements)


def refresh_loaded_packages() -> None:
    """Refresh Pyodide's list of installed packages, which is outdated after a memory snapshot is restored."""
    import pyodide_js

    loader: Any = import_module("pyodide._package_loader")
    loader.loadedPackages = pyodide_js.loadedPackages
    loader.init_loaded_packages()


def set_install_directory(name: str, directory: Path) -> None:
    """Have Pyodide install packages whose entry in the lock file names this `install_dir` into `directory`."""
    loader: Any = import_module("pyodide._package_loader")
    loader.TARGETS[name] = directory


async def distribution_lock(address: str | None) -> tuple[str, str]:
    """Return the text of a lock file of Pyodide's packages, and the URL that its file names are relative to.

    Args:
        address: Its URL; None for the copy that came with the page, of the distribution of this Pyodide's version.

    Raises:
        OSError: It can't be fetched.
    """
    import pyodide_js

    url = address or f"{pyodide_js.lockfileBaseUrl}{DISTRIBUTION}"
    answer = await send_request_async(url, "GET", {}, b"")
    if answer.status != HTTP_OK:
        raise OSError(f"the answer is {answer.status} {answer.reason}")
    cdn = f"https://cdn.jsdelivr.net/pyodide/v{pyodide_js.version}/full/"
    return answer.body.decode("utf-8"), address or cdn


def add_to_lock_file(info: dict[str, Any], packages: dict[str, dict[str, Any]]) -> None:
    """Add packages to Pyodide's lock file, and to micropip's copy of it. Entries of the page's own stay.

    Raises:
        ValueError: The packages are for another version of Pyodide.
    """
    import pyodide_js

    own = pyodide_js._api.lockfile_info.to_py()
    differing = [key for key in ("abi_version", "python") if info.get(key) != own[key]]
    if differing:
        raise ValueError(f"it is for {differing[0]} {info.get(differing[0])}, not {own[differing[0]]}")
    known = pyodide_js._api.lockfile_packages
    new = {name: entry for name, entry in packages.items() if not hasattr(known, name)}
    for name, entry in new.items():
        setattr(known, name, to_js_object(entry))
    import_module("micropip._compat").LOCKFILE_PACKAGES.update(new)


def add_loaded_packages(directory: Path) -> None:
    """Add the packages in a directory to Pyodide's list of installed packages, so that it doesn't load them again."""
    loader: Any = import_module("pyodide._package_loader")
    for information in directory.glob("*.dist-info"):
        if (information / "METADATA").is_file():
            name, source = loader.get_dist_source(information)
            setattr(loader.loadedPackages, name, source)


def is_isolated() -> bool:
    """Return whether SharedArrayBuffer, which interrupts from other threads need, is available."""
    if not IN_BROWSER:
        return False
    import js

    return bool(js.crossOriginIsolated)


def js_callback(function: Callable[..., Any]) -> Any:
    """Return a proxy of a Python function that JavaScript may store and call; its owner must destroy it."""
    from pyodide.ffi import create_proxy

    return create_proxy(function)


def to_js_bytes(data: bytes) -> Any:
    """Return a Uint8Array with a copy of `data`."""
    from pyodide.ffi import to_js

    return to_js(data).slice()


def can_wait() -> bool:
    """Return whether `wait` can suspend the running stack."""
    if not IN_BROWSER:
        return False
    from pyodide.ffi import can_run_sync

    return bool(can_run_sync())


def wait(awaitable: Awaitable[Any]) -> Any:
    """Suspend the running stack until `awaitable` is done, and return its result."""
    # The attribute is replaced by `replace_run_sync`.
    from pyodide.ffi import run_sync

    return run_sync(awaitable)


def attempt(action: Callable[[], Any]) -> str | None:
    """Call a JavaScript function and return the message of the error that it throws, or None."""
    from pyodide.ffi import JsException

    try:
        action()
    except JsException as error:
        return str(error)
    return None


def offer_download(data: bytes, media_type: str) -> str:
    """Offer `data` to the page as a download and return its id, valid until `withdraw_download`."""
    import js
    from pyodide.ffi import to_js

    blob = js.Blob.new(to_js([data]), to_js_object({"type": media_type}))
    return str(_page_host().blobs.offer(blob))


def withdraw_download(blob_id: str) -> None:
    """Release the data of a download."""
    _page_host().blobs.withdraw(blob_id)


class StreamingResponse:
    """A response of the browser's fetch whose body is still arriving.

    Attributes:
        status: The HTTP status.
        headers: The headers, with lowercase names.
        abort: Cancels the rest of the response.
    """

    def __init__(self, response: Any, abort: Callable[[], None]) -> None:
        self.status = int(response.status)
        # The browser has decompressed the body.
        self.headers = {name: text for name, text in response.headers.entries() if name != "content-encoding"}
        self.abort = abort
        self._reader = response.body.getReader()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives.

        Raises:
            OSError: The connection breaks off.
        """
        from pyodide.ffi import JsException

        try:
            while not (piece := await self._reader.read()).done:
                yield piece.value.to_bytes()
        except JsException as error:
            raise OSError(str(error)) from error


async def fetch(url: str, method: str, headers: dict[str, str], body: bytes) -> StreamingResponse:
    """Send a request with the browser's fetch. Cancelling the task aborts it.

    Raises:
        OSError: There is no response, or this page may not read it.
    """
    import js
    from pyodide.ffi import JsException

    controller = js.AbortController.new()
    options = {"method": method, "headers": headers, "signal": controller.signal}
    if body:
        options["body"] = body
    try:
        return StreamingResponse(await js.fetch(url, to_js_object(options)), controller.abort)
    except JsException as error:
        raise OSError(str(error)) from error
    except asyncio.CancelledError:
        controller.abort()
        raise


@dataclass(frozen=True)
class Response:
    """A complete response; header names are lowercase."""

    status: int
    reason: str
    url: str
    headers: list[tuple[str, str]]
    body: bytes


def send_request(url: str, method: str, headers: dict[str, str], body: bytes) -> Response:
    """Send a request and wait for the complete response.

    This uses fetch if Python can be suspended, so that other tasks continue; otherwise a synchronous XMLHttpRequest.

    Raises:
        OSError: There is no response, or this page may not read it.
    """
    from pyodide.ffi import JsException, can_run_sync, run_sync

    if can_run_sync():
        return run_sync(send_request_async(url, method, headers, body))
    try:
        return _send_xml_http_request(url, method, headers, body)
    except JsException as error:
        raise OSError(str(error.message)) from error


class RequestFailed(OSError):
    """There is no response, or this page may not read it.

    Args:
        message: A sentence for the user.
        problem: The class of the network door's error (py/gemini_companion/network/errors.py), if it says so.
    """

    def __init__(self, message: str, problem: str = "") -> None:
        super().__init__(message)
        self.problem = problem


async def send_request_async(
    url: str, method: str, headers: dict[str, str], body: bytes, redirect: str = "follow"
) -> Response:
    """Send a request with the browser's fetch and return the complete response. Cancelling the task aborts it.

    Args:
        url: Its URL.
        method: Its method.
        headers: Its headers.
        body: Its body.
        redirect: "manual" returns a redirect, where the network door can (docs/network.md).

    Raises:
        RequestFailed: There is no response, or this page may not read it.
    """
    import js
    from pyodide.ffi import JsException

    controller = js.AbortController.new()
    options: dict[str, Any] = {"method": method, "headers": headers, "signal": controller.signal}
    options["redirect"] = redirect
    if body:
        options["body"] = body
    try:
        response = await js.fetch(url, to_js_object(options))
        content = (await response.arrayBuffer()).to_bytes()
    except JsException as error:
        problem = getattr(cast("Any", error).js_error, "problem", None) or ""
        raise RequestFailed(str(error.message), str(problem)) from error
    except asyncio.CancelledError:
        controller.abort()
        raise
    entries = getattr(response, "headersInOrder", None) or response.headers.entries()
    headers_list = [(str(name), str(value)) for name, value in entries]
    return Response(int(response.status), str(response.statusText), str(response.url), headers_list, content)


def _send_xml_http_request(url: str, method: str, headers: dict[str, str], body: bytes) -> Response:
    import js
    from pyodide.ffi import to_js

    request = js.XMLHttpRequest.new()
    request.open(method, url, False)
    request.responseType = "arraybuffer"
    for name, value in headers.items():
        request.setRequestHeader(name, value)
    request.send(to_js(body) if body else None)
    lines = str(request.getAllResponseHeaders()).split("\r\n")
    headers_list = [(name, value) for name, _, value in (line.partition(": ") for line in lines) if name]
    content = request.response.to_bytes()
    return Response(
        int(request.status), str(request.statusText), str(request.responseURL), headers_list, content
    )


async def fetch_upload(blob_id: str) -> bytes:
    """Return the content of the file that the page offers under an id (web/kernel/blobs.js).

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


def replace_run_sync(wrap: Callable[[Callable[[Any], Any]], Callable[[Any], Any]]) -> None:
    """Replace Pyodide's `run_sync`, which suspends the stack for an awaitable, with `wrap(run_sync)`.

    Pyodide's `asyncio.run`, `loop.run_until_complete` and `time.sleep` use it.
    """
    import pyodide.ffi
    import pyodide.webloop

    replaced = wrap(pyodide.ffi.run_sync)
    pyodide.ffi.run_sync = replaced
    pyodide.webloop.run_sync = replaced
