"""Values that cross to JavaScript, and waits for it."""

import asyncio
import contextvars
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
IN_BROWSER = sys.platform == "emscripten"


class Port(Protocol):
    """A MessagePort or a substitute: delivers text in order, both ways."""

    def postMessage(self, message: Any) -> None:  # noqa: N802 - the browser's name
        """Send a message to the other port."""
        ...


def start_eagerly(
    coroutine: Coroutine[Any, Any, T], context: contextvars.Context | None = None
) -> asyncio.Task[T]:
    """Run `coroutine` until it first waits, and return a task for the rest.

    Args:
        coroutine: The coroutine.
        context: Where it runs; None for a copy of the current context.

    A call that never waits needs no turn of the event loop. Before Python 3.12, which introduced eager tasks, the
    coroutine starts on the loop's next turn.
    """
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        return asyncio.Task(coroutine, loop=loop, context=context, eager_start=True)
    return loop.create_task(coroutine, context=context)


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


def to_js_object(value: dict[str, Any] | Sequence[Any]) -> Any:
    """Convert a dict to a plain JavaScript object, and a sequence to an array, recursively."""
    import js
    from pyodide.ffi import to_js

    return to_js(value, dict_converter=js.Object.fromEntries)


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


def replace_run_sync(wrap: Callable[[Callable[[Any], Any]], Callable[[Any], Any]]) -> None:
    """Replace Pyodide's `run_sync`, which suspends the stack for an awaitable, with `wrap(run_sync)`.

    Pyodide's `asyncio.run`, `loop.run_until_complete` and `time.sleep` use it.
    """
    import pyodide.ffi
    import pyodide.webloop

    replaced = wrap(pyodide.ffi.run_sync)
    pyodide.ffi.run_sync = replaced
    pyodide.webloop.run_sync = replaced


def attempt(action: Callable[[], Any]) -> str | None:
    """Call a JavaScript function and return the message of the error that it throws, or None."""
    from pyodide.ffi import JsException

    try:
        action()
    except JsException as error:
        return str(error)
    return None
