"""The only importer of `js` and `pyodide`, with what stands in for them on CPython.

Everything else in the package is plain Python, so that it runs under pytest on any machine.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from gemini.errors import FileMissing, NoPage

IN_BROWSER = sys.platform == "emscripten"


class Port(Protocol):
    """A MessagePort, or what behaves like one: text in order, both ways."""

    def postMessage(self, message: Any) -> None: ...  # noqa: N802 - the browser's name


def start_eagerly(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run `coroutine` at once until it first waits, and make it a task for the rest.

    A call that never waits ends without a trip through the event loop. Python before 3.12 has no eager tasks;
    there the coroutine starts on the loop's next turn.
    """
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        return asyncio.Task(coroutine, loop=loop, eager_start=True)
    return loop.create_task(coroutine)


def listen(port: Any, receive: Callable[[Any], None]) -> Callable[[], None]:
    """Call `receive` with the data of each message that arrives on a JavaScript MessagePort, from now on.

    Text arrives as str; an object as a dict. The returned function closes the port, and lets go of `receive`.
    """
    from pyodide.ffi import JsProxy, create_proxy

    def on_message(event: Any) -> None:
        data = event.data
        receive(data.to_py() if isinstance(data, JsProxy) else data)

    proxy = port.onmessage = create_proxy(on_message)

    def end() -> None:
        port.onmessage = None
        port.close()
        proxy.destroy()

    return end


def to_js_object(value: dict[str, Any]) -> Any:
    """A dict as a plain JavaScript object, members included."""
    import js
    from pyodide.ffi import to_js

    return to_js(value, dict_converter=js.Object.fromEntries)


async def import_packaged_module(package: str, name: str) -> Any:
    """Import an ES module that travels inside a Python package, as a JavaScript namespace object.

    Raises:
        OSError: the package doesn't have it.
        ImportError: the browser can't load it.
    """
    from pyodide.ffi import JsException

    host = kernel_host()
    try:
        if host is not None:
            # The page has it as a file of that name (builder/preinstall.py), and has loaded it by now.
            return await host.importModule(name)
        text = files(package).joinpath(name).read_text(encoding="utf-8")
        return await _import_text()(text)
    except JsException as error:
        raise ImportError(str(error)) from error


def _import_text() -> Any:
    """JavaScript's `import()` for the text of a module.

    It takes `run_js`, which a strict content security policy forbids.
    """
    from pyodide.code import run_js

    return run_js(
        """async (text) => {
             const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
             try { return await import(url); } finally { URL.revokeObjectURL(url); }
           }"""
    )


def kernel_host() -> Any | None:
    """What the worker of the surface's page offers (web/kernel/worker.js); None in anybody else's Pyodide."""
    try:
        return import_module("gemini_host")
    except ModuleNotFoundError:
        return None


def own_origin() -> str:
    """The origin that Python runs on, as `http://127.0.0.1:8865`; empty outside of browsers."""
    if not IN_BROWSER:
        return ""
    import js

    return str(js.location.origin)


def set_caller_description(describe: Callable[[], str]) -> None:
    """Have requests to other origins say who makes them, in JSON (web/kernel/network.js)."""
    host = kernel_host()
    if host is not None:
        host.describeCallerBy(js_callback(describe))


def data_folder() -> tuple[Path | None, str | None]:
    """Where files are in the browser's storage as soon as they are written; or None and, where it is known, why."""
    host = kernel_host()
    if host is None:
        return None, None
    folder, problem = host.database.folder, host.database.problem
    return (Path(folder), None) if folder else (None, str(problem))


def persistent_roots() -> list[Path]:
    """The directories below which the worker of the surface's page keeps files."""
    host = kernel_host()
    return [] if host is None else [Path(root) for root in host.roots]


def emscripten_fs() -> Any:
    """Pyodide's filesystem object (https://emscripten.org/docs/api_reference/Filesystem-API.html)."""
    import pyodide_js

    return pyodide_js.FS


def set_link_times(path: str, time_ns: int) -> None:
    """Set the times of a symbolic link itself, which Emscripten's system calls can't."""
    if not IN_BROWSER:
        os.utime(path, ns=(time_ns, time_ns), follow_symlinks=False)
        return
    node = emscripten_fs().lookupPath(path, to_js_object({"follow": False})).node
    time_ms = time_ns // 1_000_000
    node.node_ops.setattr(node, to_js_object({"atime": time_ms, "mtime": time_ms}))


def set_interrupt_buffer(buffer: Any) -> None:
    """Let CPython look for a pending signal in `buffer[0]`, hundreds of times a second while code runs."""
    import pyodide_js

    pyodide_js.setInterruptBuffer(buffer)


async def install_packages(requirements: list[str]) -> None:
    """Load packages that a part of the surface needs on first use."""
    import pyodide_js

    await pyodide_js.loadPackage(requirements)


def list_loaded_packages() -> None:
    """Tell Pyodide which packages are installed; a restored memory snapshot has it look at an object of its own."""
    import pyodide_js

    loader: Any = import_module("pyodide._package_loader")
    loader.loadedPackages = pyodide_js.loadedPackages
    loader.init_loaded_packages()


def is_isolated() -> bool:
    """Whether SharedArrayBuffer, and with it interrupts from other threads, is there."""
    if not IN_BROWSER:
        return False
    import js

    return bool(js.crossOriginIsolated)


def js_callback(function: Callable[..., Any]) -> Any:
    """A Python function that JavaScript may keep and call; its owner destroys it."""
    from pyodide.ffi import create_proxy

    return create_proxy(function)


def attempt(action: Callable[[], Any]) -> str | None:
    """Call a JavaScript function, and return the message of what it throws, or None."""
    from pyodide.ffi import JsException

    try:
        action()
    except JsException as error:
        return str(error)
    return None


def offer_download(data: bytes, media_type: str) -> str:
    """An id by which the page finds `data`, until `withdraw_download`."""
    import js
    from pyodide.ffi import to_js

    blob = js.Blob.new(to_js([data]), to_js_object({"type": media_type}))
    return str(_page_host().blobs.offer(blob))


def withdraw_download(offered: str) -> None:
    """Free what `offer_download` holds."""
    _page_host().blobs.withdraw(offered)


class Fetched:
    """An answer of the browser's fetch, whose body is still coming.

    Attributes:
        status: Of HTTP.
        headers: By names in small letters.
        abort: Ends it, whatever is still to come.
    """

    def __init__(self, response: Any, abort: Callable[[], None]) -> None:
        self.status = int(response.status)
        # The browser has unpacked it.
        self.headers = {name: text for name, text in response.headers.entries() if name != "content-encoding"}
        self.abort = abort
        self._reader = response.body.getReader()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes; raises OSError where it breaks off."""
        from pyodide.ffi import JsException

        try:
            while not (piece := await self._reader.read()).done:
                yield piece.value.to_bytes()
        except JsException as error:
            raise OSError(str(error)) from error


async def fetch(url: str, method: str, headers: dict[str, str], body: bytes) -> Fetched:
    """Ask a server by the browser's fetch; the request ends when this is cancelled.

    Raises:
        OSError: there is no answer, or one that the server doesn't let this page read.
    """
    import js
    from pyodide.ffi import JsException

    controller = js.AbortController.new()
    options = {"method": method, "headers": headers, "signal": controller.signal}
    if body:
        options["body"] = body
    try:
        return Fetched(await js.fetch(url, to_js_object(options)), controller.abort)
    except JsException as error:
        raise OSError(str(error)) from error
    except asyncio.CancelledError:
        controller.abort()
        raise


@dataclass(frozen=True)
class Exchanged:
    """A whole answer of the browser's; the names of headers are in small letters."""

    status: int
    reason: str
    url: str
    headers: list[tuple[str, str]]
    body: bytes


def exchange(url: str, method: str, headers: dict[str, str], body: bytes) -> Exchanged:
    """Ask a server, and wait for the whole answer: by fetch where Python can be suspended, so that others go on.

    Raises:
        OSError: there is no answer, or none that this page may read.
    """
    from pyodide.ffi import JsException, can_run_sync, run_sync

    if can_run_sync():
        return run_sync(exchange_async(url, method, headers, body))
    try:
        return _exchange_by_request(url, method, headers, body)
    except JsException as error:
        raise OSError(str(error.message)) from error


async def exchange_async(url: str, method: str, headers: dict[str, str], body: bytes) -> Exchanged:
    """Ask a server for a whole answer by the browser's fetch; the request ends when this is cancelled.

    Raises:
        OSError: there is no answer, or none that this page may read.
    """
    import js
    from pyodide.ffi import JsException

    controller = js.AbortController.new()
    options: dict[str, Any] = {"method": method, "headers": headers, "signal": controller.signal}
    if body:
        options["body"] = body
    try:
        answer = await js.fetch(url, to_js_object(options))
        content = (await answer.arrayBuffer()).to_bytes()
    except JsException as error:
        raise OSError(str(error.message)) from error
    except asyncio.CancelledError:
        controller.abort()
        raise
    named = [(str(name), str(value)) for name, value in answer.headers.entries()]
    return Exchanged(int(answer.status), str(answer.statusText), str(answer.url), named, content)


def _exchange_by_request(url: str, method: str, headers: dict[str, str], body: bytes) -> Exchanged:
    import js
    from pyodide.ffi import to_js

    request = js.XMLHttpRequest.new()
    request.open(method, url, False)
    request.responseType = "arraybuffer"
    for name, value in headers.items():
        request.setRequestHeader(name, value)
    request.send(to_js(body) if body else None)
    lines = str(request.getAllResponseHeaders()).split("\r\n")
    named = [(name, value) for name, _, value in (line.partition(": ") for line in lines) if name]
    content = request.response.to_bytes()
    return Exchanged(int(request.status), str(request.statusText), str(request.responseURL), named, content)


async def fetch_upload(offered: str) -> bytes:
    """What the page offers under an id (web/kernel/blobs.js).

    Raises:
        FileMissing: it doesn't offer it any more.
    """
    from pyodide.ffi import JsException

    try:
        blob = await _page_host().blobs.take(offered)
        return (await blob.arrayBuffer()).to_bytes()
    except JsException as error:
        raise FileMissing(f"the page's file can't be read: {error}", hint="Choose the file again.") from error


def _page_host() -> Any:
    host = kernel_host()
    if host is None:
        raise NoPage(
            "no page passes files on here", hint="Open the surface's page; scripts write files themselves."
        )
    return host


def replace_run_sync(make: Callable[[Callable[[Any], Any]], Callable[[Any], Any]]) -> None:
    """Put `make(run_sync)` in the place of Pyodide's `run_sync`, which suspends the stack for an awaitable.

    `asyncio.run`, `loop.run_until_complete` and `time.sleep` of Pyodide go through it.
    """
    import pyodide.ffi
    import pyodide.webloop

    replaced = make(pyodide.ffi.run_sync)
    pyodide.ffi.run_sync = replaced
    pyodide.webloop.run_sync = replaced
