"""Pyodide and the browser below it."""

import functools
import os
import time
from typing import Any

from gemini.core.ffi.values import IN_BROWSER, to_js_object

# The browser takes a millisecond to tell its zone, which seldom changes.
ZONE_S = 10.0


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


def is_own_url(url: str) -> bool:
    """Return whether a URL has the origin that Python runs on, in any spelling that browsers understand."""
    if not IN_BROWSER:
        return False
    import js

    # A URL that can't be parsed is null, which has no attributes.
    return str(getattr(js.URL.parse(url), "origin", "")) == own_origin()


def time_zone() -> str:
    """Return the name of the user's time zone, such as `Europe/Berlin`."""
    if not IN_BROWSER:
        return os.environ.get("TZ") or "UTC"
    return _zone_during(int(time.monotonic() / ZONE_S))


@functools.lru_cache(maxsize=1)
def _zone_during(period: int) -> str:
    import js

    return str(js.Intl.DateTimeFormat().resolvedOptions().timeZone)


def is_isolated() -> bool:
    """Return whether SharedArrayBuffer, which interrupts from other threads need, is available."""
    if not IN_BROWSER:
        return False
    import js

    # WebKitGTK isolates pages and has no such class.
    return bool(js.crossOriginIsolated) and hasattr(js, "SharedArrayBuffer")


def lacks_stack_switching() -> bool:
    """Return whether the browser can't suspend a running stack (JavaScript Promise Integration)."""
    if not IN_BROWSER:
        return False
    import js

    return not hasattr(js.WebAssembly, "Suspending")


def lacks_storage() -> bool:
    """Return whether the browser has no origin private file system, where files are saved."""
    if not IN_BROWSER:
        return False
    import js

    storage = getattr(js.navigator, "storage", None)
    return not hasattr(storage, "getDirectory")


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
