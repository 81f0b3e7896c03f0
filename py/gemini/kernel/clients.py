"""The clients of a kernel: its page, and scripts that have a port to it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gemini.computer import network
from gemini.computer.python import user_site
from gemini.computer.shell.embedded import ENVIRONMENT
from gemini.core import ffi, late_modules, saved_code
from gemini.core.protocol import Connection
from gemini.kernel import kernel
from gemini.kernel.endpoint import connect
from gemini.tools import Registry
from gemini.tools import registry as shared_registry
from gemini.tools.consent import current_request_context


def serve(port: Any, registry: Registry = shared_registry) -> Connection:
    """Serve the tools on a JavaScript MessagePort, for `webmcp_bridge.js`."""
    connection = connect(registry, port.postMessage, {})
    ffi.listen(port, connection.receive)
    return connection


async def start_for_page(
    send: Callable[[str], None], fresh_files: bool, bare: bool = False
) -> tuple[kernel.Kernel, Connection]:
    """Start the kernel with a terminal and connect the page. The page's worker calls this.

    Args:
        send: Sends a message to the page.
        fresh_files: See `start`.
        bare: Whether to run no code in saved files until a command, code or a run begins.
    """
    late_modules.install(ffi.load_programs_now)
    ffi.set_caller_description(current_request_context)
    network.install()
    base = Path(ENVIRONMENT["HOME"], ".local")
    if not bare:
        user_site.enable(base)
    running = await kernel.start(fresh_files=fresh_files, bare=bare)
    if not running.terminals.terminals:
        running.terminals.create()
    running.work_later()
    connection = running.connect(send, attended=True)
    if bare:
        saved_code.defer(lambda: connection.notify("notifications/saved_code", {}))
        saved_code.defer(lambda: running.console.search(user_site.enable(base)))
    return running, connection
